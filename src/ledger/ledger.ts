import * as z from 'zod';
import { fail } from '../contract/errors.ts';
import { moneyText } from '../contract/money.ts';
import { IdOf, MinorUnits, Moment } from '../contract/shapes.ts';
import { resource } from '../engine/resource.ts';
import { eachOf, type Steps } from '../engine/slices.ts';
import { lazyRow, type RowOf, table } from '../engine/table.ts';
import type { World } from '../engine/world.ts';

const OUTSIDE = 'outside:';
/** Returns whether a ledger account stands for the outside world, such as `outside:funding:USD`. */
export const outside = (account: string): boolean => account.startsWith(OUTSIDE);

/** Returns the outside account for a purpose and a currency. */
export const outsideAccount = (what: string, currency: string): string => `${OUTSIDE}${what}:${currency}`;

/** Returns the currency of an outside account; undefined for any other account. */
export const outsideCurrency = (account: string): string | undefined =>
  outside(account) ? account.slice(account.lastIndexOf(':') + 1) : undefined;

const LineShape = () =>
  z.strictObject({
    account: z.string().min(1),
    currency: z.string(),
    /** Minor units; money that leaves is negative. */
    amount: MinorUnits(),
    /** `held` money counts in the total balance but cannot be spent. */
    part: z.enum(['available', 'held']).optional(),
  });

const PostingRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('Posting'),
    at: Moment(),
    reason: z.string(),
    /** The id of a transaction, or of the operation that stands for it. */
    cause: z.string(),
    lines: z.array(LineShape()),
  }),
);

/**
 * One movement of money: lines that sum to zero in every currency. A posting never changes; a reverse posting undoes
 * it.
 */
export type Posting = RowOf<typeof PostingRow>;
/**
 * One side of a posting. `account` is the id of an internal account, or the name of an outside one such as
 * `outside:funding`.
 */
export type Line = Posting['lines'][number];

const BalanceRow = lazyRow(() =>
  z.strictObject({ id: z.string().min(1), available: MinorUnits(), held: MinorUnits() }),
);

/** The balance of an account: the running sum of its lines. An account without lines has no row. */
export type Balance = RowOf<typeof BalanceRow>;

/** Returns the accounts of the lines, each once: holding money takes two lines of one account. */
const accountsIn = (lines: readonly Line[]): string[] => {
  const accounts: string[] = [];
  for (const { account } of lines) if (!accounts.includes(account)) accounts.push(account);
  return accounts;
};

/** Returns the accounts that belong to this sandbox. */
const inside = (accounts: readonly string[]): readonly string[] => accounts.filter((account) => !outside(account));

export const POSTINGS = resource('postings', {
  titles: ['Ledger postings', 'Posting', 'Every movement of money; the lines of each sum to zero'],
  prefix: 'Posting',
  wide: true,
  label: (p) => p.reason,
  columns: { Cause: ['cause', 'id'], At: ['at', 'time'] },
  row: PostingRow,
  indexes: { account: (p) => accountsIn(p.lines), cause: (p) => p.cause },
  refers: {
    'lines.account': { of: (p) => inside(p.lines.map((line) => line.account)), in: ['accounts'], by: 'account' },
    cause: { of: (p) => (/^(?:Card)?Transaction:/.test(p.cause) ? p.cause : undefined), in: ['transactions'] },
  },
});
export const BALANCES = table('balances', {
  row: BalanceRow,
  many: 'Balances',
  refers: { id: { of: (b) => inside([b.id]), in: ['accounts'] } },
});

/** An error in a ledger that another program or version wrote. */
export interface Disagreement {
  readonly table: string;
  readonly id: string;
  readonly message: string;
}

/** The sums of an account's lines so far. */
interface Sum {
  readonly currency: string;
  available: number;
  held: number;
  /** True once the first posting that took the account below zero has been reported. */
  isReported: boolean;
}

/**
 * Reports what is wrong with a ledger. A posting must sum to zero in each currency, keep to the currency of each
 * account, and take no account of the sandbox below zero. A balance must be the sum of its lines. `currencies` holds
 * the currency of each account that has a row of its own.
 */
export function* disagreements(
  postings: readonly Posting[],
  balances: readonly Balance[],
  currencies: ReadonlyMap<string, string>,
  report: (found: Disagreement) => void,
): Steps {
  const sums = new Map<string, Sum>();
  yield* eachOf(postings, ({ id, lines }) => {
    const wrong = (message: string) => report({ table: POSTINGS.name, id, message });
    for (const message of unbalanced(lines)) wrong(message);
    for (const { account, currency, amount, part = 'available' } of lines) {
      let sum = sums.get(account);
      if (!sum)
        sums.set(
          account,
          (sum = { currency: currencies.get(account) ?? currency, available: 0, held: 0, isReported: false }),
        );
      sum[part] += amount;
      if (!Number.isSafeInteger(sum[part])) wrong(`it takes ${account} beyond what can be counted exactly`);
      if (sum.currency !== currency && !outside(account))
        wrong(`it moves ${currency} of ${account}, which holds ${sum.currency}`);
    }
    for (const account of inside(accountsIn(lines))) {
      const sum = sums.get(account);
      if (!sum || sum.isReported || (sum.available >= 0 && sum.held >= 0)) continue;
      sum.isReported = true;
      wrong(`it takes ${account} below zero`);
    }
  });
  yield* eachOf(balances, ({ id, ...kept }) => {
    const sum = sums.get(id) ?? NONE;
    sums.delete(id);
    for (const part of ['available', 'held'] as const) {
      if (kept[part] !== sum[part])
        report({ table: BALANCES.name, id, message: `${part} is ${kept[part]}, but the postings sum to ${sum[part]}` });
    }
  });
  yield* eachOf(sums.keys(), (id) =>
    report({ table: BALANCES.name, id, message: 'there are postings, but no balance' }),
  );
}

/** Returns a message for each currency in which the lines do not sum to zero. */
export function unbalanced(lines: readonly Line[]): readonly string[] {
  if (cancelOut(lines)) return EVEN;
  const sums = new Map<string, bigint>();
  for (const { currency, amount } of lines) sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amount));
  return [...sums].flatMap(([currency, sum]) =>
    sum === 0n ? [] : [`its lines sum to ${sum} ${currency}, not to zero`],
  );
}

const EVEN: readonly string[] = [];

/** The most lines for which each currency is summed in a pass of its own. */
const FEW = 8;

/** Returns whether the lines are few and cancel out, as most do, and no partial sum loses precision. */
function cancelOut(lines: readonly Line[]): boolean {
  if (lines.length > FEW) return false;
  for (const { currency } of lines) {
    let sum = 0;
    for (const line of lines)
      if (line.currency === currency && !Number.isSafeInteger((sum += line.amount))) return false;
    if (sum !== 0) return false;
  }
  return true;
}

const NONE = { available: 0, held: 0 };

/** Returns the balance of an account in minor units: what can be spent, and what is held. */
export const balanceOf = (world: World, account: string): { available: number; held: number } =>
  world.rows(BALANCES).get(account) ?? NONE;

/** Returns whether every balance stays a safe integer while the lines are posted one by one. */
export function countable(world: World, lines: readonly Line[]): boolean {
  for (let i = 0; i < lines.length; i += 1) {
    const { account } = lines[i] as Line;
    let { available, held } = balanceOf(world, account);
    for (let j = 0; j <= i; j += 1) {
      const line = lines[j] as Line;
      if (line.account !== account) continue;
      if (line.part === 'held') held += line.amount;
      else available += line.amount;
    }
    if (![available, held, available + held].every(Number.isSafeInteger)) return false;
  }
  return true;
}

/**
 * Posts a movement of money. 400 INSUFFICIENT_BALANCE if an account would go below zero (spec 5.1 rule 9), 400
 * AMOUNT_OUT_OF_RANGE if a balance would no longer be a safe integer. Throws if the lines do not balance: that is a
 * bug.
 */
export function post(world: World, posting: Omit<Posting, 'id' | 'at'>): Posting {
  const [problem] = unbalanced(posting.lines);
  if (problem !== undefined) throw new Error(`posting "${posting.reason}" does not balance: ${problem}`);
  const balances = world.rows(BALANCES);
  for (const line of posting.lines) {
    const old = balances.get(line.account);
    const part = line.part ?? 'available';
    const { available, held } = old ?? NONE;
    const sum = (old?.[part] ?? 0) + line.amount;
    const row = { id: line.account, available: part === 'held' ? available : sum, held: part === 'held' ? sum : held };
    if (!Number.isSafeInteger(row[part]) || !Number.isSafeInteger(row.available + row.held))
      fail('AMOUNT_OUT_OF_RANGE', `the balance of ${line.account} would be beyond what can be counted exactly`);
    if (row[part] < 0 && line.amount < 0 && !outside(line.account))
      fail(
        'INSUFFICIENT_BALANCE',
        `${line.account} holds ${moneyText(old?.[part] ?? 0, line.currency)}, less than ${moneyText(-line.amount, line.currency)}`,
        {
          why: {
            rule: 'spec 5.1 (9)',
            expected: `at least ${moneyText(-line.amount, line.currency)}`,
            seen: moneyText(old?.[part] ?? 0, line.currency),
          },
        },
      );
    if (old) balances.put(row);
    else balances.insert(row);
  }
  const { reason, cause, lines } = posting;
  return world.rows(POSTINGS).insert({ id: world.newId('Posting'), at: world.clock.iso(), reason, cause, lines });
}
