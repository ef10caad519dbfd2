import { describe, expect, test } from 'vitest';
import { type Receiver, receiver, signedBy } from '../../kit/receiver.ts';
import { type Kit, kit } from '../../kit/sandbox.ts';

const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };

async function ready(rule?: object, options: Parameters<typeof kit>[0] = {}): Promise<{ it: Kit; hooks: Receiver }> {
  const hooks = await receiver();
  const it = await kit({ webhookUrl: hooks.url, ...options });
  if (rule) expect((await it.control('POST', '/faults', rule)).status).toBe(200);
  return { it, hooks };
}
const deliveries = async (it: Kit) => (await it.control('GET', '/webhooks')).body.data;
const key = async (it: Kit) => (await it.control('GET', '/webhooks/key')).body.pem;
const accountOf = async (it: Kit) => (await it.get('/platform/internal-accounts')).body.data[0].id as string;

describe('webhook faults', () => {
  test('a fault with a wrong signature sends one that is well-formed and does not verify, and the next attempt is right', async () => {
    const { it, hooks } = await ready({ match: { webhook: '*', times: 1 }, then: { wrongSignature: true } });
    hooks.react = (d) => (signedBy(pem, d) ? 200 : 401);
    const pem = await key(it);
    await it.post('/customers', ada);
    await it.settle();
    await it.advance('PT1M');
    expect(hooks.received.map((d) => signedBy(pem, d))).toEqual([false, true]);
    const [delivery] = await deliveries(it);
    expect(delivery.state).toBe('DELIVERED');
    expect(delivery.attempts.map((a: { fault?: string }) => a.fault)).toEqual([
      'fault-1: signed with a wrong key',
      undefined,
    ]);
  });

  test('a fault that alters the body leaves it valid JSON whose signature does not verify', async () => {
    const { it, hooks } = await ready({ match: { webhook: 'CUSTOMER.*' }, then: { alteredBody: true } });
    await it.post('/customers', ada);
    await it.settle();
    const [delivery] = hooks.received;
    if (!delivery) throw new Error('nothing came');
    expect(delivery.event).toMatchObject({ type: 'CUSTOMER.KYC_APPROVED', altered: true });
    expect(signedBy(await key(it), delivery)).toBe(false);
  });

  test('a fault that duplicates a delivery sends the same body twice, and the second attempt is marked as a duplicate', async () => {
    const { it, hooks } = await ready({ match: { webhook: '*', times: 1 }, then: { duplicate: true } });
    await it.post('/customers', ada);
    await it.settle();
    expect(hooks.received.map((d) => d.raw)).toEqual([hooks.received[0]?.raw, hooks.received[0]?.raw]);
    const [delivery] = await deliveries(it);
    expect(delivery).toMatchObject({
      state: 'DELIVERED',
      attempts: [{ status: 200 }, { status: 200, duplicate: true }],
    });
  });

  test('a delivery that a fault delays keeps its place among the events of its resource', async () => {
    const { it, hooks } = await ready({
      match: { webhook: 'INTERNAL_ACCOUNT.*', times: 1 },
      then: { delayMs: 60_000 },
    });
    const id = await accountOf(it);
    await it.post(`/sandbox/internal-accounts/${id}/fund`, { amount: 100 });
    await it.post(`/sandbox/internal-accounts/${id}/fund`, { amount: 200 });
    await it.settle();
    const balances = () =>
      hooks.received
        .filter((d) => d.event.type.startsWith('INTERNAL_ACCOUNT.'))
        .map((d) => d.event.data.balance.amount);
    expect(balances()).toEqual([]);
    await it.advance('PT59S');
    expect(balances()).toEqual([]);
    await it.advance('PT1S');
    expect(balances()).toEqual([100, 300]);
  });

  test('a delivery that a fault reorders arrives after the next event of its resource', async () => {
    const { it, hooks } = await ready({ match: { webhook: 'INTERNAL_ACCOUNT.*', times: 1 }, then: { reorder: true } });
    const id = await accountOf(it);
    await it.post(`/sandbox/internal-accounts/${id}/fund`, { amount: 100 });
    await it.post(`/sandbox/internal-accounts/${id}/fund`, { amount: 200 });
    await it.settle();
    await it.advance('PT1S');
    expect(
      hooks.received
        .filter((d) => d.event.type.startsWith('INTERNAL_ACCOUNT.'))
        .map((d) => d.event.data.balance.amount),
    ).toEqual([300, 100]);
    expect((await deliveries(it)).every((d: { state: string }) => d.state === 'DELIVERED')).toBe(true);
  });

  test.each([
    [{ status: 503 }, { status: 503 }],
    [{ drop: true }, { error: 'a fault dropped it' }],
  ])('a fault with %o keeps a delivery from its receiver, and it is attempted again', async (then, attempt) => {
    const { it, hooks } = await ready({ match: { webhook: '*', times: 2 }, then });
    await it.post('/customers', ada);
    await it.advance('PT1M');
    expect(hooks.received).toHaveLength(1);
    expect((await deliveries(it))[0]).toMatchObject({
      state: 'DELIVERED',
      attempts: [attempt, attempt, { status: 200 }],
    });
  });

  test('a redelivery by hand meets no fault', async () => {
    const { it, hooks } = await ready({ match: { webhook: '*' }, then: { drop: true } });
    await it.post('/customers', ada);
    await it.settle();
    const [delivery] = await deliveries(it);
    const again = (await it.control('POST', `/webhooks/${delivery.id}/redeliver`)).body;
    expect(again.state).toBe('DELIVERED');
    expect(hooks.received).toHaveLength(1);
  });

  test('a snapshot keeps a delayed delivery with its fault', async () => {
    const { it, hooks } = await ready({
      match: { webhook: '*', times: 1 },
      then: { delayMs: 5000, wrongSignature: true },
    });
    await it.post('/customers', ada);
    await it.settle();
    await it.control('POST', '/snapshots', { name: 's' });
    await it.control('DELETE', '/faults');
    await it.control('POST', '/snapshots/s/restore');
    await it.advance('PT5S');
    const pem = await key(it);
    expect(hooks.received.map((d) => signedBy(pem, d))).toEqual([false]);
  });
});

describe('pause and step of deliveries', () => {
  test('paused deliveries wait, are sent one by one by step, and continue in order after resume', async () => {
    const { it, hooks } = await ready();
    expect((await it.control('POST', '/webhooks/pause')).body).toEqual({ paused: true, held: 0 });
    for (const name of ['One', 'Two', 'Three']) await it.post('/customers', { ...ada, fullName: `Ada ${name}` });
    await it.advance('P1D');
    expect(hooks.received).toEqual([]);
    const names = () => hooks.received.map((d) => d.event.data.fullName);
    const step = (await it.control('POST', '/webhooks/step')).body;
    expect(step).toMatchObject({ paused: true, held: 2, sent: { state: 'DELIVERED' } });
    expect(names()).toEqual(['Ada One']);
    expect((await it.control('POST', '/webhooks/resume')).body).toMatchObject({ paused: false });
    await it.settle();
    expect(names()).toEqual(['Ada One', 'Ada Two', 'Ada Three']);
    expect((await it.control('POST', '/webhooks/step')).body).toMatchObject({ sent: null });
  });

  test('an attempt that fails or falls due while deliveries are paused waits for the next step', async () => {
    const { it, hooks } = await ready();
    hooks.react = (_, n) => (n < 3 ? 500 : 200);
    await it.post('/customers', ada);
    await it.settle();
    await it.control('POST', '/webhooks/pause');
    await it.advance('PT1H');
    expect(hooks.received).toHaveLength(1);
    await it.control('POST', '/webhooks/step');
    await it.advance('PT1H');
    expect(hooks.received).toHaveLength(2);
    expect((await it.control('POST', '/webhooks/step')).body.sent.state).toBe('DELIVERED');
  });

  test('a scenario may start with paused deliveries, and a reset pauses them again', async () => {
    const { it, hooks } = await ready(undefined, {
      scenario: ['default', { policies: { 'webhook.deliver': 'hold' } }],
    });
    await it.post('/customers', ada);
    await it.settle();
    expect(hooks.received).toEqual([]);
    await it.control('POST', '/webhooks/resume');
    await it.settle();
    expect(hooks.received).toHaveLength(1);
    await it.sandbox.begin({ from: 'scenario' });
    await it.post('/customers', ada);
    await it.settle();
    expect(hooks.received).toHaveLength(1);
  });
});

describe('pause, step and resume beside other calls', () => {
  test('a resume while a step waits for its receiver does not send the same delivery twice, and keeps its failed attempt', async () => {
    const { it, hooks } = await ready();
    await it.control('POST', '/webhooks/pause');
    await it.post('/customers', ada);
    await it.settle();
    hooks.react = () => 'hang';
    const stepped = it.control('POST', '/webhooks/step');
    await hooks.until(1);
    expect((await it.control('POST', '/webhooks/resume')).body).toEqual({ paused: false, held: 0 });
    hooks.react = () => 200;
    await hooks.kill();
    await hooks.revive();
    await stepped;
    expect(hooks.received).toHaveLength(1);
    const [delivery] = await deliveries(it);
    expect(delivery).toMatchObject({ state: 'PENDING', attempts: [{ error: expect.any(String) }] });
    await it.advance('PT5S');
    expect((await deliveries(it))[0]).toMatchObject({ state: 'DELIVERED', attempts: [{}, { status: 200 }] });
  });

  test('two steps at the same time send two deliveries', async () => {
    const { it, hooks } = await ready();
    await it.control('POST', '/webhooks/pause');
    for (const name of ['One', 'Two']) await it.post('/customers', { ...ada, fullName: `Ada ${name}` });
    await it.settle();
    const both = await Promise.all([it.control('POST', '/webhooks/step'), it.control('POST', '/webhooks/step')]);
    expect(new Set(both.map(({ body }) => body.sent.id)).size).toBe(2);
    expect(hooks.received).toHaveLength(2);
  });

  test('a resume restores the earlier delivery policy, also after two pauses and a restored state', async () => {
    const { it, hooks } = await ready(undefined, {
      scenario: ['default', { policies: { 'webhook.deliver': 'after PT10S' } }],
    });
    await it.control('POST', '/webhooks/pause');
    await it.control('POST', '/webhooks/pause');
    await it.control('PUT', '/state', (await it.control('GET', '/state')).body);
    await it.control('POST', '/webhooks/resume');
    await it.control('POST', '/webhooks/resume');
    await it.post('/customers', ada);
    await it.advance('PT9S');
    expect(hooks.received).toHaveLength(0);
    await it.advance('PT1S');
    expect(hooks.received).toHaveLength(1);
    expect(it.sandbox.world.settings.policies['webhook.deliver']).toBe('after PT10S');
    expect(it.sandbox.world.settings.aside).toBeUndefined();
  });

  test('a request still shows the delivery job that it caused after a pause and a resume', async () => {
    const { it, hooks } = await ready();
    hooks.react = () => 500;
    await it.control('POST', '/webhooks/pause');
    const made = await it.post('/customers', ada);
    await it.control('POST', '/webhooks/resume');
    await it.settle();
    const { caused } = (await it.control('GET', `/requests/${made.headers.get('x-request-id')}`)).body;
    expect(caused.jobs.map(({ state }: { state: string }) => state)).toEqual(['WAITING']);
  });
});
