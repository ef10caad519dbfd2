import { TRANSACTIONS } from '../../areas/transactions/index.ts';
import { DELIVERIES, type Delivery } from '../../areas/webhooks/index.ts';
import { EVENTS, OPERATIONS } from '../../areas.ts';
import { findTopics, listedOperations, findOperations as operationsFor, type Topic } from '../../calls/index.ts';
import type { RuleText } from '../../declare/area.ts';
import type { Operation } from '../../declare/operation.ts';
import type { Resource } from '../../engine/resource.ts';
import type { Steps } from '../../engine/slices.ts';
import type { Row } from '../../engine/table.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import { RULES } from '../../sandbox/rules.ts';
import { atMost, chosen } from '../frame/bounded.ts';
import { nameOf, RESOURCES } from '../frame/kinds.ts';
import type { PageContext } from '../frame/page-context.ts';
import { textOf } from '../frame/text.ts';
import { passes } from '../requests/request-filter.ts';
import type { Query } from './query.ts';

/** The most rows of one table that are searched; older ones are left out. */
export const LOOKED_AT = 10_000;
/** The number of rows between two checks of the time. */
const BATCH = 100;
/** The most results of each kind that are shown. */
const SHOWN = 6;

/** Some results of one kind, and whether there are more. */
export interface Finds<T> {
  readonly of: readonly T[];
  readonly more: boolean;
}

export interface RowFinds extends Finds<Row> {
  readonly kind: Resource;
  /** The number of rows in the table, if it is more than were searched. */
  readonly beyond: number | undefined;
}

const some = <T>(found: readonly T[]): Finds<T> => ({ of: found.slice(0, SHOWN), more: found.length > SHOWN });

/**
 * Searches the rows of every table with a presentation: by id, by name, by the list's search members, and by amount.
 * Without a result, it returns those that plain words describe, such as a payout that failed.
 */
export function* findRows(visit: PageContext, query: Query): Steps<RowFinds[]> {
  const found = yield* rowsThat(
    visit,
    LOOKED_AT,
    (kind, row) => query.has(wordsOf(visit, kind, row)) || amountsOf(visit, kind, row).some(isAmount(query)),
  );
  if (found.some(({ of }) => of.length > 0)) return found;
  const described = yield* rowsThat(visit, DESCRIBED, (kind, row) =>
    query.hasInPlainWords(descriptionOf(visit, kind, row)),
  );
  return described.some(({ of }) => of.length > 0) ? described : found;
}

function* rowsThat(visit: PageContext, most: number, passes: (kind: Resource, row: Row) => boolean): Steps<RowFinds[]> {
  const finds: RowFinds[] = [];
  for (const kind of RESOURCES) {
    const table = visit.world.rows(kind);
    const passing: Row[] = [];
    // Copied at once: a write between two slices does not disturb the walk.
    const all = [...atMost(table.newest({ withHidden: true }), most)];
    for (const [i, row] of all.entries()) {
      if (passes(kind, row)) passing.push(row);
      if (passing.length > SHOWN) break;
      if (i % BATCH === BATCH - 1) yield BATCH;
    }
    const beyond = table.size > LOOKED_AT ? table.size : undefined;
    if (passing.length > 0 || beyond) finds.push({ kind, beyond, ...some(passing) });
  }
  return finds;
}

/** The most rows of one table whose description is searched: stemming takes a while. */
const DESCRIBED = 500;
/** The common names of a payment, by its direction. */
const PAYMENTS: Readonly<Record<string, string>> = {
  OUTGOING: 'payout payment withdrawal transfer sent',
  INCOMING: 'payin deposit payment transfer received',
  CARD: 'card payment purchase',
};

/** Returns the words that describe a row: its kind, and the values of its columns. */
function descriptionOf(visit: PageContext, kind: Resource, row: Row): string {
  const direction = kind.name === TRANSACTIONS.name ? PAYMENTS[textOf(Reflect.get(row, 'type'))] : undefined;
  const shown = kind.columns.map(({ of }) => of(row, visit.world)).filter((value) => typeof value === 'string');
  return [kind.one, direction ?? '', ...shown, nameOf(visit, { kind, row }) ?? ''].join(' ').replaceAll('_', ' ');
}

/** Returns the words by which a row is found. */
function wordsOf(visit: PageContext, kind: Resource, row: Row): string {
  const said: unknown = Reflect.get(row, 'description');
  const members = kind.sought.map((member) => Reflect.get(row, member));
  const values = [row.id, nameOf(visit, { kind, row }), typeof said === 'string' ? said : undefined, ...members];
  return values
    .filter((value) => value !== undefined && value !== null)
    .map(textOf)
    .join(' ');
}

interface Amount {
  readonly amount: number;
  readonly currency: string;
}

const isAmount =
  (query: Query) =>
  ({ amount, currency }: Amount): boolean =>
    query.isAmount(amount, currency);

/** Returns the amounts of a row, in minor units: those of its columns, and both sides of a payment. */
function amountsOf({ world }: PageContext, kind: Resource, row: Row): Amount[] {
  const shown = kind.columns.flatMap((column) => {
    const value = column.as === 'money' ? column.of(row, world) : undefined;
    const [units, currency = ''] = typeof value === 'string' ? value.split(' ') : [];
    return units === undefined ? [] : [{ amount: Number(units), currency }];
  });
  if (kind.name !== TRANSACTIONS.name) return shown;
  const sent: unknown = Reflect.get(row, 'sent');
  const authorized: unknown = Reflect.get(row, 'authorized');
  const currency = textOf(Reflect.get(row, 'currency'));
  return [
    ...shown,
    ...(sent ? [sent as Amount] : []),
    ...(typeof authorized === 'number' ? [{ amount: authorized, currency }] : []),
  ];
}

/** Searches calls by id, path, operation, status, code, and words in request and reply; the log is short. */
export const findRequests = (visit: PageContext, query: Query): Finds<Entry> =>
  some(chosen(visit.sandbox.requestLog.newest(), (entry) => passes(entry, { q: query.text }), SHOWN + 1));

/** Searches events by id, type and subject. */
export const findHooks = (visit: PageContext, query: Query): Finds<Delivery> =>
  some(
    chosen(
      visit.world.rows(DELIVERIES).newest(),
      ({ id, type, subject }) => query.has(`${textOf(id)} ${textOf(type)} ${textOf(subject)}`),
      SHOWN + 1,
      LOOKED_AT,
    ),
  );

/** Searches the possible types of events. */
export const findEventTypes = (query: Query): Finds<string> =>
  some(
    EVENTS.flatMap(({ types }) => types).filter((type) => query.has(type.replaceAll(/[._]/g, ' ')) || query.has(type)),
  );

/** Searches operations whose words a text has; without a result, those that it describes in other words (G1). */
export const findOperations = (query: Query): Finds<Operation> => {
  const named = OPERATIONS.filter(({ id, method, path, tag, summary }) =>
    query.has(`${id} ${method} ${path} ${tag} ${summary}`),
  );
  if (named.length > 0 || !/^[a-z' ?-]+$/.test(query.text)) return some(named);
  const byId = new Map(OPERATIONS.map((one) => [one.id, one]));
  return some(operationsFor(listedOperations(), query.text).flatMap(({ id }) => byId.get(id) ?? []));
};

export const findRules = (query: Query): Finds<RuleText> =>
  some(RULES.filter(({ place, about, says }) => query.has(`${place} ${about} ${says}`)));

/** Searches controls, pages, codes, events and documents; nothing for an id or an amount. */
export const findPlaces = (query: Query): Finds<Topic> =>
  some(/^[a-z][a-z' ?_.-]+$/.test(query.text) ? findTopics(query.text) : []);
