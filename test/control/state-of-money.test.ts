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

test('a state with payments within the platform, to either of its sides, is taken back (C3, H7)', async () => {
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

test('a state with an answered question and an event that may not leave is taken back (C4, S27, H7)', async () => {
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

test('a state with a revoked session, a used registration and the wallet of a deleted customer is taken back (S19, S23, S25, H7)', async () => {
  const it = await walletKit();
  const { key, session } = await it.login();
  await it.addPasskey(key, new Authenticator());
  await it.sign(key, 'DELETE', `/auth/sessions/${session.id}`);
  await taken(it);
  expect((await it.del(`/customers/${it.customerId}`)).status).toBe(200);
  await taken(it);
});
