import { expect, test } from 'vitest';
import { kit } from '../kit/sandbox.ts';

test('a customer of a scenario may name opening balances in some currencies only', async () => {
  const { get, events } = await kit({
    scenario: { customers: [{ label: 'ada', customerType: 'INDIVIDUAL', accounts: { USD: 1500, USDC: 0 } }] },
  });
  const { data } = (await get('/customers/internal-accounts')).body;
  expect(
    data
      .map((a: { balance: { amount: number; currency: { code: string } } }) => [
        a.balance.currency.code,
        a.balance.amount,
      ])
      .sort(),
  ).toEqual([
    ['USD', 1500],
    ['USDB', 0],
    ['USDC', 0],
  ]);
  expect(events()).toEqual([]);
});
