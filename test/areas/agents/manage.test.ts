import { describe, expect, test } from 'vitest';
import { ACTIONS } from '../../../src/areas/agents/tables.ts';
import { refusal } from '../../kit/sandbox.ts';
import { type AgentKit, agentKit, PERMISSIONS, policyOf } from './material.ts';

const made = async (it: AgentKit, more: object = {}) =>
  (await it.post('/agents', { name: 'Payroll', customerId: it.customer.id, policy: policyOf(), ...more })).body;
const NOBODY = 'Agent:00000000-0000-7000-8000-000000000000';

describe('POST /agents', () => {
  test('a new agent is neither paused nor connected, has used nothing, and has a device code for a day', async () => {
    const it = await agentKit();
    const { agent, deviceCode } = await made(it);
    expect(agent).toEqual({
      id: expect.stringMatching(/^Agent:/),
      name: 'Payroll',
      customerId: it.customer.id,
      isPaused: false,
      isConnected: false,
      policy: policyOf(),
      usage: {
        dailyTransactionCount: 0,
        dailySpend: 0,
        monthlySpend: 0,
        dailyResetDate: '2026-01-06',
        monthlyResetMonth: '2026-02',
      },
      createdAt: '2026-01-05T09:00:00.000Z',
      updatedAt: '2026-01-05T09:00:00.000Z',
    });
    expect(deviceCode).toEqual({
      code: expect.stringMatching(/^SERVICE-AGENT-[A-Z0-9]{4}-[A-Z0-9]{4}$/),
      agentId: agent.id,
      expiresAt: '2026-01-06T09:00:00.000Z',
      redeemed: false,
    });
  });

  test('device codes and access tokens begin as the profile says', async () => {
    const it = await agentKit({ profile: 'grid' });
    const { deviceCode } = await made(it);
    expect(deviceCode.code).toMatch(/^GRID-AGENT-[A-Z0-9]{4}-[A-Z0-9]{4}$/);
    expect((await it.agent()).token).toMatch(/^gat_[0-9a-f]{40}$/);
  });

  test('a permission that a policy names twice is kept once', async () => {
    const it = await agentKit();
    const { agent } = await made(it, { policy: policyOf({ permissions: [...PERMISSIONS, ...PERMISSIONS] }) });
    expect(agent.policy.permissions).toEqual(PERMISSIONS);
  });

  test.each([
    ['an unknown customer', { customerId: 'Customer:00000000-0000-7000-8000-000000000000' }, ['customerId']],
    ['an empty name', { name: '' }, ['name']],
    [
      'an unknown currency and a threshold without a currency',
      {
        policy: policyOf({
          spendingLimits: { currency: 'XXX', perTransactionLimit: 1 },
          approvalThresholds: { amount: 5 },
        }),
      },
      ['policy.spendingLimits.currency', 'policy.approvalThresholds.currency'],
    ],
    [
      'a threshold in an unknown currency',
      { policy: policyOf({ approvalThresholds: { currency: 'XXX' } }) },
      ['policy.approvalThresholds.currency'],
    ],
    [
      'a threshold without a currency and unknown accounts, beside an empty name (reference 3.4)',
      {
        name: '',
        policy: policyOf({
          permissions: ['FLY'],
          approvalThresholds: { amount: 5 },
          accountRestrictions: {
            allowedAccountIds: [5, 'InternalAccount:none'],
            accountRules: [{ accountId: 'x' }, 5],
          },
        }),
      },
      [
        'name',
        'policy.permissions.0',
        'policy.accountRestrictions.allowedAccountIds.0',
        'policy.accountRestrictions.accountRules.1',
        'policy.approvalThresholds.currency',
        'policy.accountRestrictions.allowedAccountIds.1',
        'policy.accountRestrictions.accountRules.0.accountId',
      ],
    ],
    [
      'an unknown customer and a threshold without a currency, while its accounts cannot be checked',
      {
        customerId: 'Customer:00000000-0000-7000-8000-000000000000',
        policy: policyOf({
          approvalThresholds: { amount: 5 },
          accountRestrictions: { allowedAccountIds: ['InternalAccount:none'] },
        }),
      },
      ['customerId', 'policy.approvalThresholds.currency'],
    ],
    ['an unknown customer, beside an empty name', { name: '', customerId: 'Customer:none' }, ['name', 'customerId']],
    ['no customer and a bad policy', { customerId: undefined, policy: 5 }, ['customerId', 'policy']],
  ])('an agent with %s is refused with 400, each field named', async (_, more, fields) => {
    const it = await agentKit();
    const answer = await it.post('/agents', {
      name: 'Payroll',
      customerId: it.customer.id,
      policy: policyOf(),
      ...more,
    });
    expect(refusal(answer)).toEqual({ status: 400, code: 'INVALID_INPUT', fields });
  });

  test('a policy may name only internal accounts of its customer, each with one rule: 400 names the others', async () => {
    const it = await agentKit();
    const own = (await it.account('USD', 'platform')).id;
    const policy = policyOf({
      accountRestrictions: {
        allowedAccountIds: [it.usd.id, own],
        accountRules: [{ accountId: it.usd.id }, { accountId: it.usd.id }, { accountId: it.bankId }],
      },
    });
    const answer = await it.post('/agents', { name: 'Payroll', customerId: it.customer.id, policy });
    expect(refusal(answer)).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields: [
        'policy.accountRestrictions.allowedAccountIds.1',
        'policy.accountRestrictions.accountRules.1.accountId',
        'policy.accountRestrictions.accountRules.2.accountId',
      ],
    });
  });

  test('an agent for a deleted customer is refused with 400', async () => {
    const it = await agentKit();
    const bo = (await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Bo Lind' })).body;
    await it.del(`/customers/${bo.id}`);
    const answer = await it.post('/agents', { name: 'Payroll', customerId: bo.id, policy: policyOf() });
    expect(refusal(answer)).toEqual({ status: 400, code: 'INVALID_INPUT', fields: ['customerId'] });
  });
});

describe('GET /agents', () => {
  test('agents are listed newest first, and filtered by customer, pause, connection and date', async () => {
    const it = await agentKit();
    const bo = (await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Bo Lind' })).body;
    const first = await it.agent();
    await it.advance('PT1H');
    const second = (await made(it, { customerId: bo.id })).agent;
    await it.advance('PT1H');
    await it.patch(`/agents/${second.id}`, { isPaused: true });
    const ids = async (query: Record<string, string | number | boolean>) =>
      (await it.get('/agents', query)).body.data.map((agent: { id: string }) => agent.id);
    expect(await ids({})).toEqual([second.id, first.id]);
    expect(await ids({ customerId: bo.id })).toEqual([second.id]);
    expect(await ids({ isPaused: false })).toEqual([first.id]);
    expect(await ids({ isPaused: true })).toEqual([second.id]);
    expect(await ids({ isConnected: true })).toEqual([first.id]);
    expect(await ids({ isConnected: false })).toEqual([second.id]);
    expect(await ids({ createdAfter: '2026-01-05T10:00:00Z' })).toEqual([second.id]);
    expect(await ids({ createdBefore: '2026-01-05T09:59:59Z' })).toEqual([first.id]);
    expect(await ids({ updatedAfter: '2026-01-05T11:00:00Z' })).toEqual([second.id]);
    expect(await ids({ updatedBefore: '2026-01-05T10:30:00Z' })).toEqual([first.id]);
    const page = (await it.get('/agents', { limit: 1 })).body;
    expect([page.hasMore, page.totalCount]).toEqual([true, 2]);
    expect((await it.get('/agents', { limit: 1, cursor: page.nextCursor })).body.data[0].id).toBe(first.id);
  });

  test('the list of agents refuses a cursor of another list with 400', async () => {
    const it = await agentKit();
    expect((await it.get('/agents', { cursor: 'eA' })).status).toBe(400);
  });
});

describe('an agent by its id', () => {
  test.each(['GET', 'PATCH', 'DELETE'])(
    '%s of an unknown agent is refused with 404 REFERENCE_NOT_FOUND',
    async (method) => {
      const it = await agentKit();
      const answer = await it.call(method, `/agents/${NOBODY}`, method === 'PATCH' ? { name: 'x' } : undefined);
      expect(refusal(answer)).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
    },
  );

  test('a PATCH of an agent changes its name or its pause and moves updatedAt; an empty one is refused with 400', async () => {
    const it = await agentKit();
    const { agent } = await made(it);
    await it.advance('PT1M');
    const renamed = (await it.patch(`/agents/${agent.id}`, { name: 'Rent' })).body;
    expect([renamed.name, renamed.isPaused, renamed.updatedAt]).toEqual(['Rent', false, '2026-01-05T09:01:00.000Z']);
    expect((await it.patch(`/agents/${agent.id}`, { isPaused: true })).body).toMatchObject({
      name: 'Rent',
      isPaused: true,
    });
    expect(refusal(await it.patch(`/agents/${agent.id}`, {}))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  });

  test('a deleted agent is not listed, its device codes are refused with 404, and its token with 401', async () => {
    const it = await agentKit();
    const { agent, deviceCode } = await made(it);
    const running = await it.agent();
    for (const id of [agent.id, running.id]) {
      const gone = await it.del(`/agents/${id}`);
      expect([gone.status, gone.text]).toEqual([204, '']);
      expect((await it.get(`/agents/${id}`)).status).toBe(404);
      expect((await it.del(`/agents/${id}`)).status).toBe(404);
    }
    expect((await it.get('/agents')).body).toMatchObject({ data: [], totalCount: 0 });
    expect((await it.get(`/agents/device-codes/${deviceCode.code}/status`)).status).toBe(404);
    expect((await it.post(`/agents/device-codes/${deviceCode.code}/redeem`)).status).toBe(404);
    expect(refusal(await running.get(''))).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  });

  test('the deletion of a customer deletes its agents, and rejects their actions that wait', async () => {
    const it = await agentKit();
    const agent = await it.agent(policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED' }));
    const waits = (await agent.pay(1000)).body;
    await it.del(`/customers/${it.customer.id}`);
    expect((await agent.get('')).status).toBe(401);
    expect((await it.get(`/agents/${agent.id}`)).status).toBe(404);
    expect(it.sandbox.world.rows(ACTIONS).get(waits.id)).toMatchObject({
      status: 'REJECTED',
      rejectionReason: 'the agent was deleted',
    });
    expect((await it.get('/agents/approvals')).body.data).toEqual([]);
  });
});

describe('PATCH /agents/{agentId}/policy', () => {
  const changed = async (it: AgentKit, id: string, change: object) => {
    const answer = await it.patch(`/agents/${id}/policy`, change);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.id).toBe(id);
    return answer.body.policy;
  };

  test('a change of a policy keeps what is not sent, replaces lists, and lifts a limit by null', async () => {
    const it = await agentKit();
    const { agent } = await made(it, {
      policy: policyOf({
        spendingLimits: { currency: 'USD', perTransactionLimit: 100, dailyLimit: 200, monthlyLimit: 300 },
        accountRestrictions: { allowedAccountIds: [it.usd.id], accountRules: [{ accountId: it.usd.id }] },
        approvalThresholds: { currency: 'USD', amount: 50 },
      }),
    });
    const first = await changed(it, agent.id, {
      permissions: ['CREATE_QUOTES'],
      spendingLimits: { dailyLimit: null, dailyTransactionLimit: 3 },
      accountRestrictions: { allowedAccountIds: null },
      approvalThresholds: { amount: null },
    });
    expect(first).toEqual({
      permissions: ['CREATE_QUOTES'],
      defaultExecutionMode: 'AUTO',
      spendingLimits: {
        currency: 'USD',
        perTransactionLimit: 100,
        dailyLimit: null,
        dailyTransactionLimit: 3,
        monthlyLimit: 300,
      },
      accountRestrictions: { allowedAccountIds: null, accountRules: [{ accountId: it.usd.id }] },
      approvalThresholds: { currency: 'USD', amount: null },
    });
    const second = await changed(it, agent.id, {
      defaultExecutionMode: 'APPROVAL_REQUIRED',
      accountRestrictions: { accountRules: [] },
    });
    expect(second).toEqual({
      ...first,
      defaultExecutionMode: 'APPROVAL_REQUIRED',
      accountRestrictions: { allowedAccountIds: null, accountRules: [] },
    });
    expect(await changed(it, agent.id, {})).toEqual(second);
  });

  test('a limit that is worth more in another currency than a policy can name becomes the largest', async () => {
    const most = 9_000_000_000_000_000;
    const it = await agentKit({ scenario: { platform: { currencies: ['USD', 'EUR'].map((code) => ({ code })) } } });
    const agent = await it.agent(
      policyOf({
        spendingLimits: { currency: 'USD', perTransactionLimit: most, dailyLimit: most, monthlyLimit: most },
      }),
    );
    const { spendingLimits } = await changed(it, agent.id, { spendingLimits: { currency: 'COP' } });
    expect(spendingLimits).toMatchObject({
      currency: 'COP',
      perTransactionLimit: most,
      dailyLimit: most,
      monthlyLimit: most,
    });
  });

  test('another currency of a policy recasts limits and usage at the present rate, halves up; limits that are sent are taken as they are', async () => {
    const it = await agentKit({
      scenario: {
        platform: { currencies: ['USD', 'EUR'].map((code) => ({ code })) },
        rates: { 'USD/EUR': 0.5 },
      },
    });
    const usd = it.usd.id;
    const agent = await it.agent(
      policyOf({
        spendingLimits: { currency: 'USD', perTransactionLimit: 10_001, dailyLimit: 20_000, monthlyLimit: 400_000 },
        accountRestrictions: { accountRules: [{ accountId: usd, perTransactionLimit: 7000 }] },
        approvalThresholds: { currency: 'USD', amount: 6000 },
      }),
    );
    expect((await agent.pay(5001)).status).toBe(201);
    const policy = await changed(it, agent.id, { spendingLimits: { currency: 'EUR', dailyLimit: 9000 } });
    expect(policy.spendingLimits).toEqual({
      currency: 'EUR',
      perTransactionLimit: 5001,
      dailyLimit: 9000,
      monthlyLimit: 200_000,
    });
    expect(policy.accountRestrictions.accountRules).toEqual([{ accountId: usd, perTransactionLimit: 3500 }]);
    expect(policy.approvalThresholds).toEqual({ currency: 'USD', amount: 6000 });
    expect((await agent.shown()).usage).toMatchObject({
      dailyTransactionCount: 1,
      dailySpend: 2501,
      monthlySpend: 2501,
    });
    expect((await agent.pay(1001)).body.status).toBe('APPROVED');
    expect((await agent.shown()).usage).toMatchObject({ dailyTransactionCount: 2, dailySpend: 3002 });
  });

  test('a change of a policy with an unknown or a missing currency is refused with 400 and changes nothing; that of an unknown agent with 404', async () => {
    const it = await agentKit();
    const { agent } = await made(it);
    const answer = await it.patch(`/agents/${agent.id}/policy`, {
      spendingLimits: { currency: 'XXX' },
      approvalThresholds: { amount: 1 },
    });
    expect(refusal(answer)).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields: ['spendingLimits.currency', 'approvalThresholds.currency'],
    });
    expect((await it.patch(`/agents/${NOBODY}/policy`, {})).status).toBe(404);
  });

  test('a change of a policy takes effect with the next call', async () => {
    const it = await agentKit();
    const agent = await it.agent();
    expect((await agent.pay(1000)).status).toBe(201);
    await changed(it, agent.id, { permissions: [] });
    expect((await agent.pay(1000)).body.details.reason).toBe('PERMISSION_MISSING');
    await changed(it, agent.id, { permissions: ['CREATE_TRANSFERS'], spendingLimits: { perTransactionLimit: 999 } });
    expect((await agent.pay(1000)).body.details.reason).toBe('PER_TRANSACTION_LIMIT_EXCEEDED');
  });
});

test.each([
  ['POST', '/agents'],
  ['GET', '/agents'],
  ['GET', '/agents/approvals'],
  ['GET', `/agents/${NOBODY}`],
  ['PATCH', `/agents/${NOBODY}`],
  ['DELETE', `/agents/${NOBODY}`],
  ['PATCH', `/agents/${NOBODY}/policy`],
  ['POST', `/agents/${NOBODY}/device-codes`],
  ['GET', '/agents/device-codes/x/status'],
  ['POST', `/agents/${NOBODY}/actions/x/approve`],
  ['POST', `/agents/${NOBODY}/actions/x/reject`],
])("%s %s takes the platform's credentials: an agent's token is refused with 401", async (method, path) => {
  const it = await agentKit();
  const { token } = await it.agent();
  const answer = await it.call(method, path, undefined, {
    as: null,
    headers: { authorization: `Bearer ${token}` },
  });
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="sandbox-emulator"']);
});
