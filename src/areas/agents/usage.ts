import { knownCurrency, powerOfTen } from '../../contract/money.ts';
import type { World } from '../../engine/world.ts';
import { amountWorth } from '../../ledger/price.ts';
import { rateBetween } from '../rates/index.ts';
import type { Agent } from './row.ts';

/** Minor units of a currency. */
export interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** Returns what an amount is worth in another currency at the present rate, without fees: minor units, halves up. */
export function worthIn(world: World, { amount, currency }: Money, other: string): number {
  if (currency === other) return amount;
  const shift = knownCurrency(currency).decimals - knownCurrency(other).decimals;
  return amountWorth(amount, rateBetween(world, other, currency) * powerOfTen(shift));
}

const dayOf = (world: World): string => world.clock.iso().slice(0, 10);
const monthOf = (world: World): string => world.clock.iso().slice(0, 7);

/** Nothing was paid yet. */
export const unused = (world: World): Agent['usage'] => ({
  day: dayOf(world),
  count: 0,
  daySpend: 0,
  month: monthOf(world),
  monthSpend: 0,
});

/** Returns what was counted on the present UTC day and in the present UTC month of the virtual clock. */
export function usageOf(world: World, { usage }: Agent): Agent['usage'] {
  const now = unused(world);
  return {
    ...now,
    ...(usage.day === now.day ? { count: usage.count, daySpend: usage.daySpend } : {}),
    ...(usage.month === now.month ? { monthSpend: usage.monthSpend } : {}),
  };
}

/** The usage of an agent with one more payment, that was really made; what comes back of it later stays counted. */
export function withPayment(world: World, agent: Agent, payment: Money): Agent['usage'] {
  const worth = worthIn(world, payment, agent.policy.spendingLimits.currency);
  const { count, daySpend, monthSpend, ...now } = usageOf(world, agent);
  return { ...now, count: count + 1, daySpend: daySpend + worth, monthSpend: monthSpend + worth };
}

/** Usage as replies show it, with the day and the month that it starts over at. */
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
