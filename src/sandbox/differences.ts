import { TABLES } from '../areas.ts';
import { CURRENCIES, moneyText } from '../contract/money.ts';
import { type Differences, diff, type FieldChange } from '../engine/diff.ts';
import { isResource } from '../engine/resource.ts';
import { eachOf, type Steps } from '../engine/slices.ts';
import type { Row } from '../engine/table.ts';
import { outsideCurrency } from '../ledger/ledger.ts';
import { kindOfId } from './find.ts';
import { maskChanges } from './mask.ts';
import type { Place } from './places.ts';

/** A member that differs; an amount has both its sides in words, too: `100.00 USD -> 75.00 USD`. */
export interface WordedChange extends FieldChange {
  words?: string;
}

/** The differences between two states, with the names by which people know the rows. */
export interface WordedDifferences extends Differences {
  from: string;
  to: string;
  /** By id: `Ada Keller`, `125.00 USD of Ada Keller`. Ids without a name are left out. */
  names: Record<string, string>;
  /** By table: its title, as in `Bulk imports`. Tables without a title are left out. */
  titles: Record<string, string>;
}

/** Members in minor units of the currency of their row. */
const AMOUNTS = new Set(['available', 'held', 'amount', 'authorized', 'settled', 'refunded', 'fees', 'platformFees']);

/** Compares two states, secrets masked; it names at most `most` rows per table and kind of change. */
export function* differences(from: Place, to: Place, most: number): Steps<WordedDifferences> {
  const found = yield* diff(from.state, to.state, most);
  const rows = yield* rowsNamed(found, [to, from]);
  const masked = yield* maskChanges(found);
  yield* eachOf(
    masked.tables.flatMap(({ changed }) => changed),
    ({ id, fields }) => {
      for (const field of fields as WordedChange[]) sayAmount(id, rows.get(id), field);
    },
  );
  const titles = masked.tables.flatMap(({ name }) => {
    const title = TABLES.get(name)?.many;
    return title === undefined ? [] : [[name, title] as const];
  });
  return { from: from.name, to: to.name, ...masked, names: namesOf(rows, to), titles: Object.fromEntries(titles) };
}

/** Returns by id the rows that differ and those that their changes name; from the later state if it has them. */
function* rowsNamed({ tables }: Differences, places: readonly Place[]): Steps<Map<string, Row>> {
  const wanted = new Set<string>();
  yield* eachOf(tables, ({ added, removed, changed }) => {
    for (const id of [...added, ...removed]) wanted.add(id);
    for (const { id, fields } of changed) {
      wanted.add(id);
      for (const value of fields.flatMap(({ before, after }) => [before, after]))
        if (typeof value === 'string' && value.includes(':')) wanted.add(value);
    }
  });
  const found = new Map<string, Row>();
  // A balance has the id of its account, and the account has the name.
  for (const { state } of places)
    for (const { rows } of state.tables.filter(({ name }) => isNamed(name)))
      yield* eachOf(rows, (row) => {
        if (wanted.has(row.id) && !found.has(row.id)) found.set(row.id, row);
      });
  return found;
}

const kindOf = (table: string) => {
  const token = TABLES.get(table);
  return token && isResource(token) ? token : undefined;
};
const isNamed = (table: string): boolean => kindOf(table)?.label !== undefined;

function namesOf(rows: ReadonlyMap<string, Row>, { world }: Place): Record<string, string> {
  const plain = (row: Row | undefined): string | undefined => row && kindOfId(row.id)?.label?.(row, world);
  const entries = [...rows.values()].flatMap((row) => {
    const name = plain(row);
    if (name === undefined) return [];
    const owner: unknown = Reflect.get(row, 'customerId');
    const holder = typeof owner === 'string' ? plain(rows.get(owner) ?? customerIn(world, owner)) : undefined;
    return [[row.id, holder === undefined || name.includes(holder) ? name : `${name} of ${holder}`] as const];
  });
  return Object.fromEntries(entries);
}

const customerIn = (world: Place['world'], id: string): Row | undefined => {
  const token = TABLES.get('customers');
  return token && world.rows(token).get(id);
};

function sayAmount(id: string, row: Row | undefined, field: WordedChange): void {
  const { path, before, after } = field;
  const last = path.slice(path.lastIndexOf('.') + 1);
  const currency: unknown = row ? Reflect.get(row, 'currency') : outsideCurrency(id);
  if (!AMOUNTS.has(last) || typeof currency !== 'string' || !CURRENCIES.has(currency)) return;
  const words = (value: unknown) => (typeof value === 'number' ? moneyText(value, currency) : 'nothing');
  field.words = `${words(before)} -> ${words(after)}`;
}
