import * as z from 'zod';
import { limit } from '../../contract/limit.ts';
import { CURRENCIES, knownCurrency } from '../../contract/money.ts';
import { lazyRow, table } from '../../engine/table.ts';
import type { World } from '../../engine/world.ts';
import type { Fee } from '../../ledger/price.ts';
import { platformOf } from '../platform/index.ts';

/** The largest rate. It exceeds any real one; beyond it, amounts could no longer be counted exactly. */
const LARGEST = 1e10;

/** A rate from the scenario, one row per pair; `id` is `USD/EUR`. */
export const OVERRIDES = table('rates', {
  row: lazyRow(() =>
    z.strictObject({
      id: z
        .string()
        .refine((pair) => pair.split('/').length === 2 && pair.split('/').every((code) => CURRENCIES.has(code)), {
          error: 'not two currencies with a / between',
        }),
      rate: z.number().positive().max(LARGEST),
    }),
  ),
});

/** Rates count as refreshed at the start of each of these windows (spec 8: cached about 5 minutes). */
const WINDOW_MS = 5 * 60_000;

/** Returns the time at which the present rates were refreshed. */
export const refreshedAt = (world: World): string =>
  new Date(Math.floor(world.clock.now() / WINDOW_MS) * WINDOW_MS).toISOString();

/** Fixes rates as a scenario says: `{'USD/EUR': 0.92}` is units of the second per unit of the first. */
export function fixRates(world: World, rates: Readonly<Record<string, number>>): void {
  for (const [id, rate] of Object.entries(rates)) world.rows(OVERRIDES).insert({ id, rate });
}

const SIGNIFICANT = 10;

/**
 * Returns the units of `to` that one unit of `from` buys, both in major units (dollars, not cents), before any fee. A
 * pair that the scenario fixes counts as it is, its reverse as the reciprocal; every other pair goes through the
 * dollar. Rounded to ten significant digits, half away from zero, so it is the same on every machine; the caller rounds
 * amounts. Only a scenario changes it. 400 INVALID_CURRENCY for an unknown code.
 */
export function rateBetween(world: World, from: string, to: string): number {
  knownCurrency(from);
  knownCurrency(to);
  if (from === to) return 1;
  return rounded(fixed(world, from, to) ?? perUsd(world, to) / perUsd(world, from));
}

/** Rounds the digits as they are written: a half in a scenario is one, whatever its binary value is. */
function rounded(rate: number): number {
  const [digits = '', exponent] = rate.toExponential().split('e');
  const whole = digits.replace('.', '');
  if (whole.length <= SIGNIFICANT) return rate;
  const up = (whole[SIGNIFICANT] as string) >= '5' ? 1 : 0;
  return Number(`${Number(whole.slice(0, SIGNIFICANT)) + up}e${Number(exponent) - SIGNIFICANT + 1}`);
}

/** Returns the rate that the scenario fixes for a pair, in either direction. */
function fixed(world: World, from: string, to: string): number | undefined {
  if (!world.holds(OVERRIDES)) return undefined;
  const straight = world.rows(OVERRIDES).get(`${from}/${to}`)?.rate;
  if (straight !== undefined) return straight;
  const reverse = world.rows(OVERRIDES).get(`${to}/${from}`)?.rate;
  return reverse === undefined ? undefined : 1 / reverse;
}

const perUsd = (world: World, code: string): number =>
  code === 'USD' ? 1 : (fixed(world, 'USD', code) ?? knownCurrency(code).perUsd);

const NOTHING: Fee = { fixed: 0, bps: 0 };

export const SERVICE_FEE = limit(
  'serviceFeeBps',
  50,
  'Fee of the service between two currencies, in hundredths of a percent; 50, as in the public samples',
  () => z.int().min(0).max(9_999),
);

/** Returns the service's fee between two currencies; there is no fixed part. */
export const serviceFee = (world: World, from: string, to: string): Fee =>
  from === to ? NOTHING : { fixed: 0, bps: world.limit(SERVICE_FEE) };

/** Returns the platform's fee, as configured for the sending currency. */
export function platformFee(world: World, from: string, to: string): Fee {
  if (from === to) return NOTHING;
  const config = platformOf(world).fees.find((fee) => fee.sourceCurrency === from);
  return config ? { fixed: config.fixedFee.amount, bps: config.variableFeeBps } : NOTHING;
}
