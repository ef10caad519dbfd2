import { powerOfTen } from '../../kernel/money.ts';
import type { Fee } from '../rates/index.ts';

export interface Price {
  /** Minor units: everything the sender pays, fees included. */
  readonly sent: number;
  /** Minor units: what the receiver gets. */
  readonly received: number;
  /** Minor units of the sending currency, within `sent`. */
  readonly fees: number;
  readonly platformFees: number;
}

const BPS = 10_000n;

/** A decimal as a fraction of whole numbers: twelve digits, two more than a rate has, and none of binary noise. */
function fraction(rate: number): [bigint, bigint] {
  const [digits, exponent] = rate.toExponential(11).split('e') as [string, string];
  const shift = Number(exponent) - 11;
  const whole = BigInt(digits.replace('.', ''));
  return shift >= 0 ? [whole * 10n ** BigInt(shift), 1n] : [whole, 10n ** BigInt(-shift)];
}

const halfUp = (n: bigint, d: bigint): bigint => (2n * n + d) / (2n * d);
const up = (n: bigint, d: bigint): bigint => (n + d - 1n) / d;
const part = (base: bigint, bps: number): bigint => halfUp(base * BigInt(bps), BPS);

function feesOf(base: bigint, platform: Fee, service: Fee) {
  const platformFees = BigInt(platform.fixed) + part(base, platform.bps);
  return { platformFees, fees: platformFees + BigInt(service.fixed) + part(base, service.bps) };
}

/**
 * The price of a payment (reference 15). `amount` is in minor units of the locked side; `rate` is minor units received
 * for one sent. Fixed fees come off first, both variable fees are taken of the rest, each part rounded by itself,
 * halves up; what the receiver gets follows from the unrounded rest. A receiving lock rounds what is sent up. Exact
 * whatever the size. `undefined` when the fees leave nothing to send or the sender nothing to pay.
 */
export function priceOf(
  locked: { side: 'SENDING' | 'RECEIVING'; amount: number },
  rate: number,
  platform: Fee,
  service: Fee,
): Price | undefined {
  const [n, d] = fraction(rate);
  const fixed = BigInt(platform.fixed + service.fixed);
  const left = BPS - BigInt(platform.bps + service.bps);
  if (left <= 0n) return undefined;
  const sent =
    locked.side === 'SENDING' ? BigInt(locked.amount) : up(BigInt(locked.amount) * d * BPS, n * left) + fixed;
  const base = sent - fixed;
  if (base <= 0n) return undefined;
  const received = locked.side === 'RECEIVING' ? BigInt(locked.amount) : halfUp(base * left * n, BPS * d);
  const { fees, platformFees } = feesOf(base, platform, service);
  const price = {
    sent: Number(sent),
    received: Number(received),
    fees: Number(fees),
    platformFees: Number(platformFees),
  };
  const exact = Object.values(price).every(Number.isSafeInteger);
  return exact && received > 0n && fees < sent ? price : undefined;
}

/** Sending units for one receiving unit, both major, net of fees, to 8 decimals (reference 9.5). */
export const exchangeRateOf = (price: Price, sendingDecimals: number, receivingDecimals: number): number => {
  const rate =
    (price.sent - price.fees) / powerOfTen(sendingDecimals) / (price.received / powerOfTen(receivingDecimals));
  return rate >= 1e-8 ? Math.round(rate * 1e8) / 1e8 : Number(rate.toPrecision(8));
};
