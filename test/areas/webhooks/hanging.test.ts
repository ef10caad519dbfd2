import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Deadline } from '../../../src/areas/webhooks/deadline.ts';
import { startEmulator } from '../../../src/index.ts';
import { WalletClient } from '../../../src/testkit/index.ts';
import { effort } from '../../kit/effort.ts';
import { moneyKit } from '../../kit/money.ts';
import { receiver } from '../../kit/receiver.ts';
import { kit } from '../../kit/sandbox.ts';

const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };

test('an advance of eight days does not wait for a receiver that never answers, and logs each attempt with 30 s (L4)', async () => {
  const hooks = await receiver();
  hooks.react = () => 'hang';
  // A try is given the standard time in a thorough run, and less in npm test.
  const limits = effort(0.01, 0) ? { webhookAdvanceTimeoutSeconds: 0.01 } : {};
  const it = await kit({ webhookUrl: hooks.url, scenario: { limits } });
  const customers = effort(1, 3);
  for (let i = 0; i < customers; i += 1) await it.post('/customers', ada);
  const ran = await it.advance('P8D');
  const { data } = (await it.control('GET', '/webhooks')).body;
  expect(data).toHaveLength(customers);
  for (const { state, attempts } of data) {
    expect([state, attempts.length]).toEqual(['ABANDONED', 161]);
    expect(attempts[7]).toMatchObject({ error: 'no answer within 30 s', ms: 30_000, cutShort: true });
    // The pause begins when the try would have ended.
    expect(Date.parse(attempts[1].at) - Date.parse(attempts[0].at)).toBe(35_000);
  }
  // The first try of each began before the next call, the last before the advance.
  expect(ran.filter((job) => job.kind === 'webhook.deliver')).toHaveLength(customers * 160);
});

test('an advance lists no delivery that was due before it, however slowly the receiver answers', async () => {
  const hooks = await receiver();
  const it = await kit({ webhookUrl: hooks.url });
  const { id } = (await it.post('/customers', ada)).body;
  const [account] = (await it.get('/customers/internal-accounts', { customerId: id })).body.data;
  const fund = () => it.post(`/sandbox/internal-accounts/${account.id}/fund`, { amount: 100 });
  for (let n = 0; n < 3; n += 1) await fund();
  // The second and the third event of the account wait for the answer to the first.
  const ran = await it.advance('PT1M');
  expect(ran.filter((job) => job.kind === 'webhook.deliver')).toEqual([]);
  await it.settle();
  expect(hooks.types().filter((type) => type === 'INTERNAL_ACCOUNT.BALANCE_UPDATED')).toHaveLength(3);
});

test('an attempt that hangs when an advance begins is cut short, and a receiver that answers again has its full time again (L4)', async () => {
  const hooks = await receiver();
  hooks.react = () => 'hang';
  const it = await kit({ webhookUrl: hooks.url, scenario: { limits: { webhookAdvanceTimeoutSeconds: 3 } } });
  await it.post('/customers', ada);
  await hooks.until(1);
  hooks.react = (_, n) => (n === 2 ? 500 : 200);
  const shortened = vi.spyOn(Deadline.prototype, 'shorten');
  onTestFinished(() => shortened.mockRestore());
  await it.advance('PT3M');
  // A silent attempt halves the time of the next one, and an answer gives it back.
  expect(shortened.mock.calls).toEqual([[3000], [1500], [3000]]);
  const [{ state, attempts }] = (await it.control('GET', '/webhooks')).body.data;
  expect(state).toBe('DELIVERED');
  expect(attempts.map((a: { error?: string; status?: number }) => a.status ?? a.error)).toEqual([
    'no answer within 30 s',
    500,
    200,
  ]);
});

describe('an advance that ends within the time of an attempt', () => {
  /** Ana has a receiver that thinks until it is told to answer. */
  async function thoughtful(limits: object = { webhookAdvanceTimeoutSeconds: 0.01 }, delivered: object = {}) {
    const hooks = await receiver();
    let answer: (status: number) => void = () => {};
    const later = new Promise<number>((resolve) => (answer = resolve));
    hooks.react = ({ event }) => (event.type === 'INCOMING_PAYMENT.PENDING' ? later : 200);
    const isLate = Object.keys(delivered).length > 0;
    const faults = isLate ? [{ match: { webhook: 'INCOMING_PAYMENT.PENDING' }, then: delivered }] : [];
    const it = await moneyKit({ webhookUrl: hooks.url, scenario: { limits, faults } });
    const { body } = await it.post('/sandbox/uma/receive', {
      senderUmaAddress: '$success.eur@sandbox.uma.money',
      customerId: it.customer.id,
      receivingCurrencyCode: 'USD',
      receivingCurrencyAmount: 7500,
    });
    if (!isLate) await hooks.until(1);
    const told = async () => {
      const { data } = (await it.control('GET', '/webhooks')).body;
      return data.find(({ type }: { type: string }) => type === 'INCOMING_PAYMENT.PENDING');
    };
    return { it, answer, told, payment: () => it.transaction(body.id) };
  }

  test('an advance within the time of an attempt leaves it open: the answer still decides, and is logged as it was', async () => {
    const { it, answer, told, payment } = await thoughtful();
    for (let n = 0; n < 4; n += 1) await it.advance('PT1S');
    expect([(await payment()).status, (await told()).attempts]).toEqual(['PENDING', []]);
    answer(200);
    await it.settle();
    expect((await payment()).status).toBe('COMPLETED');
    const { state, attempts } = await told();
    expect([state, attempts.length, attempts[0].status, attempts[0].cutShort]).toEqual([
      'DELIVERED',
      1,
      200,
      undefined,
    ]);
  });

  test('an answer that decides a payment is waited for as long as it may take, however far the advance goes', async () => {
    const { it, answer, payment } = await thoughtful({});
    const shortened = vi.spyOn(Deadline.prototype, 'shorten');
    onTestFinished(() => shortened.mockRestore());
    const advanced = it.advance('P1D');
    await expect.poll(() => shortened.mock.calls).toEqual([[5000]]);
    answer(200);
    await advanced;
    expect((await payment()).status).toBe('COMPLETED');
  });

  test('an answer that decides a payment is waited for by an advance beyond the time of the payment, if its question was sent late', async () => {
    const { it, answer, payment } = await thoughtful({}, { delayMs: 3000 });
    const shortened = vi.spyOn(Deadline.prototype, 'shorten');
    onTestFinished(() => shortened.mockRestore());
    const advanced = it.advance('PT6S');
    await expect.poll(() => shortened.mock.calls).toEqual([[5000]]);
    answer(200);
    await advanced;
    expect((await payment()).status).toBe('COMPLETED');
  });

  test('an answer that decides a payment is waited for by a wait for its event, however short its time is', async () => {
    const { it, answer } = await thoughtful({});
    const shortened = vi.spyOn(Deadline.prototype, 'shorten');
    onTestFinished(() => shortened.mockRestore());
    const waiting = it.control('GET', '/webhooks/wait?type=INCOMING_PAYMENT.COMPLETED&within=PT4S');
    await expect.poll(() => shortened.mock.calls).toEqual([[5000]]);
    answer(200);
    expect((await waiting).status).toBe(200);
  });

  test('an attempt that advances left open ends with the advance that passes its end: there was no answer', async () => {
    const { it, told, payment } = await thoughtful();
    await it.advance('PT4.999S');
    expect((await payment()).status).toBe('PENDING');
    await it.advance('PT0.001S');
    expect(await payment()).toMatchObject({ status: 'FAILED', failureReason: 'PAYMENT_APPROVAL_TIMED_OUT' });
    await it.advance('PT1M');
    expect((await told()).attempts).toMatchObject([{ error: 'no answer within 5 s', ms: 5000 }]);
  });

  test('an attempt that a later advance ends is followed by the next one as if it had lasted its time', async () => {
    const hooks = await receiver();
    hooks.react = (_, n) => (n === 1 ? 'hang' : 200);
    const it = await kit({ webhookUrl: hooks.url, scenario: { limits: { webhookAdvanceTimeoutSeconds: 0.01 } } });
    await it.post('/customers', ada);
    await hooks.until(1);
    await it.advance('PT20S');
    await it.advance('PT14.999S');
    expect(hooks.received.length).toBe(1);
    await it.advance('PT0.001S');
    await it.settle();
    const [{ state, attempts }] = (await it.control('GET', '/webhooks')).body.data;
    expect([state, attempts.length, attempts[0].error]).toEqual(['DELIVERED', 2, 'no answer within 30 s']);
    expect(Date.parse(attempts[1].at) - Date.parse(attempts[0].at)).toBe(35_000);
  });
});

test.each(['PT10S', 'P1D'])(
  'an advance by %s beside more silent attempts than may be open is not held up, nor is work that falls due in it',
  async (by) => {
    const hooks = await receiver();
    hooks.react = () => 'hang';
    const scenario = {
      limits: { webhookAdvanceTimeoutSeconds: 0.01 },
      policies: { 'customer.decide': 'after 2s' as const },
    };
    const it = await kit({ webhookUrl: hooks.url, scenario });
    for (let n = 0; n < 70; n += 1) await it.post('/customers', ada);
    await it.advance('PT2S');
    const { id } = (await it.post('/customers', ada)).body;
    await it.advance(by);
    expect((await it.get(`/customers/${id}`)).body.kycStatus).toBe('APPROVED');
    const { data } = (await it.control('GET', '/webhooks?limit=100')).body;
    const open = data.filter(({ attempts }: { attempts: unknown[] }) => attempts.length === 0);
    expect(open.length).toBeLessThan(33);
  },
);

test('a redelivery by hand is not ended by an advance, which does not wait for it', async () => {
  const hooks = await receiver();
  const it = await kit({ webhookUrl: hooks.url, scenario: { limits: { webhookAdvanceTimeoutSeconds: 0.01 } } });
  await it.post('/customers', ada);
  await it.settle();
  let answer: (status: number) => void = () => {};
  hooks.react = () => new Promise<number>((resolve) => (answer = resolve));
  const [{ id }] = (await it.control('GET', '/webhooks')).body.data;
  const sent = it.control('POST', `/webhooks/${id}/redeliver`);
  await hooks.until(2);
  await it.advance('P1D');
  answer(200);
  expect((await sent).body.attempts.at(-1)).toMatchObject({ status: 200, byHand: true });
});

test.each([
  ['of what is decided at once', 'CUSTOMER.KYC_APPROVED', {}],
  ['of what takes time', 'CUSTOMER.KYC_APPROVED', { policies: { 'customer.decide': 'after 2s' } }],
  ['of several calls', 'OUTGOING_PAYMENT.COMPLETED', {}],
])('a trigger %s is not held up by a receiver that never answers', async (_, event, scenario) => {
  for (const mode of ['held', 'live']) {
    const hooks = await receiver();
    hooks.react = () => 'hang';
    const limits = { webhookAdvanceTimeoutSeconds: 0.01 };
    const it = await kit({ webhookUrl: hooks.url, scenario: { ...scenario, limits } });
    await it.control('POST', '/clock', { mode });
    const { status, body } = await it.control('POST', '/trigger', { event });
    expect(body.webhook).toMatchObject({ type: event, state: expect.stringMatching('PENDING|WAITING') });
    expect(status).toBe(200);
  }
});

test('a trigger cuts no attempt of a receiver that thinks, however fast the clock runs', async () => {
  const hooks = await receiver();
  const released: (() => void)[] = [];
  hooks.react = () => new Promise<number>((resolve) => released.push(() => resolve(200)));
  const it = await kit({ webhookUrl: hooks.url, scenario: { limits: { webhookAdvanceTimeoutSeconds: 0.05 } } });
  await it.control('POST', '/clock', { mode: 'live', speed: 100_000 });
  const { status } = await it.control('POST', '/trigger', { event: 'OUTGOING_PAYMENT.COMPLETED' });
  expect(status).toBe(200);
  await it.control('POST', '/clock', { mode: 'held' });
  const { data } = (await it.control('GET', '/webhooks')).body;
  const cut = data.flatMap(({ attempts }: { attempts: { cutShort?: boolean }[] }) =>
    attempts.filter(({ cutShort }) => cutShort),
  );
  for (const release of released) release();
  expect(cut).toEqual([]);
});

test.each([true, false])('an emulator ends beside a trigger that is under way, clock held: %s', async (holdClock) => {
  const hooks = await receiver();
  hooks.react = () => 'hang';
  const emulator = await startEmulator({ port: 0, webhookUrl: hooks.url, holdClock });
  const body = JSON.stringify({ event: 'OUTGOING_PAYMENT.COMPLETED' });
  const headers = { 'content-type': 'application/json' };
  const triggered = emulator.fetch(
    new Request('http://localhost/_emulator/trigger', { method: 'POST', headers, body }),
  );
  await hooks.until(1);
  await emulator.close();
  expect((await triggered).status).toBe(409);
});

test('an attempt that hangs is cut short by the next advance although another attempt has its answer', async () => {
  const hooks = await receiver();
  hooks.react = ({ event }) => (event.data.fullName === 'Ada Keller' ? 'hang' : 500);
  const it = await kit({ webhookUrl: hooks.url, scenario: { limits: { webhookAdvanceTimeoutSeconds: 0.05 } } });
  await it.post('/customers', ada);
  await hooks.until(1);
  await it.post('/customers', { ...ada, fullName: 'Nora Lind' });
  const firstTries = async () => {
    const { data } = (await it.control('GET', '/webhooks')).body;
    return data.map(({ attempts: [first] }: { attempts: { status?: number; cutShort?: boolean }[] }) => [
      first?.status,
      first?.cutShort,
    ]);
  };
  await expect.poll(firstTries).toEqual([
    [500, undefined],
    [undefined, undefined],
  ]);
  hooks.react = () => 200;
  await it.advance('PT1M');
  expect(await firstTries()).toEqual([
    [500, undefined],
    [undefined, true],
  ]);
});

test('receivers that hang for three sandboxes delay no delivery of a fourth sandbox to the same port (L7)', async () => {
  const hooks = await receiver();
  hooks.react = ({ event }) => (event.data.fullName === 'Healthy Receiver' ? 200 : 'hang');
  const emulator = await startEmulator({ port: 0, webhookUrl: hooks.url });
  const make = (sandbox: { fetch: (path: string, init: object) => Promise<unknown> }, fullName: string) =>
    sandbox.fetch('/customers', { json: { customerType: 'INDIVIDUAL', fullName } });
  for (let n = 0; n < 3; n += 1) {
    const sandbox = await emulator.createSandbox();
    for (let i = 0; i < 40; i += 1) await make(sandbox, 'Hanging Receiver');
  }
  await hooks.until(3 * 32);
  const fourth = await emulator.createSandbox();
  await make(fourth, 'Healthy Receiver');
  await hooks.until(3 * 32 + 1);
  expect(hooks.received.at(-1)?.event.data.fullName).toBe('Healthy Receiver');
  await emulator.close();
});

test('an advance is answered on a live clock with scenario demo, after an import and a wallet login (L8)', async () => {
  const hooks = await receiver();
  const emulator = await startEmulator({ port: 0, scenario: 'demo', webhookUrl: hooks.url });
  const { sandbox } = emulator;
  const made = await sandbox.fetch('/customers', { json: { ...ada, email: 'ada@example.com' } });
  expect(made.status).toBe(201);
  const wallets = `/customers/internal-accounts?type=EMBEDDED_WALLET&customerId=${(await made.json()).id}`;
  const accountId = (await (await sandbox.fetch(wallets)).json()).data[0].id;
  const { authorization } = sandbox;
  await new WalletClient({ baseUrl: emulator.baseUrl, authorization, accountId }).loginWithOtp({ code: '000000' });
  const form = new FormData();
  form.set('file', new Blob(['customerType,fullName\nINDIVIDUAL,Ada Keller\n'], { type: 'text/csv' }), 'people.csv');
  expect((await sandbox.fetch('/customers/bulk/csv', { method: 'POST', body: form })).status).toBe(202);
  const ask = (body: object) =>
    fetch(`${emulator.url}/_emulator/clock`, { method: 'POST', body: JSON.stringify(body) });
  for (const body of [
    { advance: 'P1D' },
    { mode: 'held' },
    { advance: 'P1D' },
    { mode: 'live', speed: 60 },
    { advance: 'P1D' },
  ])
    expect((await ask(body)).status).toBe(200);
  await emulator.close();
});

test('a program that uses fake timers still gets answers to its calls and receives its webhooks', async () => {
  const hooks = await receiver();
  const emulator = await startEmulator({ port: 0, webhookUrl: hooks.url });
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const post = {
    method: 'POST',
    headers: { authorization: emulator.sandbox.authorization },
    body: JSON.stringify(ada),
  };
  const headers = { ...post.headers, 'content-type': 'application/json' };
  expect((await fetch(`${emulator.baseUrl}/customers`, { ...post, headers })).status).toBe(201);
  await hooks.until(1);
  expect(hooks.received[0]?.event.type).toBe('CUSTOMER.KYC_APPROVED');
  await emulator.close();
});
