import { expect, test } from 'vitest';
import { receiver } from '../kit/receiver.ts';
import { type Kit, kit, refusal } from '../kit/sandbox.ts';

test('GET /health shows status, version, profile, uptime and the number of sandboxes', async () => {
  const { control } = await kit();
  expect((await control('GET', '/health')).body).toEqual({
    status: 'ok',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    profile: 'spec',
    uptimeMs: expect.any(Number),
    sandboxes: 1,
  });
});

test('POST /sandboxes creates an isolated sandbox with its own credentials, seed, scenario and endpoint', async () => {
  const { control, call, post, get } = await kit();
  const hooks = await receiver();
  const made = (await control('POST', '/sandboxes', { scenario: 'regulated', seed: 9, webhookUrl: hooks.url })).body;
  expect(made).toMatchObject({
    id: 'sandbox-1',
    credentials: { id: 'sandbox-1', secret: expect.stringMatching(/^[0-9a-f]{36}$/) },
    baseUrl: 'http://127.0.0.1:4010/2025-10-13',
    webhookPublicKey: expect.stringContaining('BEGIN PUBLIC KEY'),
    isDefault: false,
  });
  const as = `${made.credentials.id}:${made.credentials.secret}`;
  expect((await call('GET', '/config', undefined, { as })).body).toMatchObject({
    isRegulatedFinancialInstitution: true,
    webhookEndpoint: hooks.url,
  });
  await post('/customers', { customerType: 'BUSINESS' }, { as });
  expect((await get('/customers')).body.totalCount).toBe(0);
  expect(
    (await control('GET', `/state?sandbox=${made.id}`)).body.tables.map((t: { name: string }) => t.name),
  ).toContain('customers');
  expect((await call('GET', '/config', undefined, { as: `${made.id}:wrong` })).status).toBe(401);
});

test('two sandboxes with the same seed draw the same ids', async () => {
  const { control, post } = await kit();
  const ids = [];
  for (let i = 0; i < 2; i += 1) {
    const { credentials } = (await control('POST', '/sandboxes', { seed: 5 })).body;
    ids.push(
      (await post('/customers', { customerType: 'BUSINESS' }, { as: `${credentials.id}:${credentials.secret}` })).body
        .id,
    );
  }
  expect(ids[0]).toBe(ids[1]);
});

test('a seed is as long as the name of any test, and is kept in a state file', async () => {
  const { control, call, host } = await kit();
  const seed = 'suite > '.repeat(1000);
  for (const id of ['one', 'two'])
    expect((await control('POST', '/sandboxes', { id, seed, secret: 'x' })).status).toBe(200);
  const [one, two] = ['one', 'two'].map((id) => host.named(id).world.ids.state());
  expect(one).toEqual(two);
  const parameter = 'd'.repeat(70_000);
  for (const id of ['three', 'four'])
    expect((await control('POST', '/sandboxes', { id, seed: seed + parameter, secret: 'x' })).status).toBe(200);
  const [three, four] = ['three', 'four'].map((id) => host.named(id).world.ids.state());
  expect(three).toEqual(four);
  expect(three).not.toEqual(one);
  expect([...host.saved()].find(({ id }) => id === 'three')?.seed).toMatch(/^sha256 [0-9a-f]{64}$/);
  expect(refusal(await control('POST', '/sandboxes', { seed: parameter.repeat(8) }))).toMatchObject({
    status: 400,
    code: 'INVALID_INPUT',
    fields: ['seed'],
  });
  await call('POST', '/customers', { customerType: 'BUSINESS' }, { as: 'one:x' });
  expect([...host.saved()].find(({ id }) => id === 'one')).toMatchObject({ seed });
});

test('GET /sandboxes lists all sandboxes, GET of one shows it, and DELETE drops it once', async () => {
  const { control, call } = await kit();
  await control('POST', '/sandboxes');
  await call('GET', '/config', undefined, { as: 'stranger:x' });
  expect(
    (await control('GET', '/sandboxes')).body.data.map((s: { id: string; isDefault: boolean }) => [s.id, s.isDefault]),
  ).toEqual([
    ['test', true],
    ['sandbox-1', false],
    ['stranger', false],
  ]);
  expect((await control('GET', '/sandboxes/sandbox-1')).body).toMatchObject({ id: 'sandbox-1' });
  expect((await control('DELETE', '/sandboxes/sandbox-1')).status).toBe(204);
  expect(refusal(await control('GET', '/sandboxes/sandbox-1')).status).toBe(404);
  expect(refusal(await control('DELETE', '/sandboxes/sandbox-1')).status).toBe(404);
});

test.each([
  ['without a seed a sandbox that is created again under a name draws other ids', undefined, false],
  ['with a seed a sandbox that is created again under a name draws the same ids', 1, true],
])('%s, whoever opens it', async (_, seed, again) => {
  const it = await kit({ seed });
  const life = async (open: () => Promise<unknown>) => {
    await open();
    const made = await it.overlapping('POST', '/customers', { customerType: 'BUSINESS' }, { as: 'w:x' });
    const link = await it.overlapping('POST', `/customers/${made.body.id}/kyc-link`, {}, { as: 'w:x' });
    expect([made.status, link.status]).toEqual([201, 201]);
    expect((await it.control('DELETE', '/sandboxes/w')).status).toBe(204);
    return [made.body.id, link.body.kycUrl];
  };
  const created = () => it.control('POST', '/sandboxes', { id: 'w', secret: 'x' });
  const lives = [await life(created), await life(created), await life(async () => {}), await life(async () => {})];
  for (const seen of [0, 1]) expect(new Set(lives.map((one) => one[seen])).size).toBe(again ? 1 : 4);
});

test('DELETE of a client id that leads to a sandbox of another name is refused with 409, and the sandbox stays', async () => {
  const it = await kit();
  await it.control('POST', '/sandboxes', { id: 'box', secret: 'x' });
  const token = await it.post('/tokens', { name: 'CI', permissions: ['VIEW'] }, { as: 'box:x' });
  const answer = await it.control('DELETE', `/sandboxes/${token.body.clientId}`);
  expect(refusal(answer)).toMatchObject({ status: 409, code: 'CONFLICT' });
  expect(answer.body.message).toContain('is a client id of the sandbox box');
  expect((await it.control('GET', '/sandboxes/box')).status).toBe(200);
});

test('DELETE of the default sandbox is refused with 409', async () => {
  const { control } = await kit();
  expect(refusal(await control('DELETE', '/sandboxes/test'))).toMatchObject({ status: 409, code: 'CONFLICT' });
});

test.each([
  [{ scenario: 'defualt' }, 'did you mean default'],
  [{ scenario: { platfrom: {} } }, 'did you mean platform'],
  [{ scenario: { customers: [{ customerType: 'INDIVIDUAL', birthDate: 'x' }] } }, 'birthDate'],
  [{ webhookUrl: 'x' }, 'webhookUrl'],
  [{ more: 1 }, 'more'],
])('POST /sandboxes with %j is refused with 400, says why and creates nothing', async (body, says) => {
  const { control } = await kit();
  const answer = await control('POST', '/sandboxes', body);
  expect(refusal(answer)).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  expect(answer.text).toContain(says);
  expect((await control('GET', '/sandboxes')).body.data).toHaveLength(1);
});

test('a scenario with thousands of mistakes is refused with the first 20 and their number (R6)', async () => {
  const { control } = await kit();
  const keys = Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`titel${i}`, 1]));
  for (const [scenario, count] of [
    [{ customers: Array.from({ length: 20_000 }, () => ({})) }, 20_000],
    [{ customers: Array.from({ length: 3000 }, () => ({ customerType: 'INDIVIDUAL', birthDate: 'x' })) }, 3000],
    [keys, 9000],
    [{ ['k'.repeat(300_000)]: 1, ...Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`k${i}`, 1])) }, 31],
  ] as const) {
    const answer = await control('POST', '/sandboxes', { scenario });
    expect(refusal(answer)).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    expect(answer.body.details).toMatchObject({ count, problems: { length: 20 } });
    expect(answer.body.message).toContain(`and ${count - 20} more mistakes`);
    expect(answer.text.length).toBeLessThan(10_000);
  }
});

test('a read of an unknown sandbox is refused with 404, and a change creates it, like a first API call (G12)', async () => {
  const { control, call } = await kit();
  for (const path of ['/state', '/clock', '/webhooks', '/sandbox'])
    expect(refusal(await control('GET', `${path}?sandbox=suite-17`)).status).toBe(404);
  const fault = { match: { operation: 'getPlatformConfig', times: 1 }, then: { status: 503 } };
  expect((await control('POST', '/faults?sandbox=suite-17', fault)).status).toBe(200);
  const config = () => call('GET', '/config', undefined, { as: 'suite-17:anything' });
  expect([(await config()).status, (await config()).status]).toEqual([503, 200]);
  for (const id of ['a:b', 'a b', '', 'x'.repeat(201)])
    expect(refusal(await control('POST', `/reset?sandbox=${encodeURIComponent(id)}`)).status).toBe(404);
});

test('a refused control call for an unknown sandbox does not create it (G12)', async () => {
  const { control } = await kit();
  expect((await control('POST', '/faults?sandbox=typo', { nonsense: 1 })).status).toBe(400);
  expect((await control('POST', '/snapshots?sandbox=typo', { name: '..' })).status).toBe(400);
  expect((await control('PUT', '/webhooks/endpoint?sandbox=typo', 7)).status).toBe(400);
  const { data } = (await control('GET', '/sandboxes')).body;
  expect(data.map(({ id }: { id: string }) => id)).toEqual(['test']);
});

test('every control for an unknown sandbox is refused with 404 when auth is known', async () => {
  const { control } = await kit({ auth: 'known' });
  for (const [method, path] of [
    ['GET', '/state'],
    ['POST', '/reset'],
    ['POST', '/mcp'],
  ] as const)
    expect(refusal(await control(method, `${path}?sandbox=nobody`, method === 'POST' ? {} : undefined)).status).toBe(
      404,
    );
});

test('an unknown login and a wrong secret are refused with 401 when auth is known (spec 5 rule 1)', async () => {
  const { call, control } = await kit({ auth: 'known' });
  const statusOf = async (as?: string) => (await call('GET', '/config', undefined, as ? { as } : {})).status;
  expect(await statusOf('stranger:x')).toBe(401);
  expect(await statusOf()).toBe(200);
  const { credentials } = (await control('POST', '/sandboxes')).body;
  const { clientId, clientSecret } = (await call('POST', '/tokens', { name: 'ci', permissions: ['VIEW'] })).body;
  for (const [id, secret] of [
    ['test', 'secret'],
    [credentials.id, credentials.secret],
    [clientId, clientSecret],
  ]) {
    expect(await statusOf(`${id}:${secret}`)).toBe(200);
    for (const wrong of ['wrong', '', `${secret}x`, secret.slice(1)])
      expect(await statusOf(`${id}:${wrong}`)).toBe(401);
  }
});

test('GET /operations counts the built operations, and how often each was called', async () => {
  const { control, get } = await kit();
  await get('/config');
  await get('/config');
  const { data, built, total } = (await control('GET', '/operations')).body;
  expect(data).toHaveLength(total);
  expect(data.filter((op: { built: boolean }) => op.built)).toHaveLength(built);
  expect(data.find((op: { id: string }) => op.id === 'getPlatformConfig')).toMatchObject({
    method: 'GET',
    path: '/config',
    built: true,
    calls: 2,
  });
});

test('an unknown path of the control API is refused with 404, and a wrong method with 405', async () => {
  const { control } = await kit();
  expect(refusal(await control('GET', '/nothing')).status).toBe(404);
  expect(refusal(await control('POST', '/health')).status).toBe(405);
});

test.each([
  ['dropped and made again', 201, (it: Kit) => it.control('DELETE', '/sandboxes/box')],
  ['reset', 401, (it: Kit) => it.control('POST', '/reset?sandbox=box')],
])(
  'a token is not drawn again while a late call with it has opened a sandbox of that name (sandbox %s)',
  async (_, asks, again) => {
    const it = await kit();
    const make = () => it.control('POST', '/sandboxes', { id: 'box', secret: 's', seed: 7 });
    const own = { as: 'box:s' };
    const token = async () => (await it.post('/tokens', { name: 'T', permissions: ['VIEW', 'MANAGE'] }, own)).body;
    await make();
    const first = await token();
    await again(it);
    const late = { as: `${first.clientId}:${first.clientSecret}` };
    const asked = await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Eve' }, late);
    await make();
    const { clientId, clientSecret } = await token();
    await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada' }, own);
    const seen = await it.call('GET', '/customers', undefined, { as: `${clientId}:${clientSecret}` });
    expect(seen.body.data.map(({ fullName }: { fullName: string }) => fullName)).toEqual(['Ada']);
    expect((await it.call('GET', '/customers', undefined, { as: `${clientId}:wrong` })).status).toBe(401);
    // A sandbox that was reset knows its tokens of before, used or not.
    expect(asked.status).toBe(asks);
  },
);

test('a token that a snapshot brings back logs in, although another sandbox has the mark of its deletion', async () => {
  const it = await kit();
  await it.control('POST', '/sandboxes', { id: 'box', secret: 's' });
  const own = { as: 'box:s' };
  const token = (await it.post('/tokens', { name: 'T', permissions: ['VIEW'] }, own)).body;
  await it.control('POST', '/snapshots?sandbox=box', { name: 'with' });
  expect((await it.call('DELETE', `/tokens/${token.id}`, undefined, own)).status).toBe(204);
  const state = (await it.control('GET', '/state?sandbox=box')).body;
  expect((await it.control('PUT', '/state', state)).status).toBe(200);
  expect((await it.control('POST', '/snapshots/with/restore?sandbox=box')).status).toBe(200);
  const seen = await it.call('GET', '/customers', undefined, { as: `${token.clientId}:${token.clientSecret}` });
  expect(seen.status).toBe(200);
});

test('a token that has made no call yet selects its sandbox in a control, and its id is taken', async () => {
  const it = await kit();
  const { clientId } = (await it.post('/tokens', { name: 'T', permissions: ['VIEW'] })).body;
  expect((await it.control('GET', `/sandbox?sandbox=${clientId}`)).body.id).toBe('test');
  expect((await it.control('POST', `/clock?sandbox=${clientId}`, { advance: '1d' })).status).toBe(200);
  expect(refusal(await it.control('POST', '/sandboxes', { id: clientId })).status).toBe(409);
});
