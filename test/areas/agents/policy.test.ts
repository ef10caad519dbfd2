import { describe, expect, test } from 'vitest';
import { type AgentKit, agentKit, CAROL, PERMISSIONS, policyOf, type Running } from './material.ts';

const limits = (more: object) =>
  policyOf({ spendingLimits: { currency: 'USD', perTransactionLimit: 50_000, ...more } });

/** What a call was answered: the state of its action, or why not. */
const end = async (call: Promise<{ body: { status: unknown; details?: { reason?: string } } }>) => {
  const { body } = await call;
  return body.details?.reason ?? body.status;
};

const collect = async (it: AgentKit, agent: Running, amount: number) =>
  agent.post('/transfer-in', {
    source: { accountId: it.bankId },
    destination: { accountId: it.usd.id },
    amount,
  });

/** A quote over dollars to a bank in euros, executed. */
async function exchange(it: AgentKit, agent: Running, amount: number, accountId = it.usd.id) {
  const { body } = await agent.post('/quotes', {
    source: { sourceType: 'ACCOUNT', accountId },
    destination: { destinationType: 'ACCOUNT', accountId: it.bank('EUR').id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: amount,
  });
  return agent.post(`/quotes/${body.id}/execute`);
}

describe('an agent pays within its policy (reference 7.1)', () => {
  test("the amounts of the reference's example run at once, wait for approval, or are refused", async () => {
    const it = await agentKit();
    const agent = await it.agent(policyOf({ approvalThresholds: { currency: 'USD', amount: 25_000 } }));
    expect(await end(agent.pay(20_000))).toBe('APPROVED');
    expect(await end(agent.pay(25_000))).toBe('APPROVED');
    expect(await end(agent.pay(25_001))).toBe('PENDING_APPROVAL');
    expect(await end(agent.pay(50_001))).toBe('PER_TRANSACTION_LIMIT_EXCEEDED');
  });

  test("a refusal by an agent's policy is 403 FORBIDDEN, has its reason in the log, and leaves no action", async () => {
    const it = await agentKit();
    const agent = await it.agent();
    const answer = await agent.pay(50_001);
    expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
    const id = answer.headers.get('x-request-id');
    expect((await it.control('GET', `/requests/${id}`)).body.why).toMatchObject({
      rule: 'reference 7.1',
      expected: 'at most 500.00 USD',
      seen: '500.01 USD',
    });
    expect((await agent.get('/actions')).body.totalCount).toBe(0);
  });

  test("the checks of an agent's policy run in this order: pause, permission, existence, accounts, limits", async () => {
    const it = await agentKit();
    const eur = (await it.account('EUR')).id;
    const agent = await it.agent(
      policyOf({ permissions: [], accountRestrictions: { allowedAccountIds: [eur] }, defaultExecutionMode: 'AUTO' }),
    );
    const change = (policy: object) => it.patch(`/agents/${agent.id}/policy`, policy);
    await it.patch(`/agents/${agent.id}`, { isPaused: true });
    const over = () => end(agent.pay(60_000));
    const unknown = async () => (await agent.pay(60_000, 'ExternalAccount:x')).status;
    expect([await over(), await unknown()]).toEqual(['AGENT_PAUSED', 403]);
    await it.patch(`/agents/${agent.id}`, { isPaused: false });
    expect([await over(), await unknown()]).toEqual(['PERMISSION_MISSING', 403]);
    await change({ permissions: PERMISSIONS });
    expect([await over(), await unknown()]).toEqual(['ACCOUNT_NOT_ALLOWED', 404]);
    await change({ accountRestrictions: { allowedAccountIds: [it.usd.id] } });
    expect([await over(), await unknown()]).toEqual(['PER_TRANSACTION_LIMIT_EXCEEDED', 404]);
  });

  test.each([
    ['dailyTransactionLimit', 2, 'DAILY_TRANSACTION_LIMIT_EXCEEDED'],
    ['dailyLimit', 2001, 'DAILY_LIMIT_EXCEEDED'],
    ['monthlyLimit', 2001, 'MONTHLY_LIMIT_EXCEEDED'],
  ])('an agent may reach its %s and not pass it', async (name, most, reason) => {
    const it = await agentKit();
    const agent = await it.agent(limits({ [name]: most }));
    expect(await end(agent.pay(1000))).toBe('APPROVED');
    expect(await end(agent.pay(1001))).toBe('APPROVED');
    expect(await end(agent.pay(1))).toBe(reason);
  });

  test("the days and months of an agent's limits are those of UTC and of the virtual clock", async () => {
    const it = await agentKit({ now: '2026-01-30T23:59:59Z' });
    const agent = await it.agent(limits({ dailyLimit: 1000, monthlyLimit: 2500 }));
    const usage = async () => (await agent.shown()).usage;
    expect(await end(agent.pay(1000))).toBe('APPROVED');
    expect(await end(agent.pay(1))).toBe('DAILY_LIMIT_EXCEEDED');
    await it.advance('PT1S');
    expect(await usage()).toEqual({
      dailyTransactionCount: 0,
      dailySpend: 0,
      monthlySpend: 1000,
      dailyResetDate: '2026-02-01',
      monthlyResetMonth: '2026-02',
    });
    expect(await end(agent.pay(1000))).toBe('APPROVED');
    await it.advance('PT24H');
    expect(await usage()).toEqual({
      dailyTransactionCount: 0,
      dailySpend: 0,
      monthlySpend: 0,
      dailyResetDate: '2026-02-02',
      monthlyResetMonth: '2026-03',
    });
    await it.advance('P333D');
    expect((await usage()).monthlyResetMonth).toBe('2027-01');
  });

  test("an agent's usage counts a quote, a payout and a collection alike, by what is sent, fees included", async () => {
    const it = await agentKit();
    const agent = await it.agent();
    expect(await end(exchange(it, agent, 1000))).toBe('APPROVED');
    expect(await end(agent.pay(200))).toBe('APPROVED');
    expect(await end(collect(it, agent, 30))).toBe('APPROVED');
    expect((await agent.shown()).usage).toMatchObject({ dailyTransactionCount: 3, dailySpend: 1230 });
  });

  test("an agent's usage keeps a payment that is refunded, and does not count an action that waits or a call that is refused", async () => {
    const it = await agentKit();
    const agent = await it.agent(policyOf({ approvalThresholds: { currency: 'USD', amount: 40_000 } }));
    await agent.pay(1000, it.bank('USD', '002').id);
    await it.settle();
    expect((await it.get('/transactions')).body.data[0].refund.status).toBe('COMPLETED');
    expect((await agent.pay(40_001)).body.status).toBe('PENDING_APPROVAL');
    expect((await agent.pay(60_000)).status).toBe(403);
    expect((await agent.shown()).usage).toMatchObject({ dailyTransactionCount: 1, dailySpend: 1000 });
  });

  test('a payment of an agent in another currency counts at the present rate, exactly', async () => {
    const rates = { 'USD/EUR': 0.8 };
    const platform = { currencies: ['USD', 'EUR'].map((code) => ({ code })) };
    const it = await agentKit({ scenario: { platform, rates } });
    await it.funded('EUR', 100_000);
    const bank = it.bank('EUR').id;
    const agent = await it.agent(
      policyOf({
        spendingLimits: { currency: 'USD', perTransactionLimit: 1000 },
        approvalThresholds: { currency: 'EUR', amount: 700 },
      }),
    );
    // 800 euro cents are 1,000 cents; 801 are 1,001.25.
    expect(await end(agent.pay(801, bank, 'EUR'))).toBe('PER_TRANSACTION_LIMIT_EXCEEDED');
    expect(await end(agent.pay(800, bank, 'EUR'))).toBe('PENDING_APPROVAL');
    expect(await end(agent.pay(700, bank, 'EUR'))).toBe('APPROVED');
    expect(await end(agent.pay(875))).toBe('APPROVED');
    // 876 cents are 700.8 euro cents, 701 as they are counted.
    expect(await end(agent.pay(876))).toBe('PENDING_APPROVAL');
    expect((await agent.shown()).usage).toMatchObject({ dailyTransactionCount: 2, dailySpend: 875 + 875 });
  });

  test('an amount beyond what can be counted is beyond every limit of an agent', async () => {
    const platform = { currencies: [{ code: 'USD' }, { code: 'BTC', maxAmount: 9_000_000_000_000 }] };
    const it = await agentKit({ scenario: { platform, rates: { 'BTC/USD': 1e10 } } });
    const agent = await it.agent(limits({ perTransactionLimit: 9_000_000_000_000_000 }));
    for (let i = 0; i < 10; i += 1) await it.funded('BTC', 100_000_000_000);
    const bank = it.wallet('abc', { currency: 'BTC' }).id;
    expect(await end(agent.pay(1_000_000_000_000, bank, 'BTC'))).toBe('PER_TRANSACTION_LIMIT_EXCEEDED');
    expect(await end(agent.pay(850_000_000_000, bank, 'BTC'))).toBe('APPROVED');
    await it.advance('PT5M');
    expect(await end(agent.pay(100_000_000_000, bank, 'BTC'))).toBe('DAILY_LIMIT_EXCEEDED');
  });

  test("a rule of an account replaces the limits and the mode of the agent; null falls back to the agent's", async () => {
    const it = await agentKit();
    await it.funded('EUR', 100_000);
    const eur = (await it.account('EUR')).id;
    const bank = it.bank('EUR').id;
    const rules = [
      { accountId: it.usd.id, executionMode: 'APPROVAL_REQUIRED', perTransactionLimit: 100 },
      { accountId: eur, perTransactionLimit: null },
    ];
    const agent = await it.agent(policyOf({ accountRestrictions: { accountRules: rules } }));
    expect(await end(agent.pay(100))).toBe('PENDING_APPROVAL');
    expect(await end(agent.pay(101))).toBe('PER_TRANSACTION_LIMIT_EXCEEDED');
    expect(await end(exchange(it, agent, 101))).toBe('PER_TRANSACTION_LIMIT_EXCEEDED');
    expect(await end(collect(it, agent, 101))).toBe('PER_TRANSACTION_LIMIT_EXCEEDED');
    expect(await end(collect(it, agent, 100))).toBe('PENDING_APPROVAL');
    expect(await end(agent.pay(1000, bank, 'EUR'))).toBe('APPROVED');
    await it.patch(`/agents/${agent.id}/policy`, {
      defaultExecutionMode: 'APPROVAL_REQUIRED',
      accountRestrictions: { accountRules: [{ accountId: it.usd.id, executionMode: 'AUTO' }] },
    });
    expect(await end(agent.pay(101))).toBe('APPROVED');
    expect(await end(agent.pay(1000, bank, 'EUR'))).toBe('PENDING_APPROVAL');
  });

  test('an agent neither pays from nor into accounts that its policy does not allow, by transfer or quote', async () => {
    const it = await agentKit();
    const eur = (await it.account('EUR')).id;
    const agent = await it.agent(policyOf({ accountRestrictions: { allowedAccountIds: [eur] } }));
    const quote = (source: object, destination: object) =>
      agent.post('/quotes', { source, destination, lockedCurrencySide: 'SENDING', lockedCurrencyAmount: 1000 });
    const from = (accountId: string) => ({ sourceType: 'ACCOUNT', accountId });
    const to = (accountId: string) => ({ destinationType: 'ACCOUNT', accountId });
    expect(await end(agent.pay(100))).toBe('ACCOUNT_NOT_ALLOWED');
    expect(await end(collect(it, agent, 100))).toBe('ACCOUNT_NOT_ALLOWED');
    expect(await end(quote(from(it.usd.id), to(eur)))).toBe('ACCOUNT_NOT_ALLOWED');
    expect(await end(quote(from(eur), to(it.usd.id)))).toBe('ACCOUNT_NOT_ALLOWED');
    expect((await quote(from(eur), to(it.bankId))).status).toBe(201);
    expect((await agent.get('/internal-accounts')).body.totalCount).toBe(7);
  });
});

test.each([
  ['payments of the day', { dailyTransactionLimit: 2 }, 'DAILY_TRANSACTION_LIMIT_EXCEEDED'],
  ['spending of the day', { dailyLimit: 2000 }, 'DAILY_LIMIT_EXCEEDED'],
  ['spending of the month', { monthlyLimit: 2000 }, 'MONTHLY_LIMIT_EXCEEDED'],
])(
  'an agent that has used up its %s pays no more, and still reads, requests quotes and deletes external accounts, also one that it made (reference 7.1)',
  async (_, spending, reason) => {
    const it = await agentKit();
    const agent = await it.agent(
      policyOf({
        spendingLimits: { currency: 'USD', perTransactionLimit: 50_000, ...spending },
        approvalThresholds: { currency: 'USD', amount: 1500 },
      }),
    );
    const { body: waits } = await agent.pay(1600);
    const { body: made } = await agent.post('/external-accounts', CAROL);
    for (const _ of [1, 2]) expect(await end(agent.pay(1000))).toBe('APPROVED');
    expect(await end(agent.pay(1))).toBe(reason);
    for (const path of [
      '',
      '/transactions',
      '/actions',
      `/actions/${waits.id}`,
      '/internal-accounts',
      '/external-accounts',
    ])
      expect((await agent.get(path)).status, path).toBe(200);
    const { status, body: quote } = await agent.post('/quotes', {
      source: { sourceType: 'ACCOUNT', accountId: it.usd.id },
      destination: { destinationType: 'ACCOUNT', accountId: it.bankId },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 1000,
    });
    expect([status, (await agent.get(`/quotes/${quote.id}`)).status]).toEqual([201, 200]);
    expect(await end(agent.post(`/quotes/${quote.id}/execute`))).toBe(reason);
    for (const id of [it.bankId, made.id])
      expect((await agent.call('DELETE', `/external-accounts/${id}`)).status).toBe(204);
    expect((await it.reject(waits)).body.status).toBe('REJECTED');
  },
);

describe('a paused agent', () => {
  test('a paused agent may read, and nothing else: 403 with AGENT_PAUSED', async () => {
    const it = await agentKit();
    const agent = await it.agent();
    await it.patch(`/agents/${agent.id}`, { isPaused: true });
    for (const path of ['', '/transactions', '/actions', '/internal-accounts', '/external-accounts'])
      expect((await agent.get(path)).status, path).toBe(200);
    const refused = [
      agent.pay(1),
      collect(it, agent, 1),
      agent.post('/quotes', {
        source: { sourceType: 'ACCOUNT', accountId: it.usd.id },
        destination: { destinationType: 'ACCOUNT', accountId: it.bankId },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 1,
      }),
      agent.post('/quotes/Quote:x/execute'),
      agent.post('/external-accounts', CAROL),
      agent.call('DELETE', `/external-accounts/${it.bankId}`),
    ];
    for (const answer of await Promise.all(refused))
      expect([answer.status, answer.body.details?.reason]).toEqual([403, 'AGENT_PAUSED']);
    await it.patch(`/agents/${agent.id}`, { isPaused: false });
    expect((await agent.pay(1)).status).toBe(201);
  });
});

test.each([
  ['VIEW_TRANSACTIONS', 'GET', '/transactions'],
  ['VIEW_TRANSACTIONS', 'GET', '/transactions/x'],
  ['VIEW_TRANSACTIONS', 'GET', '/internal-accounts'],
  ['CREATE_QUOTES', 'POST', '/quotes'],
  ['EXECUTE_QUOTES', 'POST', '/quotes/x/execute'],
  ['CREATE_TRANSFERS', 'POST', '/transfer-in'],
  ['CREATE_TRANSFERS', 'POST', '/transfer-out'],
  ['MANAGE_EXTERNAL_ACCOUNTS', 'GET', '/external-accounts'],
  ['MANAGE_EXTERNAL_ACCOUNTS', 'POST', '/external-accounts'],
  ['MANAGE_EXTERNAL_ACCOUNTS', 'GET', '/external-accounts/x'],
  ['MANAGE_EXTERNAL_ACCOUNTS', 'DELETE', '/external-accounts/x'],
])('an agent without the permission %s is refused %s %s with 403 FORBIDDEN', async (permission, method, path) => {
  const it = await agentKit();
  const agent = await it.agent(policyOf({ permissions: PERMISSIONS.filter((one) => one !== permission) }));
  const account = { accountId: it.usd.id };
  const quote = {
    source: { sourceType: 'ACCOUNT', ...account },
    destination: { destinationType: 'ACCOUNT', accountId: it.bankId },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 1,
  };
  const bodies: Record<string, object> = {
    '/quotes': quote,
    '/transfer-in': { source: account, destination: account },
    '/transfer-out': { source: account, destination: account },
    '/external-accounts': CAROL,
  };
  const answer = await agent.call(method, path, method === 'POST' ? bodies[path] : undefined);
  expect([answer.status, answer.body.code, answer.body.details.reason]).toEqual([
    403,
    'FORBIDDEN',
    'PERMISSION_MISSING',
  ]);
});
