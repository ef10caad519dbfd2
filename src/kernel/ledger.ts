import { fail } from './errors.ts';
import { type Row, table } from './table.ts';
import type { World } from './world.ts';

/** One side of a posting. `account` is an internal account's id, or a name outside the sandbox such as `outside:funding`. */
export interface Line {
  readonly account: string;
  readonly currency: string;
  /** Minor units; what leaves is negative. */
  readonly amount: number;
  /** `held` money counts in the total balance but cannot be spent. */
  readonly part?: 'available' | 'held';
}

/** Money that moved, once: lines that sum to zero in every currency. Never changed; undone by its reverse. */
export interface Posting extends Row {
  readonly at: string;
  readonly reason: string;
  /** What caused it: a transaction's id, or the operation that stands for it. */
  readonly cause: string;
  readonly lines: readonly Line[];
}

/** What an account holds, kept as the running sum of its lines. An account without lines has no row. */
export interface Balance extends Row {
  readonly available: number;
  readonly held: number;
}

export const POSTINGS = table<Posting, { account: (p: Posting) => string[]; cause: (p: Posting) => string }>(
  'postings',
  {
    account: (p) => p.lines.map((line) => line.account),
    cause: (p) => p.cause,
  },
);
export const BALANCES = table<Balance>('balances');

const NONE = { available: 0, held: 0 };

/** What an account holds now, in minor units: what can be spent, and what is set aside. */
export const balanceOf = (world: World, account: string): { available: number; held: number } =>
  world.rows(BALANCES).get(account) ?? NONE;

const outside = (account: string): boolean => account.startsWith('outside:');

/**
 * Move money. Refuses 400 `INSUFFICIENT_BALANCE` when an account would go below zero (spec 5.1 rule 9) and
 * 400 `AMOUNT_OUT_OF_RANGE` beyond what a number can hold exactly; lines that do not balance are a bug.
 */
export function post(world: World, posting: Omit<Posting, 'id' | 'at'>): Posting {
  const sums = new Map<string, number>();
  for (const line of posting.lines) sums.set(line.currency, (sums.get(line.currency) ?? 0) + line.amount);
  for (const [currency, sum] of sums) {
    if (sum !== 0) throw new Error(`posting "${posting.reason}" does not balance: ${sum} ${currency}`);
  }
  const balances = world.rows(BALANCES);
  for (const line of posting.lines) {
    const old = balances.get(line.account);
    const part = line.part ?? 'available';
    const row = { id: line.account, ...NONE, ...old, [part]: (old?.[part] ?? 0) + line.amount };
    if (!Number.isSafeInteger(row[part]) || !Number.isSafeInteger(row.available + row.held))
      fail('AMOUNT_OUT_OF_RANGE', `the balance of ${line.account} would be beyond what can be counted exactly`);
    if (row[part] < 0 && line.amount < 0 && !outside(line.account))
      fail(
        'INSUFFICIENT_BALANCE',
        `${line.account} holds ${old?.[part] ?? 0} ${line.currency}, less than ${-line.amount}`,
        {
          why: { rule: 'spec 5.1 (9)', expected: -line.amount, seen: old?.[part] ?? 0 },
        },
      );
    if (old) balances.put(row);
    else balances.insert(row);
  }
  return world.rows(POSTINGS).insert({ id: world.newId('Posting'), at: world.clock.iso(), ...posting });
}
