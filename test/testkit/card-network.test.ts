import { expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { CardNetwork, type CardPayment } from '../../src/testkit/index.ts';
import { kit } from '../kit/sandbox.ts';

/** The network of one card of the scenario, without a socket. */
async function network(patienceMs = 0) {
  const k = await kit({ scenario: 'cards' });
  const app = createApp(k.host);
  const { data } = (await k.get('/cards', { platformCardId: 'emp-77-4821' })).body;
  const net = new CardNetwork({
    baseUrl: `http://127.0.0.1:4010${k.host.basePath}/`,
    authorization: `Basic ${btoa('test:secret')}`,
    cardId: data[0].id,
    patienceMs,
    fetch: async (url, init) => app.request(url, init),
  });
  return { k, net };
}
const opened = (payment: CardPayment | undefined): CardPayment => {
  if (!payment) throw new Error('declined');
  return payment;
};

test('a card network authorizes, resizes, clears, refunds and reverses through one client', async () => {
  const { net } = await network();
  const t = opened(await net.authorize(4200));
  expect(t).toMatchObject({ status: 'AUTHORIZED', authorizedAmount: { amount: 4200 } });
  expect(await net.resize(t, 4500)).toMatchObject({ authorizedAmount: { amount: 4500 } });
  expect(await net.clear(t, 1000)).toMatchObject({ status: 'PARTIALLY_SETTLED' });
  expect(await net.clear(t, 4000)).toMatchObject({ status: 'SETTLED', settledAmount: { amount: 5000 } });
  expect(await net.refund(t, 2000)).toMatchObject({ status: 'SETTLED', refundedAmount: { amount: 2000 } });
  expect(await net.refund(t)).toMatchObject({ status: 'REFUNDED', refundedAmount: { amount: 5000 } });
  expect(await net.reverseRefund(t)).toMatchObject({ status: 'SETTLED' });
});

test('a card network takes and gives money, announces a credit, clears it, and lets an authorization expire', async () => {
  const { net } = await network();
  expect(await net.take(100)).toMatchObject({ status: 'SETTLED', direction: 'DEBIT' });
  expect(await net.give(100)).toMatchObject({ status: 'SETTLED', direction: 'CREDIT' });
  expect(await net.adviseCredit(100)).toMatchObject({ status: 'AUTHORIZED', direction: 'CREDIT' });
  const credit = opened(await net.authorizeCredit(100));
  expect(await net.clear(credit)).toMatchObject({ status: 'SETTLED', settledAmount: { amount: 100 } });
  const hotel = opened(await net.authorize(100));
  expect(await net.expire(hotel)).toMatchObject({ status: 'SETTLED', pullSummary: { totalAmount: 0 } });
});

test('a card network returns a decline to a program that holds its timers and the time', async () => {
  const { net } = await network(1);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  expect(await net.authorize(100, { merchant: { descriptor: 'NO MONEY 002' } })).toBe(undefined);
});

test('a card network resolves a decline with nothing, and rejects a refusal with its code', async () => {
  const { k, net } = await network();
  expect(await net.authorize(100, { merchant: { descriptor: 'NO MONEY 002' } })).toBe(undefined);
  await net.inquire();
  const [last] = k.sandbox.requestLog.newest();
  expect(last?.operation).toBe('sandboxSimulateCardBalanceInquiry');
  await expect(net.authorize(100, { currency: 'EUR' })).rejects.toMatchObject({
    status: 400,
    code: 'INVALID_CURRENCY',
  });
  const t = opened(await net.authorize(100));
  await expect(net.reverseRefund(t)).rejects.toMatchObject({ status: 400, code: 'INVALID_INPUT' });
});

test('a card network finds a payment behind more than a hundred newer ones', async () => {
  const { net } = await network();
  const payments = await Promise.all(Array.from({ length: 103 }, () => net.authorize(1)));
  expect(payments.map((payment) => payment?.status)).toEqual(Array.from({ length: 103 }, () => 'AUTHORIZED'));
});
