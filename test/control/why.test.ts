import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../src/index.ts';
import { repeated } from '../../src/sandbox/repeated.ts';
import type { Entry, RequestLog } from '../../src/sandbox/request-log.ts';
import { madeBy } from '../kit/agent-login.ts';
import { moneyKit } from '../kit/money.ts';
import { receiver } from '../kit/receiver.ts';
import { kit } from '../kit/sandbox.ts';
import { clientKey, proof, stampOf, walletKit } from '../kit/wallet.ts';

const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };

describe('reasons of a refused signed retry (spec 5 rules 3 to 5)', () => {
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

  test('the reason of a signed retry with another body names the members that differ, never their values', async () => {
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
  ])('the reason of a signed retry recognizes a payload that was %s', async (_, text, note) => {
    const { code, why } = await steps(({ payload }) => ({ text: text(payload) }));
    expect(code).toBe('WALLET_SIGNATURE_INVALID');
    expect(why.steps.at(-1)).toEqual({
      step: 'the signature verifies over payloadToSign',
      ok: false,
      note: `it verifies over ${note}`,
    });
    expect(why.expected).toContain('organizationId');
  });

  test('the reason of a signed retry recognizes a signature over the request body instead of the payload', async () => {
    const { why } = await steps(({ body }) => ({ text: body }));
    expect(why.steps.at(-1).note).toBe('it verifies over the request body instead of payloadToSign');
  });

  test('a signed retry by an unknown key fails at the fourth step, and one over an unknown text at the third', async () => {
    const stranger = await steps(() => ({ key: clientKey() }));
    expect(stranger.why.steps).toHaveLength(4);
    const nonsense = await steps(() => ({ text: 'x' }));
    expect(nonsense.why.steps).toHaveLength(3);
    expect(nonsense.why.steps[2].note).toContain('nothing that is known here');
  });

  test('a signed retry that succeeds has no steps in its reason', async () => {
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

describe('what a request caused', () => {
  test('a request shows the jobs that it caused, and the events that they emitted later', async () => {
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

  test('every refused request names a rule, its code and its message, and bad fields where a body is invalid', async () => {
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

  test("a refused request is not shown as the cause of a later call's webhook", async () => {
    const it = await kit();
    const refused = await it.post('/customers', { ...ada, umaAddress: 'x' });
    const made = await it.post('/customers', ada);
    const of = async (answer: typeof made) =>
      (await it.control('GET', `/requests/${answer.headers.get('x-request-id')}`)).body.caused;
    expect(await of(refused)).toEqual({ webhooks: [], jobs: [] });
    expect((await of(made)).webhooks).toHaveLength(1);
  });
});

describe('bounds of remembered causes', () => {
  test('the causes of a request are released once it is answered, and those of its job once it is cancelled', async () => {
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

  test('a webhook with 161 failed attempts is one line of its request', async () => {
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

describe('broken jobs', () => {
  test('a broken job that is run again still belongs to its request', async () => {
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

  test('a request shows a job that a restore removed as FORGOTTEN', async () => {
    const { it, causedBy } = await decided();
    await it.control('POST', '/snapshots', { name: 's' });
    const made = await it.post('/customers', ada);
    await it.control('POST', '/snapshots/s/restore');
    expect((await causedBy(made)).jobs).toMatchObject([{ kind: 'customer.decide', state: 'FORGOTTEN' }]);
  });

  test('a job from before a restored snapshot still belongs to its request, and so does its webhook', async () => {
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

describe('watchers of a sandbox', () => {
  test('a watcher that throws does not undo the call that it watches', async () => {
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

  test('a where function that throws rejects waitFor, and the call that it looked at is done', async () => {
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
])('%s says which sandbox has a request that the sandbox it was sent to lacks', async (control, status) => {
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

test('a call with a wrong secret is logged in the sandbox of its token id, and any other in the default one', async () => {
  const it = await kit();
  const { body: other } = await it.control('POST', '/sandboxes');
  for (const as of [`${other.id}:wrong`, `${it.sandbox.id}:wrong`, null])
    expect((await it.overlapping('GET', '/customers', undefined, { as })).status).toBe(401);
  const shown = async (sandbox: string) => (await it.control('GET', `/requests?sandbox=${sandbox}`)).body.data.length;
  expect([await shown(other.id), await shown(it.sandbox.id)]).toEqual([1, 2]);
  expect((await it.control('GET', `/requests?sandbox=${other.id}`)).body.data[0]).toMatchObject({
    status: 401,
    code: 'UNAUTHORIZED',
  });
});

describe('replies that an Idempotency-Key repeats', () => {
  test.each(['spec', 'grid'] as const)(
    'a repeated refusal shows the rule of the first one, and which call that was, in profile %s',
    async (profile) => {
      const it = await moneyKit({ profile });
      const { id } = await it.account('USD');
      const latest = async () => (await it.control('GET', '/requests?limit=1')).body.data[0].id;
      const why = async (request: string) => (await it.control('GET', `/requests/${request}`)).body.why;
      const again = { headers: { 'idempotency-key': 'k' } };
      const body = { source: { accountId: id }, destination: { accountId: it.bank('USD').id }, amount: 5000 };
      expect((await it.post('/transfer-out', body, again)).status).toBe(400);
      const refused = await latest();
      await it.funded('USD', 10_000);
      expect((await it.post('/transfer-out', body, again)).body.code).toBe('INSUFFICIENT_BALANCE');
      const { outcome, code, rule, section, message, seen } = await why(refused);
      const repeated = await why(await latest());
      expect(repeated).toMatchObject({ outcome, code, rule, section, message, seen, repeats: refused });
      expect([code, rule]).toEqual(['INSUFFICIENT_BALANCE', 'spec 5.1 (9)']);
      // A third one names the first as well, and so does the list of what was refused.
      await it.post('/transfer-out', body, again);
      expect((await why(await latest())).repeats).toBe(refused);
      expect(await it.balance(id)).toBe(10_000);
    },
  );

  test('a repeated refusal names the first one however a client escapes the path (%3A for :)', async () => {
    const it = await moneyKit();
    const { id } = await it.funded('USD', 10_000);
    const { body: quote } = await it.quote(
      { sourceType: 'ACCOUNT', accountId: id },
      { destinationType: 'ACCOUNT', accountId: it.bank('USD').id },
      { lockedCurrencySide: 'SENDING', lockedCurrencyAmount: 100 },
    );
    await it.advance('PT6M');
    const headers = { 'idempotency-key': 'k' };
    const told = [];
    for (const path of [encodeURIComponent(quote.id), quote.id, encodeURIComponent(quote.id)]) {
      expect((await it.post(`/quotes/${path}/execute`, undefined, { headers })).status).toBe(409);
      const [{ id: request }] = (await it.control('GET', '/requests?limit=1')).body.data;
      told.push({ request, why: (await it.control('GET', `/requests/${request}`)).body.why });
    }
    const [first, ...others] = told;
    expect(first?.why).toMatchObject({ rule: 'reference 9.6' });
    for (const { why } of others) expect(why).toEqual({ ...first?.why, repeats: first?.request });
  });

  test('a repeated reply of an agent names the first call of that agent, not one of another agent with the same key', () => {
    const entry = (id: string, agent: string) => ({
      id,
      operation: 'agentCreateTransferOut',
      path: '/2025-10-13/agents/me/transfer-out',
      headers: ['Authorization', `Bearer ${agent}`, 'Idempotency-Key', 'k'],
      reply: '{"code":"CONFLICT"}',
      code: 'CONFLICT',
    });
    const log = { newest: () => [entry('req_2', 'b'), entry('req_1', 'a')].values() } as unknown as RequestLog;
    const call = { operation: 'agentCreateTransferOut', path: '/agents/me/transfer-out', key: 'k' };
    const repeats = (agent: string | undefined) =>
      repeated(log, { ...call, agent }, 409, '{"code":"CONFLICT"}').why.repeats;
    expect([repeats('Bearer a'), repeats('Bearer b'), repeats('Bearer c'), repeats(undefined)]).toEqual([
      'req_1',
      'req_2',
      'an earlier request',
      'req_2',
    ]);
  });

  test('a repeated success says that nothing was done, also where the log no longer has the first call', async () => {
    const it = await moneyKit();
    const { id } = await it.funded('USD', 10_000);
    const body = { source: { accountId: id }, destination: { accountId: it.bank('USD').id }, amount: 3000 };
    const headers = { 'idempotency-key': 'k' };
    await it.post('/transfer-out', body, { headers });
    const latest = async () => {
      const [{ id: request }] = (await it.control('GET', '/requests?limit=1')).body.data;
      return { request, why: (await it.control('GET', `/requests/${request}`)).body.why };
    };
    const { request } = await latest();
    await it.post('/transfer-out', body, { headers });
    expect((await latest()).why).toEqual({ outcome: 'done', repeats: request });
    it.sandbox.requestLog.clear();
    await it.post('/transfer-out', body, { headers });
    expect((await latest()).why).toEqual({ outcome: 'done', repeats: 'an earlier request' });
  });

  test('a repeated refusal whose first call the log no longer has still has its code and its section', async () => {
    const it = await moneyKit();
    const { id } = await it.account('USD');
    const body = { source: { accountId: id }, destination: { accountId: it.bank('USD').id }, amount: 3000 };
    const headers = { 'idempotency-key': 'k' };
    await it.post('/transfer-out', body, { headers });
    it.sandbox.requestLog.clear();
    await it.post('/transfer-out', body, { headers });
    const [{ id: request }] = (await it.control('GET', '/requests?limit=1')).body.data;
    expect((await it.control('GET', `/requests/${request}`)).body.why).toMatchObject({
      outcome: 'refused',
      code: 'INSUFFICIENT_BALANCE',
      section: 'spec 7',
      repeats: 'an earlier request',
    });
  });
});

describe('the log that has a call refused before its operation or its caller is known', () => {
  const known = { scenario: { credentials: [{ id: 'test', secret: 'known' }] } };
  const latestOf = async (it: Awaited<ReturnType<typeof kit>>, sandbox: string) => {
    const [latest] = (await it.control('GET', `/requests?limit=1&sandbox=${sandbox}`)).body.data;
    return latest === undefined ? 'nothing' : `${latest.status} ${latest.method} ${latest.path.split('/').at(-1)}`;
  };

  test.each([
    ['GET', '/customer', {}, 404],
    ['PUT', '/customers', {}, 405],
    ['GET', '/customers', { origin: 'https://evil.example' }, 403],
    ['POST', '/agents/device-codes/SERVICE-AGENT-NONE-0000/redeem', {}, 404],
  ] as const)(
    '%s %s with %j is in the log of the sandbox that its credentials name',
    async (method, path, headers, status) => {
      const it = await kit(known);
      const line = `${status} ${method} ${path.split('/').at(-1)}`;
      await it.control('POST', '/sandboxes', { id: 'mine', secret: 'own' });
      await it.call(method, path, undefined, { as: 'mine:own', headers });
      expect([await latestOf(it, 'mine'), await latestOf(it, 'test')]).toEqual([line, 'nothing']);

      await it.control('POST', '/sandboxes', { id: 'other', secret: 'own' });
      await it.call(method, path, undefined, { as: 'other:wrong', headers });
      expect([await latestOf(it, 'other'), await latestOf(it, 'test')]).toEqual([line, 'nothing']);

      await it.call(method, path, undefined, { as: null, headers });
      expect(await latestOf(it, 'test')).toBe(line);
    },
  );

  test.each([
    ['an unknown path', '/agents/me/nothing', 404],
    ['an operation of platforms', '/customers', 401],
  ])('a call of an agent to %s is in the log of its sandbox', async (_, path, status) => {
    const it = await kit();
    await it.control('POST', '/sandboxes', { id: 'mine' });
    const { headers = {} } = madeBy(it.host.named('mine').world, '/agents/me');
    await it.call('GET', path, undefined, { as: null, headers });
    const line = `${status} GET ${path.split('/').at(-1)}`;
    expect([await latestOf(it, 'mine'), await latestOf(it, 'test')]).toEqual([line, 'nothing']);
  });

  test('a call of a platform to an operation of agents is in the log of its sandbox', async () => {
    const it = await kit();
    const { credentials } = (await it.control('POST', '/sandboxes', { id: 'mine' })).body;
    await it.call('GET', '/agents/me', undefined, { as: `mine:${credentials.secret}` });
    expect([await latestOf(it, 'mine'), await latestOf(it, 'test')]).toEqual(['401 GET me', 'nothing']);
  });

  test('a first call of a token id to an unknown path opens its sandbox as any other, and that has it', async () => {
    const it = await kit();
    await it.call('GET', '/customer', undefined, { as: 'fresh:any' });
    expect([await latestOf(it, 'fresh'), await latestOf(it, 'test')]).toEqual(['404 GET customer', 'nothing']);
  });

  test('the id of an API token in the place of its clientId opens no sandbox at an unknown path', async () => {
    const it = await kit();
    const as = 'Token:01234567-89ab-cdef-0123-456789abcdef:secret';
    expect((await it.call('GET', '/customer', undefined, { as })).status).toBe(404);
    expect([it.host.find('Token'), await latestOf(it, 'test')]).toEqual([undefined, '404 GET customer']);
  });

  test('an unknown token id that may not open a sandbox still gets 404 for an unknown path, in the log of the default one', async () => {
    const it = await kit({ auth: 'known' });
    expect((await it.call('GET', '/customer', undefined, { as: 'fresh:any' })).status).toBe(404);
    expect([it.host.find('fresh'), await latestOf(it, 'test')]).toEqual([undefined, '404 GET customer']);
    const { status } = await it.call('GET', '/customers', undefined, {
      as: 'fresh:any',
      headers: { origin: 'https://evil.example' },
    });
    expect([status, it.host.find('fresh')]).toEqual([403, undefined]);
  });
});
