import { describe, expect, test } from 'vitest';
import { startEmulator } from '../../src/index.ts';
import { type Kit, kit, refusal } from '../kit/sandbox.ts';
import { proof, walletKit } from '../kit/wallet.ts';

const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };
const add = async (it: Kit, rule: object) => (await it.control('POST', '/faults', rule)).body;
const logged = async (it: Kit) => (await it.control('GET', '/requests?limit=1')).body.data[0];
const customers = async (it: Kit) => (await it.get('/customers')).body.totalCount;

describe('a fault with mistakes', () => {
  test('a fault with mistakes is refused with all of them, each with its member and a suggestion for a misspelt name (U14)', async () => {
    const { control } = await kit();
    const wrong = await control('POST', '/faults', { match: { operation: 'createCustomr', times: 0 }, then: {} });
    expect(wrong.status).toBe(400);
    expect(wrong.body.details.errors).toEqual(
      expect.arrayContaining([
        { field: 'match.operation', message: 'there is no operation createCustomr; did you mean createCustomer?' },
        expect.objectContaining({ field: 'match.times' }),
        { field: 'then', message: 'say what goes wrong' },
      ]),
    );
    const hook = await control('POST', '/faults', { match: { webhook: 'CUSTOMR.KYC_APPROVED' }, then: {} });
    expect(hook.body.details.errors).toEqual(
      expect.arrayContaining([
        { field: 'match.webhook', message: expect.stringContaining('did you mean CUSTOMER.KYC_APPROVED?') },
        { field: 'then', message: 'say what goes wrong' },
      ]),
    );
    expect((await control('GET', '/faults')).body.data).toEqual([]);
  });
});

describe('faults of API calls', () => {
  test('a fault answers a status with its error body, nothing is done, and the log names the fault', async () => {
    const it = await kit();
    const fault = await add(it, { match: { method: 'POST', path: '/customers' }, then: { status: 500 } });
    const answer = await it.post('/customers', ada);
    expect(answer.body).toMatchObject({
      status: 500,
      code: 'INTERNAL_ERROR',
      message: expect.stringContaining(fault.id),
    });
    expect(await logged(it)).toMatchObject({ status: 500, fault: `${fault.id}: answered 500` });
    expect(await customers(it)).toBe(0);
    expect((await it.control('GET', '/faults')).body.data).toEqual([
      {
        id: fault.id,
        match: { method: 'POST', path: '/customers' },
        then: { status: 500 },
        seen: 1,
        fired: 1,
        spent: false,
      },
    ]);
  });

  test.each([
    [{ status: 429, retryAfter: 7 }, 429, 'RATE_LIMITED', '7'],
    [{ retryAfter: 3 }, 429, 'RATE_LIMITED', '3'],
    [{ code: 'UMA_ADDRESS_EXISTS' }, 409, 'UMA_ADDRESS_EXISTS', null],
    [{ status: 503 }, 503, 'SERVICE_UNAVAILABLE', null],
    [{ status: 418 }, 418, 'INVALID_INPUT', null],
    [{ status: 599, code: 'SERVICE_SWITCH_ERROR' }, 599, 'SERVICE_SWITCH_ERROR', null],
  ])('a fault with %o answers %i %s', async (then, status, code, retryAfter) => {
    const it = await kit();
    await add(it, { match: { operation: 'createCustomer' }, then });
    const answer = await it.post('/customers', ada);
    expect(answer.body).toMatchObject({ status, code });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, retryAfter]);
  });

  test('a fault with times: N fails the first N calls and no later one', async () => {
    const it = await kit();
    await add(it, { match: { operation: 'createCustomer', times: 2 }, then: { status: 500 } });
    const seen = [];
    for (let i = 0; i < 4; i += 1) seen.push((await it.post('/customers', ada)).status);
    expect(seen).toEqual([500, 500, 201, 201]);
    expect((await it.control('GET', '/faults')).body.data[0]).toMatchObject({ seen: 4, fired: 2, spent: true });
  });

  test('a fault that delays shows how many clients wait, and how many gave up', async () => {
    const emulator = await startEmulator({ port: 0 });
    const { sandbox } = emulator;
    sandbox.faults.add({ match: { operation: 'createCustomer', times: 2 }, then: { delayMs: 60_000, when: 'after' } });
    const read = async () => (await (await sandbox.fetch('/_emulator/faults')).json()).data[0];
    expect(await read()).not.toHaveProperty('waiting');
    const clients = [new AbortController(), new AbortController()];
    const init = { method: 'POST', headers: { authorization: sandbox.authorization }, body: JSON.stringify(ada) };
    const calls = Promise.allSettled(
      clients.map(({ signal }) => fetch(`${sandbox.baseUrl}/customers`, { ...init, signal })),
    );
    await expect.poll(read).toMatchObject({ fired: 2, waiting: 2, gaveUp: 0 });
    clients[0]?.abort();
    await expect.poll(read).toMatchObject({ waiting: 1, gaveUp: 1 });
    await emulator.close();
    expect((await calls).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('a fault with every and after lets some calls pass, then fires on every nth match', async () => {
    const it = await kit();
    await add(it, { match: { operation: 'createCustomer', every: 2, after: 1 }, then: { status: 500 } });
    const seen = [];
    for (let i = 0; i < 6; i += 1) seen.push((await it.post('/customers', ada)).status);
    expect(seen).toEqual([201, 201, 500, 201, 500, 201]);
  });

  test('a fault with a probability fires the same way under the same seed, and a fault leaves the ids of later rows as they are', async () => {
    const luck = async (seed: number) => {
      const it = await kit({ seed });
      await add(it, { match: { operation: 'createCustomer' }, probability: 0.5, then: { status: 500 } });
      const seen = [];
      for (let i = 0; i < 40; i += 1) seen.push((await it.post('/customers', ada)).status);
      return seen;
    };
    const first = await luck(1);
    expect(new Set(first)).toEqual(new Set([201, 500]));
    expect(await luck(1)).toEqual(first);
    expect(await luck(2)).not.toEqual(first);
    const plain = await kit({ seed: 5 });
    const faulty = await kit({ seed: 5 });
    await add(faulty, { match: { operation: 'createCustomer', times: 1 }, then: { status: 500 } });
    await faulty.post('/customers', ada);
    expect((await faulty.post('/customers', ada)).body.id).toBe((await plain.post('/customers', ada)).body.id);
  });

  test.each([
    ['/customers', '/customers', true],
    ['/customers/*', '/customers/Customer:1', true],
    ['/customers/{id}', '/customers/Customer:1', true],
    ['/customers/{customerId}', '/customers/Customer:1', true],
    ['/customers/*', '/customers', false],
    ['/**', '/platform/internal-accounts', true],
    ['/customers/*:1', '/customers/Customer:1', true],
    ['/customers/*', '/customers/x/y', false],
    ['/**/internal-accounts', '/platform/internal-accounts', true],
    ['/customers/x.y', '/customers/xzy', false],
    // A regular expression would not come to an end with this one.
    [`/customers/${'*a'.repeat(60)}`, `/customers/${'a'.repeat(3000)}b`, false],
    ['/platform/*', '/customers', false],
  ])('the path %s of a fault meets %s: %s', async (path, called, meets) => {
    const it = await kit();
    await add(it, { match: { path }, then: { status: 503 } });
    expect((await it.get(called)).status === 503).toBe(meets);
  });

  test('a fault with when: after loses the reply of a call that was done', async () => {
    const it = await kit();
    await add(it, { match: { operation: 'createCustomer', times: 1 }, then: { status: 500, when: 'after' } });
    expect((await it.overlapping('POST', '/customers', ada)).status).toBe(500);
    expect(await customers(it)).toBe(1);
    const entry = (await it.control('GET', '/requests?operation=createCustomer')).body.data[0];
    expect(entry).toMatchObject({ status: 201, fault: 'fault-1: answered 500 after the call was done' });
  });

  test('a fault applies to its own sandbox only, and a reset restores the faults of the scenario', async () => {
    const faults = [{ match: { operation: 'getPlatformConfig' }, then: { status: 503 } }];
    const it = await kit({ scenario: ['default', { faults }] });
    await add(it, { match: { operation: 'createCustomer' }, then: { status: 500 } });
    expect((await it.get('/config')).status).toBe(503);
    expect((await it.overlapping('POST', '/customers', ada, { as: 'other:x' })).status).toBe(201);
    await it.sandbox.begin({ from: 'scenario' });
    expect((await it.post('/customers', ada)).status).toBe(201);
    expect((await it.get('/config')).status).toBe(503);
  });

  test('a fault is removed by its id, and all faults are removed at once', async () => {
    const it = await kit();
    const { id } = await add(it, { match: {}, then: { status: 500 } });
    await add(it, { match: {}, then: { status: 503 } });
    expect((await it.control('DELETE', `/faults/${id}`)).status).toBe(204);
    expect((await it.get('/config')).status).toBe(503);
    expect(refusal(await it.control('DELETE', `/faults/${id}`)).status).toBe(404);
    expect((await it.control('DELETE', '/faults')).status).toBe(204);
    expect((await it.get('/config')).status).toBe(200);
  });

  test.each([
    ['nothing to do', { match: {}, then: {} }],
    ['an unknown effect', { match: {}, then: { explode: true } }],
    ['an effect that only webhooks have', { match: {}, then: { duplicate: true } }],
    ['an effect that only calls have', { match: { webhook: 'TEST' }, then: { truncate: true } }],
    ['a status that is not an error', { match: {}, then: { status: 200 } }],
    ['an unknown code', { match: {}, then: { code: 'NO_SUCH' } }],
    ['a chance above 1', { match: {}, probability: 2, then: { status: 500 } }],
    ['an unknown operation', { match: { operation: 'createCustomers' }, then: { status: 500 } }],
    ['an unknown event', { match: { webhook: 'CUSTOMER.APPROVED' }, then: { drop: true } }],
    ['a pattern that meets no event', { match: { webhook: 'CUSTOMERS.*' }, then: { drop: true } }],
    ['a path without a leading slash', { match: { path: 'customers' }, then: { status: 500 } }],
  ])('a fault with %s is refused with 400', async (_, rule) => {
    const it = await kit();
    expect(refusal(await it.control('POST', '/faults', rule))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    expect((await it.control('GET', '/faults')).body.data).toEqual([]);
  });
});

describe('calls that meet a fault, and their retries', () => {
  test('a HEAD call meets the faults of GET (S15)', async () => {
    const it = await kit();
    await add(it, { match: { operation: 'listCustomers', method: 'GET' }, then: { status: 503 } });
    expect((await it.call('HEAD', '/customers')).status).toBe(503);
  });

  test.each([
    ['an unknown path', 'GET', '/nothing', 404],
    ['a wrong method', 'PUT', '/customers', 405],
    ['OPTIONS', 'OPTIONS', '/customers', 405],
  ])('a call with %s reaches no operation and meets no fault', async (_, method, path, status) => {
    const it = await kit();
    await add(it, { match: {}, then: { status: 503 } });
    await add(it, { match: { path: '/**' }, then: { status: 503 } });
    expect((await it.call(method, path)).status).toBe(status);
    expect((await it.control('GET', '/faults')).body.data.map((f: { seen: number }) => f.seen)).toEqual([0, 0]);
  });

  test('a call that is refused with 401 or 403 meets no fault', async () => {
    const it = await kit({ auth: 'known' });
    const { clientId, clientSecret } = (await it.post('/tokens', { name: 'T', permissions: ['VIEW'] })).body;
    await add(it, { match: {}, then: { status: 503 } });
    expect((await it.call('GET', '/customers', undefined, { as: 'nobody:x' })).status).toBe(401);
    expect((await it.call('POST', '/customers', ada, { as: `${clientId}:${clientSecret}` })).status).toBe(403);
    expect((await it.call('GET', '/customers', undefined, { as: `${clientId}:${clientSecret}` })).status).toBe(503);
  });

  test('of two faults that meet a call, the first that can fire fires, and the second does not count the call', async () => {
    const it = await kit();
    await add(it, { match: { operation: 'getPlatformConfig', times: 1 }, then: { status: 500 } });
    await add(it, { match: { path: '/config', times: 2 }, then: { status: 503 } });
    const seen = [];
    for (let i = 0; i < 4; i += 1) seen.push((await it.get('/config')).status);
    expect(seen).toEqual([500, 503, 503, 200]);
    expect((await it.control('GET', '/faults')).body.data).toMatchObject([
      { seen: 4, fired: 1 },
      { seen: 3, fired: 2 },
    ]);
  });

  test.each([
    [{ after: 2, every: 3, times: 2 }, '....x..x...'],
    [{ every: 1 }, 'xxxxxxxxxxx'],
    [{ after: 10 }, '..........x'],
    [{ after: 100 }, '...........'],
    [{ every: 100 }, '...........'],
    [{ every: 11 }, '..........x'],
    [{ times: 1, after: 0 }, 'x..........'],
  ])('a fault with %o fires in the pattern %s', async (counts, pattern) => {
    const it = await kit();
    await add(it, { match: { operation: 'getPlatformConfig', ...counts }, then: { status: 500 } });
    let seen = '';
    for (let i = 0; i < pattern.length; i += 1) seen += (await it.get('/config')).status === 500 ? 'x' : '.';
    expect(seen).toBe(pattern);
  });

  test.each([
    [0, 0],
    [1, 20],
  ])('a fault with a probability of %i fires %i times of 20', async (probability, fired) => {
    const it = await kit();
    await add(it, { match: {}, probability, then: { status: 500 } });
    for (let i = 0; i < 20; i += 1) await it.get('/config');
    expect((await it.control('GET', '/faults')).body.data[0].fired).toBe(fired);
  });

  test.each([[{ status: 503 }], [{ truncate: true }]])(
    'a retry with its Idempotency-Key gets the first reply after a fault with %o lost it, and nothing is done twice',
    async (then) => {
      const it = await kit();
      const { id } = (await it.post('/customers', ada)).body;
      const headers = { 'idempotency-key': 'once' };
      await add(it, { match: { path: '/customers/*/kyc-link', times: 1 }, then: { ...then, when: 'after' } });
      const ask = () => it.overlapping('POST', `/customers/${id}/kyc-link`, {}, { headers });
      await ask().catch(() => undefined);
      const again = await ask();
      expect(again.status).toBe(201);
      expect((await ask()).body).toEqual(again.body);
      const kept = it.sandbox.world.snapshot().tables.find(({ name }) => name === 'kyc-links');
      expect(kept?.rows).toHaveLength(1);
    },
  );

  test('a signed retry whose reply is lost was done, and a repeat of its proof is refused with 401', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const path = `/internal-accounts/${it.accountId}`;
    const headers = await proof(key, await it.patch(path, { privateEnabled: true }));
    await add(it, { match: { operation: 'updateInternalAccount', times: 1 }, then: { status: 503, when: 'after' } });
    expect((await it.overlapping('PATCH', path, { privateEnabled: true }, { headers })).status).toBe(503);
    expect((await it.patch(path, { privateEnabled: true }, { headers })).status).toBe(401);
  });

  test('a signed retry that a fault refused before it was done succeeds when it is sent again', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const path = `/internal-accounts/${it.accountId}`;
    const headers = await proof(key, await it.patch(path, { privateEnabled: true }));
    await add(it, { match: { operation: 'updateInternalAccount', times: 1 }, then: { status: 503 } });
    expect((await it.patch(path, { privateEnabled: true }, { headers })).status).toBe(503);
    expect((await it.patch(path, { privateEnabled: true }, { headers })).status).toBe(200);
  });
});

test('a fault for an unknown operation is refused with the nearest name by the control API, a program and a scenario', async () => {
  const rule = { match: { operation: 'createCustomers' }, then: { status: 500 } };
  const says = /there is no operation createCustomers; did you mean createCustomer\?/;
  const it = await kit();
  expect((await it.control('POST', '/faults', rule)).body.message).toMatch(says);
  await expect(kit({ scenario: ['default', { faults: [rule] }] })).rejects.toThrow(
    /faults\.0\.match\.operation: there is/,
  );
  const emulator = await startEmulator({ port: 0 });
  expect(() => emulator.sandbox.faults.add(rule as never)).toThrow(says);
  await emulator.close();
});

describe('faults that break connections', () => {
  const started = async () => {
    const emulator = await startEmulator({ port: 0, seed: 1, holdClock: true });
    const { sandbox } = emulator;
    const call = (path: string, init: RequestInit = {}) =>
      fetch(`${sandbox.baseUrl}${path}`, {
        ...init,
        headers: { authorization: sandbox.authorization, 'content-type': 'application/json' },
      });
    return { emulator, sandbox, call };
  };

  test('a fault that drops the connection prevents the call, or loses only its reply with when: after', async () => {
    const { emulator, sandbox, call } = await started();
    const make = () => call('/customers', { method: 'POST', body: JSON.stringify(ada) });
    const count = async () => ((await (await call('/customers')).json()) as { totalCount: number }).totalCount;
    sandbox.faults.add({ match: { operation: 'createCustomer', times: 1 }, then: { drop: true } });
    await expect(make()).rejects.toThrow(TypeError);
    expect(await count()).toBe(0);
    sandbox.faults.add({ match: { operation: 'createCustomer', times: 1 }, then: { drop: true, when: 'after' } });
    await expect(make()).rejects.toThrow(TypeError);
    expect(await count()).toBe(1);
    expect((await make()).status).toBe(201);
    expect(sandbox.faults.list()).toEqual([
      { id: 'fault-1', seen: 3, fired: 1 },
      { id: 'fault-2', seen: 2, fired: 1 },
    ]);
    await emulator.close();
  });

  test('a fault that truncates sends the status and half of the body, and reading the body fails', async () => {
    const { emulator, sandbox, call } = await started();
    sandbox.faults.add({ match: { path: '/config' }, then: { truncate: true } });
    const answer = await call('/config');
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow(TypeError);
    await emulator.close();
  });

  test('faults behave the same for emulator.fetch as over a socket', async () => {
    const { emulator, sandbox } = await started();
    const ask = () =>
      emulator.fetch(new Request(`${sandbox.baseUrl}/config`, { headers: { authorization: sandbox.authorization } }));
    sandbox.faults.add({ match: { times: 1 }, then: { drop: true } });
    await expect(ask()).rejects.toThrow(TypeError);
    sandbox.faults.add({ match: { times: 1 }, then: { truncate: true } });
    await expect((await ask()).text()).rejects.toThrow(TypeError);
    sandbox.faults.add({ match: { times: 1 }, then: { delayMs: 1 } });
    expect((await ask()).status).toBe(200);
    expect(sandbox.faults.list().map(({ fired }) => fired)).toEqual([1, 1, 1]);
    expect(() => sandbox.faults.add({ then: {} })).toThrow('then: say what goes wrong');
    await emulator.close();
  });
});
