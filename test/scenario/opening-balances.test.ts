import { expect, test } from 'vitest';
import { ScenarioError } from '../../src/scenario/error.ts';
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

const GENERATED = { customers: 3, transactions: 50, days: 5 };
/** Balances of an owner, by currency. */
const held = (answer: { body: { data: { balance: { amount: number; currency: { code: string } } }[] } }) =>
  Object.fromEntries(answer.body.data.map(({ balance }) => [balance.currency.code, balance.amount]));

test('the balances that a file gives are kept, whatever is generated beside them (R13)', async () => {
  const { get } = await kit({
    scenario: {
      platform: { accounts: { USD: 7000 } },
      customers: [{ customerType: 'INDIVIDUAL', platformCustomerId: 'ada', accounts: { USD: 100_000 } }],
      generate: GENERATED,
    },
  });
  const [ada] = (await get('/customers', { platformCustomerId: 'ada' })).body.data;
  expect(held(await get('/customers/internal-accounts', { customerId: ada.id }))).toMatchObject({ USD: 100_000 });
  expect(held(await get('/platform/internal-accounts'))).toMatchObject({ USD: 7000 });
  expect((await get('/transactions')).body.totalCount).toBe(50);
});

test('generated payments without generated people go to an account that the file does not fund, or are refused (R13)', async () => {
  const generate = { transactions: 5, days: 5 };
  const customers = [{ customerType: 'INDIVIDUAL', platformCustomerId: 'ada', accounts: { USD: 100_000 } }];
  const { get } = await kit({ scenario: { platform: { accounts: { USD: 7000 } }, customers, generate } });
  expect(held(await get('/platform/internal-accounts'))).toMatchObject({ USD: 7000 });
  const [ada] = (await get('/customers')).body.data;
  expect(held(await get('/customers/internal-accounts', { customerId: ada.id }))).toMatchObject({ USD: 100_000 });
  expect((await get('/transactions')).body.totalCount).toBe(5);
  const platform = { currencies: [{ code: 'USD' }], accounts: { USD: 7000 } };
  await expect(kit({ scenario: { platform, generate } })).rejects.toThrow(ScenarioError);
});
