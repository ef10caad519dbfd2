import type { Column, Resource } from '../../engine/resource.ts';
import { eachOf, type Steps } from '../../engine/slices.ts';
import type { Row, Table } from '../../engine/table.ts';
import { atMost } from '../frame/bounded.ts';
import { nameOf } from '../frame/kinds.ts';
import type { PageContext } from '../frame/page-context.ts';
import { type ListRequest, majorUnits, namesFor } from './list-request.ts';

type Passes = (row: Row) => boolean;
type Names = (id: string) => string;

/** Returns the condition of an index that a list names; undefined if the table has no such index. */
export const whereOf = (rows: Table<Row>, { by, is }: ListRequest) =>
  by !== undefined && is !== undefined && Object.hasOwn(rows.token.indexes, by) ? { [by]: is } : undefined;

/**
 * Finds the rows of a list, in its order: newest first unless it is sorted. It searches the newest 100,000
 * (`LOOKED_AT`).
 */
export function* rowsOf(visit: PageContext, kind: Resource, list: ListRequest): Steps<Row[]> {
  const rows = visit.world.rows(kind);
  // Copied at once: a write between two slices does not disturb the walk.
  const all = [...atMost(rows.newest({ where: whereOf(rows, list), withHidden: true }))];
  const names = namesFor(visit);
  const conditions = conditionsOf(visit, kind, list, names);
  const passed: Row[] = [];
  yield* eachOf(all, (row) => {
    if (conditions.every((passes) => passes(row))) passed.push(row);
  });
  return list.sort ? yield* sorted(visit, passed, list.sort, names) : passed;
}

function conditionsOf(visit: PageContext, kind: Resource, list: ListRequest, names: Names): Passes[] {
  const { q, days, amounts } = list;
  const all = list.filters.flatMap(({ key, column, choices }): Passes[] => {
    const wanted = list.picked.get(key);
    if (wanted === undefined) return [];
    const text = wanted.toLowerCase();
    const holds = choices
      ? (value: unknown) => value === wanted
      : (value: unknown) => typeof value === 'string' && names(value).includes(text);
    return [(row) => [column.of(row, visit.world)].flat().some(holds)];
  });
  if (days && (days.from ?? days.to) !== undefined) all.push(between(visit, days.column, days.from, days.to));
  if (amounts && (amounts.from ?? amounts.to) !== undefined) {
    const { column, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = amounts;
    all.push((row) => {
      const amount = majorUnits(column.of(row, visit.world));
      return amount !== undefined && amount >= from && amount <= to;
    });
  }
  // The text comes last: it costs most.
  return q === undefined ? all : [...all, contains(visit, kind, q.toLowerCase(), names)];
}

/** Passes a row within a span that includes both days. Moments are texts of one form, and compare as they are. */
const between = (visit: PageContext, column: Column, from = '', to = '9999-12-31'): Passes => {
  const end = `${to}T23:59:59.999Z`;
  return (row) => {
    const value = column.of(row, visit.world);
    const at = typeof value === 'number' ? new Date(value).toISOString() : value;
    return typeof at === 'string' && at >= from && at <= end;
  };
};

/** Passes a row if its name, id or members contain a text, or the name of a resource that it refers to does. */
function contains(visit: PageContext, kind: Resource, text: string, names: Names): Passes {
  const ids = kind.columns.filter(({ as }) => as === 'id');
  const holds = (value: unknown) => typeof value === 'string' && value.toLowerCase().includes(text);
  return (row) =>
    holds(row.id) ||
    holds(nameOf(visit, { kind, row })) ||
    kind.sought.some((member) => holds(Reflect.get(row, member))) ||
    ids.some((column) => {
      const id = column.of(row, visit.world);
      return typeof id === 'string' && names(id).includes(text);
    });
}

function* sorted(
  visit: PageContext,
  rows: readonly Row[],
  { column, descending }: NonNullable<ListRequest['sort']>,
  names: Names,
): Steps<Row[]> {
  const keyed: { row: Row; key: string | number | undefined }[] = [];
  yield* eachOf(rows, (row) => void keyed.push({ row, key: orderOf(column, column.of(row, visit.world), names) }));
  const sign = descending ? -1 : 1;
  keyed.sort((a, b) => {
    if (a.key === b.key) return 0;
    // A row without a value comes last in either direction.
    if (a.key === undefined) return 1;
    if (b.key === undefined) return -1;
    return a.key < b.key ? -sign : sign;
  });
  yield 0;
  return keyed.map(({ row }) => row);
}

function orderOf({ as }: Column, value: unknown, names: Names): string | number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (as === 'money') return majorUnits(value);
  if (as === 'id') return names(String(value));
  return typeof value === 'number' ? value : String(value);
}
