import { CURRENCIES, powerOfTen } from '../../contract/money.ts';
import type { Column, Resource } from '../../engine/resource.ts';
import type { Steps } from '../../engine/slices.ts';
import type { Row } from '../../engine/table.ts';
import { atMost } from '../frame/bounded.ts';
import { find, nameOf } from '../frame/kinds.ts';
import type { PageContext } from '../frame/page-context.ts';

/** A filter by one column: a choice if it has few values, otherwise a text that a name or an id contains. */
export interface ColumnFilter {
  /** Its name in the address. */
  readonly key: string;
  readonly label: string;
  readonly column: Column;
  /** The values to choose from; undefined for a text. */
  readonly choices: readonly string[] | undefined;
}

/** The filters, order and position of a list, as its address names them. */
export interface ListRequest {
  readonly q: string | undefined;
  readonly by: string | undefined;
  readonly is: string | undefined;
  readonly cursor: string | undefined;
  /** The number of rows before the page. */
  readonly skip: number;
  readonly filters: readonly ColumnFilter[];
  /** The value that each filter is set to, by its name in the address. */
  readonly picked: ReadonlyMap<string, string>;
  readonly days:
    | { readonly column: Column; readonly from?: string | undefined; readonly to?: string | undefined }
    | undefined;
  readonly amounts:
    | { readonly column: Column; readonly from?: number | undefined; readonly to?: number | undefined }
    | undefined;
  readonly sort: { readonly column: Column; readonly descending: boolean } | undefined;
  /** The parts of the address that were not applied, each with its reason. */
  readonly ignored: readonly string[];
}

/** The parameters of an address that belong to the list as a whole. */
export const LIST_KEYS = ['startDate', 'endDate', 'minAmount', 'maxAmount', 'sort'] as const;

/** The most values that a choice offers; a column with more is filtered by a text. */
const CHOICES = 12;
/** The most rows, newest first, that are searched for the values of a choice. */
const SEEN = 20_000;
/** The number of rows between two checks of the time. */
const BATCH = 500;

/** Returns the name of a column in an address: `Platform id` is `platform-id`. */
export const keyOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

/** Parses the address of a list. Unusable parts are left out, and `ignored` says why. */
export function* listRequest(visit: PageContext, kind: Resource): Steps<ListRequest> {
  const ignored: string[] = [];
  const filters = yield* filtersOf(visit, kind);
  const skip = Number(visit.query('skip') ?? 0);
  return {
    q: visit.query('q'),
    by: visit.query('by'),
    is: visit.query('is'),
    cursor: visit.query('cursor'),
    skip: Number.isSafeInteger(skip) && skip > 0 ? skip : 0,
    filters,
    picked: new Map(
      filters.flatMap(({ key }) => {
        const value = visit.query(key);
        return value === undefined ? [] : [[key, value] as const];
      }),
    ),
    days: daysOf(visit, kind, ignored),
    amounts: amountsOf(visit, kind, ignored),
    sort: sortOf(visit, kind, ignored),
    ignored,
  };
}

/** Returns whether a list shows fewer rows than there are, or in another order. */
export const isNarrowed = ({ q, picked, days, amounts, sort }: ListRequest): boolean =>
  q !== undefined ||
  picked.size > 0 ||
  sort !== undefined ||
  [days?.from, days?.to, amounts?.from, amounts?.to].some((end) => end !== undefined);

/** Returns the parameters of a list in an address, without its position. */
export const paramsOf = (visit: PageContext, { q, by, is, filters }: ListRequest): Record<string, string | undefined> =>
  Object.fromEntries([
    ...Object.entries({ q, by, is }),
    ...[...filters.map(({ key }) => key), ...LIST_KEYS].map((key) => [key, visit.query(key)] as const),
  ]);

function* filtersOf(visit: PageContext, kind: Resource): Steps<ColumnFilter[]> {
  const newest = [...atMost(visit.world.rows(kind).newest({ withHidden: true }), SEEN)];
  const filters: ColumnFilter[] = [];
  for (const column of [...kind.columns, ...kind.filters]) {
    const { name, as } = column;
    if (as === 'time' || as === 'money' || as === 'number') continue;
    const key = keyOf(name);
    const choices = as === 'id' ? undefined : yield* choicesOf(visit, column, newest, visit.query(key));
    if (as === 'id' || choices) filters.push({ key, label: name, column, choices });
  }
  return filters;
}

/** Returns the values of a column, in order; undefined if they are too many to choose from. */
function* choicesOf(
  visit: PageContext,
  column: Column,
  rows: readonly Row[],
  picked: string | undefined,
): Steps<string[] | undefined> {
  const values = new Set(picked === undefined ? [] : [picked]);
  for (const [i, row] of rows.entries()) {
    for (const value of valuesOf(visit, column, row)) values.add(value);
    if (values.size > CHOICES) return undefined;
    if (i % BATCH === BATCH - 1) yield BATCH;
  }
  return [...values].sort();
}

const valuesOf = (visit: PageContext, column: Column, row: Row): string[] =>
  [column.of(row, visit.world)].flat().filter((value) => typeof value === 'string' && value !== '') as string[];

function daysOf(visit: PageContext, kind: Resource, ignored: string[]): ListRequest['days'] {
  const column = kind.columns.find(({ as }) => as === 'time');
  if (!column) return undefined;
  const day = (key: string): string | undefined => {
    const text = visit.query(key);
    if (text === undefined) return undefined;
    if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
    ignored.push(`${key}: write a day as 2026-01-31`);
    return undefined;
  };
  return { column, from: day('startDate'), to: day('endDate') };
}

function amountsOf(visit: PageContext, kind: Resource, ignored: string[]): ListRequest['amounts'] {
  const column = kind.columns.find(({ as }) => as === 'money');
  if (!column) return undefined;
  const amount = (key: string): number | undefined => {
    const text = visit.query(key);
    if (text === undefined) return undefined;
    const value = Number(text.replaceAll(',', ''));
    if (Number.isFinite(value)) return value;
    ignored.push(`${key}: write an amount as 1250.50`);
    return undefined;
  };
  return { column, from: amount('minAmount'), to: amount('maxAmount') };
}

function sortOf(visit: PageContext, kind: Resource, ignored: string[]): ListRequest['sort'] {
  const text = visit.query('sort');
  if (text === undefined) return undefined;
  const descending = text.startsWith('-');
  const column = kind.columns.find(({ name }) => keyOf(name) === text.slice(descending ? 1 : 0));
  if (column) return { column, descending };
  ignored.push(`sort: choose one of ${kind.columns.map(({ name }) => keyOf(name)).join(', ')}`);
  return undefined;
}

/** Returns a function that gives the name of an id with the id itself, in lower case; it looks each up once. */
export function namesFor(visit: PageContext): (id: string) => string {
  const names = new Map<string, string>();
  return (id) => {
    let name = names.get(id);
    if (name === undefined) {
      const found = find(visit, id);
      names.set(id, (name = `${(found && nameOf(visit, found)) ?? ''} ${id}`.trim().toLowerCase()));
    }
    return name;
  };
}

/** Returns an amount in major units of its currency: `1250 USD` is 12.5; undefined if there is none. */
export function majorUnits(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const [units, code = ''] = value.split(' ');
  return Number(units) / powerOfTen(CURRENCIES.get(code)?.decimals ?? 0);
}
