import { DELIVERIES, type Delivery } from '../../areas/webhooks/index.ts';
import { decode } from '../../contract/decode.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import { chosen } from '../frame/bounded.ts';
import { type Found, find, nameOf } from '../frame/kinds.ts';
import type { PageContext } from '../frame/page-context.ts';
import { escapeControlChars } from '../frame/text.ts';
import { isChapter, related } from '../state/related.ts';

/**
 * A resource with the rows of its timeline: every call that changed one of them and every event about one is about the
 * resource.
 */
export interface Subject {
  readonly found: Found;
  /** Its own id, and those of the rows that it follows. */
  readonly own: ReadonlySet<string>;
  /** The rows that are its chapters, oldest first. */
  readonly chapters: readonly Found[];
  /** The ids of all of them. */
  readonly ids: ReadonlySet<string>;
}

/** Returns the rows that count as part of a row's story. */
export function subjectOf(visit: PageContext, found: Found): Subject {
  const { kind, row } = found;
  const chapters = related(visit, found)
    .filter((one) => isChapter(one.kind, kind.name))
    .flatMap((one) => [...one.rows].reverse().map((child): Found => ({ kind: one.kind, row: child })));
  const own = new Set([row.id, ...(kind.follows?.(row, visit.world) ?? [])].filter((id) => id !== undefined));
  return { found, own, chapters, ids: new Set([...own, ...chapters.map((child) => child.row.id)]) };
}

/** Returns whether an event is about a resource: the resource itself, a row of its story, or a customer's affairs. */
export const tellsOf = ({ subject, data }: Delivery, { found: { row }, ids }: Subject): boolean =>
  ids.has(subject) || (data as { customerId?: unknown } | null | undefined)?.customerId === row.id;

/**
 * Returns whether a call changed a resource, or was meant to. It is not a GET, no rewind undid it, and it names the
 * resource, made it, or led to its events.
 */
export const changed = ({ world }: PageContext, entry: Entry, { own, ids }: Subject): boolean =>
  entry.method !== 'GET' &&
  !entry.undone &&
  (ids.has(madeBy(entry) ?? '') ||
    segments(entry).some((part) => ids.has(part)) ||
    [...own].some((id) => entry.body.includes(id) || entry.reply.includes(id)) ||
    (entry.caused?.events ?? []).some((id) => ids.has(world.rows(DELIVERIES).get(id)?.subject ?? '')));

const segments = ({ path }: Entry): string[] => decode(path).split('/');

/** Returns the id of the resource that a request made. */
export const madeBy = (entry: Entry): string | undefined => /^\{"id":"([^"]{1,80})"/.exec(entry.reply)?.[1];

/** Returns the newest events about a resource. */
export const hooksAbout = (visit: PageContext, subject: Subject, most: number): Delivery[] =>
  chosen(visit.world.rows(DELIVERIES).newest(), (hook) => tellsOf(hook, subject), most);

/** Returns the newest calls that changed a resource; the log is short. */
export const callsAbout = (visit: PageContext, subject: Subject, most: number): Entry[] =>
  chosen(visit.sandbox.requestLog.newest(), (entry) => changed(visit, entry, subject), most);

/** Returns the resource that the address names as `about`, if a list is narrowed to it. */
export function subjectIn(visit: PageContext): Subject | undefined {
  const found = find(visit, visit.query('about'));
  return found && subjectOf(visit, found);
}

/** Returns the name of a resource in a list that is narrowed to it. */
export const subjectName = (visit: PageContext, { found }: Subject): string =>
  escapeControlChars(`About ${nameOf(visit, found) ?? `${found.kind.one.toLowerCase()} …${found.row.id.slice(-6)}`}`);
