import { describe, expect, test } from 'vitest';
import { exchangeRateOf, priceOf } from '../../../src/areas/quotes/fees.ts';

const price = (
  side: 'SENDING' | 'RECEIVING',
  amount: number,
  rate: number,
  platform: [number, number],
  service: [number, number],
) => priceOf({ side, amount }, rate, { bps: platform[0], fixed: platform[1] }, { bps: service[0], fixed: service[1] });

describe('the price of a quote, to the minor unit (reference 15)', () => {
  test('1000 cents at 30 bps + 50 and 100 bps: 63 of fees, 863 arrive', () => {
    expect(price('SENDING', 1000, 0.92, [30, 50], [100, 0])).toEqual({
      sent: 1000,
      received: 863,
      fees: 63,
      platformFees: 53,
    });
  });

  test('a sending lock gives the receiver what is left', () => {
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

  test('200.00 dollars to euros at half a percent', () => {
    const offer = price('SENDING', 20_000, 0.92, [0, 0], [50, 0]);
    expect(offer).toEqual({ sent: 20_000, received: 18_308, fees: 100, platformFees: 0 });
    expect(offer && exchangeRateOf(offer, 2, 2)).toBe(1.08695652);
  });

  test('fees that leave nothing, and amounts beyond counting, have no price', () => {
    expect(price('SENDING', 50, 1, [0, 50], [0, 0])).toBeUndefined();
    expect(price('SENDING', 1, 0.001, [0, 0], [0, 0])).toBeUndefined();
    expect(price('SENDING', 100, 1, [10_000, 0], [0, 0])).toBeUndefined();
    expect(price('SENDING', 9_000_000_000_000_000, 25_400, [0, 0], [0, 0])).toBeUndefined();
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
