import { expect, test } from 'vitest';
import { WalletClient } from '../../../src/testkit/index.ts';
import { leaveQuoteWaiting, live, NODES, within } from '../../kit/live.ts';
import { sure } from '../../kit/sure.ts';

const MERCHANT = { descriptor: 'NORTH PIER CAFE', mcc: '5812', country: 'US' };

test.each(NODES)('a card spends from an embedded wallet through a delegated key, on %s', async (node) => {
  const { ready, call, hooks, told } = await live(['--scenario', 'wallet'], node);
  const does = sure(call);
  await leaveQuoteWaiting(call);
  const {
    data: [zoe],
  } = await does('GET', '/customers');
  const { id, secret } = ready.credentials;
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const wallet = await WalletClient.ofCustomer(zoe.id, { baseUrl: ready.baseUrl, authorization });

  // The platform issues a card that the wallet pays for.
  const card = await does('POST', '/cards', {
    cardholderId: zoe.id,
    form: 'VIRTUAL',
    fundingSources: [wallet.accountId],
  });
  await told('CARD.STATE_CHANGE', (data) => data.id === card.id);
  const authorize = async (amount: number): Promise<string> => {
    const body = { amount, currency: { code: 'USD' }, merchant: MERCHANT };
    const answer = await call('POST', `/sandbox/cards/${card.id}/simulate/authorization`, body);
    expect(answer.status).toBe(202);
    return answer.body.issuerTransactionToken;
  };

  const payments = async () =>
    (await does('GET', '/transactions')).data.filter(({ type }: { type: string }) => type === 'CARD');

  // Without a key the card network is told no, and nothing comes of it.
  await authorize(4200);
  expect(await payments()).toEqual([]);

  // The owner logs in and signs twice; the platform never sees a key.
  await wallet.loginWithOtp();
  const key = await wallet.delegateKey(card.id, { nickname: 'Everyday card' });
  expect(key).toMatchObject({ status: 'ACTIVE', accountId: wallet.accountId, cardId: card.id });

  // Now it spends, with nobody logged in.
  await wallet.signOut();
  const token = await authorize(4200);
  const paid = await told('CARD_TRANSACTION.AUTHORIZED', (data) => data.issuerTransactionToken === token);
  expect(paid.event.data.cardId).toBe(card.id);
  const balance = await told('INTERNAL_ACCOUNT.BALANCE_UPDATED', (data) => data.id === wallet.accountId);
  expect(balance.event.data.balance).toMatchObject({ amount: 208_000_000, currency: { code: 'USDB' } });

  // Revoked, it spends no more.
  expect((await wallet.call('DELETE', `/auth/delegated-keys/${key.id}`)).status).toBe(204);
  await authorize(100);
  const { data } = await does('GET', `/auth/delegated-keys?accountId=${wallet.accountId}`);
  expect(data.map((one: { status: string }) => one.status)).toEqual(['REVOKED']);
  await within('the payments', async () => (await payments()).length === 1);
  expect(hooks.received.filter(({ event }) => event.type === 'CARD_TRANSACTION.AUTHORIZED')).toHaveLength(1);
});
