import { describe, expect, test } from 'vitest';
import { type MoneyKit, moneyKit } from '../../kit/money.ts';
import { refusal } from '../../kit/sandbox.ts';

const HELD = {
  scenario: {
    platform: { currencies: ['USD', 'EUR', 'USDC'].map((code) => ({ code })) },
    policies: { 'transaction.settle': 'after PT1H' },
  },
};
const pay = async (it: MoneyKit, path: '/transfer-in' | '/transfer-out', outer: string, amount = 3000) => {
  const inner = await it.funded('USD', 10_000);
  const [source, destination] = path === '/transfer-in' ? [outer, inner.id] : [inner.id, outer];
  const { body } = await it.post(path, {
    source: { accountId: source },
    destination: { accountId: destination },
    amount,
  });
  await it.settle();
  return { inner: inner.id, id: body.id as string };
};

describe('POST /transactions/{transactionId}/cancel', () => {
  test('the cancellation of a payout that has not settled is answered with 200; the payout fails and its money comes back', async () => {
    const it = await moneyKit(HELD);
    const { inner, id } = await pay(it, '/transfer-out', it.bank('USD').id);
    const { status, body } = await it.post(`/transactions/${id}/cancel`, { reason: 'typo' });
    expect([status, body.status]).toEqual([200, 'PROCESSING']);
    expect(refusal(await it.post(`/transactions/${id}/cancel`))).toMatchObject({
      status: 409,
      code: 'TRANSACTION_NOT_CANCELLABLE',
    });
    await it.advance('PT2H');
    expect(await it.transaction(id)).toMatchObject({
      status: 'FAILED',
      refund: { status: 'COMPLETED', reason: 'USER_CANCELLATION' },
    });
    expect(await it.balance(inner)).toBe(10_000);
    expect(it.story()).toEqual([
      'OUT.PENDING',
      'OUT',
      'BALANCE 7000',
      'OUT.PROCESSING',
      'OUT.FAILED',
      'OUT.REFUND_PENDING',
      'BALANCE 10000',
      'OUT.REFUND_COMPLETED',
    ]);
  });

  test('a cancelled payment from a bank account that cannot be collected from fails without a refund (reference 11.4)', async () => {
    const it = await moneyKit(HELD);
    const { body: quote } = await it.quote(
      { sourceType: 'ACCOUNT', accountId: it.bank('USD', '002').id },
      { destinationType: 'ACCOUNT', accountId: it.bank('EUR').id },
    );
    await it.post(`/quotes/${quote.id}/execute`);
    const path = `/transactions/${quote.transactionId}/cancel`;
    expect(await it.post(path)).toMatchObject({ status: 200, body: { status: 'PROCESSING' } });
    expect(refusal(await it.post(path))).toMatchObject({ status: 409, code: 'TRANSACTION_NOT_CANCELLABLE' });
    await it.advance('PT2H');
    const cancelled = await it.transaction(quote.transactionId);
    expect(cancelled).toMatchObject({ status: 'FAILED', failureReason: 'QUOTE_EXECUTION_FAILED' });
    expect(cancelled.refund).toBeUndefined();
    expect(it.story()).toEqual(['OUT.PENDING', 'OUT', 'OUT.PROCESSING', 'OUT.FAILED']);
    expect((await it.control('GET', '/ledger/check')).body.ok).toBe(true);
  });

  test('the cancellation of a collection that has not settled is answered with 200, and nothing is credited', async () => {
    const it = await moneyKit(HELD);
    const { inner, id } = await pay(it, '/transfer-in', it.bank('USD').id);
    expect((await it.post(`/transactions/${id}/cancel`)).status).toBe(200);
    await it.advance('PT2H');
    expect((await it.transaction(id)).status).toBe('FAILED');
    expect(await it.balance(inner)).toBe(10_000);
  });

  test('a cancellation is refused with 409 once the payment has settled, and before it was executed', async () => {
    const it = await moneyKit();
    const { id } = await pay(it, '/transfer-out', it.bank('USD').id);
    expect(refusal(await it.post(`/transactions/${id}/cancel`))).toMatchObject({
      status: 409,
      code: 'TRANSACTION_NOT_CANCELLABLE',
    });
    const usd = await it.account('USD');
    const quote = await it.quote(
      { sourceType: 'ACCOUNT', accountId: usd.id },
      { destinationType: 'ACCOUNT', accountId: it.bank('EUR').id },
    );
    expect((await it.post(`/transactions/${quote.body.transactionId}/cancel`)).status).toBe(409);
  });

  test('a cancellation is refused with 400 for a payment to a wallet; every action is refused with 401, 404 and 400', async () => {
    const it = await moneyKit(HELD);
    const usdc = await it.funded('USDC', 10_000);
    const { body } = await it.post('/transfer-out', {
      source: { accountId: usdc.id },
      destination: { accountId: it.wallet().id },
      amount: 1,
    });
    await it.settle();
    expect(refusal(await it.post(`/transactions/${body.id}/cancel`))).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
    });
    for (const verb of ['approve', 'reject', 'cancel', 'confirm']) {
      expect((await it.post(`/transactions/${body.id}/${verb}`, {}, { as: null })).status).toBe(401);
      expect(refusal(await it.post(`/transactions/Transaction:x/${verb}`))).toMatchObject({
        status: 404,
        code: 'TRANSACTION_NOT_FOUND',
      });
      expect(
        (
          await it.post(`/transactions/${body.id}/${verb}`, {
            reason: 5,
            receiverCustomerInfo: 5,
            receiptDeliveryConfirmedAt: 5,
          })
        ).status,
      ).toBe(400);
    }
  });
});

describe('POST /transactions/{transactionId}/approve and /reject', () => {
  test('approval and rejection are refused with 409 for a payment that waits for no approval', async () => {
    const it = await moneyKit(HELD);
    for (const path of ['/transfer-out', '/transfer-in'] as const) {
      const { id } = await pay(it, path, it.bank('USD').id);
      for (const verb of ['approve', 'reject'])
        expect(refusal(await it.post(`/transactions/${id}/${verb}`))).toMatchObject({
          status: 409,
          code: 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL',
        });
    }
  });

  test('approve, reject, cancel and confirm are refused with 403 without TRANSACT', async () => {
    const it = await moneyKit({
      scenario: {
        credentials: [
          { id: 'a', secret: 's' },
          { id: 'v', secret: 's', permissions: ['VIEW', 'MANAGE'] },
        ],
      },
    });
    for (const verb of ['approve', 'reject', 'cancel', 'confirm'])
      expect((await it.post(`/transactions/Transaction:x/${verb}`, {}, { as: 'v:s' })).status).toBe(403);
  });
});

describe('POST /transactions/{transactionId}/confirm', () => {
  test('a confirmation records the time that was sent, or now, and a repeat overwrites it', async () => {
    const it = await moneyKit();
    const { id } = await pay(it, '/transfer-out', it.bank('USD').id);
    await it.advance('PT1M');
    const now = await it.post(`/transactions/${id}/confirm`);
    expect(now.body.receiptDeliveryConfirmedAt).toBe('2026-01-05T09:01:00.000Z');
    const sent = { receiptDeliveryConfirmedAt: '2026-01-05T10:00:30+01:00' };
    const { status, body } = await it.post(`/transactions/${id}/confirm`, sent);
    expect([status, body.receiptDeliveryConfirmedAt]).toEqual([200, '2026-01-05T09:00:30.000Z']);
    expect(await it.transaction(id)).toEqual(body);
  });

  test('a confirmation is refused with 400 for a payment that never settled', async () => {
    const it = await moneyKit();
    const { id } = await pay(it, '/transfer-out', it.bank('USD', '002').id);
    expect(refusal(await it.post(`/transactions/${id}/confirm`))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  });
});
