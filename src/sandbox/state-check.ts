import * as z from 'zod';
import { ACCOUNTS } from '../areas/accounts/index.ts';
import { JOB_KINDS, LEDGER_RULES, TABLES } from '../areas.ts';
import { lazy } from '../contract/lazy.ts';
import { isPolicy, type Policy } from '../contract/policy.ts';
import { hasShape } from '../contract/shape-check.ts';
import { LATEST } from '../engine/clock.ts';
import { KeyIndex } from '../engine/index-list.ts';
import { JOBS } from '../engine/scheduler.ts';
import { atOnce, eachOf, type Steps } from '../engine/slices.ts';
import type { References, Row, TableState, TableToken } from '../engine/table.ts';
import type { Snapshot } from '../engine/world.ts';
import { BALANCES, type Disagreement, disagreements, POSTINGS, type Posting } from '../ledger/ledger.ts';
import { Scenario } from '../scenario/schema.ts';
import { Complaints } from './complaints.ts';

const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const Policies = () =>
  z.record(
    z.string(),
    z.custom<Policy>((text) => typeof text === 'string' && isPolicy(text), 'not a policy'),
  );

/** The highest position that a table may have reached: a file with a higher one is forged. */
const FURTHEST = 2 ** 32;
/** The last number for an id within one millisecond: 12 bits count them. */
const LAST_TICK = 0xfff;

/** The number of rows after the last match that are tried first. */
const NEAR = 5;

/** A state without its rows, which may be a million. */
const Head = lazy(() =>
  z.object({
    format: z.literal(1),
    clock: z.strictObject({
      now: z.iso.datetime().refine((now) => Date.parse(now) <= LATEST, 'the clock ends with the year 9998'),
      mode: z.enum(['live', 'held']),
      speed: z.number().min(0.001).max(1e6),
    }),
    ids: z.strictObject({
      seed: z.string(),
      drawn: z.int().min(0),
      lastMs: z.int().min(0).max(LATEST),
      tick: z.int().min(0).max(LAST_TICK),
    }),
    settings: z.strictObject({
      policies: Policies(),
      limits: z.record(z.string(), z.number()),
      aside: Policies().optional(),
    }),
    tables: z.array(
      z.strictObject({
        name: z.string(),
        next: z.int().min(0).max(FURTHEST, 'no table has ever had so many rows'),
        rows: z.custom<unknown[]>(isList, 'not a list'),
        seqs: z.custom<unknown[]>(isList, 'not a list').optional(),
      }),
    ),
  }),
);

/**
 * The valid rows of a table. Ids that ascend, as drawn ones do, are found by binary search. An index finds others by
 * id: a map of millions costs more than reading them.
 */
class Good {
  readonly rows: Row[] = [];
  #ids: KeyIndex<Row> | undefined;
  /** The position of the latest match: rows of one owner are adjacent, and owners are in the order of their rows. */
  #at = 0;

  has(id: string): boolean {
    if (this.#ids) return this.#ids.get(id) !== undefined;
    for (let near = this.#at; near < this.#at + NEAR; near += 1)
      if (this.rows[near]?.id === id) {
        this.#at = near;
        return true;
      }
    let [low, high] = [0, this.rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.rows[middle] as Row).id < id) low = middle + 1;
      else high = middle;
    }
    this.#at = low;
    return this.rows[low]?.id === id;
  }

  /** Adds a row; returns false if one with its id was added before. */
  add(row: Row): boolean {
    const last = this.rows.at(-1);
    if (last && !(last.id < row.id)) this.#ids ??= this.#index();
    const isNew = this.#ids?.get(row.id) === undefined;
    this.rows.push(row);
    if (isNew) this.#ids?.add(row.id, this.rows.length - 1);
    return isNew;
  }

  #index(): KeyIndex<Row> {
    const ids = new KeyIndex<Row>(
      (row) => row.id,
      (seq) => this.rows[seq],
    );
    for (let seq = 0; seq < this.rows.length; seq += 1) ids.add((this.rows[seq] as Row).id, seq);
    return ids;
  }
}

/** Valid rows, by table. */
type Found = ReadonlyMap<string, Good>;
type TableHead = z.output<ReturnType<typeof Head>>['tables'][number];

/**
 * Returns a state from outside after checking every row against the schema of its table. Throws `StateError` with all
 * faults, and changes nothing. Its rows are the given objects, so that their members keep their order.
 */
export const checkedState = (state: unknown): Snapshot => atOnce(checking(state));

/** Checks a state in steps, as `checkedState` does at once. */
export function* checking(state: unknown): Steps<Snapshot> {
  const complaints = new Complaints();
  const head = Head().safeParse(state);
  if (!head.success) {
    for (const { path, message } of head.error.issues) complaints.add(path, message);
    return complaints.refuse();
  }
  checkLimits(head.data.settings.limits, complaints);
  const found = new Map<string, Good>();
  const tables: Snapshot['tables'] = [];
  for (const table of head.data.tables) tables.push(yield* tableOf(table, found, complaints));
  checkNumbers(found, complaints);
  yield* checkReferences(found, complaints);
  yield* checkJobs(found, complaints);
  const complain = ({ table, id, message }: Disagreement) => complaints.add([table, id], message);
  const currencies = new Map<string, string>();
  yield* eachOf(rowsOf(found, ACCOUNTS), ({ id, currency }) => currencies.set(id, currency));
  yield* disagreements(rowsOf(found, POSTINGS), rowsOf(found, BALANCES), currencies, complain);
  yield* checkLedgerRules(found, complaints);
  yield* checkCurrencies(found, currencies, complaints);
  return complaints.count > 0 ? complaints.refuse() : { ...head.data, tables };
}

/** Complains if a row and an account disagree about the currency of the money that the row moves. */
function* checkCurrencies(found: Found, currencies: ReadonlyMap<string, string>, complaints: Complaints): Steps {
  for (const { name, moves } of TABLES.values())
    if (moves)
      yield* eachOf(found.get(name)?.rows ?? [], (row) => {
        const wrong = moves(row).find(([account, currency]) => (currencies.get(account) ?? currency) !== currency);
        if (!wrong) return;
        const [account, currency] = wrong;
        complaints.add([name, row.id], `it moves ${currency} of ${account}, which holds ${currencies.get(account)}`);
      });
}

/** Complains if rows and postings disagree about moved money. */
function* checkLedgerRules(found: Found, complaints: Complaints): Steps {
  for (const {
    table,
    among: [index, key],
    wrongs,
  } of LEDGER_RULES) {
    const rows: Row[] = [];
    const caused = new Map<string, Posting[]>();
    yield* eachOf(rowsOf(found, table), (row) => {
      if (table.indexes[index]?.(row) !== key) return;
      rows.push(row);
      caused.set(row.id, []);
    });
    if (rows.length === 0) continue;
    yield* eachOf(rowsOf(found, POSTINGS), (posting) => caused.get(posting.cause)?.push(posting));
    yield* eachOf(rows, (row) => {
      for (const { message } of wrongs(row, caused.get(row.id) ?? [])) complaints.add([table.name, row.id], message);
    });
  }
}

/** Checks limits as a scenario may set them; those by corridor are kept as `dailyVolume.USD`. */
function checkLimits(limits: Readonly<Record<string, number>>, complaints: Complaints): void {
  const nested: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(limits)) {
    const [limit = '', ...corridor] = name.split('.');
    nested[limit] = corridor.length === 0 ? value : { ...(nested[limit] ?? {}), [corridor.join('.')]: value };
  }
  const parsed = Scenario().shape.limits.safeParse(nested);
  for (const { path, message } of parsed.error?.issues ?? []) complaints.add(['settings', 'limits', ...path], message);
}

/** Returns the table with its valid rows, which it also adds to `found`; it complains of the faults in the others. */
function* tableOf(
  { name, next, rows, seqs }: TableHead,
  found: Map<string, Good>,
  complaints: Complaints,
): Steps<TableState> {
  const token = TABLES.get(name);
  const good = new Good();
  if (!token) complaints.add(['tables', name], 'there is no such table');
  else if (found.has(name)) complaints.add(['tables', name], 'a table stands in it twice');
  else found.set(name, good);
  const positions = checkPositions(name, next, rows.length, seqs, complaints);
  if (token)
    yield* eachOf(rows, (saved) => {
      const row = token.older ? token.older(saved) : saved;
      if (!hasShape(token.row(), row)) return complainOf(token, row, complaints);
      const conflict = token.conflict?.(row);
      if (conflict !== undefined) complaints.add([name, row.id], conflict);
      if (!good.add(row)) complaints.add([name, row.id], 'an id stands in it twice');
    });
  return positions ? { name, next, rows: good.rows, seqs: positions } : { name, next, rows: good.rows };
}

/** Checks that positions ascend and end before the next one. Returns them unless they are simply 0, 1, 2, ... */
function checkPositions(
  name: string,
  next: number,
  rows: number,
  seqs: readonly unknown[] | undefined,
  complaints: Complaints,
): number[] | undefined {
  if (!seqs) {
    if (rows > next) complaints.add([name, 'next'], `there are ${rows} rows already`);
    return undefined;
  }
  if (seqs.length !== rows) complaints.add([name, 'seqs'], 'rows and their positions do not match');
  const good = seqs.filter((seq): seq is number => Number.isSafeInteger(seq));
  const ascend = good.every((seq, i) => seq < next && seq > (i === 0 ? -1 : (good[i - 1] ?? -1)));
  if (good.length < seqs.length || !ascend) complaints.add([name, 'seqs'], 'positions out of order');
  return good;
}

/** Complains, in words, of the faults in a row by the schema of its table. */
function complainOf(token: TableToken<Row>, row: unknown, complaints: Complaints): void {
  if (complaints.full) {
    complaints.addUnnamed();
    return;
  }
  const named = z.object({ id: z.string() }).safeParse(row);
  const issues = token.row().safeParse(row).error?.issues ?? [];
  for (const { path, message } of issues) complaints.add([token.name, named.data?.id, ...path], message);
}

/** Checks tables that always hold exactly one row. */
function checkNumbers(found: Found, complaints: Complaints): void {
  for (const { name, single } of TABLES.values()) {
    const rows = found.get(name)?.rows.length ?? 0;
    if (single && rows !== 1) complaints.add([name], `it has ${rows === 0 ? 'no row' : `${rows} rows`}, not one`);
  }
}

/** A member that refers to rows: its name, the ids that it holds, and the tables that may contain them. */
type Link<R> = readonly [member: string, of: (row: R) => unknown, places: readonly string[]];

/** Returns the links of rows, as their table or their kind of work declares them. */
const linksOf = <R extends object>(refers: References<R>): readonly Link<R>[] =>
  Object.entries(refers).map(([member, reference]) =>
    typeof reference === 'string'
      ? [member, (row) => Reflect.get(row, member), [reference]]
      : [member, (row) => reference.of(row), reference.in],
  );

function checkLinks<R extends object>(
  where: readonly string[],
  links: readonly Link<R>[],
  row: R,
  found: Found,
  complaints: Complaints,
): void {
  const isThere = (id: unknown, places: readonly string[]): boolean =>
    id === undefined || places.some((place) => found.get(place)?.has(String(id)));
  for (const [member, of, places] of links) {
    const ids = of(row);
    for (const id of Array.isArray(ids) ? ids : [ids])
      if (!isThere(id, places)) complaints.add([...where, member], `${String(id)} is not in ${places.join(' or ')}`);
  }
}

function* checkReferences(found: Found, complaints: Complaints): Steps {
  for (const { name, refers } of TABLES.values()) {
    const links = linksOf(refers);
    if (links.length === 0) continue;
    yield* eachOf(found.get(name)?.rows ?? [], (row) => checkLinks([name, row.id], links, row, found, complaints));
  }
}

/** Checks that jobs are of a known kind and have the payload of that kind. */
function* checkJobs(found: Found, complaints: Complaints): Steps {
  yield* eachOf(rowsOf(found, JOBS), ({ id, kind, payload }) => {
    const known = JOB_KINDS.get(kind);
    if (!known) {
      complaints.add([JOBS.name, id, 'kind'], `there is no work of the kind ${kind}`);
      return;
    }
    const parsed = known.payload().safeParse(payload);
    const where = [JOBS.name, id, 'payload'];
    for (const { path, message } of parsed.error?.issues ?? []) complaints.add([...where, ...path], message);
    if (parsed.success) checkLinks(where, linksOf(known.refers), parsed.data, found, complaints);
  });
}

/** Returns the valid rows of one table. */
const rowsOf = <R extends Row, I extends string>(found: Found, token: TableToken<R, I>): R[] =>
  (found.get(token.name)?.rows ?? []) as Row[] as R[];
