import { createPublicKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Receiver, receiver, signedBy } from '../../kit/receiver.ts';
import { type Kit, kit, refusal } from '../../kit/sandbox.ts';

const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };

async function ready(options: Parameters<typeof kit>[0] = {}): Promise<{ it: Kit; hooks: Receiver }> {
  const hooks = await receiver();
  return { hooks, it: await kit({ webhookUrl: hooks.url, ...options }) };
}

const deliveries = async (it: Kit, query = '') => (await it.control('GET', `/webhooks${query}`)).body.data;
const accountOf = async (it: Kit, currency: string) =>
  (await it.get('/platform/internal-accounts', { currency })).body.data[0].id as string;
const fund = (it: Kit, id: string, amount: number) => it.post(`/sandbox/internal-accounts/${id}/fund`, { amount });

test('a webhook URL under localhost counts as this machine, and deliveries carry its name in the Host header', async () => {
  const hooks = await receiver();
  const { host } = new URL(hooks.url.replace('127.0.0.1', 'app.localhost'));
  const it = await kit({ webhookUrl: hooks.url.replace('127.0.0.1', 'app.localhost') });
  await it.post('/customers', ada);
  await hooks.until(1);
  expect(hooks.received[0]?.headers.host).toBe(host);
});

describe('contents of a delivery (spec 5 rule 11, 6)', () => {
  test('the envelope of a webhook holds id, type, timestamp and the full resource, as its GET shows it', async () => {
    const { it, hooks } = await ready();
    const customer = (await it.post('/customers', ada)).body;
    await it.settle();
    const [{ event, headers } = { event: undefined, headers: {} }] = hooks.received;
    expect(event).toEqual({
      id: expect.stringMatching(/^Webhook:[0-9a-f-]{36}$/),
      type: 'CUSTOMER.KYC_APPROVED',
      timestamp: '2026-01-05T09:00:00.000Z',
      data: (await it.get(`/customers/${customer.id}`)).body,
    });
    expect(headers['content-type']).toBe('application/json');
  });

  test('the signature of a webhook is ECDSA P-256 over the exact body and does not verify for any other body', async () => {
    const { it, hooks } = await ready();
    await it.post('/customers', ada);
    await it.settle();
    const { pem, jwk, der } = (await it.control('GET', '/webhooks/key')).body;
    const [delivery] = hooks.received;
    if (!delivery) throw new Error('nothing came');
    expect(signedBy(pem, delivery)).toBe(true);
    expect(signedBy(pem, { ...delivery, raw: delivery.raw.replace('Ada', 'Eve') })).toBe(false);
    expect(signedBy(pem, { ...delivery, raw: `${delivery.raw} ` })).toBe(false);
    expect(createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' })).toBe(pem);
    expect(createPublicKey(pem).export({ type: 'spki', format: 'der' }).toString('base64')).toBe(der);
  });

  test('the webhook key stays the same after resets and restarts, and differs only under another seed', async () => {
    const key = async (it: Kit) => (await it.control('GET', '/webhooks/key')).body.pem;
    const first = await kit({ seed: undefined });
    const before = await key(first);
    await first.sandbox.begin({ from: 'scenario' });
    expect(await key(first)).toBe(before);
    expect(await key(await kit({ seed: undefined }))).toBe(before);
    expect(await key(await kit({ seed: 7 }))).not.toBe(before);
  });

  test('a webhook keeps the resource as it was at the event, however it changes afterwards', async () => {
    const { it, hooks } = await ready();
    hooks.react = (_, n) => (n === 1 ? 500 : 200);
    const { id } = (await it.post('/customers', ada)).body;
    await it.settle();
    await it.patch(`/customers/${id}`, { email: 'later@example.com' });
    await it.advance('PT5S');
    const [first, second] = hooks.received;
    expect(second?.raw).toBe(first?.raw);
    expect(second?.event.data).not.toHaveProperty('email');
  });

  test('profile grid signs webhooks under its own header', async () => {
    const { it, hooks } = await ready({ profile: 'grid' });
    await it.post('/customers', ada);
    await it.settle();
    const [delivery] = hooks.received;
    expect(delivery?.headers).toHaveProperty('x-grid-signature');
    expect(delivery?.headers).not.toHaveProperty('x-service-signature');
    if (delivery)
      expect(signedBy((await it.control('GET', '/webhooks/key')).body.pem, delivery, 'x-grid-signature')).toBe(true);
  });

  test('a refused call sends no webhook', async () => {
    const { it, hooks } = await ready();
    await it.post('/customers', { ...ada, birthDate: 'x' });
    await it.post('/sandbox/internal-accounts/x/fund', { amount: 1 });
    await it.settle();
    await it.advance('P1D');
    expect(hooks.received).toEqual([]);
  });
});

describe('the end of a delivery (spec 6 rule 3)', () => {
  test.each([200, 201, 202, 204, 299, 409])('a delivery ends when the receiver answers %i', async (status) => {
    const { it, hooks } = await ready();
    hooks.react = () => status;
    await it.post('/customers', ada);
    await it.settle();
    await it.advance('P8D');
    expect(hooks.received).toHaveLength(1);
    expect(await deliveries(it)).toMatchObject([{ state: 'DELIVERED', attempts: [{ status }] }]);
  });

  test.each([300, 400, 401, 404, 410, 429, 500, 503])(
    'a delivery that the receiver answers with %i is attempted again after five seconds',
    async (status) => {
      const { it, hooks } = await ready();
      hooks.react = (_, n) => (n === 1 ? status : 200);
      await it.post('/customers', ada);
      await it.settle();
      expect(await deliveries(it)).toMatchObject([{ state: 'PENDING', attempts: [{ status }] }]);
      await it.advance('PT4.999S');
      expect(hooks.received).toHaveLength(1);
      await it.advance('PT0.001S');
      expect(hooks.received).toHaveLength(2);
      expect(hooks.received[1]?.event.id).toBe(hooks.received[0]?.event.id);
      expect(await deliveries(it)).toMatchObject([{ state: 'DELIVERED', attempts: [{ status }, { status: 200 }] }]);
    },
  );

  test('a redirect is a failed attempt and is not followed', async () => {
    const { it, hooks } = await ready();
    const elsewhere = await receiver();
    hooks.react = () => ({ status: 307, headers: { location: elsewhere.url } });
    await it.post('/customers', ada);
    await it.settle();
    expect(elsewhere.received).toEqual([]);
    expect(await deliveries(it)).toMatchObject([{ state: 'PENDING', attempts: [{ status: 307 }] }]);
  });

  test('an attempt without an answer in time is logged, and repeated', async () => {
    const { it, hooks } = await ready({ scenario: { limits: { webhookTimeoutSeconds: 0.05 } } });
    hooks.react = () => 'hang';
    await it.post('/customers', ada);
    await it.settle();
    await it.advance('PT5S');
    const [delivery] = await deliveries(it);
    expect(delivery.attempts.map((a: { error: string }) => a.error)).toEqual([
      'no answer within 0.05 s',
      'no answer within 0.05 s',
    ]);
    expect(delivery.state).toBe('PENDING');
  });

  test('an attempt that ends in a broken connection or a closed port is logged, and repeated', async () => {
    const { it, hooks } = await ready();
    hooks.react = () => 'drop';
    await it.post('/customers', ada);
    await it.settle();
    await hooks.kill();
    await it.advance('PT5S');
    const [delivery] = await deliveries(it);
    expect(delivery.attempts.map((a: { error: string }) => a.error)).toEqual([
      expect.stringMatching(/ECONNRESET|hang up/),
      expect.stringContaining('ECONNREFUSED'),
    ]);
    await hooks.revive();
    hooks.react = () => 200;
    await it.advance('PT10S');
    expect((await deliveries(it))[0].state).toBe('DELIVERED');
  });

  test('an attempt keeps 2048 characters of a longer answer of the receiver', async () => {
    const { it, hooks } = await ready();
    hooks.react = () => ({ status: 200, body: 'x'.repeat(100_000) });
    await it.post('/customers', ada);
    await it.settle();
    const [{ attempts }] = await deliveries(it);
    expect(attempts[0].body).toHaveLength(2048);
    expect(attempts[0].ms).toBeGreaterThan(0);
  });
});

describe('the retries (spec 6 rule 3: up to 160 times over 7 days, exponential)', () => {
  const DAY = 86_400_000;
  const tries = async (it: Kit) =>
    (await deliveries(it))[0].attempts.map((attempt: { at: string }) => Date.parse(attempt.at)) as number[];

  test('a dead receiver gets 161 attempts with pauses that double from 5 s, the last one 7 days after the first', async () => {
    const { it, hooks } = await ready();
    await hooks.kill();
    await it.post('/customers', ada);
    await it.settle();
    await it.advance('P6D');
    expect((await deliveries(it))[0].state).toBe('PENDING');
    await it.advance('P1D');
    const at = await tries(it);
    expect(at).toHaveLength(161);
    const pauses = at.slice(1).map((moment, i) => moment - (at[i] as number));
    expect(pauses.slice(0, 6)).toEqual([5000, 10_000, 20_000, 40_000, 80_000, 160_000]);
    for (const [i, pause] of pauses.entries()) expect(pause).toBeGreaterThanOrEqual(pauses[i - 1] ?? 0);
    expect((at[160] as number) - (at[0] as number)).toBeLessThanOrEqual(7 * DAY);
    expect((at[160] as number) - (at[0] as number)).toBeGreaterThan(7 * DAY - 1000);
    expect((await deliveries(it))[0].state).toBe('ABANDONED');
    await hooks.revive();
    expect(await it.advance('P30D')).toEqual([]);
    expect(hooks.received).toEqual([]);
  });

  test('profile grid pauses no longer than 30 minutes between attempts', async () => {
    const { it, hooks } = await ready({ profile: 'grid' });
    await hooks.kill();
    await it.post('/customers', ada);
    await it.advance('P7D');
    const at = await tries(it);
    expect(at).toHaveLength(161);
    const pauses = at.slice(1).map((moment, i) => moment - (at[i] as number));
    expect(Math.max(...pauses)).toBe(30 * 60_000);
  });

  test('a receiver that is up again receives the events that it missed, each once', async () => {
    const { it, hooks } = await ready();
    await hooks.kill();
    for (let i = 0; i < 3; i += 1) await it.post('/customers', ada);
    await it.advance('PT1H');
    await hooks.revive();
    await it.advance('PT2H');
    expect(hooks.received).toHaveLength(3);
    expect(new Set(hooks.received.map((delivery) => delivery.event.id)).size).toBe(3);
  });

  test('a reset discards pending deliveries and the attempt under way', async () => {
    const { it, hooks } = await ready();
    hooks.react = () => 'hang';
    await it.post('/customers', ada);
    await hooks.until(1);
    await it.sandbox.begin({ from: 'scenario' });
    hooks.react = () => 200;
    await it.post('/customers', { customerType: 'BUSINESS' });
    await hooks.until(2);
    await it.settle();
    await hooks.kill();
    await hooks.revive();
    await it.advance('P8D');
    expect(hooks.types()).toEqual(['CUSTOMER.KYC_APPROVED', 'CUSTOMER.KYB_APPROVED']);
    expect(await deliveries(it)).toHaveLength(1);
  });

  test('a reset while the clock advances does not wait for a receiver that hangs, and the advance is refused with 409', async () => {
    const { it, hooks } = await ready();
    hooks.react = () => 'hang';
    await it.post('/customers', ada);
    const moving = it.control('POST', '/clock', { advance: 'P1D' });
    await hooks.until(1);
    await it.sandbox.begin({ from: 'scenario' });
    hooks.react = () => 200;
    await it.post('/customers', { customerType: 'BUSINESS' });
    await hooks.until(2);
    await hooks.kill();
    expect(refusal(await moving)).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect(it.sandbox.world.clock.iso()).toBe('2026-01-05T09:00:00.000Z');
  });
});

describe('order and pace of deliveries (order is kept per resource, and the API is never slowed)', () => {
  test('an event waits for the earlier event of its resource, and does not wait for those of other resources', async () => {
    const { it, hooks } = await ready();
    const [usd, usdc] = [await accountOf(it, 'USD'), await accountOf(it, 'USDC')];
    hooks.react = ({ event }, n) => (event.data.id === usd && n === 1 ? 500 : 200);
    await fund(it, usd, 1);
    await fund(it, usd, 10);
    await fund(it, usdc, 5);
    await it.settle();
    const seen = () =>
      hooks.received.map(({ event }) => `${event.data.balance.currency.code} ${event.data.balance.amount}`);
    expect(seen()).toEqual(['USD 1', 'USDC 5']);
    expect((await deliveries(it)).map((d: { state: string }) => d.state)).toEqual(['DELIVERED', 'WAITING', 'PENDING']);
    await it.advance('PT5S');
    expect(seen()).toEqual(['USD 1', 'USDC 5', 'USD 1', 'USD 11']);
  });

  test('the next event of a resource is delivered once the earlier one is abandoned', async () => {
    const { it, hooks } = await ready();
    const usd = await accountOf(it, 'USD');
    hooks.react = ({ event }) => (event.data.balance.amount === 1 ? 500 : 200);
    await fund(it, usd, 1);
    await fund(it, usd, 1);
    await it.advance('P7DT1S');
    expect(hooks.received.at(-1)?.event.data.balance.amount).toBe(2);
    expect((await deliveries(it)).map((d: { state: string }) => d.state)).toEqual(['DELIVERED', 'ABANDONED']);
  });

  test('a receiver that never answers does not slow the API, and gets no more than 32 attempts at once', async () => {
    const { it, hooks } = await ready();
    hooks.react = () => 'hang';
    for (let i = 0; i < 50; i += 1) expect((await it.post('/customers', ada)).status).toBe(201);
    await hooks.until(32);
    expect((await it.get('/customers')).body.totalCount).toBe(50);
    // No more than 32 tries are under way at once.
    expect(hooks.received).toHaveLength(32);
  });

  test('an event without a webhook endpoint is kept as UNSENT and never delivered', async () => {
    const it = await kit();
    const hooks = await receiver();
    await it.post('/customers', ada);
    await it.settle();
    await it.control('PUT', '/webhooks/endpoint', { url: hooks.url });
    await it.advance('P8D');
    // Only what the new endpoint is told about itself (U10).
    expect(hooks.received.map(({ event }) => event.type)).toEqual(['TEST']);
    expect(await deliveries(it)).toMatchObject([{ type: 'TEST' }, { state: 'UNSENT', attempts: [] }]);
  });

  test('a webhook endpoint that is removed or changed applies from the next attempt on', async () => {
    const { it, hooks } = await ready();
    const other = await receiver();
    hooks.react = () => 500;
    await it.post('/customers', ada);
    await it.settle();
    await it.control('PUT', '/webhooks/endpoint', { url: null });
    await it.advance('PT5S');
    await it.control('PUT', '/webhooks/endpoint', { url: other.url });
    await it.advance('PT10S');
    expect((await deliveries(it)).at(-1)).toMatchObject({
      state: 'DELIVERED',
      attempts: [{ status: 500 }, { error: 'no webhook endpoint is set any more' }, { status: 200 }],
    });
    expect([hooks.received.length, other.received.map(({ event }) => event.type)]).toEqual([
      1,
      ['TEST', 'CUSTOMER.KYC_APPROVED'],
    ]);
  });

  test('a sandbox keeps its last 5,000 settled deliveries', async () => {
    const it = await kit();
    const { world } = it.sandbox;
    const { id } = (await it.post('/customers', ada)).body;
    world.transact(() => {
      for (let i = 0; i < 5005; i += 1) world.emit('TEST', id, {});
    });
    const page = (await it.control('GET', '/webhooks?limit=1')).body;
    expect(page.totalCount).toBe(5000);
  });
});

describe('redelivery by hand', () => {
  test('a delivered event can be redelivered, and both attempts are shown', async () => {
    const { it, hooks } = await ready();
    await it.post('/customers', ada);
    await it.settle();
    const [{ id }] = await deliveries(it);
    const again = await it.control('POST', `/webhooks/${id}/redeliver`);
    expect(again.body).toMatchObject({
      state: 'DELIVERED',
      attempts: [{ status: 200 }, { status: 200, byHand: true }],
    });
    expect(hooks.received[1]?.raw).toBe(hooks.received[0]?.raw);
  });

  test('a redelivery that the receiver accepts ends the retries, and nothing is delivered twice (spec 6 rule 3)', async () => {
    const { it, hooks } = await ready();
    const usd = await accountOf(it, 'USD');
    await hooks.kill();
    await fund(it, usd, 1);
    await fund(it, usd, 10);
    await it.settle();
    await hooks.revive();
    const first = (await deliveries(it)).at(-1);
    expect((await it.control('POST', `/webhooks/${first.id}/redeliver`)).body.state).toBe('DELIVERED');
    await it.settle();
    await it.advance('P8D');
    expect(hooks.received.map(({ event }) => event.data.balance.amount)).toEqual([1, 11]);
  });

  test('a redelivery that the receiver refuses leaves the retries as they were planned', async () => {
    const { it, hooks } = await ready();
    hooks.react = () => 500;
    await it.post('/customers', ada);
    await it.settle();
    const [{ id }] = await deliveries(it);
    await it.control('POST', `/webhooks/${id}/redeliver`);
    await it.advance('P8D');
    expect(hooks.received).toHaveLength(162);
  });

  test('a redelivery of an event that waits for an earlier one stays WAITING and keeps its place', async () => {
    const { it, hooks } = await ready();
    const usd = await accountOf(it, 'USD');
    hooks.react = () => 500;
    await fund(it, usd, 1);
    await fund(it, usd, 10);
    await it.settle();
    const [second] = await deliveries(it);
    expect((await it.control('POST', `/webhooks/${second.id}/redeliver`)).body.state).toBe('WAITING');
    hooks.react = () => 200;
    await it.advance('PT5S');
    expect(hooks.received.map(({ event }) => event.data.balance.amount)).toEqual([1, 11, 1, 11]);
  });

  test('a redelivery can deliver an abandoned event', async () => {
    const { it, hooks } = await ready();
    await hooks.kill();
    await it.post('/customers', ada);
    await it.advance('P8D');
    await hooks.revive();
    const [{ id }] = await deliveries(it);
    expect((await it.control('POST', `/webhooks/${id}/redeliver`)).body.state).toBe('DELIVERED');
  });
});

test('the ids of later rows and events are the same whether a receiver was quick or slow', async () => {
  const lived = async (waits: boolean) => {
    const hooks = await receiver();
    hooks.react = (_, n) => (n % 2 === 1 ? 500 : 200);
    const it = await kit({ webhookUrl: hooks.url });
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      const { id } = (await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' })).body;
      const [{ id: account }] = (await it.get('/customers/internal-accounts', { customerId: id })).body.data;
      if (waits) await it.settle();
      for (let k = 0; k < 3; k += 1)
        await it.overlapping('POST', `/sandbox/internal-accounts/${account}/fund`, { amount: 1 });
      if (waits) await it.settle();
      ids.push(id, account);
    }
    await it.settle();
    return [...ids, ...it.events().map((event) => event.id)];
  };
  expect(await lived(true)).toEqual(await lived(false));
});
