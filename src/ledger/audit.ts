import { moneyText } from '../contract/money.ts';
import { atOnce, eachOf, type Steps } from '../engine/slices.ts';
import type { Row, TableToken } from '../engine/table.ts';
import type { World } from '../engine/world.ts';
import { type Account, type Book, type Finding, Findings, type Holding } from './book.ts';
import { BALANCES, outside, POSTINGS, type Posting } from './ledger.ts';

/** A rule that a ledger must keep at all times, with the places where it was broken. */
export interface Invariant {
  readonly name: string;
  readonly says: string;
  readonly ok: boolean;
  /** The number of times the rule was broken; `broken` holds the first of them only. */
  readonly count: number;
  readonly broken: readonly Finding[];
}

/** A rule of an area: the movements that its rows claim must match the postings that each row caused. */
export interface LedgerRule {
  readonly name: string;
  readonly says: string;
  readonly table: TableToken<Row>;
  /** An index and one of its keys: only rows under that key are checked. */
  readonly among: readonly [index: string, key: string];
  /** Returns the findings of one row. */
  wrongs(row: Row, postings: Iterable<Posting>): Iterable<Finding>;
}

/** Rows checked between two looks at the clock. */
const BATCH = 50;

/** Checks every row of the rule's table, in slices, and adds what is wrong to `findings`. */
export function* checkRule(world: World, { table, among, wrongs }: LedgerRule, findings: Findings): Steps {
  const rows = world.rows(table);
  for (let from = 0; ; from += BATCH) {
    const batch = rows.ranked(from, from + BATCH, among);
    for (const row of batch)
      for (const wrong of wrongs(row, world.rows(POSTINGS).all('cause', row.id))) findings.add(wrong);
    if (batch.length < BATCH) return;
    yield batch.length;
  }
}

/** Returns the result of a rule: its name, its text, and the findings. */
export const invariant = (name: string, says: string, { count, first }: Findings): Invariant => ({
  name,
  says,
  ok: count === 0,
  count,
  broken: first,
});

/** The holding of an account, in minor units. */
type Sum = Pick<Account, 'id' | 'currency' | keyof Holding>;

/** A ledger at one moment: later postings do not change it. */
export interface Still {
  readonly book: Book;
  /** The stored balances, each with the currency of its account; `?` where the account has no postings. */
  readonly balances: readonly Sum[];
  /** The sums of each account's postings. */
  readonly accounts: ReadonlyMap<string, Sum>;
}

/** Takes a snapshot of a ledger, in slices. Only numbers and references are copied at once. */
export function* stillOf(world: World, book: Book): Steps<Still> {
  const rows = [...world.rows(BALANCES).rows()];
  const added = [...book.accounts.values()];
  const sums = added.map(({ available }) => available);
  const sumsHeld = added.map(({ held }) => held);
  const accounts = new Map<string, Sum>();
  yield* eachOf(added.entries(), ([i, { id, currency }]) => {
    accounts.set(id, { id, currency, available: sums[i] ?? 0, held: sumsHeld[i] ?? 0 });
  });
  const balances: Sum[] = [];
  yield* eachOf(rows, ({ id, available, held }) => {
    balances.push({ id, available, held, currency: accounts.get(id)?.currency ?? '?' });
  });
  return { book, balances, accounts };
}

/**
 * Checks a ledger against its rules. `known` returns the currency of an account, or undefined if this sandbox has no
 * such account.
 */
export const audit = (world: World, book: Book, known: Known): Invariant[] => {
  const still = atOnce(stillOf(world, book));
  return atOnce(auditSteps(world, still, known, atOnce(totalsOf(still))));
};
type Known = (account: string) => string | undefined;

/** Checks a ledger against its rules, in slices; `totals` comes from `totalsOf`. */
export function* auditSteps(
  world: World,
  still: Still,
  known: Known,
  totals: ReadonlyMap<string, bigint>,
): Steps<Invariant[]> {
  const { book } = still;
  const balances = yield* balancesAgree(world, still);
  const culprit = book.unbalanced.first[0] ?? balances.first[0] ?? book.mixed.first[0];
  return [
    invariant('balanced', 'The lines of every posting sum to zero in each currency', book.unbalanced),
    invariant('zero', 'All balances together sum to zero in each currency', sumsToZero(totals, culprit)),
    invariant('balances', 'Every balance is the sum of the lines of its account', balances),
    invariant('covered', 'No account of the sandbox was ever below zero, neither available nor held', book.overdrawn),
    invariant('currency', 'Every account moves money of one currency, its own', book.mixed),
    invariant('known', 'Every account that a posting names exists', yield* accountsExist(world, still, known)),
  ];
}

/** Adds up all balances of each currency, in minor units; exact beyond 2^53, too. */
export function* totalsOf({ balances }: Still): Steps<ReadonlyMap<string, bigint>> {
  const sums = new Map<string, bigint>();
  yield* eachOf(balances, ({ currency, available, held }) => {
    sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(available) + BigInt(held));
  });
  return sums;
}

function sumsToZero(totals: ReadonlyMap<string, bigint>, culprit: Finding | undefined): Findings {
  const findings = new Findings();
  for (const [currency, sum] of totals)
    if (sum !== 0n) findings.add({ ...culprit, message: `${currency} sums to ${moneyText(Number(sum), currency)}` });
  return findings;
}

function* balancesAgree(world: World, { balances, accounts }: Still): Steps<Findings> {
  const findings = new Findings();
  const say = (account: string, kept: string, sum: string) => {
    const last = lastOf(world, account);
    findings.add({
      ...(last === undefined ? {} : { posting: last }),
      account,
      message: `its balance is ${kept}, and its lines sum to ${sum}`,
    });
  };
  const kept = new Set<string>();
  yield* eachOf(balances, ({ id, available, held }) => {
    kept.add(id);
    const { available: summed = 0, held: summedHeld = 0, currency = '' } = accounts.get(id) ?? {};
    if (available !== summed) say(id, moneyText(available, currency), moneyText(summed, currency));
    if (held !== summedHeld) say(id, `${moneyText(held, currency)} held`, `${moneyText(summedHeld, currency)} held`);
  });
  yield* eachOf(accounts.values(), ({ id, available, held, currency }) => {
    if (!kept.has(id)) say(id, 'not kept', moneyText(available + held, currency));
  });
  return findings;
}

/** Returns the id of the newest posting of an account. */
function lastOf(world: World, account: string): string | undefined {
  const postings = world.rows(POSTINGS);
  const entries = postings.count('account', account);
  return postings.ranked(entries - 1, entries, ['account', account])[0]?.id;
}

function* accountsExist(world: World, { accounts }: Still, known: Known): Steps<Findings> {
  const findings = new Findings();
  yield* eachOf(accounts.values(), ({ id, currency }) => {
    if (outside(id)) return;
    const own = known(id);
    if (own === currency) return;
    const posting = world.rows(POSTINGS).ranked(0, 1, ['account', id])[0]?.id;
    const message =
      own === undefined ? 'there is no such account' : `it holds ${own}, and ${currency} was posted to it`;
    findings.add({ ...(posting === undefined ? {} : { posting }), account: id, message });
  });
  return findings;
}
