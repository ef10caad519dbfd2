import type { Table } from '../kernel/table.ts';
import { type AnyRow, type Column, created, KINDS, type Kind } from './kind-list.ts';
import { ifSound } from './text.ts';
import type { Visit } from './visit.ts';

const BY_TABLE = new Map(KINDS.map((kind) => [kind.table, kind]));
const BY_PREFIX = new Map(KINDS.flatMap((kind) => (kind.prefix ? [[kind.prefix, kind] as const] : [])));

/** Tables that have pages of their own. */
const TITLES = new Map([
  ['webhooks', 'Webhooks'],
  ['jobs', 'Scheduled jobs'],
  ['codes', 'Sent codes'],
]);

/** How a table is shown; one that is not known here is shown plainly. */
export const kindOf = (name: string): Kind =>
  BY_TABLE.get(name) ?? { table: name, title: TITLES.get(name) ?? name, one: name, about: '', columns: [created] };

/** The rows of a kind. */
export const rowsOf = (visit: Visit, kind: Kind): Table<AnyRow> | undefined =>
  visit.table(kind.table) as Table<AnyRow> | undefined;

/** How many rows there are of each table, also of those that nothing has read since the sandbox was forked or restored. */
export const sizesOf = ({ world }: Visit): ReadonlyMap<string, number> =>
  new Map(world.tables().map(({ name, size }) => [name, size]));

/** The name that a person would know a row by, if it has one. */
export const nameOf = (kind: Kind, row: AnyRow): string | undefined => ifSound(() => kind.name?.(row));

/** What a row has in a column; nothing where it is not what its table promises. */
export const valueIn = (column: Column | undefined, row: AnyRow, visit: Visit): unknown =>
  ifSound(() => column?.of(row, visit));

export interface Found {
  readonly kind: Kind;
  readonly row: AnyRow;
}

/** The resource of an id, if it exists. */
export function find(visit: Visit, id: unknown): Found | undefined {
  if (typeof id !== 'string') return undefined;
  const kind = BY_PREFIX.get(id.slice(0, id.indexOf(':')));
  const row = kind && rowsOf(visit, kind)?.get(id);
  return kind && row ? { kind, row } : undefined;
}

/** A resource as the API shows it; what the API never shows as it is kept. */
export function shown(visit: Visit, { kind, row }: Found): { value: unknown; asApi: boolean } {
  const value = kind.read
    ? visit.shows(kind.read[0], { [kind.read[1]]: row.id })
    : ifSound(() => kind.show?.(row, visit));
  return value === undefined ? { value: row, asApi: false } : { value, asApi: true };
}
