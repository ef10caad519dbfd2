import { expect, test } from 'vitest';
import { moneyKit } from '../kit/money.ts';
import { receiver } from '../kit/receiver.ts';
import { kit } from '../kit/sandbox.ts';
import { Authenticator, walletKit } from '../kit/wallet.ts';

/** The state of a sandbox, taken by another one that says the same again. */
async function taken(it: Awaited<ReturnType<typeof kit>>): Promise<void> {
  const { text } = await it.control('GET', '/state');
  const other = await kit({ seed: 1 });
  const answer = await other.control('PUT', '/state', JSON.parse(text));
  expect(answer.status, answer.text).toBe(200);
  expect((await other.control('GET', '/state')).text).toBe(text);
}

test('a state with payments within the platform, in both directions, loads again unchanged (C3, H7)', async () => {
  const it = await moneyKit();
  const [usd, own] = [await it.funded('USD', 50_000), await it.funded('USD', 50_000, 'platform')];
  for (const [from, to] of [
    [usd, own],
    [own, usd],
  ] as const) {
    const destination = { destinationType: 'ACCOUNT', accountId: to.id };
    await it.quote({ sourceType: 'ACCOUNT', accountId: from.id }, destination, { immediatelyExecute: true });
  }
  await it.settle();
  expect((await it.get('/transactions', { type: 'INCOMING' })).body.totalCount).toBe(2);
  await taken(it);
});

test('a state with an answered question and a webhook for a remote endpoint loads again unchanged (C4, S27, H7)', async () => {
  const hooks = await receiver();
  hooks.react = () => 204;
  const it = await moneyKit({ webhookUrl: hooks.url });
  await it.post('/sandbox/uma/receive', {
    senderUmaAddress: '$success.eur@sandbox.uma.money',
    customerId: it.customer.id,
    receivingCurrencyCode: 'USD',
    receivingCurrencyAmount: 7500,
  });
  await it.settle();
  await it.patch('/config', { webhookEndpoint: 'https://hooks.invalid/' });
  await it.settle();
  await taken(it);
});

test("a state with a revoked session, a used registration and a deleted customer's wallet loads again unchanged (S19, S23, S25, H7)", async () => {
  const it = await walletKit();
  const { key, session } = await it.login();
  await it.addPasskey(key, new Authenticator());
  await it.sign(key, 'DELETE', `/auth/sessions/${session.id}`);
  await taken(it);
  expect((await it.del(`/customers/${it.customerId}`)).status).toBe(200);
  await taken(it);
});

test('a state whose card payment disagrees with its postings is refused with 400, which names the payment (X12)', async () => {
  const it = await kit({ scenario: 'cards' });
  const state = (await it.control('GET', '/state')).text;
  const changed = (change: (payment: { pulls: { amount: number; stage: string }[]; refunded: number }) => void) => {
    const copy = JSON.parse(state);
    const rows = copy.tables.find(({ name }: { name: string }) => name === 'transactions').rows;
    const payment = rows.find((row: { type: string; pulls?: unknown[] }) => row.type === 'CARD' && row.pulls?.length);
    change(payment);
    return { copy, id: payment.id as string };
  };
  const other = await kit({ seed: 1 });
  for (const change of [
    (p: { pulls: { stage: string }[] }) => Object.assign(p.pulls[0] ?? {}, { stage: 'PENDING' }),
    (p: { pulls: { amount: number }[] }) => Object.assign(p.pulls[0] ?? {}, { amount: (p.pulls[0]?.amount ?? 0) + 1 }),
    (p: { pulls: { amount: number; stage: string }[] }) => p.pulls.push({ amount: 5, stage: 'CONFIRMED' }),
    (p: { refunded: number }) => Object.assign(p, { refunded: p.refunded + 7 }),
  ]) {
    const { copy, id } = changed(change as never);
    const { status, text } = await other.control('PUT', '/state', copy);
    expect([status, text.includes(id), /lines sum to/.test(text)]).toEqual([400, true, true]);
  }
  for (const [wrong, reason] of [
    [{ accountCurrency: 'EUR' }, 'it moves EUR of InternalAccount:'],
    [{ currency: 'USDB' }, 'USD has no unit as small as that of USDB'],
  ] as const) {
    const { copy, id } = changed((payment) => Object.assign(payment, wrong));
    const { status, text } = await other.control('PUT', '/state', copy);
    expect([status, text.includes(id), text.includes(reason)], text).toEqual([400, true, true]);
  }
  expect((await other.control('PUT', '/state', JSON.parse(state))).status).toBe(200);
});

test('a state with a pending payment in a currency that its account does not hold is refused with 400 (X12)', async () => {
  const hooks = await receiver();
  hooks.react = () => 202;
  const it = await moneyKit({ webhookUrl: hooks.url });
  const usd = await it.funded('USD', 50_000);
  const eur = await it.account('EUR');
  await it.quote({ sourceType: 'ACCOUNT', accountId: usd.id }, { destinationType: 'ACCOUNT', accountId: eur.id });
  await it.post('/sandbox/uma/receive', {
    senderUmaAddress: '$success.eur@sandbox.uma.money',
    customerId: it.customer.id,
    receivingCurrencyCode: 'USD',
    receivingCurrencyAmount: 7500,
  });
  const state = (await it.control('GET', '/state')).text;
  const other = await kit({ seed: 1 });
  for (const [type, end, account] of [
    ['OUTGOING', 'sent', usd.id],
    ['OUTGOING', 'received', eur.id],
    ['INCOMING', 'received', usd.id],
  ] as const) {
    const copy = JSON.parse(state);
    const { rows } = copy.tables.find(({ name }: { name: string }) => name === 'transactions');
    const payment = rows.findLast((row: { type: string; status: string }) => row.type === type);
    expect(payment?.status).toBe('PENDING');
    payment[end].currency = 'MXN';
    const { status, text } = await other.control('PUT', '/state', copy);
    expect([status, text.includes(`${payment.id}: it moves MXN of ${account}`)], text).toEqual([400, true]);
  }
  expect((await other.control('PUT', '/state', JSON.parse(state))).status).toBe(200);
});
