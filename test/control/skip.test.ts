import { describe, expect, test } from 'vitest';
import { startEmulator } from '../../src/index.ts';
import { bankOf, paymentOf } from '../inspector/visit.ts';
import { receiver } from '../kit/receiver.ts';
import { type Kit, type KitOptions, kit } from '../kit/sandbox.ts';

const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };
const wait = (it: Kit, query: Record<string, string>) =>
  it.control('GET', `/webhooks/wait?${new URLSearchParams(query)}`);

/** A customer's USD account with money, and a bank account to pay to. */
async function funded(it: Kit) {
  const { body: ada } = await it.post('/customers', { ...ADA, birthDate: '1990-01-02', email: 'ada@example.com' });
  await it.settle();
  const { body: accounts } = await it.get('/customers/internal-accounts', { customerId: ada.id });
  const usd = accounts.data.find(
    ({ balance }: { balance: { currency: { code: string } } }) => balance.currency.code === 'USD',
  );
  await it.post(`/sandbox/internal-accounts/${usd.id}/fund`, { amount: 250_000 });
  const { body: bank } = await it.post('/customers/external-accounts', bankOf(ada.id));
  return { usd, bank };
}

/** A payout of 125 USD, executed. */
async function payout(it: Kit) {
  const { usd, bank } = await funded(it);
  const { body: quote } = await it.post('/quotes', paymentOf(usd.id, bank.id));
  await it.post(`/quotes/${quote.id}/execute`);
  return quote.transactionId as string;
}

const slow: KitOptions = { scenario: { policies: { 'transaction.settle': 'after 3d' } } };

describe('waits that skip virtual time from one due job to the next (product 8.1)', () => {
  test('a wait within P30D finds an event of three days later, and the clock stands at its emission', async () => {
    const it = await kit(slow);
    const id = await payout(it);
    const { status, body } = await wait(it, { type: 'OUTGOING_PAYMENT.COMPLETED', subject: id, within: 'P30D' });
    expect([status, body.state, body.timestamp]).toEqual([200, 'UNSENT', '2026-01-08T09:00:00.000Z']);
    expect((await it.control('GET', '/clock')).body.now).toBe('2026-01-08T09:00:00.000Z');
  });

  test('a wait within a time finds an event once its receiver has it, after any number of retries', async () => {
    const hooks = await receiver();
    const it = await kit({ ...slow, webhookUrl: hooks.url });
    await it.control('POST', '/faults', {
      match: { webhook: 'OUTGOING_PAYMENT.COMPLETED', times: 20 },
      then: { status: 503 },
    });
    const id = await payout(it);
    const { body } = await wait(it, { type: 'OUTGOING_PAYMENT.COMPLETED', subject: id, within: '30d' });
    expect([body.state, body.attempts.length]).toEqual(['DELIVERED', 21]);
    expect(hooks.received.map(({ event }) => event.type)).toContain('OUTGOING_PAYMENT.COMPLETED');
  });

  test('a wait for an event that cannot come is refused with 404 at once, and names what is held and what blocks deliveries', async () => {
    const it = await kit({ scenario: { policies: { 'customer.decide': 'hold', 'transaction.settle': 'after 40d' } } });
    await it.post('/customers', ADA);
    await it.control('POST', '/webhooks/pause');
    await it.control('POST', '/faults', { match: { webhook: 'CUSTOMER.*' }, then: { drop: true } });
    await it.control('POST', '/faults', { match: { webhook: 'OUTGOING_PAYMENT.*' }, then: { drop: true } });
    const { status, body } = await wait(it, { type: 'CUSTOMER.KYC_APPROVED', within: 'P30D' });
    expect(status).toBe(404);
    expect(body.message).toMatch(
      /^no CUSTOMER\.KYC_APPROVED was emitted within P30D of virtual time; held: .*Ada Keller.*; in the way: deliveries are paused, fault fault-1 is about CUSTOMER\.\*$/,
    );
    expect(body.details).toMatchObject({ due: [], broken: [], now: '2026-01-05T09:00:00.000Z' });
    expect(body.details.held).toHaveLength(1);
  });

  test('a wait that has let a quote expire says so', async () => {
    const it = await kit();
    const { usd, bank } = await funded(it);
    await it.post('/quotes', paymentOf(usd.id, bank.id));
    const { status, body } = await wait(it, { type: 'OUTGOING_PAYMENT.COMPLETED', within: 'P30D' });
    expect(status).toBe(404);
    const expired = 'expire the quote of 125.00 USD for Ada Keller at 2026-01-05T09:05:00.000Z';
    expect(body.details.ran).toEqual([expired]);
    expect(body.message).toContain(`; done while the clock moved: ${expired}`);
  });

  test('a wait names a job that is due after its time, and leaves the clock before it', async () => {
    const it = await kit({ scenario: { policies: { 'transaction.settle': 'after 40d' } } });
    const id = await payout(it);
    const { body } = await wait(it, { type: 'OUTGOING_PAYMENT.COMPLETED', subject: id, within: 'P30D' });
    expect(body.message).toContain('; still due: ');
    expect(body.details.due[0]).toMatch(/ at 2026-02-14T09:00:00\.000Z$/);
    expect(Date.parse((await it.control('GET', '/clock')).body.now)).toBeLessThan(Date.UTC(2026, 1, 14));
  });

  test('a wait says that an event was emitted and not delivered, and suggests a name for an unknown event', async () => {
    const hooks = await receiver();
    const it = await kit({ webhookUrl: hooks.url });
    await it.control('POST', '/faults', { match: { webhook: 'CUSTOMER.KYC_APPROVED' }, then: { status: 500 } });
    await it.post('/customers', ADA);
    const { body } = await wait(it, { type: 'CUSTOMER.KYC_APPROVED', within: 'P30D' });
    expect(body.message).toMatch(
      /^CUSTOMER\.KYC_APPROVED was emitted \(Webhook:[^)]+\), but not delivered within P30D/,
    );
    const { body: misnamed } = await wait(it, { type: 'CUSTOMER.KYC_APROVED', within: 'P30D' });
    expect(misnamed.message).toContain('did you mean CUSTOMER.KYC_APPROVED?');
  });

  test('a settle of 30 days with over 200 retries runs them all and leaves none waiting', async () => {
    const it = await kit({ webhookUrl: 'http://127.0.0.1:9/' });
    await it.control('POST', '/faults', { match: { webhook: 'CUSTOMER.*' }, then: { status: 503 } });
    await it.post('/customers', ADA);
    await it.post('/customers', ADA);
    const { body } = await it.control('POST', '/clock', { settle: 'P30D' });
    expect(body.ran.length).toBeGreaterThan(200);
    expect(body.waiting).toEqual([]);
  });

  test('a wait finds an event although each new webhook removes an old one', async () => {
    const it = await kit({ scenario: { policies: { 'customer.decide': 'after 2d' } }, compares: false });
    const { world } = it.sandbox;
    world.transact(() => {
      for (let n = 0; n < 5001; n += 1) world.emit('TEST', `subject-${n}`, {});
    });
    await it.post('/customers', ADA);
    const { status, body } = await wait(it, { type: 'CUSTOMER.KYC_APPROVED', within: 'P30D' });
    expect([status, body.timestamp]).toEqual([200, '2026-01-07T09:00:00.000Z']);
  });

  test.each(['reset', 'drop'] as const)('a %s while a wait skips time ends the wait with 409', async (end) => {
    const hooks = await receiver();
    hooks.react = () => 'hang';
    const it = await kit({ compares: false });
    const { body: made } = await it.control('POST', '/sandboxes', { webhookUrl: hooks.url });
    const as = `${made.id}:${made.credentials.secret}`;
    await it.overlapping('POST', '/customers', ADA, { as });
    const waiting = wait(it, { type: 'CUSTOMER.KYC_APPROVED', within: 'P30D', sandbox: made.id });
    await hooks.until(1);
    await (end === 'reset'
      ? it.control('POST', `/reset?sandbox=${made.id}`)
      : it.control('DELETE', `/sandboxes/${made.id}`));
    expect((await waiting).status).toBe(409);
    await hooks.kill();
  });

  test('two waits that skip time at once both find their events', async () => {
    const it = await kit(slow);
    const id = await payout(it);
    const both = await Promise.all([
      wait(it, { type: 'OUTGOING_PAYMENT.COMPLETED', subject: id, within: 'P30D' }),
      wait(it, { type: 'OUTGOING_PAYMENT.PROCESSING', subject: id, within: 'P30D' }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await it.control('GET', '/clock')).body.now).toBe('2026-01-08T09:00:00.000Z');
  });

  test('a settle stops the clock at the last job, lists the jobs that ran, and leaves other sandboxes as they are', async () => {
    const it = await kit(slow);
    const { body: other } = await it.control('POST', '/sandboxes', {});
    await payout(it);
    const { status, body } = await it.control('POST', '/clock', { settle: 'P5D' });
    expect([status, body.mode]).toEqual([200, 'held']);
    expect(body.ran.map(({ kind }: { kind: string }) => kind)).toContain('transaction.settle');
    expect(body.now).toBe(body.ran.at(-1).at);
    expect((await it.control('GET', `/clock?sandbox=${other.id}`)).body.now).toBe('2026-01-05T09:00:00.000Z');
    expect((await it.control('POST', '/clock', { settle: 'P5D', advance: '1d' })).status).toBe(400);
    expect((await it.control('POST', '/clock', { settle: 'soon' })).status).toBe(400);
    expect((await it.control('POST', '/clock', { settle: '999999999d' })).status).toBe(400);
  });

  test('a receiver in the same process sees the time of its delivery before the clock moves on', async () => {
    const hooks = await receiver();
    const it = await kit({ ...slow, webhookUrl: hooks.url });
    let at = '';
    hooks.react = ({ event }) => {
      if (event.type === 'OUTGOING_PAYMENT.PROCESSING')
        queueMicrotask(() => {
          at = it.sandbox.world.clock.iso();
        });
      return 200;
    };
    await payout(it);
    await wait(it, { type: 'OUTGOING_PAYMENT.COMPLETED', within: 'P30D' });
    expect(at).toBe('2026-01-05T09:00:00.000Z');
  });
});

test('a program has the same controls: waitFor with within, clock.settle and the other methods (G14)', async () => {
  const emulator = await startEmulator({
    port: 0,
    now: '2026-01-05T09:00:00Z',
    holdClock: true,
    scenario: { policies: { 'customer.decide': 'hold' } },
  });
  const sandbox = await emulator.createSandbox({ seed: 1 });
  const ada = await sandbox.ok('createCustomer', { body: { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' } });
  await expect(sandbox.webhooks.waitFor('CUSTOMER.KYC_APPROVED', { within: 'P1D' })).rejects.toThrow(
    /held: .*Ada Keller/,
  );
  const [job] = sandbox.jobs.list();
  expect(job).toMatchObject({ about: ada.id, dueAt: null });
  await expect(sandbox.decide(ada.id, 'PERHAPS')).rejects.toThrow(
    /there is no decision "PERHAPS"; there is .*APPROVED/,
  );
  await sandbox.decide(ada.id, 'APPROVED');
  const event = await sandbox.webhooks.waitFor('CUSTOMER.KYC_APPROVED', { within: 'P1D' });
  expect(event.data.id).toBe(ada.id);
  await expect(sandbox.webhooks.waitFor('CUSTOMER.KYC_APPROVED', { within: 'P1D' })).rejects.toThrow(
    'no CUSTOMER.KYC_APPROVED was emitted',
  );
  expect(sandbox.webhooks.list({ type: 'CUSTOMER.KYC_APPROVED' })).toHaveLength(1);
  expect(await sandbox.clock.settle()).toEqual({ now: '2026-01-05T09:00:00.000Z', ran: [], waiting: [] });

  const hooks = await receiver();
  sandbox.webhooks.sendTo(hooks.url);
  await sandbox.webhooks.settle();
  sandbox.webhooks.pause();
  const bo = await sandbox.ok('createCustomer', { body: { customerType: 'INDIVIDUAL', fullName: 'Bo' } });
  const waiting = sandbox.jobs.list().find(({ about }) => about === bo.id);
  await sandbox.jobs.run(waiting?.id ?? '');
  const stepped = await sandbox.webhooks.step();
  expect(stepped).toMatchObject({ subject: bo.id, state: 'DELIVERED' });
  expect(await sandbox.webhooks.step()).toBeUndefined();
  expect((await sandbox.webhooks.redeliver(stepped?.id ?? '')).attempts).toHaveLength(2);
  sandbox.webhooks.resume();
  await expect(sandbox.jobs.run('Job:none')).rejects.toThrow();
  expect(sandbox.codes()).toEqual([]);
  await expect(sandbox.ok('getCustomerById', { params: { customerId: 'Customer:1' } })).rejects.toThrow(
    /^getCustomerById answered 404 USER_NOT_FOUND: .*\(spec 7, status 404\); req_\d+$/,
  );
  const again = await emulator.createSandbox({ state: await sandbox.snapshot() });
  expect((await again.ok('listCustomers')).totalCount).toBe(2);
  const endpointOf = async (one: typeof again) => (await (await one.fetch('/_emulator/webhooks/endpoint')).json()).url;
  const own = await emulator.createSandbox({ state: await sandbox.snapshot(), webhookUrl: 'http://127.0.0.1:9/own' });
  expect([await endpointOf(again), await endpointOf(own)]).toEqual([
    await endpointOf(sandbox),
    'http://127.0.0.1:9/own',
  ]);
  await expect(emulator.createSandbox({ state: 'none' as never })).rejects.toThrow(
    'state must be a state that snapshot() returned',
  );
  const before = (await (await sandbox.fetch('/_emulator/running')).json()).totalCount;
  await expect(emulator.createSandbox({ state: { format: 1 } as never })).rejects.toThrow();
  expect((await (await sandbox.fetch('/_emulator/running')).json()).totalCount).toBe(before);
  const twins = await Promise.allSettled([sandbox.fork('twin'), sandbox.fork('twin')]);
  expect(twins.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await emulator.close();
});
