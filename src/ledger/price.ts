import { powerOfTen } from '../contract/money.ts';

/**
 * The fee of one party for a cross-currency payment: `fixed` in minor units of the sending currency, `bps` in basis
 * points.
 */
export interface Fee {
  readonly fixed: number;
  readonly bps: number;
}

export interface Price {
  /** Everything the sender pays, fees included, in minor units. */
  readonly sent: number;
  /** The amount that the receiver gets, in minor units. */
  readonly received: number;
  /** Minor units of the sending currency, within `sent`. */
  readonly fees: number;
  readonly platformFees: number;
}

const BPS = 10_000n;

type Fraction = readonly [n: bigint, d: bigint];

/** Returns a decimal as a fraction of integers. Twelve digits: two more than a rate has, and no binary noise. */
function fraction(rate: number): Fraction {
  const [digits, exponent] = rate.toExponential(11).split('e') as [string, string];
  const shift = Number(exponent) - 11;
  const whole = BigInt(digits.replace('.', ''));
  return shift >= 0 ? [whole * 10n ** BigInt(shift), 1n] : [whole, 10n ** BigInt(-shift)];
}

const halfUp = (n: bigint, d: bigint): bigint => (2n * n + d) / (2n * d);
const up = (n: bigint, d: bigint): bigint => (n + d - 1n) / d;
const part = (base: bigint, bps: number): bigint => (bps === 0 ? 0n : halfUp(base * BigInt(bps), BPS));

const atLeastNothing = (n: bigint): bigint => (n > 0n ? n : 0n);
const leftOf = (platform: Fee, service: Fee): number => Math.max(0, Number(BPS) - (platform.bps + service.bps));

/** Returns how much must be converted, in minor units sent and rounded up, so that `received` arrives. */
function needed(received: number, left: number, rate: number): bigint {
  const [n, d] = fraction(rate);
  return up(BigInt(received) * d * BPS, n * BigInt(left));
}

/** Returns what remains of an amount after variable fees, in minor units received, rounded half up. */
function worth(base: bigint, left: number, rate: number): number {
  const [n, d] = fraction(rate);
  return Number(halfUp(base * BigInt(left) * n, BPS * d));
}

/**
 * Prices a sent amount (reference 15). Fixed fees come off first, then both variable fees are taken from the rest, each
 * part rounded half up. What the receiver gets follows from the unrounded rest; it is 0 if the fees leave nothing.
 * Amounts are in minor units, exact at any size; `rate` is minor units received per minor unit sent.
 */
export function payoutOf(sent: number, rate: number, platform: Fee, service: Fee): Price {
  const base = atLeastNothing(BigInt(sent) - BigInt(platform.fixed + service.fixed));
  const platformFees = BigInt(platform.fixed) + part(base, platform.bps);
  return {
    sent,
    received: worth(base, leftOf(platform, service), rate),
    fees: Number(platformFees + BigInt(service.fixed) + part(base, service.bps)),
    platformFees: Number(platformFees),
  };
}

/**
 * Prices a payment; `amount` is in minor units of the locked side. A receiving lock rounds the sent amount up. Returns
 * undefined if the fees leave nothing to convert, the receiver would get nothing, or a result is not a safe integer.
 */
export function priceOf(
  locked: { side: 'SENDING' | 'RECEIVING'; amount: number },
  rate: number,
  platform: Fee,
  service: Fee,
): Price | undefined {
  const left = leftOf(platform, service);
  if (left === 0) return undefined;
  const receiving = locked.side === 'RECEIVING';
  const fixed = platform.fixed + service.fixed;
  const sent = receiving ? Number(needed(locked.amount, left, rate) + BigInt(fixed)) : locked.amount;
  if (sent <= fixed || !Number.isSafeInteger(sent)) return undefined;
  const payout = payoutOf(sent, rate, platform, service);
  const price = receiving ? { ...payout, received: locked.amount } : payout;
  const counted = Number.isSafeInteger(price.received) && Number.isSafeInteger(price.fees);
  return counted && Number.isSafeInteger(price.platformFees) && price.received > 0 && price.fees < sent
    ? price
    : undefined;
}

/**
 * Returns the amount that is worth `received` at a rate, without fees, in minor units rounded half up. `rate` as for
 * `payoutOf`.
 */
export function amountWorth(received: number, rate: number): number {
  const [n, d] = fraction(rate);
  return Number(halfUp(BigInt(received) * d, n));
}

/** Returns sending units per receiving unit, both in major units and net of fees, to 8 decimals (reference 9.5). */
export const exchangeRateOf = (price: Price, sendingDecimals: number, receivingDecimals: number): number => {
  const rate =
    (price.sent - price.fees) / powerOfTen(sendingDecimals) / (price.received / powerOfTen(receivingDecimals));
  return rate >= 1e-8 ? Math.round(rate * 1e8) / 1e8 : Number(rate.toPrecision(8));
};
