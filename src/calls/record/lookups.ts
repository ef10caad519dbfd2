import { OPERATIONS } from '../../areas.ts';
import type { World } from '../../engine/world.ts';
import type { CommandContext } from '../../sandbox/commands/command.ts';
import { find } from '../../sandbox/find.ts';
import type { Host } from '../../sandbox/host.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import { idsIn } from './ids.ts';
import { BASE } from './target.ts';
import { type Names, nameFor, type Template } from './template.ts';

/** An id that no call of a recording shows: which list has it, and where in it, counted from the oldest. */
export interface Lookup {
  readonly variable: string;
  /** Below the version segment, query included. A list of one owner's rows names the owner by its variable. */
  readonly path: Template;
  /** -1 is the oldest. */
  readonly at: number;
  /** A fresh emulator has nothing there. */
  readonly isMissing?: true;
}

/** Rows that one page of a list shows. */
const PAGE = 100;

/** A lookup whose path still has ids. */
export type FoundAt = Omit<Lookup, 'path'> & { readonly path: string };

/** Lists of the API that a platform may request without naming anything in the path. */
const lists = () =>
  OPERATIONS.filter(
    ({ method, path, auth, query }) => method === 'GET' && auth === 'basic' && !path.includes('{') && query,
  );

/** The login that asks the lists: no sandbox has a token of that name. */
const ASKING = 'asks-for-a-recording';

/** Asks lists of a copy of a sandbox, in the state before a request or in that of now: neither logs or counts any of it. */
class Asking {
  readonly #aside: Host;
  readonly #authorization: string;

  private constructor(aside: Host, authorization: string) {
    this.#aside = aside;
    this.#authorization = authorization;
  }

  static async of({ host, sandbox }: CommandContext, first?: Entry): Promise<Asking> {
    const before = first && sandbox.changesSince(first) !== undefined ? first.before : undefined;
    const aside = await host.another({ profile: host.profile.name, basePath: host.basePath, holdClock: true });
    const passing = await aside.fork(sandbox, { before, as: ASKING });
    passing.world.scheduler.sleep();
    // What shall go wrong with the calls of a test is not to go wrong here.
    passing.faults.clear();
    const [login] = passing.credentials;
    const basic = Buffer.from(`${login?.tokenId}:${login?.secret}`).toString('base64');
    return new Asking(aside, `Basic ${basic}`);
  }

  /** The ids in a list, the newest first; undefined where there is no such list. */
  async idsAt(path: string): Promise<readonly (string | undefined)[] | undefined> {
    const headers = { authorization: this.#authorization };
    const response = await this.#aside.fetch(new Request(`${BASE}${this.#aside.basePath}${path}`, { headers }));
    const { data } = (await response.json()) as { data?: readonly { id?: string }[] };
    return response.ok && Array.isArray(data) ? data.map(({ id }: { id?: string }) => id) : undefined;
  }

  close(): void {
    this.#aside.close();
  }
}

/** Returns where the ids are found that were there before the first of some requests, each with a name. */
export async function lookups(
  context: CommandContext,
  [first]: readonly Entry[],
  ids: readonly string[],
  names: Names,
): Promise<{ lookups: FoundAt[]; missing: string[] }> {
  if (ids.length === 0) return { lookups: [], missing: [] };
  const asking = await Asking.of(context, first);
  try {
    const open = new Set(ids);
    const found: FoundAt[] = [];
    for (const { path: list } of lists()) {
      if (open.size === 0) break;
      const path = `${list}?limit=${PAGE}`;
      const all = (await asking.idsAt(path)) ?? [];
      for (const [i, id] of all.entries()) {
        if (id === undefined || !open.delete(id)) continue;
        found.push({ variable: names.add(id, nameFor(id, 'id')), path, at: i - all.length });
      }
    }
    return { lookups: found, missing: [...open] };
  } finally {
    asking.close();
  }
}

/** Returns the ids that the row of an id names, such as the customer of an account. */
export function idsBeside(world: World, id: string): string[] {
  const row = find(world, id)?.row;
  return row ? [...new Set(idsIn(JSON.stringify(row)))].filter((one) => one !== id) : [];
}

type Query = (typeof OPERATIONS)[number]['query'];

const hasPages = (query: Query): boolean => query !== undefined && 'limit' in query().shape;

/** The parameters of a list that name an owner of its rows. */
const ownersIn = (query: Query): string[] =>
  Object.keys(query?.().shape ?? {}).filter((name) => name.endsWith('Id') && name !== 'platformCustomerId');

/**
 * Returns where ids are found among what belongs to something that the recording knows by then: that place is the same in
 * any sandbox, whatever else it has. By the position of the call that uses the id.
 */
export async function lookupsOfOwner(
  context: CommandContext,
  users: ReadonlyMap<string, number>,
  isKnown: (id: string, before: number) => boolean,
  names: Names,
): Promise<Map<number, FoundAt[]>> {
  const { world } = context.sandbox;
  const at = new Map<number, FoundAt[]>();
  const ofKnown = (id: string, user: number, depth: number): string[] =>
    idsBeside(world, id).filter((one) => isKnown(one, user) || (depth > 0 && ofKnown(one, user, depth - 1).length > 0));
  const owned = [...users].filter(([id, user]) => ofKnown(id, user, 1).length > 0);
  if (owned.length === 0) return at;
  const asking = await Asking.of(context);
  const find = async (id: string, user: number, depth: number): Promise<boolean> => {
    if (isKnown(id, user) || names.of(id) !== undefined) return true;
    for (const owner of ofKnown(id, user, depth))
      for (const { path: list, query } of lists())
        for (const parameter of ownersIn(query)) {
          const path = `${list}?${parameter}=${owner}${hasPages(query) ? `&limit=${PAGE}` : ''}`;
          const all = (await asking.idsAt(path)) ?? [];
          const place = all.indexOf(id);
          if (place < 0 || !(await find(owner, user, depth - 1))) continue;
          const found = { variable: names.add(id, nameFor(id, 'id')), path, at: place - all.length };
          at.set(user, [...(at.get(user) ?? []), found]);
          return true;
        }
    return false;
  };
  try {
    for (const [id, user] of owned) await find(id, user, 1);
    return at;
  } finally {
    asking.close();
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
): Promise<{ at: Map<number, FoundAt[]>; missing: string[] }> {
  const users = new Map<number, string[]>();
  for (const id of ids) {
    const i = entries.findIndex((entry) => usesOf(entry).includes(id));
    users.set(i, [...(users.get(i) ?? []), id]);
  }
  const at = new Map<number, FoundAt[]>();
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
