import { describe, expect, test } from 'vitest';
import { outsideAccount, post } from '../../../src/ledger/ledger.ts';
import { crowd } from '../../kit/crowded.ts';
import { type MoneyKit, moneyKit } from '../../kit/money.ts';
import { refusal } from '../../kit/sandbox.ts';

const MOST = Number.MAX_SAFE_INTEGER;
const account = (accountId: string) => ({ sourceType: 'ACCOUNT', accountId });
const to = (accountId: string) => ({ destinationType: 'ACCOUNT', accountId });

/** A platform that moves any amount. */
const large = (more: object = {}): Promise<MoneyKit> =>
  moneyKit({
    scenario: {
      platform: { currencies: ['USD', 'EUR', 'USDC'].map((code) => ({ code, maxAmount: MOST })) },
      ...more,
    },
  });

/** Puts money into an account, whatever its operations allow. */
function fill(it: MoneyKit, id: string, amount: number, from = 'filled'): void {
  const { world } = it.sandbox;
  const lines = [
    { account: outsideAccount(from, 'USD'), currency: 'USD', amount: -amount },
    { account: id, currency: 'USD', amount },
  ];
  world.transact(() => post(world, { reason: 'filled', cause: 'test', lines }));
}
const broken = async (it: MoneyKit) =>
  (await it.control('GET', '/jobs')).body.data.filter((job: { broken?: string }) => job.broken);

/** Bo, another customer, and his account. */
async function bo(it: MoneyKit): Promise<string> {
  const { id } = (await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Bo Lind' })).body;
  await it.settle();
  return (await it.account('USD', id)).id;
}

describe('money that no balance can count (reference 3.4, 9.9)', () => {
  test('a collection that no balance can count fails with COLLECTION_FAILED, and nothing is credited', async () => {
    const it = await large();
    const { id } = await it.account('USD');
    fill(it, id, MOST - 10);
    const sent = { source: { accountId: it.bank('USD').id }, destination: { accountId: id }, amount: 11 };
    const { body } = await it.post('/transfer-in', sent);
    await it.settle();
    expect(await it.transaction(body.id)).toMatchObject({ status: 'FAILED', failureReason: 'COLLECTION_FAILED' });
    expect([await it.balance(id), await broken(it)]).toEqual([MOST - 10, []]);
    expect((await it.control('GET', `/transactions/${body.id}`)).body.because).toBe(
      'a balance would be beyond what can be counted exactly',
    );
    const fits = await it.post('/transfer-in', { ...sent, amount: 10 });
    await it.settle();
    expect((await it.transaction(fits.body.id)).status).toBe('COMPLETED');
  });

  test('a payment to a customer whose account cannot take it fails on both sides and is refunded', async () => {
    const it = await large();
    const ana = (await it.funded('USD', 100)).id;
    const other = await bo(it);
    fill(it, other, MOST - 10);
    const quote = (await it.quote(account(ana), to(other), { lockedCurrencyAmount: 100 })).body;
    expect((await it.post(`/quotes/${quote.id}/execute`)).status).toBe(200);
    await it.settle();
    expect(await it.transaction(quote.transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'QUOTE_EXECUTION_FAILED',
      refund: { status: 'COMPLETED' },
    });
    const [into] = (await it.get('/transactions', { type: 'INCOMING' })).body.data;
    expect(into).toMatchObject({ status: 'FAILED', failureReason: 'QUOTE_EXECUTION_FAILED' });
    expect([await it.balance(ana), await it.balance(other), await broken(it)]).toEqual([100, MOST - 10, []]);
  });

  test('a payment that was set to COMPLETED is returned when the other account is full', async () => {
    const it = await large({ policies: { 'transaction.settle': 'hold' } });
    const ana = (await it.funded('USD', 100)).id;
    const other = await bo(it);
    const quote = (await it.quote(account(ana), to(other), { lockedCurrencyAmount: 100 })).body;
    await it.post(`/quotes/${quote.id}/execute`);
    await it.settle();
    fill(it, other, MOST - 10);
    await it.control('POST', `/transactions/${quote.transactionId}/outcome`, { outcome: 'COMPLETED' });
    await it.advance('PT1M');
    expect(await it.transaction(quote.transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'PAYOUT_RETURNED',
      refund: { status: 'COMPLETED' },
    });
    const [into] = (await it.get('/transactions', { type: 'INCOMING' })).body.data;
    expect([into.status, await it.balance(ana), await broken(it)]).toEqual(['FAILED', 100, []]);
  });

  test('a refund that the account can no longer take fails, and the payment stays FAILED', async () => {
    const it = await large({ policies: { 'transaction.refund': 'after PT1M' } });
    const ana = (await it.funded('USD', 100)).id;
    const sent = { source: { accountId: ana }, destination: { accountId: it.bank('USD', '004').id }, amount: 100 };
    const { body } = await it.post('/transfer-out', sent);
    await it.settle();
    fill(it, ana, MOST - 10);
    await it.advance('PT5M');
    expect(await it.transaction(body.id)).toMatchObject({ status: 'FAILED', refund: { status: 'FAILED' } });
    expect([await it.balance(ana), await broken(it)]).toEqual([MOST - 10, []]);
  });

  test('a payment that no balance can count is refused with 400 AMOUNT_OUT_OF_RANGE at execution, at once or later, and as a transfer', async () => {
    const it = await large();
    const ana = (await it.funded('USD', 100)).id;
    const bank = it.bank('USD').id;
    const { body } = await it.quote(account(ana), to(bank), { lockedCurrencyAmount: 100 });
    crowd(it.sandbox.world, 'USD');
    const refused = { status: 400, code: 'AMOUNT_OUT_OF_RANGE' };
    expect(refusal(await it.post(`/quotes/${body.id}/execute`))).toMatchObject(refused);
    const now = { lockedCurrencyAmount: 100, immediatelyExecute: true };
    expect(refusal(await it.quote(account(ana), to(bank), now))).toMatchObject(refused);
    const out = { source: { accountId: ana }, destination: { accountId: bank }, amount: 100 };
    expect(refusal(await it.post('/transfer-out', out))).toMatchObject(refused);
    expect(await it.balance(ana)).toBe(100);
  });
});
