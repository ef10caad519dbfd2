import { expect, test } from 'vitest';
import { leaveQuoteWaiting, live, NODES, within } from '../../kit/live.ts';

// biome-ignore lint/suspicious/noExplicitAny: a journey says what it expects of a reply, line by line
type Body = any;

test.each(NODES)('a stablecoin is minted and burned, on %s', async (node) => {
  const { ready, hooks, call: plain } = await live(['--scenario', 'stablecoins'], node);
  await leaveQuoteWaiting(plain);
  const { id, secret } = ready.credentials;
  let keys = 0;
  const call = async (method: string, path: string, body?: object): Promise<Body> => {
    keys += 1;
    const answer = await fetch(`${ready.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
        'content-type': 'application/json',
        'idempotency-key': `journey-${keys}`,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    expect(answer.status, `${method} ${path}`).toBe(method === 'POST' ? 201 : 200);
    return answer.json();
  };
  const ended = (operation: Body) =>
    within(`the end of ${operation.operationType}`, async () => {
      const { status } = await call('GET', `/stablecoin-operations/${operation.id}`);
      return ['COMPLETED', 'FAILED'].includes(status) ? status : undefined;
    });
  const fundsCome = (operation: Body) =>
    fetch(`${ready.url}/_emulator/stablecoin-operations/${operation.id}/funds`, { method: 'POST', body: '{}' });

  // A second coin, registered by the platform itself with the account that is linked.
  const bolt = await call('POST', '/stablecoins', {
    providerTokenIdentifier: 'BOLT',
    networkTokenIdentifier: 'btkn1bolt',
    network: 'SPARK',
  });
  const enabled = await within('the coin', async () => {
    const now = await call('GET', `/stablecoins/${bolt.id}`);
    return now.serviceOperationsStatus === 'ENABLED' ? now : undefined;
  });
  expect(enabled).toMatchObject({ issuanceStatus: 'PROVISIONED', currency: 'BOLT' });

  const { data: accounts } = await call('GET', '/customers/external-accounts');
  const accountOf = (type: string) => accounts.find((one: Body) => one.accountInfo.accountType === type).id;

  const mint = await call('POST', `/stablecoins/${bolt.id}/mints`, {
    amount: '250000000',
    fundingSource: { type: 'WIRE' },
    destination: { accountId: accountOf('SPARK_WALLET') },
  });
  expect(mint).toMatchObject({ status: 'PENDING_FUNDING', fundingInstructions: { rail: 'WIRE' } });
  expect((await fundsCome(mint)).status).toBe(200);
  expect(await ended(mint)).toBe('COMPLETED');

  const burn = await call('POST', `/stablecoins/${bolt.id}/burns`, {
    amount: '100000000',
    source: { type: 'EXTERNAL_ACCOUNT' },
    destination: { type: 'EXTERNAL_ACCOUNT', externalAccountId: accountOf('USD_ACCOUNT'), rail: 'ACH_CREDIT' },
  });
  expect(burn.estimatedDelivery).toMatchObject({ amount: '10000', currency: 'USD' });
  expect(burn.fundingInstructions).toMatchObject({ rail: 'SPARK', valueType: 'BOLT' });
  expect((await fundsCome(burn)).status).toBe(200);
  expect(await ended(burn)).toBe('COMPLETED');

  const { data } = await call('GET', `/stablecoins/${bolt.id}/operations`);
  expect(data.map((one: Body) => [one.operationType, one.status])).toEqual([
    ['BURN', 'COMPLETED'],
    ['MINT', 'COMPLETED'],
  ]);
  // The area has no events: what happens is polled.
  expect(hooks.received).toEqual([]);
});
