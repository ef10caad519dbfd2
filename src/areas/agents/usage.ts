import { knownCurrency, powerOfTen } from '../../contract/money.ts';
import type { World } from '../../engine/world.ts';
import { payoutOf } from '../../ledger/price.ts';
import { rateBetween } from '../rates/index.ts';
import type { Agent } from './row.ts';

/** An amount in minor units of a currency. */
export interface Money {
  readonly amount: number;
  readonly currency: string;
}

const NO_FEE = { fixed: 0, bps: 0 };

/**
 * Returns an amount converted to another currency at the present rate, without fees, in minor units rounded half up.
 */
export function worthIn(world: World, { amount, currency }: Money, other: string): number {
  if (currency === other) return amount;
  const shift = knownCurrency(other).decimals - knownCurrency(currency).decimals;
  return payoutOf(amount, rateBetween(world, currency, other) * powerOfTen(shift), NO_FEE, NO_FEE).received;
}

const dayOf = (world: World): string => world.clock.iso().slice(0, 10);
const monthOf = (world: World): string => world.clock.iso().slice(0, 7);

/** Returns a usage of zero for the present day and month. */
export const unused = (world: World): Agent['usage'] => ({
  day: dayOf(world),
  count: 0,
  daySpend: 0,
  month: monthOf(world),
  monthSpend: 0,
});

/** Returns the usage on the present UTC day and in the present UTC month of the virtual clock. */
export function usageOf(world: World, { usage }: Agent): Agent['usage'] {
  const now = unused(world);
  return {
    ...now,
    ...(usage.day === now.day ? { count: usage.count, daySpend: usage.daySpend } : {}),
    ...(usage.month === now.month ? { monthSpend: usage.monthSpend } : {}),
  };
}

/** Returns the usage of an agent after one more payment; a payment that is returned later stays counted. */
export function withPayment(world: World, agent: Agent, payment: Money): Agent['usage'] {
  const worth = worthIn(world, payment, agent.policy.spendingLimits.currency);
  const { count, daySpend, monthSpend, ...now } = usageOf(world, agent);
  return { ...now, count: count + 1, daySpend: daySpend + worth, monthSpend: monthSpend + worth };
}

/** Returns the usage as replies show it, with the times at which the day's and the month's start over. */
export function showUsage(world: World, agent: Agent) {
  const { day, month, count, daySpend, monthSpend } = usageOf(world, agent);
  const [next, first] = [new Date(`${day}T00:00:00Z`), new Date(`${month}-01T00:00:00Z`)];
  next.setUTCDate(next.getUTCDate() + 1);
  first.setUTCMonth(first.getUTCMonth() + 1);
  return {
    dailyTransactionCount: count,
    dailySpend: daySpend,
    monthlySpend: monthSpend,
    dailyResetDate: next.toISOString().slice(0, 10),
    monthlyResetMonth: first.toISOString().slice(0, 7),
  };
}
