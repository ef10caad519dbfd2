import { describe, expect, test } from 'vitest';
import { lookupIdOf } from '../../../src/areas/lookups/index.ts';
import type { HostOptions } from '../../../src/public.ts';
import { crowd } from '../../kit/crowded.ts';
import { unconsentedKit } from '../../kit/money.ts';
import { refusal } from '../../kit/sandbox.ts';
import { asking } from '../customers/material.ts';
import { type AgentKit, agentKit, bearer, CAROL, policyOf, type Running } from './material.ts';

const from = (accountId: string) => ({ sourceType: 'ACCOUNT', accountId });
const to = (accountId: string) => ({ destinationType: 'ACCOUNT', accountId });
const quote = (agent: Running, source: object, destination: object, more: object = {}) =>
  agent.post('/quotes', { source, destination, lockedCurrencySide: 'SENDING', lockedCurrencyAmount: 1000, ...more });
const collect = (agent: Running, source: string, destination: string, more: object = {}) =>
  agent.post('/transfer-in', {
    source: { accountId: source },
    destination: { accountId: destination },
    amount: 1000,
    ...more,
  });

/** Ana with her agent, and Bo with an account, a bank account, a payment and a quote. */
async function both(options: HostOptions = {}) {
  const it = await agentKit(options);
  const agent = await it.agent();
  const sent = { customerType: 'INDIVIDUAL', fullName: 'Bo Lind', umaAddress: '$bo@pay.example' };
  const bo = (await it.post('/customers', sent)).body;
  await it.settle();
  const account = await it.funded('USD', 50_000, bo.id);
  const bank = it.bank('USD', '999', { customerId: bo.id }).id;
  const pay = { source: { accountId: account.id }, destination: { accountId: bank }, amount: 100 };
  const payment = (await it.post('/transfer-out', pay)).body;
  await it.settle();
  return { it, agent, bo: { ...bo, account: account.id as string, bank, payment } };
}

describe('an agent works with what belongs to its customer (reference 7)', () => {
  test('an agent gets 404 for what belongs to another customer or the platform, as if it did not exist', async () => {
    const { it, agent, bo } = await both();
    const platform = { account: (await it.account('USD', 'platform')).id, bank: '' };
    platform.bank = it.bank('USD', '999', { customerId: undefined }).id;
    const gone = async (call: ReturnType<Running['call']>) => {
      const { status, code } = refusal(await call);
      return `${status} ${code}`;
    };
    for (const other of [bo, platform, { account: 'InternalAccount:x', bank: 'ExternalAccount:x' }]) {
      expect(await gone(agent.get(`/external-accounts/${other.bank}`))).toBe('404 REFERENCE_NOT_FOUND');
      expect(await gone(agent.call('DELETE', `/external-accounts/${other.bank}`))).toBe('404 REFERENCE_NOT_FOUND');
      expect(await gone(agent.pay(100, other.bank))).toBe('404 REFERENCE_NOT_FOUND');
      expect(await gone(collect(agent, other.bank, it.usd.id))).toBe('404 REFERENCE_NOT_FOUND');
      expect(await gone(collect(agent, it.bankId, other.account))).toBe('404 REFERENCE_NOT_FOUND');
      const source = { accountId: other.account };
      const out = { source, destination: { accountId: it.bankId }, amount: 100 };
      expect(await gone(agent.post('/transfer-out', out))).toBe('404 REFERENCE_NOT_FOUND');
    }
    for (const id of [bo.payment.id, 'Transaction:x'])
      expect(await gone(agent.get(`/transactions/${id}`))).toBe('404 TRANSACTION_NOT_FOUND');
  });

  test("an agent's quote with the account of another customer is refused with 400 INVALID_INPUT, on either side, each account named", async () => {
    const { it, agent, bo } = await both();
    const fields = async (source: object, destination: object, more: object = {}) => {
      const { fields: wrong, ...refused } = refusal(await quote(agent, source, destination, more));
      expect(refused).toEqual({ status: 400, code: 'INVALID_INPUT' });
      return wrong;
    };
    expect(await fields(from(bo.account), to(bo.bank))).toEqual(['source.accountId', 'destination.accountId']);
    expect(await fields(from(it.usd.id), to(bo.account))).toEqual(['destination.accountId']);
    expect(await fields(from((await it.account('USD', 'platform')).id), to(it.bankId))).toEqual(['source.accountId']);
    expect(await fields({ ...from(it.usd.id), customerId: bo.id }, to(it.bank('EUR').id))).toEqual([
      'source.customerId',
    ]);
    const funded = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: bo.id };
    expect(await fields(funded, to(it.bank('EUR').id))).toEqual(['source.customerId']);
    expect(await fields(from(it.usd.id), to(it.bank('EUR').id), { immediatelyExecute: true })).toEqual([
      'immediatelyExecute',
    ]);
  });

  test('lists of an agent hold only what belongs to its customer, even with filters and cursors of others', async () => {
    const { it, agent, bo } = await both();
    await agent.pay(100);
    await agent.pay(200);
    await it.settle();
    const list = async (path: string, query = {}) => (await agent.get(path, query)).body;
    const owners = (body: { data: { customerId: string }[] }) => new Set(body.data.map((row) => row.customerId));
    for (const path of ['/transactions', '/internal-accounts', '/external-accounts'])
      expect(owners(await list(path)), path).toEqual(new Set([it.customer.id]));
    expect((await list('/transactions', { accountIdentifier: bo.account })).data).toEqual([]);
    expect((await list('/transactions', { customerId: bo.id })).totalCount).toBe(2);
    const all = (await it.get('/transactions', { limit: 1, sortOrder: 'asc' })).body;
    const rest = await list('/transactions', { cursor: all.nextCursor, sortOrder: 'asc' });
    expect(owners(rest)).toEqual(new Set([it.customer.id]));
    const page = await list('/transactions', { limit: 1, sortOrder: 'asc' });
    expect([page.hasMore, page.data[0].sentAmount.amount]).toEqual([true, 100]);
  });

  test('an agent filters its transactions by type and status, account, reference and date, as the platform does', async () => {
    const { it, agent } = await both();
    const { body } = await agent.pay(100);
    await collect(agent, it.bankId, it.usd.id);
    await it.settle();
    const ids = async (query: Record<string, string>) => {
      const { data } = (await agent.get('/transactions', query)).body;
      expect((await it.get('/transactions', { ...query, customerId: it.customer.id })).body.data).toEqual(data);
      return data.map((t: { id: string }) => t.id);
    };
    const { id, reconciliationInstructions } = body.transaction;
    expect(await ids({ type: 'OUTGOING', status: 'COMPLETED' })).toEqual([id]);
    expect(await ids({ senderAccountIdentifier: it.usd.id })).toEqual([id]);
    expect(await ids({ receiverAccountIdentifier: it.bankId })).toEqual([id]);
    expect(await ids({ reference: reconciliationInstructions.reference })).toEqual([id]);
    expect(await ids({ startDate: '2026-01-06T00:00:00Z' })).toEqual([]);
    expect(await ids({ endDate: '2026-01-04T00:00:00Z' })).toEqual([]);
    expect((await agent.get('/transactions', { limit: 0 })).status).toBe(400);
  });

  test('an agent finds transactions by a UMA address in either case of its letters, as the platform does (spec 2.8)', async () => {
    const { it, agent, bo } = await both();
    const uma = { destinationType: 'UMA_ADDRESS', umaAddress: bo.umaAddress, currency: 'EUR' };
    await quote(agent, from(it.usd.id), uma, { lookupId: lookupIdOf(bo.umaAddress) });
    for (const name of ['receiverAccountIdentifier', 'accountIdentifier'])
      for (const address of ['$bo@pay.example', '$BO@Pay.example'])
        for (const found of [
          agent.get('/transactions', { [name]: address }),
          it.get('/transactions', { [name]: address }),
        ])
          expect((await found).body.data, `${name} ${address}`).toHaveLength(1);
  });

  test('a payment that was made through an agent carries its agentId, and no other payment does', async () => {
    const { it, agent, bo } = await both();
    const { body: made } = await agent.pay(100);
    await collect(agent, it.bankId, it.usd.id);
    const { body: asked } = await quote(agent, from(it.usd.id), to(it.bank('EUR').id));
    await agent.post(`/quotes/${asked.id}/execute`);
    await it.settle();
    const rows = (await it.get('/transactions', { customerId: it.customer.id })).body.data;
    expect(rows.map((t: { agentId?: string }) => t.agentId)).toEqual([agent.id, agent.id, agent.id]);
    expect(await it.transaction(bo.payment.id)).not.toHaveProperty('agentId');
    const { body: read } = await agent.get(`/transactions/${made.transaction.id}`);
    expect(read).toMatchObject({ id: made.transaction.id, agentId: agent.id, status: 'COMPLETED' });
    for (const { data } of it.events('OUTGOING_PAYMENT.COMPLETED').slice(1)) expect(data.agentId).toBe(agent.id);
  });

  test('a quote is read and executed by the agent that requested it, and by no other agent of the same customer', async () => {
    const { it, agent } = await both();
    const other = await it.agent();
    const { body } = await quote(agent, from(it.usd.id), to(it.bank('EUR').id));
    expect((await agent.get(`/quotes/${body.id}`)).body).toEqual(body);
    for (const who of [other]) {
      expect(refusal(await who.get(`/quotes/${body.id}`))).toMatchObject({ status: 404, code: 'QUOTE_NOT_FOUND' });
      expect((await who.post(`/quotes/${body.id}/execute`)).status).toBe(404);
    }
    const platforms = (await it.quote(from(it.usd.id), to(it.bank('EUR').id))).body;
    expect((await agent.get(`/quotes/${platforms.id}`)).status).toBe(404);
    expect((await it.get(`/quotes/${body.id}`)).status).toBe(200);
  });

  test("money that arrives from outside for an agent's quote pays it and does not count as usage of the agent", async () => {
    const { it, agent } = await both();
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD' };
    const { body } = await quote(agent, source, to(it.bank('EUR').id));
    expect(body.source.customerId).toBe(it.customer.id);
    const refused = await agent.post(`/quotes/${body.id}/execute`);
    expect(refusal(refused)).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    expect((await it.post('/sandbox/send', { quoteId: body.id, currencyCode: 'USD' })).status).toBe(200);
    await it.settle();
    expect(await it.transaction(body.transactionId)).toMatchObject({ status: 'COMPLETED', agentId: agent.id });
    expect((await agent.shown()).usage.dailyTransactionCount).toBe(0);
  });

  test('an action is read by its own agent only', async () => {
    const { it, agent } = await both();
    const other = await it.agent();
    const { body } = await agent.pay(100);
    expect((await agent.get(`/actions/${body.id}`)).body.id).toBe(body.id);
    expect(refusal(await other.get(`/actions/${body.id}`))).toMatchObject({
      status: 404,
      code: 'REFERENCE_NOT_FOUND',
    });
    expect((await other.get('/actions')).body.data).toEqual([]);
    expect((await agent.get('/actions', { status: 'APPROVED' })).body.totalCount).toBe(1);
    expect((await agent.get('/actions', { status: 'REJECTED' })).body.totalCount).toBe(0);
    expect((await agent.get('/actions', { status: 'NEVER' })).status).toBe(400);
  });
});

describe('external accounts of an agent', () => {
  test('an agent registers, reads, lists and deletes external accounts of its customer, and the platform sees them', async () => {
    const { it, agent } = await both();
    const { status, body } = await agent.post('/external-accounts', CAROL);
    expect([status, body.customerId, body.status]).toEqual([201, it.customer.id, 'ACTIVE']);
    expect((await agent.get(`/external-accounts/${body.id}`)).body).toEqual(body);
    expect((await it.get(`/customers/external-accounts/${body.id}`)).body).toEqual(body);
    expect((await agent.get('/external-accounts', { currency: 'USD' })).body.totalCount).toBe(2);
    expect((await agent.get('/external-accounts', { currency: 'dollars' })).status).toBe(400);
    const again = await agent.post('/external-accounts', CAROL);
    expect(refusal(again)).toMatchObject({ status: 409, code: 'CONFLICT' });
    const gone = await agent.call('DELETE', `/external-accounts/${body.id}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await agent.get(`/external-accounts/${body.id}`)).status).toBe(404);
  });

  test('an agent registers external accounts for its own customer only: another is refused with 400, as are a bad currency and bank account', async () => {
    const { it, agent, bo } = await both();
    const code = async (body: object) => refusal(await agent.post('/external-accounts', body));
    expect(await code({ ...CAROL, customerId: bo.id })).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields: ['customerId'],
    });
    expect(await code({ ...CAROL, currency: 'XXX' })).toMatchObject({ status: 400, code: 'INVALID_CURRENCY' });
    const refused = { ...CAROL.accountInfo, accountNumber: '123456789105' };
    expect(await code({ ...CAROL, accountInfo: refused })).toMatchObject({ status: 400, code: 'INVALID_BANK_ACCOUNT' });
    const { status, body } = await agent.post('/external-accounts', { ...CAROL, customerId: it.customer.id });
    expect([status, body.customerId]).toEqual([201, it.customer.id]);
  });
});

describe('internal accounts of an agent', () => {
  test('the internal accounts of an agent are those of its customer, by currency and type', async () => {
    const { it, agent } = await both();
    const ids = async (query: Record<string, string>) =>
      (await agent.get('/internal-accounts', query)).body.data.map((a: { id: string }) => a.id);
    expect(await ids({ currency: 'USD' })).toEqual([it.usd.id]);
    expect(await ids({ type: 'EMBEDDED_WALLET' })).toEqual([(await it.account('USDB')).id]);
    expect((await ids({})).length).toBe(7);
    expect((await agent.get('/internal-accounts', { type: 'SAFE' })).status).toBe(400);
  });
});

/** What the operations refuse whoever asks, and what brings it about. */
const REFUSED: readonly (readonly [string, string, (it: AgentKit, agent: Running) => ReturnType<Running['call']>])[] = [
  ['a transfer between two currencies', '400 INVALID_CURRENCY', async (it, agent) => agent.pay(100, it.bank('EUR').id)],
  [
    'a collection between two currencies',
    '400 INVALID_CURRENCY',
    async (it, agent) => collect(agent, it.bank('EUR').id, it.usd.id),
  ],
  [
    'a collection without an amount',
    '400 INVALID_AMOUNT',
    async (it, agent) => collect(agent, it.bankId, it.usd.id, { amount: undefined }),
  ],
  ['a payout of more than the balance', '400 INSUFFICIENT_BALANCE', async (_it, agent) => agent.pay(50_000 * 3)],
  [
    'a payout of the whole of an empty account',
    '400 INSUFFICIENT_BALANCE',
    async (it, agent) => agent.pay(undefined, it.bank('EUR').id, 'EUR'),
  ],
  [
    'a large payout to an unproven wallet',
    '400 EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
    async (it, agent) =>
      agent.pay(1_200_000_000, it.wallet('abc', { status: 'PENDING_OWNERSHIP_VERIFICATION' }).id, 'USDC'),
  ],
  [
    'a large quote to an unproven wallet',
    '400 EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
    async (it, agent) => {
      const wallet = it.wallet('abc', { status: 'PENDING_OWNERSHIP_VERIFICATION' }).id;
      return quote(agent, from(it.usd.id), to(wallet), { lockedCurrencyAmount: 120_000 });
    },
  ],
  [
    'a quote from an account to itself',
    '400 SELF_PAYMENT',
    async (it, agent) => quote(agent, from(it.usd.id), to(it.usd.id)),
  ],
  [
    'a quote in an unknown currency',
    '400 INVALID_CURRENCY',
    async (it, agent) => quote(agent, { sourceType: 'REALTIME_FUNDING', currency: 'XYZ' }, to(it.bankId)),
  ],
  [
    'a quote of USDB without a network',
    '400 INVALID_INPUT',
    async (it, agent) => quote(agent, { sourceType: 'REALTIME_FUNDING', currency: 'USDB' }, to(it.bankId)),
  ],
  [
    'a quote with an unknown lookupId',
    '404 LOOKUP_REQUEST_NOT_FOUND',
    async (it, agent) => {
      const destination = { destinationType: 'UMA_ADDRESS', umaAddress: '$success.eur@sandbox.uma.money' };
      return quote(agent, from(it.usd.id), destination, { lookupId: 'Lookup:x' });
    },
  ],
  [
    'a quote to a UMA address that does not exist',
    '400 INVALID_RECEIVER',
    async (it, agent) =>
      quote(agent, from(it.usd.id), {
        destinationType: 'UMA_ADDRESS',
        umaAddress: '$non.existent.usd@sandbox.uma.money',
      }),
  ],
  [
    'a quote to a malformed UMA address',
    '400 INVALID_UMA_ADDRESS',
    async (it, agent) => quote(agent, from(it.usd.id), { destinationType: 'UMA_ADDRESS', umaAddress: 'nobody' }),
  ],
];

/** What the platform refuses of everybody, by the way in which it comes to do so. */
async function bounded(it: AgentKit): Promise<void> {
  await it.patch('/config', { supportedCurrencies: [{ currencyCode: 'USD', minAmount: 5000, maxAmount: 9000 }] });
}

describe('operations that refuse an agent as they refuse the platform', () => {
  test.each(REFUSED)('an agent that requests %s is refused with %s', async (_, refused, call) => {
    const it = await agentKit();
    const agent = await it.agent(policyOf({ spendingLimits: { currency: 'USD', perTransactionLimit: 9_000_000_000 } }));
    const { status, code } = refusal(await call(it, agent));
    expect(`${status} ${code}`).toBe(refused);
  });

  const each = (it: AgentKit, agent: Running): (readonly [string, () => ReturnType<Running['call']>])[] => [
    ['out', () => agent.pay(1000)],
    ['in', () => collect(agent, it.bankId, it.usd.id)],
    ['quote', () => quote(agent, from(it.usd.id), to(it.bankId))],
  ];

  test("an agent's amount outside of the configured bounds is refused with 400 AMOUNT_OUT_OF_RANGE", async () => {
    const it = await agentKit();
    const agent = await it.agent();
    await bounded(it);
    for (const [, call] of each(it, agent))
      expect(refusal(await call())).toMatchObject({ status: 400, code: 'AMOUNT_OUT_OF_RANGE' });
  });

  test("an agent's execution that no balance can count is refused with 400 AMOUNT_OUT_OF_RANGE", async () => {
    const it = await agentKit();
    const agent = await it.agent();
    const { body } = await quote(agent, from(it.usd.id), to(it.bankId));
    crowd(it.sandbox.world, 'USD');
    const refused = refusal(await agent.post(`/quotes/${body.id}/execute`));
    expect(refused).toMatchObject({ status: 400, code: 'AMOUNT_OUT_OF_RANGE' });
  });

  test('an agent of a customer who is no longer approved is refused with 403 USER_NOT_READY, without a reason of the policy', async () => {
    const it = await agentKit();
    const agent = await it.agent();
    const { body } = await quote(agent, from(it.usd.id), to(it.bankId));
    await it.review();
    const calls = [...each(it, agent), ['execute', () => agent.post(`/quotes/${body.id}/execute`)] as const];
    for (const [name, call] of calls) {
      const answer = await call();
      expect([name, answer.status, answer.body.code, answer.body.details]).toEqual([
        name,
        403,
        'USER_NOT_READY',
        undefined,
      ]);
    }
  });

  test('an agent whose customer lacks what a currency requires is refused with 400 MISSING_MANDATORY_USER_INFO', async () => {
    const it = await agentKit({ scenario: asking });
    const { id } = (await it.post('/customers', { customerType: 'INDIVIDUAL' })).body;
    const agent = await it.agent(policyOf(), id);
    const usd = (await it.account('USD', id)).id;
    const bank = it.bank('USD', '999', { customerId: id }).id;
    const out = { source: { accountId: usd }, destination: { accountId: bank }, amount: 100 };
    const missing = { status: 400, code: 'MISSING_MANDATORY_USER_INFO' };
    expect(refusal(await agent.post('/transfer-out', out))).toMatchObject(missing);
    expect(refusal(await collect(agent, bank, usd))).toMatchObject(missing);
    expect(refusal(await quote(agent, from(usd), to(bank)))).toMatchObject(missing);
  });

  test('an agent whose customer has not accepted the end-user terms is refused with 403 END_USER_TERMS_NOT_ACCEPTED', async () => {
    const it = await unconsentedKit();
    const made = { name: 'Payroll', customerId: it.customer.id, policy: policyOf() };
    const { code } = (await it.post('/agents', made)).body.deviceCode;
    const { accessToken } = (await it.post(`/agents/device-codes/${code}/redeem`, undefined, { as: null })).body;
    const sent = {
      source: { sourceType: 'REALTIME_FUNDING', currency: 'USD' },
      destination: to(it.bank.id),
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 1000,
    };
    const answer = await it.post('/agents/me/quotes', sent, { as: null, headers: bearer(accessToken) });
    expect(refusal(answer)).toMatchObject({ status: 403, code: 'END_USER_TERMS_NOT_ACCEPTED' });
  });

  test("an agent beyond the sandbox's limits is refused with 400 TRANSACTION_SIZE_LIMIT_EXCEEDED or 429 DAILY_VOLUME_LIMIT_EXCEEDED", async () => {
    const platform = { currencies: ['USD', 'EUR'].map((code) => ({ code })) };
    const it = await agentKit({
      scenario: { platform, limits: { transactionSize: { USD: 5000 }, dailyVolume: { USD: 6000 } } },
    });
    const agent = await it.agent();
    const size = { status: 400, code: 'TRANSACTION_SIZE_LIMIT_EXCEEDED' };
    const volume = { status: 429, code: 'DAILY_VOLUME_LIMIT_EXCEEDED' };
    expect(refusal(await agent.pay(5001))).toMatchObject(size);
    const large = { lockedCurrencyAmount: 5001 };
    expect(refusal(await quote(agent, from(it.usd.id), to(it.bankId), large))).toMatchObject(size);
    const { body } = await quote(agent, from(it.usd.id), to(it.bankId), { lockedCurrencyAmount: 2000 });
    expect((await agent.pay(5000)).status).toBe(201);
    expect(refusal(await agent.pay(1001))).toMatchObject(volume);
    expect(refusal(await agent.post(`/quotes/${body.id}/execute`))).toMatchObject(volume);
    expect((await agent.shown()).usage).toMatchObject({ dailyTransactionCount: 1, dailySpend: 5000 });
  });

  test("an agent's execution is refused for a quote that is expired, executed, unknown, not covered, or to a deleted customer", async () => {
    const { it, agent, bo } = await both();
    const asked = async (destination: object = to(it.bankId), more: object = {}) =>
      (await quote(agent, from(it.usd.id), destination, more)).body.id as string;
    const execute = (id: string) => agent.post(`/quotes/${id}/execute`);
    const late = await asked();
    const uma = { destinationType: 'UMA_ADDRESS', umaAddress: bo.umaAddress, currency: 'EUR' };
    const lookupId = lookupIdOf(bo.umaAddress);
    const toBo = await asked(uma, { lookupId });
    await it.del(`/customers/${bo.id}`);
    expect(refusal(await execute(toBo))).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
    await it.advance('PT5M');
    const expired = await execute(late);
    expect([refusal(expired).code, expired.body.details.reason]).toEqual(['CONFLICT', 'QUOTE_EXPIRED']);
    const paid = await asked();
    expect((await execute(paid)).status).toBe(200);
    const again = await execute(paid);
    expect([again.status, again.body.details.reason]).toEqual([409, 'QUOTE_ALREADY_EXECUTED']);
    expect(refusal(await execute('Quote:x'))).toMatchObject({ status: 404, code: 'QUOTE_NOT_FOUND' });
    await it.post('/transfer-out', { source: { accountId: it.usd.id }, destination: { accountId: it.bankId } });
    const poor = await asked();
    expect(refusal(await execute(poor))).toMatchObject({ status: 400, code: 'INSUFFICIENT_BALANCE' });
    expect((await agent.get('/actions')).body.totalCount).toBe(1);
  });
});

describe('Idempotency-Key of an agent', () => {
  test('an Idempotency-Key of an agent pays once; another agent may use the same key, and another body with it is 409 CONFLICT', async () => {
    const { it, agent } = await both();
    const other = await it.agent();
    const headers = { 'idempotency-key': 'k' };
    const body = { source: { accountId: it.usd.id }, destination: { accountId: it.bankId }, amount: 1000 };
    const first = await agent.post('/transfer-out', body, { headers });
    expect((await agent.post('/transfer-out', body, { headers })).text).toBe(first.text);
    expect((await other.post('/transfer-out', body, { headers })).body.agentId).toBe(other.id);
    expect(await it.balance(it.usd.id)).toBe(98_000);
    for (const path of ['/transfer-out', '/transfer-in', '/quotes']) {
      const sent =
        path === '/quotes'
          ? {
              source: from(it.usd.id),
              destination: to(it.bankId),
              lockedCurrencySide: 'SENDING',
              lockedCurrencyAmount: 5,
            }
          : path === '/transfer-out'
            ? { ...body, amount: 1 }
            : { source: body.destination, destination: body.source, amount: 1 };
      const key = { 'idempotency-key': `conflict ${path}` };
      await agent.post(path, sent, { headers: key });
      const changed = await agent.post(path, { ...sent, amount: 2, lockedCurrencyAmount: 6 }, { headers: key });
      expect(refusal(changed)).toMatchObject({ status: 409, code: 'CONFLICT' });
    }
  });

  test('a second execution by an agent under the same Idempotency-Key returns the first reply', async () => {
    const { it, agent } = await both();
    const { body } = await quote(agent, from(it.usd.id), to(it.bankId));
    const headers = { 'idempotency-key': 'k' };
    const first = await agent.post(`/quotes/${body.id}/execute`, undefined, { headers });
    expect(first.status).toBe(200);
    expect((await agent.post(`/quotes/${body.id}/execute`, undefined, { headers })).text).toBe(first.text);
  });
});
