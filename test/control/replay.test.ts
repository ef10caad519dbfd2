import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { fullLife } from '../kit/full-life.ts';
import { type Kit, kit } from '../kit/sandbox.ts';

const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', email: 'ada@example.com' };

const latest = ({ sandbox }: Kit): string => [...sandbox.requestLog.newest()][0]?.id as string;
const replay = (it: Kit, id: string, body: object = {}) => it.control('POST', `/requests/${id}/replay`, body);
const state = ({ sandbox }: Kit): string => JSON.stringify(sandbox.world.snapshot());

/** What leads to one sandbox alone: only against now. */
const APART = new Set(OPERATIONS.filter(({ auth, upload }) => auth !== 'basic' || upload).map(({ id }) => id));

/** Codes, clients and links are drawn for their sandbox. */
const OWN = new Set(['body.deviceCode.code', 'body.code', 'body.clientId', 'body.kycUrl']);

test.each(['spec', 'grid'] as const)(
  'a replay of a call of a full life against the state before it gets the same reply and changes nothing, profile %s',
  async (profile) => {
    const it = await fullLife(profile);
    const entries = [...it.sandbox.requestLog.newest()].filter(
      ({ before, operation }) => before && operation && !APART.has(operation),
    );
    const now = state(it);
    const odd: string[] = [];
    // Each costs a fork of a whole life.
    for (const { id, operation } of entries.filter((_, i) => i % 3 === (profile === 'spec' ? 0 : 1))) {
      const { status, body } = await replay(it, id, { against: 'before' });
      const others = body.differences?.filter(({ path }: { path: string }) => !OWN.has(path));
      if (status !== 200 || others.length > 0) odd.push(`${operation} ${id}: ${JSON.stringify(others ?? body)}`);
    }
    expect(odd).toEqual([]);
    expect(state(it)).toBe(now);
    expect([...it.host.sandboxes]).toEqual([it.sandbox]);
  },
);

test('a replay with another body shows both replies and their differences', async () => {
  const it = await kit();
  await it.post('/customers', ADA);
  const id = latest(it);
  const { body } = await replay(it, id, { against: 'before', body: { ...ADA, fullName: 'Ben Ito' } });
  expect(body.original).toMatchObject({ id, status: 201, body: { fullName: 'Ada Keller' } });
  expect(body.replayed).toMatchObject({ status: 201, body: { fullName: 'Ben Ito' } });
  expect([body.against, body.same]).toEqual(['before', false]);
  expect(body.differences).toEqual([{ path: 'body.fullName', before: 'Ada Keller', after: 'Ben Ito' }]);
  expect((await it.get('/customers')).body.totalCount).toBe(1);
});

test('a replay that is refused shows why, beside the first reply', async () => {
  const it = await kit();
  await it.post('/customers', ADA);
  const { body } = await replay(it, latest(it), { body: { customerType: 'ROBOT' } });
  expect([body.original.status, body.replayed.status]).toEqual([201, 400]);
  expect(body.original.why).toBe(undefined);
  expect(body.replayed.why).toMatchObject({ outcome: 'refused', code: 'INVALID_INPUT' });
});

test('a replay against now repeats the call, and its first reply only while its Idempotency-Key is kept', async () => {
  const it = await kit();
  const { id: customer } = (await it.post('/customers', ADA)).body;
  await it.post(`/customers/${customer}/kyc-link`, {}, { headers: { 'idempotency-key': 'once' } });
  const id = latest(it);
  expect((await replay(it, id)).body).toMatchObject({ same: true, replayed: { status: 201 } });
  const again = await replay(it, id, { headers: { 'Idempotency-Key': null } });
  expect(again.body.replayed.status).toBe(201);
  expect(again.body.differences.map(({ path }: { path: string }) => path)).toContain('body.kycUrl');
});

test('a replay against a fork leaves its own sandbox as it is, and the fork stays', async () => {
  const it = await kit();
  await it.post('/customers', ADA);
  const now = state(it);
  const { body } = await replay(it, latest(it), { against: 'fork' });
  expect(body.replayed.status).toBe(201);
  expect(state(it)).toBe(now);
  expect(
    it.host
      .named(body.sandbox)
      .world.tables()
      .find(({ name }) => name === 'customers')?.size,
  ).toBe(2);
});

test('a replay has the permissions of its caller also in another sandbox', async () => {
  const it = await kit();
  const { clientId, clientSecret } = (await it.post('/tokens', { name: 'ci', permissions: ['VIEW'] })).body;
  expect((await it.post('/customers', ADA, { as: `${clientId}:${clientSecret}` })).status).toBe(403);
  for (const against of ['before', 'fork', 'now'])
    expect((await replay(it, latest(it), { against })).body.replayed.status).toBe(403);
});

test("a replay of an agent's call is refused with 400 against the state before, and is done against now", async () => {
  const it = await kit();
  await it.call('GET', '/agents/me', undefined, { as: null, headers: { authorization: 'Bearer nobody' } });
  const id = latest(it);
  const refused = await replay(it, id, { against: 'before' });
  expect([refused.status, refused.body.details.errors[0].field]).toEqual([400, 'against']);
  expect((await replay(it, id)).body).toMatchObject({ same: true, replayed: { status: 401 } });
});

test('a replay of a call whose body the log has only in part is refused with 400 until the body is given', async () => {
  const it = await kit();
  await it.post('/customers', { ...ADA, fullName: 'x'.repeat(20_000) });
  const id = latest(it);
  const refused = await replay(it, id);
  expect([refused.status, refused.body.details.errors[0].field]).toEqual([400, 'body']);
  expect((await replay(it, id, { body: ADA })).body.replayed.status).toBe(201);
});

test('a replay masks secrets in both replies', async () => {
  const it = await kit();
  await it.post('/tokens', { name: 'ci', permissions: ['VIEW'] });
  const { text } = await replay(it, latest(it), { against: 'before' });
  expect(JSON.parse(text).original.body.clientSecret).toBe('•••');
  expect(JSON.parse(text).replayed.body.clientSecret).toBe('•••');
});

test('a replay is refused with 503 when a fault drops its connection', async () => {
  const it = await kit();
  await it.post('/customers', ADA);
  const id = latest(it);
  await it.control('POST', '/faults', { match: { operation: 'createCustomer' }, then: { drop: true } });
  const refused = await replay(it, id);
  expect([refused.status, refused.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
});

test.each([
  [{ 'a b': 'x' }, 'not the name of a header'],
  [{ x: 'one\ntwo' }, 'not the value of a header: one line, of Latin-1 signs'],
  [{ x: '\u{1f600}' }, 'not the value of a header: one line, of Latin-1 signs'],
])('headers of %j are refused with 400 by a replay and by a call of an operation', async (headers, message) => {
  const it = await kit();
  await it.post('/customers', ADA);
  const refused = { status: 400, code: 'INVALID_INPUT', details: { errors: [{ message }] } };
  expect((await replay(it, latest(it), { headers })).body).toMatchObject(refused);
  expect((await it.control('POST', '/operations/listCustomers/call', { headers })).body).toMatchObject(refused);
});

test('a replay against the state before has the connected agents and the tokens of that state, and a deleted agent still gets 401 (X12)', async () => {
  const it = await kit({ scenario: 'agents' });
  const agents = (await it.get('/agents')).body.data;
  const { code } = (await it.post(`/agents/${agents[0].id}/device-codes`)).body;
  const redeemed = await it.call('POST', `/agents/device-codes/${code}/redeem`, undefined, { as: null });
  expect(redeemed.status).toBe(200);
  const { body: token } = await it.post('/tokens', { name: 'ci', permissions: ['VIEW'] });
  const read: string[] = [];
  for (const path of ['/agents', `/agents/${agents[0].id}`, '/tokens']) {
    expect((await it.get(path)).status).toBe(200);
    read.push(latest(it));
  }
  expect((await it.get(`/agents/${agents[0].id}`)).body.isConnected).toBe(true);
  const as = `${token.clientId}:${token.clientSecret}`;
  expect((await it.call('GET', '/customers', undefined, { as })).status).toBe(200);
  read.push(latest(it));
  await it.del(`/agents/${agents[0].id}`);
  await it.del(`/tokens/${token.id}`);
  expect((await it.call('GET', '/customers', undefined, { as })).status).toBe(401);
  for (const id of read)
    expect((await replay(it, id, { against: 'before' })).body).toMatchObject({ same: true, differences: [] });
  // The agent is known here alone, also while another sandbox stands in for this one.
  const [answer] = await Promise.all([
    it.overlapping('GET', '/agents/me', undefined, {
      headers: { authorization: `Bearer ${redeemed.body.accessToken}` },
      as: null,
    }),
    replay(it, read[0] as string, { against: 'before' }),
  ]);
  expect(answer.status).toBe(401);
});

test('a restore during a replay keeps the tokens, agents and links of the sandbox', async () => {
  const it = await kit({ scenario: 'agents' });
  const [agent] = (await it.get('/agents')).body.data;
  const { code } = (await it.post(`/agents/${agent.id}/device-codes`)).body;
  const redeemed = await it.call('POST', `/agents/device-codes/${code}/redeem`, undefined, { as: null });
  const { clientId, clientSecret } = (await it.post('/tokens', { name: 'ci', permissions: ['VIEW'] })).body;
  it.sandbox.faults.add({ match: { operation: 'createCustomer' }, then: { delayMs: 300 } });
  await it.post('/customers', ADA);
  const call = latest(it);
  await it.control('POST', '/snapshots', { name: 'kept' });
  const kept = JSON.parse(state(it)).tables;
  const replayed = replay(it, call, { against: 'before' });
  while ([...it.host.sandboxes].length < 2) await new Promise(setImmediate);
  expect((await it.control('POST', '/snapshots/kept/restore')).status).toBe(200);
  expect((await replayed).status).toBe(200);
  expect(JSON.parse(state(it)).tables).toEqual(kept);
  expect((await it.call('GET', '/customers', undefined, { as: `${clientId}:${clientSecret}` })).status).toBe(200);
  const headers = { authorization: `Bearer ${redeemed.body.accessToken}` };
  expect((await it.call('GET', '/agents/me', undefined, { headers, as: null })).status).toBe(200);
});

test.each([{ drop: true }, { truncate: true }])(
  'a replay is refused with 503 when a fault with %j cuts its reply (X)',
  async (then) => {
    const it = await kit();
    await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' });
    it.sandbox.faults.add({ match: { operation: 'createCustomer' }, then });
    const answer = await it.control('POST', '/requests/req_1/replay', { against: 'now' });
    expect([answer.status, answer.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(answer.body.message).toMatch(/^no reply: /);
  },
);

test('a replay against the state before ends with the life that it was made from, and is in no saved state', async () => {
  const it = await kit();
  await it.control('POST', '/faults', { match: { operation: 'createCustomer' }, then: { delayMs: 500 } });
  await it.post('/customers', ADA);
  const late = replay(it, latest(it), { against: 'before' });
  while (it.host.count < 2) await new Promise((resolve) => setImmediate(resolve));
  expect([...it.host.saved()]).toEqual([]);
  expect((await it.control('POST', '/reset')).status).toBe(200);
  expect([...it.host.sandboxes]).toEqual([it.sandbox]);
  expect((await late).body.replayed).toMatchObject({ status: 409 });
});
