import { DELIVERIES, type Delivery } from '../../areas/webhooks/index.ts';
import { decode } from '../../contract/decode.ts';
import { maskAnswered, maskSent, maskTarget } from '../../sandbox/mask.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import { find } from '../frame/kinds.ts';
import type { PageContext } from '../frame/page-context.ts';
import { ID } from '../frame/text.ts';

/**
 * Returns the resources that a call is about, likeliest first: those it changed, the one in its reply, those it named.
 */
export function affectedIds(visit: PageContext, entry: Entry, most = 6): string[] {
  const ids = new Set<string>();
  const add = (id: string | undefined) => id !== undefined && find(visit, id) && ids.add(id);
  if (entry.method !== 'GET') {
    add(/^\{"id":"([^"]{1,80})"/.exec(entry.reply)?.[1]);
    for (const fact of entry.caused?.events ?? []) add(visit.world.rows(DELIVERIES).get(fact)?.subject);
  }
  for (const text of [decode(entry.path), entry.body, entry.reply]) {
    for (const [id] of text.slice(0, 20_000).matchAll(ID)) {
      if (ids.size >= most) return [...ids];
      add(id);
    }
  }
  return [...ids].slice(0, most);
}

/** Returns the webhooks that a call caused and that are still on record; none for a call that a rewind undid. */
export const caused = (visit: PageContext, entry: Entry): Delivery[] =>
  (entry.undone ? [] : (entry.caused?.events ?? [])).flatMap((id) => {
    const hook = visit.world.rows(DELIVERIES).get(id);
    return hook ? [hook] : [];
  });

/** Returns the position in a filtered list at which the page begins. */
export const placeOf = (visit: PageContext): number =>
  Math.min(Math.max(0, Math.floor(Number(visit.query('from') ?? 0)) || 0), 1e9);

export interface RequestFilter {
  readonly q?: string | undefined;
  readonly status?: string | undefined;
  readonly method?: string | undefined;
  readonly operation?: string | undefined;
  /** The id of the resource that calls changed. */
  readonly about?: string | undefined;
}

/**
 * Returns whether a call passes a filter: every word of the text anywhere in it, a status or its class, method,
 * operation.
 */
export function passes(entry: Entry, { q, status, method, operation }: RequestFilter): boolean {
  if (method !== undefined && entry.method !== method) return false;
  if (operation !== undefined && entry.operation !== operation) return false;
  if (status !== undefined && !statusIs(entry.status, status)) return false;
  if (q === undefined) return true;
  const text = `${entry.id} ${entry.method} ${decode(maskTarget(entry))} ${entry.operation ?? ''} ${entry.status} ${entry.code ?? ''}`;
  const head = text.toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => head.includes(word) || searchable(entry).includes(word));
}

const statusIs = (status: number, wanted: string): boolean =>
  /^\dxx$/.test(wanted) ? Math.floor(status / 100) === Number(wanted[0]) : String(status) === wanted;

/**
 * Returns the texts of a call and its reply for a search; masked parts are left out, because no secret may find a call.
 */
const searchable = (entry: Entry): string => `${maskSent(entry)} ${maskAnswered(entry)}`.toLowerCase();
