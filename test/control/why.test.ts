import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../src/index.ts';
import type { Entry } from '../../src/sandbox/request-log.ts';
import { receiver } from '../kit/receiver.ts';
import { kit } from '../kit/sandbox.ts';
import { clientKey, proof, stampOf, walletKit } from '../kit/wallet.ts';

const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };

describe('why a signed retry was refused: which step differed (spec 5 rules 3 to 5)', () => {
  const steps = async (
    change: (given: { payload: string; body: string }) => {
      text?: string;
      body?: object;
      key?: ReturnType<typeof clientKey>;
    },
  ) => {
    const it = await walletKit();
    const { key } = await it.login();
    const path = `/internal-accounts/${it.accountId}`;
    const body = { privateEnabled: true };
    const first = await it.patch(path, body);
    const payload = first.body.payloadToSign as string;
    const changed = change({ payload, body: JSON.stringify(body) });
    const signature = await stampOf(changed.key ?? key, changed.text ?? payload);
    const headers = { 'request-id': first.body.requestId, 'service-wallet-signature': signature };
    const answer = await it.patch(path, changed.body ?? body, { headers });
    const { why } = (await it.control('GET', `/requests/${answer.headers.get('x-request-id')}`)).body;
    return { code: answer.body.code, reply: Object.keys(answer.body), why };
  };

  test('the body: the members that differ are named, never what they hold', async () => {
    const { code, reply, why } = await steps(() => ({ body: { privateEnabled: false } }));
    expect(code).toBe('WALLET_SIGNATURE_BODY_MISMATCH');
    expect(reply).not.toContain('why');
    expect(why.steps).toEqual([
      { step: 'the header holds a stamp', ok: true },
      { step: 'the body says what the first call said', ok: false, note: 'differs in: privateEnabled' },
    ]);
  });

  test.each([
    [
      'hashed twice',
      (p: string) => createHash('sha256').update(p).digest('hex'),
      'the hexadecimal SHA-256 of payloadToSign',
    ],
    ['quoted', (p: string) => JSON.stringify(p), 'payloadToSign as a JSON string, quotes and all'],
    ['ended with a line feed', (p: string) => `${p}\n`, 'payloadToSign with a line feed at its end'],
    ['encoded', (p: string) => Buffer.from(p).toString('base64'), 'the base64 of payloadToSign'],
  ])('a payload that was %s is recognized', async (_, text, note) => {
    const { code, why } = await steps(({ payload }) => ({ text: text(payload) }));
    expect(code).toBe('WALLET_SIGNATURE_INVALID');
    expect(why.steps.at(-1)).toEqual({
      step: 'the signature verifies over payloadToSign',
      ok: false,
      note: `it verifies over ${note}`,
    });
    expect(why.expected).toContain('organizationId');
  });

  test('the request body in place of the payload is recognized', async () => {
    const { why } = await steps(({ body }) => ({ text: body }));
    expect(why.steps.at(-1).note).toBe('it verifies over the request body instead of payloadToSign');
  });

  test('a stranger key fails at the last step, something else at the third', async () => {
    const stranger = await steps(() => ({ key: clientKey() }));
    expect(stranger.why.steps).toHaveLength(4);
    const nonsense = await steps(() => ({ text: 'x' }));
    expect(nonsense.why.steps).toHaveLength(3);
    expect(nonsense.why.steps[2].note).toContain('nothing that is known here');
  });

  test('a good one has no steps to tell', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const path = `/internal-accounts/${it.accountId}`;
    const headers = await proof(key, await it.patch(path, { privateEnabled: true }));
    const answer = await it.patch(path, { privateEnabled: true }, { headers });
    expect((await it.control('GET', `/requests/${answer.headers.get('x-request-id')}`)).body.why).toEqual({
      outcome: 'done',
    });
  });
});

describe('what a request led to', () => {
  test('jobs and events that its jobs caused later are its own too', async () => {
    const it = await kit({ scenario: ['default', { policies: { 'customer.decide': 'after PT2S' } }] });
    const made = await it.post('/customers', ada);
    const look = async () => (await it.control('GET', `/requests/${made.headers.get('x-request-id')}`)).body.caused;
    expect(await look()).toEqual({
      webhooks: [],
      jobs: [{ id: expect.any(String), kind: 'customer.decide', state: 'WAITING', dueAt: '2026-01-05T09:00:02.000Z' }],
    });
    await it.advance('PT2S');
    expect(await look()).toEqual({
      webhooks: [
        { id: it.events()[0]?.id, type: 'CUSTOMER.KYC_APPROVED', subject: made.body.id, state: 'UNSENT', attempts: 0 },
      ],
      jobs: [{ id: expect.any(String), kind: 'customer.decide', state: 'DONE' }],
    });
  });

  test('every refusal of a request names a rule, with the bad fields or what was seen', async () => {
    const it = await kit();
    const refused = [
      await it.post('/customers', { customerType: 'INDIVIDUAL', birthDate: 'soon' }),
      await it.get('/customers/Customer:00000000-0000-7000-8000-000000000000'),
      await it.call('PUT', '/customers'),
      await it.post('/customers', undefined, { raw: '{', headers: { 'content-type': 'application/json' } }),
      await it.get('/nothing'),
    ];
    for (const answer of refused) {
      const { why } = (await it.control('GET', `/requests/${answer.headers.get('x-request-id')}`)).body;
      expect(why).toMatchObject({
        outcome: 'refused',
        code: answer.body.code,
        rule: expect.any(String),
        message: answer.body.message,
      });
    }
    const { why } = (await it.control('GET', `/requests/${refused[0]?.headers.get('x-request-id')}`)).body;
    expect(why.fields).toEqual([expect.objectContaining({ field: 'birthDate' })]);
  });

  test('a refused call leaves nothing behind that a later job could be taken for its own', async () => {
    const it = await kit();
    const refused = await it.post('/customers', { ...ada, umaAddress: 'x' });
    const made = await it.post('/customers', ada);
    const of = async (answer: typeof made) =>
      (await it.control('GET', `/requests/${answer.headers.get('x-request-id')}`)).body.caused;
    expect(await of(refused)).toEqual({ webhooks: [], jobs: [] });
    expect((await of(made)).webhooks).toHaveLength(1);
  });
});

describe('what is remembered of causes is bounded', () => {
  test('what is known of a request is forgotten when it is answered, and of its job when that is cancelled', async () => {
    const it = await kit();
    const { world } = it.sandbox;
    const { requestLog } = it.sandbox;
    await it.get('/customers');
    const [like] = [...requestLog.newest()];
    const known: number[] = [];
    for (const id of ['a', 'b', 'c']) {
      const job = world.transact(() => world.schedule('customer.decide', {}, 1e9), id);
      known.push(requestLog.causes);
      requestLog.add({ ...like, id } as Entry);
      known.push(requestLog.causes);
      world.transact(() => world.scheduler.cancel(job));
      known.push(requestLog.causes);
      expect(requestLog.get(id)?.caused?.jobs).toEqual([{ id: job, kind: 'customer.decide' }]);
    }
    expect(known).toEqual([2, 1, 0, 2, 1, 0, 2, 1, 0]);
  });

  test('a webhook that nobody takes for seven days is one line of its request', async () => {
    const hooks = await receiver();
    hooks.react = () => 500;
    const it = await kit({ webhookUrl: hooks.url });
    const made = await it.post('/customers', ada);
    await it.advance('P8D');
    const { caused } = (await it.control('GET', `/requests/${made.headers.get('x-request-id')}`)).body;
    expect(caused.webhooks).toMatchObject([{ state: 'ABANDONED', attempts: 161 }]);
    expect(caused.jobs).toEqual([{ id: expect.any(String), kind: 'webhook.deliver', state: 'DONE' }]);
    expect(it.sandbox.requestLog.causes).toBe(0);
  });
});

describe('a job that breaks', () => {
  test('still belongs to its request when somebody runs it again', async () => {
    const it = await kit({ scenario: ['default', { policies: { 'customer.decide': 'after PT2S' } }] });
    const made = await it.post('/customers', ada);
    const look = async () => (await it.control('GET', `/requests/${made.headers.get('x-request-id')}`)).body.caused;
    const { world } = it.sandbox;
    const tell = world.emit;
    world.emit = () => {
      throw new Error('oops');
    };
    await it.advance('PT2S');
    world.emit = tell;
    expect(it.broken).toHaveLength(1);
    const { jobs } = await look();
    expect(jobs).toMatchObject([{ state: 'BROKEN' }]);
    await it.control('POST', `/jobs/${jobs[0].id}/run`);
    expect(await look()).toMatchObject({
      webhooks: [{ type: 'CUSTOMER.KYC_APPROVED', subject: made.body.id }],
      jobs: [{ state: 'DONE' }],
    });
  });
});

describe('causes and a restore', () => {
  const decided = async () => {
    const it = await kit({ scenario: ['default', { policies: { 'customer.decide': 'after PT2S' } }] });
    const causedBy = async (made: { headers: Headers }) =>
      (await it.control('GET', `/requests/${made.headers.get('x-request-id')}`)).body.caused;
    return { it, causedBy };
  };

  test('a job that a restore took away is not said to have run', async () => {
    const { it, causedBy } = await decided();
    await it.control('POST', '/snapshots', { name: 's' });
    const made = await it.post('/customers', ada);
    await it.control('POST', '/snapshots/s/restore');
    expect((await causedBy(made)).jobs).toMatchObject([{ kind: 'customer.decide', state: 'FORGOTTEN' }]);
  });

  test('a job that waits before and after it still belongs to its request, and so does what it causes', async () => {
    const { it, causedBy } = await decided();
    const made = await it.post('/customers', ada);
    await it.control('POST', '/snapshots', { name: 's' });
    await it.post('/customers', ada);
    await it.control('POST', '/snapshots/s/restore');
    await it.advance('PT2S');
    expect(await causedBy(made)).toMatchObject({
      webhooks: [{ type: 'CUSTOMER.KYC_APPROVED', subject: made.body.id }],
      jobs: [{ state: 'DONE' }],
    });
  });
});

describe('with anyone watching', () => {
  test('a watcher that breaks does not undo what it watches', async () => {
    const it = await kit();
    const stop = it.sandbox.world.watch(() => {
      throw new Error('the watcher broke');
    });
    const made = await it.post('/customers', ada);
    stop();
    expect(made.status).toBe(201);
    expect((await it.get(`/customers/${made.body.id}`)).status).toBe(200);
    expect(it.broken).toEqual([expect.stringContaining('the watcher broke')]);
  });

  test('a question of waitFor that breaks rejects the wait, and the call it looked at is done', async () => {
    const emulator = await startEmulator({ port: 0, seed: 1 });
    onTestFinished(() => emulator.close());
    const { sandbox } = emulator;
    const where = ({ data }: { data: unknown }) => (data as { none: { at: string } }).none.at === '';
    const waiting = sandbox.webhooks.waitFor('CUSTOMER.KYC_APPROVED', { where });
    const refused = expect(waiting).rejects.toThrow(TypeError);
    expect((await sandbox.fetch('/customers', { json: ada })).status).toBe(201);
    await refused;
    await expect(sandbox.webhooks.waitFor('CUSTOMER.KYC_APPROVED', { where })).rejects.toThrow(TypeError);
    expect((await (await sandbox.fetch('/customers')).json()).totalCount).toBe(1);
  });
});

test.each([
  ['GET /requests/ID', 200],
  ['POST /requests/ID/rewind', 200],
  ['POST /requests/ID/fork', 200],
  ['POST /requests/ID/replay', 200],
  ['GET /requests/ID/code', 200],
])('%s says which sandbox has the request where another is asked', async (control, status) => {
  const it = await kit();
  await it.post('/customers', ada);
  const answer = await it.post('/customers', ada, { as: 'alice:x' });
  const request = answer.headers.get('x-request-id') as string;
  const [method = '', path = ''] = control.replace('ID', request).split(' ');
  const body = method === 'POST' ? {} : undefined;
  const message = `the log has no request ${request}; sandbox alice has it: add --sandbox alice, or ?sandbox= to an address`;
  expect((await it.control(method, path, body)).body).toMatchObject({ status: 404, message });
  expect((await it.control(method, `${path}?sandbox=alice`, body)).status).toBe(status);
});
