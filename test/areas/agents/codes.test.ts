import { describe, expect, test } from 'vitest';
import { kit, refusal } from '../../kit/sandbox.ts';
import { type AgentKit, agentKit, bearer, policyOf } from './material.ts';

const made = async (it: AgentKit) =>
  (await it.post('/agents', { name: 'Payroll', customerId: it.customer.id, policy: policyOf() })).body;
const redeem = (it: AgentKit, code: string) => it.post(`/agents/device-codes/${code}/redeem`, undefined, { as: null });
const status = async (it: AgentKit, code: string) => {
  const answer = await it.get(`/agents/device-codes/${code}/status`);
  return answer.body.redeemed ?? answer.status;
};

describe('a device code (reference 6.2)', () => {
  test('a device code is redeemed once, without credentials: the agent is connected, and its token is shown', async () => {
    const it = await agentKit();
    const { agent, deviceCode } = await made(it);
    expect(await status(it, deviceCode.code)).toBe(false);
    const answer = await redeem(it, deviceCode.code);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        agentId: agent.id,
        agentName: 'Payroll',
        accessToken: expect.stringMatching(/^sat_[0-9a-f]{40}$/),
        policy: policyOf(),
      },
    ]);
    expect(await status(it, deviceCode.code)).toBe(true);
    expect((await it.get(`/agents/${agent.id}`)).body.isConnected).toBe(true);
    const again = await redeem(it, deviceCode.code);
    expect([refusal(again), again.body.details.reason]).toEqual([
      { status: 400, code: 'INVALID_INPUT', fields: [] },
      'DEVICE_CODE_REDEEMED',
    ]);
    const me = await it.call('GET', '/agents/me', undefined, {
      as: null,
      headers: bearer(answer.body.accessToken),
    });
    expect([me.status, me.body.id]).toEqual([200, agent.id]);
  });

  test.each([null, 'mine:own', 'mine:wrong'])(
    'the refusal of a device code that was used is in the log of the sandbox that has it (credentials: %s)',
    async (as) => {
      const it = await agentKit();
      await it.control('POST', '/sandboxes', { id: 'mine', secret: 'own' });
      const { code } = (await made(it)).deviceCode;
      await redeem(it, code);
      expect((await it.post(`/agents/device-codes/${code}/redeem`, undefined, { as })).status).toBe(400);
      const latest = async (id: string) => (await it.control('GET', `/requests?limit=1&sandbox=${id}`)).body.data[0];
      expect([await latest('mine'), await latest(it.sandbox.id)]).toMatchObject([undefined, { status: 400 }]);
    },
  );

  test('a device code expires after a day of the virtual clock, and not a moment before', async () => {
    const it = await agentKit();
    const late = (await made(it)).deviceCode.code;
    await it.advance('PT23H59M59S');
    const intime = (await made(it)).deviceCode.code;
    await it.advance('PT1S');
    const answer = await redeem(it, late);
    expect([refusal(answer).status, answer.body.details.reason]).toEqual([400, 'DEVICE_CODE_EXPIRED']);
    expect(await status(it, late)).toBe(false);
    expect((await redeem(it, intime)).status).toBe(200);
  });

  test('a device code lasts as long as limits.deviceCodeHours says', async () => {
    const it = await agentKit({ scenario: { limits: { deviceCodeHours: 1 } } });
    const { deviceCode } = await made(it);
    expect(deviceCode.expiresAt).toBe('2026-01-05T10:00:00.000Z');
  });

  test('a device code is replaced by a newer one: the older is refused with 404 from then on', async () => {
    const it = await agentKit();
    const { agent, deviceCode } = await made(it);
    const newer = await it.post(`/agents/${agent.id}/device-codes`);
    expect([newer.status, newer.body.redeemed, newer.body.agentId]).toEqual([201, false, agent.id]);
    expect(refusal(await redeem(it, deviceCode.code))).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
    expect(await status(it, deviceCode.code)).toBe(404);
    expect((await redeem(it, newer.body.code)).status).toBe(200);
  });

  test('a new device code for an agent that is connected is refused with 409 CONFLICT', async () => {
    const it = await agentKit();
    const { id } = await it.agent();
    const answer = await it.post(`/agents/${id}/device-codes`);
    expect([refusal(answer), answer.body.details.reason]).toEqual([
      { status: 409, code: 'CONFLICT', fields: [] },
      'AGENT_CONNECTED',
    ]);
    expect((await it.post('/agents/Agent:x/device-codes')).status).toBe(404);
  });

  test('a device code that was never issued is refused with 404', async () => {
    const it = await agentKit();
    for (const code of ['SERVICE-AGENT-AAAA-BBBB', 'x'])
      expect([(await redeem(it, code)).status, await status(it, code)]).toEqual([404, 404]);
  });

  test('a device code of a paused agent can still be redeemed', async () => {
    const it = await agentKit();
    const { agent, deviceCode } = await made(it);
    await it.patch(`/agents/${agent.id}`, { isPaused: true });
    expect((await redeem(it, deviceCode.code)).status).toBe(200);
  });
});

describe('an access token', () => {
  test('an access token is kept as a hash, and masked wherever a call is shown', async () => {
    const it = await agentKit();
    const { token, get } = await it.agent();
    await get('');
    const { world } = it.sandbox;
    const log = JSON.stringify((await it.control('GET', '/requests')).body);
    const state = JSON.stringify((await it.control('GET', '/state')).body);
    const agents = JSON.stringify((await it.control('GET', '/records?table=agents')).body);
    for (const text of [JSON.stringify(world.snapshot()), log, state, agents]) {
      expect(text.includes(token)).toBe(false);
      expect(text.includes(token.slice(4))).toBe(false);
    }
    expect(log).toContain('redeemAgentDeviceCode');
  });

  test('access tokens and device codes of two sandboxes with one seed differ', async () => {
    const words = async (name: string) => {
      const it = await agentKit({
        scenario: { platform: { currencies: [{ code: 'USD' }] }, credentials: [{ id: name, secret: 's' }] },
      });
      return [(await made(it)).deviceCode.code, (await it.agent()).token];
    };
    const [one, other] = [await words('one'), await words('other')];
    expect(one).toEqual(await words('one'));
    expect(one[0]).not.toBe(other[0]);
    expect(one[1]).not.toBe(other[1]);
  });

  test('an access token still leads to the original sandbox after a fork; the agent of the fork waits for a new code', async () => {
    const it = await agentKit();
    const agent = await it.agent();
    const fork = await it.host.fork(it.sandbox);
    const [login] = fork.credentials;
    const as = `${login?.tokenId}:${login?.secret}`;
    await agent.pay(1000);
    const there = await it.overlapping('GET', `/agents/${agent.id}`, undefined, { as });
    expect([there.body.isConnected, there.body.usage.dailySpend]).toEqual([false, 0]);
    expect((await agent.shown()).usage.dailySpend).toBe(1000);
    const { body: code } = await it.overlapping('POST', `/agents/${agent.id}/device-codes`, undefined, { as });
    const redeemed = await it.overlapping('POST', `/agents/device-codes/${code.code}/redeem`, undefined, { as: null });
    expect(redeemed.status).toBe(200);
    const headers = bearer(redeemed.body.accessToken);
    const me = await it.overlapping('GET', '/agents/me', undefined, { as: null, headers });
    expect(me.body).toMatchObject({ id: agent.id, usage: { dailySpend: 0 } });
  });

  test('an access token stays with its sandbox when the state is loaded into another one, where the agent is not connected', async () => {
    const it = await agentKit();
    const agent = await it.agent();
    const other = await it.host.create();
    const [login] = other.credentials;
    const { body: state } = await it.control('GET', '/state');
    expect((await it.control('PUT', `/state?sandbox=${other.id}`, state)).status).toBe(200);
    const as = `${login?.tokenId}:${login?.secret}`;
    const there = await it.overlapping('GET', `/agents/${agent.id}`, undefined, { as });
    expect([there.status, there.body.isConnected]).toEqual([200, false]);
    await it.post(`/sandbox/internal-accounts/${it.usd.id}/fund`, { amount: 1 });
    expect((await agent.get('/internal-accounts', { currency: 'USD' })).body.data[0].balance.amount).toBe(100_001);
  });

  test('an access token stays valid when a snapshot is restored into its own sandbox', async () => {
    const it = await agentKit();
    const agent = await it.agent();
    await it.control('POST', '/snapshots', { name: 'before' });
    await agent.pay(1000);
    expect((await it.control('POST', '/snapshots/before/restore')).status).toBe(200);
    expect((await agent.get('')).body).toMatchObject({ isConnected: true, usage: { dailySpend: 0 } });
  });
});

test('a device code that two sandboxes know is redeemed in the first, or in the one whose credentials are sent', async () => {
  const it = await agentKit();
  const { deviceCode } = await made(it);
  const fork = await it.host.fork(it.sandbox);
  const [login] = fork.credentials;
  const path = `/agents/device-codes/${deviceCode.code}/redeem`;
  const there = await it.overlapping('POST', path, undefined, { as: `${login?.tokenId}:${login?.secret}` });
  expect(there.status).toBe(200);
  expect(await status(it, deviceCode.code)).toBe(false);
  const odd = { as: null, headers: { authorization: 'nonsense' } };
  expect((await it.overlapping('POST', path, undefined, odd)).status).toBe(200);
  expect((await redeem(it, deviceCode.code)).status).toBe(400);
});

test('a pinned device code is redeemed in the sandbox of a new token id, also by its first call', async () => {
  const it = await kit({ scenario: 'agents' });
  const path = '/agents/device-codes/SERVICE-AGENT-RENT-2026/redeem';
  const seen = new Set<string>();
  for (const as of ['alice:x', 'bob:y']) {
    const redeemed = await it.overlapping('POST', path, undefined, { as });
    expect(redeemed.status).toBe(200);
    seen.add(redeemed.body.agentId);
    const { body } = await it.overlapping('GET', '/agents', undefined, { as });
    const connected = body.data.filter((agent: { isConnected: boolean }) => agent.isConnected);
    expect(connected.map(({ id }: { id: string }) => id)).toContain(redeemed.body.agentId);
  }
  expect(seen.size).toBe(2);
  expect((await it.call('POST', path, undefined, { as: null })).status).toBe(200);
});

test('a device code is redeemed in its own sandbox, whatever other credentials are sent', async () => {
  const it = await agentKit();
  for (const as of ['alice:x', null]) {
    const { deviceCode } = await made(it);
    const path = `/agents/device-codes/${deviceCode.code}/redeem`;
    expect((await it.overlapping('POST', path, undefined, { as })).status).toBe(200);
    expect(await status(it, deviceCode.code)).toBe(true);
  }
  const { body: token } = await it.post('/tokens', { name: 'ci', permissions: ['VIEW', 'TRANSACT', 'MANAGE'] });
  const { deviceCode } = await made(it);
  const path = `/agents/device-codes/${deviceCode.code}/redeem`;
  const as = `${token.clientId}:not its secret`;
  expect((await it.overlapping('POST', path, undefined, { as })).status).toBe(200);
});

test('a wrong secret does not choose the sandbox in which a pinned device code is redeemed', async () => {
  const it = await kit({ scenario: 'agents', auth: 'known' });
  const { body: other } = await it.control('POST', '/sandboxes', { secret: 'right' });
  const path = '/agents/device-codes/SERVICE-AGENT-RENT-2026/redeem';
  const redeemed = async (secret: string) =>
    (await it.overlapping('POST', path, undefined, { as: `${other.id}:${secret}` })).status;
  expect([await redeemed('wrong'), await redeemed('wrong'), await redeemed('right')]).toEqual([200, 400, 200]);
});

test('a state that keeps device codes under the code itself is accepted, and its codes can be redeemed', async () => {
  const it = await kit({ scenario: 'agents' });
  const state = JSON.parse((await it.control('GET', '/state')).text);
  const table = state.tables.find(({ name }: { name: string }) => name === 'device-codes');
  const codes: string[] = table.rows.map(({ code }: { code: string }) => code);
  table.rows = table.rows.map(({ code, ...row }: { code: string }) => ({ ...row, id: code }));
  const other = await kit({ seed: 7 });
  expect((await other.control('PUT', '/state', state)).status).toBe(200);
  const redeemed = await other.call('POST', `/agents/device-codes/${codes[0]}/redeem`, undefined, { as: null });
  expect(redeemed.status).toBe(200);
});
