import { corridorLimit, type Limit } from '../../contract/limit.ts';
import type { World } from '../../engine/world.ts';
import { configuredCurrency } from './rules.ts';

/** The most that a request can name, in minor units of any currency. */
const MOST = 9_000_000_000_000_000;

export const TRANSACTION_SIZE = corridorLimit('transactionSize', 'Most that one payment may send');

/** Returns the values of a limit for a payment: by its sending currency, and by its corridor. Empty unless set. */
export function limitsOf(world: World, limit: Limit<undefined>, from: string, to: string) {
  if (!world.limits) return NONE;
  return [from, `${from}/${to}`].flatMap((name) => {
    const most = world.limit(limit, name);
    return most === undefined ? [] : [{ name, most }];
  });
}
const NONE: readonly { name: string; most: number }[] = [];

/** The minimum and the maximum of an amount, in minor units. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/**
 * Returns the minimum and the maximum that one payment of the platform may move in a direction; undefined if that
 * direction is disabled. What is published and what is refused both follow from this.
 */
export function boundsOf(world: World, code: string, type: 'INCOMING' | 'OUTGOING'): Bounds | undefined {
  const config = configuredCurrency(world, code);
  if (!config) return { min: 1, max: MOST };
  return config.enabledTransactionTypes.includes(type) ? { min: config.minAmount, max: config.maxAmount } : undefined;
}

/**
 * Returns the minimum and the maximum that one payment may send between two currencies; undefined if it may send
 * nothing.
 */
export function outgoingBounds(world: World, from: string, to: string): Bounds | undefined {
  const bounds = boundsOf(world, from, 'OUTGOING');
  const mosts = limitsOf(world, TRANSACTION_SIZE, from, to).map(({ most }) => most);
  return bounds && { min: Math.max(1, bounds.min), max: Math.min(bounds.max, MOST, ...mosts) };
}
