import { OPERATIONS } from '../../areas.ts';
import type { CommandContext } from '../../sandbox/commands/command.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import { BASE } from './target.ts';
import { type Names, nameFor } from './template.ts';

/** An id of the scenario's: which list has it, and where in it, counted from the oldest. */
export interface Lookup {
  readonly variable: string;
  /** Below the version segment, query included. */
  readonly path: string;
  /** -1 is the oldest. */
  readonly at: number;
  /** A fresh emulator has nothing there. */
  readonly isMissing?: true;
}

/** Rows that one page of a list shows. */
const PAGE = 100;

/** Lists of the API that anybody may ask without naming anything. */
const lists = (): string[] =>
  OPERATIONS.filter(
    ({ method, path, auth, query }) => method === 'GET' && auth === 'basic' && !path.includes('{') && query,
  ).map(({ path }) => path);

/** The login that asks the lists: no sandbox has a token of that name. */
const ASKING = 'asks-for-a-recording';

/**
 * Returns where the ids are found that were there before the first of some requests, each with a name. The lists are asked
 * in another host, in the state of then: this one logs and counts none of it.
 */
export async function lookups(
  context: CommandContext,
  [first]: readonly Entry[],
  ids: readonly string[],
  names: Names,
): Promise<{ lookups: Lookup[]; missing: string[] }> {
  if (ids.length === 0) return { lookups: [], missing: [] };
  const { host, sandbox } = context;
  const before = first && sandbox.changesSince(first) !== undefined ? first.before : undefined;
  const aside = await host.another({ profile: host.profile.name, basePath: host.basePath, holdClock: true });
  try {
    const passing = await aside.fork(sandbox, { before, as: ASKING });
    passing.world.scheduler.sleep();
    // What shall go wrong with the calls of a test is not to go wrong here.
    passing.faults.clear();
    const [login] = passing.credentials;
    const authorization = `Basic ${Buffer.from(`${login?.tokenId}:${login?.secret}`).toString('base64')}`;
    const open = new Set(ids);
    const found: Lookup[] = [];
    for (const list of lists()) {
      if (open.size === 0) break;
      const path = `${list}?limit=${PAGE}`;
      const response = await aside.fetch(
        new Request(`${BASE}${aside.basePath}${path}`, { headers: { authorization } }),
      );
      const { data } = (await response.json()) as { data?: readonly { id?: string }[] };
      if (!response.ok || !Array.isArray(data)) continue;
      for (const [i, { id }] of (data as readonly { id?: string }[]).entries()) {
        if (id === undefined || !open.delete(id)) continue;
        found.push({ variable: names.add(id, nameFor(id, 'id')), path, at: i - data.length });
      }
    }
    return { lookups: found, missing: [...open] };
  } finally {
    aside.close();
  }
}

/** Ids that are looked up in the middle of a recording, at most: for each the state before a call is made once more. */
const MOST_LATER = 20;

/** Looks ids up in the state before the first call that uses them; by the position of that call. */
export async function lookupsAtUse(
  context: CommandContext,
  entries: readonly Entry[],
  ids: readonly string[],
  names: Names,
  usesOf: (entry: Entry) => readonly string[],
): Promise<{ at: Map<number, Lookup[]>; missing: string[] }> {
  const users = new Map<number, string[]>();
  for (const id of ids) {
    const i = entries.findIndex((entry) => usesOf(entry).includes(id));
    users.set(i, [...(users.get(i) ?? []), id]);
  }
  const at = new Map<number, Lookup[]>();
  const missing: string[] = [];
  for (const [i, used] of users) {
    const entry = entries[i];
    const found =
      entry && at.size < MOST_LATER ? await lookups(context, [entry], used, names) : { lookups: [], missing: used };
    if (found.lookups.length > 0) at.set(i, found.lookups);
    missing.push(...found.missing);
  }
  return { at, missing };
}
