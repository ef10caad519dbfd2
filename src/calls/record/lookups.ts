import { OPERATIONS } from '../../areas.ts';
import type { World } from '../../engine/world.ts';
import type { CommandContext } from '../../sandbox/commands/command.ts';
import { find } from '../../sandbox/find.ts';
import type { Host } from '../../sandbox/host.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import { idsIn } from './ids.ts';
import { BASE } from './target.ts';
import { type Names, nameFor, type Template } from './template.ts';

/** The place of an id that no call of a recording shows: a list, and its position there, counted from the oldest. */
export interface Lookup {
  readonly variable: string;
  /** Below the version segment, with the query. A list of one owner's rows names the owner by its variable. */
  readonly path: Template;
  /** -1 is the oldest. */
  readonly at: number;
  /** True if a fresh emulator has nothing there. */
  readonly isMissing?: true;
}

/** The rows that one page of a list shows. */
const PAGE = 100;

/** A lookup whose path still has ids. */
export type FoundAt = Omit<Lookup, 'path'> & { readonly path: string };

/** Returns the lists of the API that a platform may request without a path parameter. */
const lists = () =>
  OPERATIONS.filter(
    ({ method, path, auth, query }) => method === 'GET' && auth === 'basic' && !path.includes('{') && query,
  );

/** The token id that requests the lists: no sandbox has a token of that name. */
const ASKING = 'asks-for-a-recording';

/**
 * Requests lists from a copy of a sandbox, in the state before a request or in the present one; the sandbox logs and
 * counts none of it.
 */
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
    // Faults are meant for the calls of a test, not for these.
    passing.faults.clear();
    const [login] = passing.credentials;
    const basic = Buffer.from(`${login?.tokenId}:${login?.secret}`).toString('base64');
    return new Asking(aside, `Basic ${basic}`);
  }

  /** Returns the ids in a list, newest first; undefined if there is no such list. */
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

/** Returns where to find ids that existed before the first of some requests, each with a name. */
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

/** Returns the parameters of a list that name an owner of its rows. */
const ownersIn = (query: Query): string[] =>
  Object.keys(query?.().shape ?? {}).filter((name) => name.endsWith('Id') && name !== 'platformCustomerId');

/**
 * Returns where to find ids in the lists of an owner that the recording knows, by the position of the call that uses
 * the id. That place is the same in any sandbox, whatever else it contains.
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

/** The most ids that are looked up in the middle of a recording: each needs the state before a call to be rebuilt. */
const MOST_LATER = 20;

/** Looks ids up in the state before the first call that uses them, by the position of that call. */
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
