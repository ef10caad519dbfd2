import { describe, expect, test } from 'vitest';
import { amountWorth, exchangeRateOf, payoutOf, priceOf } from '../../src/ledger/price.ts';
import { chance } from '../kit/chance.ts';

const price = (
  side: 'SENDING' | 'RECEIVING',
  amount: number,
  rate: number,
  platform: [number, number],
  service: [number, number],
) => priceOf({ side, amount }, rate, { bps: platform[0], fixed: platform[1] }, { bps: service[0], fixed: service[1] });

describe('an amount at a rate', () => {
  test('amountWorth is exact beyond floating point, and rounds halves up', () => {
    expect(amountWorth(863, 0.92)).toBe(938);
    expect(amountWorth(3, 2)).toBe(2);
    expect(amountWorth(9_007_199_254_740_991, 1)).toBe(9_007_199_254_740_991);
    expect(amountWorth(8_999_999_999_999_999, 0.9)).toBe(Number((8_999_999_999_999_999n * 20n + 9n) / 18n));
  });
});

describe('the price of a quote, to the minor unit (reference 15)', () => {
  test('a payment of 1000 cents at 30 bps + 50 and 100 bps costs 63 of fees, and 863 arrive', () => {
    expect(price('SENDING', 1000, 0.92, [30, 50], [100, 0])).toEqual({
      sent: 1000,
      received: 863,
      fees: 63,
      platformFees: 53,
    });
  });

  test('a sending lock gives the receiver what is left after the fees', () => {
    const offer = price('SENDING', 250_000, 17.25, [25, 100], [50, 20]);
    expect(offer).toEqual({ sent: 250_000, received: 4_278_102, fees: 1994, platformFees: 725 });
    expect(offer && exchangeRateOf(offer, 2, 2)).toBe(0.05797103);
  });

  test('a receiving lock makes the sender pay the fees on top, rounded up', () => {
    expect(price('RECEIVING', 100_000, 17.25, [25, 100], [50, 20])).toEqual({
      sent: 5961,
      received: 100_000,
      fees: 164,
      platformFees: 115,
    });
  });

  test('a payment of 200.00 dollars to euros at half a percent costs 1.00 dollar and pays out 183.08 euros', () => {
    const offer = price('SENDING', 20_000, 0.92, [0, 0], [50, 0]);
    expect(offer).toEqual({ sent: 20_000, received: 18_308, fees: 100, platformFees: 0 });
    expect(offer && exchangeRateOf(offer, 2, 2)).toBe(1.08695652);
  });

  test('a payment has no price where the fees leave nothing, or where its amount is beyond counting', () => {
    expect(price('SENDING', 50, 1, [0, 50], [0, 0])).toBeUndefined();
    expect(price('SENDING', 1, 0.001, [0, 0], [0, 0])).toBeUndefined();
    expect(price('SENDING', 100, 1, [10_000, 0], [0, 0])).toBeUndefined();
    expect(price('SENDING', 9_000_000_000_000_000, 25_400, [0, 0], [0, 0])).toBeUndefined();
  });

  test('a receiving lock has no price where the fees take all that is sent, by share or by rounding', () => {
    // A cent that is needed for the payout, and a fee of half a cent or more of it: a whole one.
    expect(price('RECEIVING', 1, 17.25, [5000, 0], [0, 0])).toBeUndefined();
    expect(price('RECEIVING', 1, 17.25, [4999, 0], [0, 0])).toEqual({ sent: 1, received: 1, fees: 0, platformFees: 0 });
    expect(price('RECEIVING', 1, 1_000_000, [4900, 25], [5000, 20])).toBeUndefined();
    expect(price('RECEIVING', 1000, 1, [10_000, 0], [0, 0])).toBeUndefined();
    expect(price('RECEIVING', 1000, 1, [9990, 0], [50, 0])).toBeUndefined();
  });

  test('the largest amount is priced exactly', () => {
    expect(price('SENDING', 9_000_000_000_000_000, 1, [0, 0], [50, 0])).toEqual({
      sent: 9_000_000_000_000_000,
      received: 8_955_000_000_000_000,
      fees: 45_000_000_000_000,
      platformFees: 0,
    });
  });

  test('a receiving lock is never cheaper than a sending lock at the same rates', () => {
    for (let amount = 1000; amount < 200_000; amount += 997) {
      const there = price('RECEIVING', amount, 17.9, [25, 100], [50, 20]);
      const back = there && price('SENDING', there.sent, 17.9, [25, 100], [50, 20]);
      expect(back?.received).toBeGreaterThanOrEqual(amount);
    }
  });
});

/** The nearest whole number, halves up, found by trying: no formula in common with the program. */
const nearest = (n: bigint, d: bigint): bigint => {
  const floor = n / d;
  return (n - floor * d) * 2n >= d ? floor + 1n : floor;
};

describe('the price engine up to 1e15 minor units', () => {
  const { below } = chance(20_261_122);
  const cases = Array.from({ length: 3000 }, () => {
    // The rate is `n / d`: ten digits, from a hundredth of a thousandth to a hundred thousand.
    const [digits, places] = [1 + below(2 ** 32 - 1), 5 + below(10)];
    return {
      amount: below(2 ** 30) * 10 ** below(7) + below(1000),
      rate: Number(`${digits}e-${places}`),
      n: BigInt(digits),
      d: 10n ** BigInt(places),
      platform: { fixed: below(500), bps: below(300) },
      service: { fixed: below(2) * 25, bps: 50 },
    };
  });

  test('a payout equals the result of whole-number arithmetic, up to 1e15 minor units', () => {
    for (const { amount, rate, n, d, platform, service } of cases) {
      const rest = BigInt(amount - platform.fixed - service.fixed);
      const base = rest < 0n ? 0n : rest;
      const left = BigInt(10_000 - platform.bps - service.bps);
      const platformFees = Number(BigInt(platform.fixed) + nearest(base * BigInt(platform.bps), 10_000n));
      expect(payoutOf(amount, rate, platform, service), JSON.stringify({ amount, rate, platform, service })).toEqual({
        sent: amount,
        received: Number(nearest(base * left * n, 10_000n * d)),
        fees: platformFees + service.fixed + Number(nearest(base * BigInt(service.bps), 10_000n)),
        platformFees,
      });
    }
  });

  test('a receiving lock sends the least amount whose unrounded payout is enough, up to 1e15 minor units', () => {
    for (const { amount, rate, n, d, platform, service } of cases) {
      const price = priceOf({ side: 'RECEIVING', amount }, rate, platform, service);
      if (!price) continue;
      const enough = (sent: number) =>
        BigInt(sent - platform.fixed - service.fixed) * BigInt(10_000 - platform.bps - service.bps) * n >=
        BigInt(amount) * 10_000n * d;
      expect([enough(price.sent - 1), enough(price.sent)], JSON.stringify({ amount, rate })).toEqual([false, true]);
    }
  });

  test('a payout is 0 where the fees take the whole amount or more', () => {
    const nothing = { fixed: 0, bps: 0 };
    expect(payoutOf(1000, 2, { fixed: 0, bps: 10_000 }, { fixed: 0, bps: 50 })).toMatchObject({
      received: 0,
      fees: 1005,
    });
    expect(payoutOf(40, 2, { fixed: 50, bps: 30 }, nothing)).toMatchObject({ received: 0, fees: 50 });
  });
});
