import { expect, test } from 'vitest';
import { worthIn } from '../../../src/areas/agents/usage.ts';
import { kit } from '../../kit/sandbox.ts';

test.each([
  ['VND', 500_000_000, 127_000_000_000],
  ['MXN', 500_000_000, 9_000_000_000],
  ['EUR', 2_000_000_000, 1_940_000_000],
  ['USD', 1, 1],
])(
  'a payment in USD counts for an agent with limits in %s with the product of amount and rate, to the minor unit',
  async (currency, amount, worth) => {
    const { world } = (await kit({ scenario: { rates: { 'USD/MXN': 18, 'USD/EUR': 0.97 } } })).sandbox;
    expect(worthIn(world, { amount, currency: 'USD' }, currency)).toBe(worth);
  },
);
