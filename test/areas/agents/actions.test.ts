import { describe, expect, test } from 'vitest';
import { ACTIONS } from '../../../src/areas/agents/tables.ts';
import type { HostOptions } from '../../../src/public.ts';
import { refusal } from '../../kit/sandbox.ts';
import { stampOf, walletKit } from '../../kit/wallet.ts';
import { type AgentKit, agentKit, bearer, policyOf, type Running } from './material.ts';

const ASKS = policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED' });
const from = (accountId: string) => ({ sourceType: 'ACCOUNT', accountId });
const to = (accountId: string) => ({ destinationType: 'ACCOUNT', accountId });

/** Ana's agent that has to ask for everything. */
async function asking(options: HostOptions = {}) {
  const it = await agentKit(options);
  return { it, agent: await it.agent(ASKS) };
}

/** A quote over dollars to a bank in euros, and the action of its execution. */
async function exchange(it: AgentKit, agent: Running, amount = 10_000) {
  const { body: quote } = await agent.post('/quotes', {
    source: from(it.usd.id),
    destination: to(it.bank('EUR').id),
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: amount,
  });
  return { quote, action: (await agent.post(`/quotes/${quote.id}/execute`)).body };
}

/** Why an action failed, as it is kept. */
const failure = (it: AgentKit, id: string) => it.sandbox.world.rows(ACTIONS).get(id)?.failure;

describe('an order that runs at once', () => {
  test('an order that runs at once is an APPROVED action with its transaction, and emits no event of its own', async () => {
    const it = await agentKit();
    const agent = await it.agent();
    it.story();
    const { status, body } = await agent.pay(1000);
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^AgentAction:/),
        agentId: agent.id,
        customerId: it.customer.id,
        platformCustomerId: 'ana',
        status: 'APPROVED',
        type: 'TRANSFER_OUT',
        transferDetails: {
          amount: 1000,
          currency: 'USD',
          sourceAccountId: it.usd.id,
          destinationAccountId: it.bankId,
        },
        transaction: expect.objectContaining({ type: 'OUTGOING', status: 'PENDING', agentId: agent.id }),
        createdAt: '2026-01-05T09:00:00.000Z',
        updatedAt: '2026-01-05T09:00:00.000Z',
      },
    ]);
    await it.settle();
    expect(it.story()).toEqual(['OUT.PENDING', 'OUT', 'BALANCE 99000', 'OUT.PROCESSING', 'OUT.COMPLETED']);
    expect((await agent.get(`/actions/${body.id}`)).body.transaction.status).toBe('COMPLETED');
  });

  test('an execution of a quote that runs at once returns 200 and an action that carries the quote', async () => {
    const it = await agentKit();
    const agent = await it.agent();
    const { quote, action } = await exchange(it, agent);
    expect(action).toMatchObject({
      status: 'APPROVED',
      type: 'EXECUTE_QUOTE',
      quote: { id: quote.id, status: 'PROCESSING' },
      transaction: { id: quote.transactionId, quoteId: quote.id },
    });
    expect(action).not.toHaveProperty('transferDetails');
  });

  test('an order that the balance does not cover is refused with 400 INSUFFICIENT_BALANCE and leaves no action', async () => {
    const it = await agentKit();
    const agent = await it.agent(policyOf({ spendingLimits: { currency: 'USD', perTransactionLimit: 900_000 } }));
    expect(refusal(await agent.pay(100_001))).toMatchObject({ status: 400, code: 'INSUFFICIENT_BALANCE' });
    expect((await agent.get('/actions')).body.totalCount).toBe(0);
  });

  test('a collection that an agent orders is a TRANSFER_IN action with an INCOMING transaction', async () => {
    const it = await agentKit();
    const agent = await it.agent();
    const { status, body } = await agent.post('/transfer-in', {
      source: { accountId: it.bankId },
      destination: { accountId: it.usd.id },
      amount: 700,
    });
    expect([status, body.type, body.transaction.type, body.transaction.agentId]).toEqual([
      201,
      'TRANSFER_IN',
      'INCOMING',
      agent.id,
    ]);
    await it.settle();
    expect(await it.balance(it.usd.id)).toBe(100_700);
  });
});

describe('an order that waits', () => {
  test('an order that waits for approval moves no money, emits one event with the whole action, and is listed', async () => {
    const { it, agent } = await asking();
    it.story();
    const { status, body } = await agent.pay(60_00);
    expect([status, body.status]).toEqual([201, 'PENDING_APPROVAL']);
    expect(body).not.toHaveProperty('transaction');
    expect(it.story()).toEqual(['AGENT_ACTION.PENDING_APPROVAL']);
    expect(it.events('AGENT_ACTION.PENDING_APPROVAL')[0]?.data).toEqual(body);
    expect(await it.balance(it.usd.id)).toBe(100_000);
    expect((await it.get('/agents/approvals')).body.data).toEqual([body]);
    expect((await agent.shown()).usage.dailyTransactionCount).toBe(0);
  });

  test('an order that is approved runs and is counted, with the ordinary events', async () => {
    const { it, agent } = await asking();
    const { body: waits } = await agent.pay(6000);
    it.story();
    await it.advance('PT1M');
    const { status, body } = await it.approve(waits);
    expect([status, body.status, body.updatedAt]).toEqual([200, 'APPROVED', '2026-01-05T09:01:00.000Z']);
    await it.settle();
    expect(it.story()).toEqual(['OUT.PENDING', 'OUT', 'BALANCE 94000', 'OUT.PROCESSING', 'OUT.COMPLETED']);
    expect((await agent.shown()).usage).toMatchObject({ dailyTransactionCount: 1, dailySpend: 6000 });
    expect((await agent.get(`/actions/${waits.id}`)).body).toMatchObject({
      status: 'APPROVED',
      transaction: { status: 'COMPLETED', agentId: agent.id },
    });
    expect((await it.get('/agents/approvals')).body.data).toEqual([]);
  });

  test('an order that is rejected, with a reason or without, has no other effect', async () => {
    const { it, agent } = await asking();
    const [one, other] = [(await agent.pay(100)).body, (await agent.pay(200)).body];
    it.story();
    const { status, body } = await it.reject(one, 'too much');
    expect([status, body.status, body.rejectionReason]).toEqual([200, 'REJECTED', 'too much']);
    expect((await it.reject(other)).body).not.toHaveProperty('rejectionReason');
    expect(it.story()).toEqual([]);
    expect((await agent.get('/actions', { status: 'REJECTED' })).body.totalCount).toBe(2);
    expect((await agent.shown()).usage.dailyTransactionCount).toBe(0);
  });

  test('an action is decided once: any later decision is refused with 409 CONFLICT', async () => {
    const { it, agent } = await asking();
    const [approved, rejected] = [(await agent.pay(100)).body, (await agent.pay(200)).body];
    await it.approve(approved);
    await it.reject(rejected);
    for (const action of [approved, rejected])
      for (const answer of [await it.approve(action), await it.reject(action)])
        expect(refusal(answer)).toMatchObject({ status: 409, code: 'CONFLICT' });
    const other = await it.agent();
    const ran = (await other.pay(100)).body;
    expect(refusal(await it.approve(ran))).toMatchObject({ status: 409, code: 'CONFLICT' });
  });

  test('a decision on an action that is unknown or of another agent is refused with 404, and a reason of more than 1000 characters with 400', async () => {
    const { it, agent } = await asking();
    const other = await it.agent();
    const { body } = await agent.pay(100);
    for (const action of [
      { agentId: other.id, id: body.id },
      { agentId: agent.id, id: 'AgentAction:x' },
      { agentId: 'Agent:x', id: body.id },
    ])
      for (const answer of [await it.approve(action), await it.reject(action)])
        expect(refusal(answer)).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
    const long = await it.post(`/agents/${agent.id}/actions/${body.id}/reject`, { reason: 'x'.repeat(1001) });
    expect(refusal(long)).toEqual({ status: 400, code: 'INVALID_INPUT', fields: ['reason'] });
  });

  test('pending approvals are listed by agent, customer and date, in either order', async () => {
    const { it, agent } = await asking();
    const bo = (await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Bo Lind' })).body;
    await it.settle();
    await it.funded('USD', 10_000, bo.id);
    const other = await it.agent(ASKS, bo.id);
    const first = (await agent.pay(100)).body.id;
    await it.advance('PT1H');
    const bank = it.bank('USD', '999', { customerId: bo.id }).id;
    const account = (await it.account('USD', bo.id)).id;
    const sent = { source: { accountId: account }, destination: { accountId: bank }, amount: 5 };
    const second = (await other.post('/transfer-out', sent)).body.id;
    const ids = async (query: Record<string, string | number> = {}) =>
      (await it.get('/agents/approvals', query)).body.data.map((action: { id: string }) => action.id);
    expect(await ids()).toEqual([second, first]);
    expect(await ids({ sortOrder: 'asc' })).toEqual([first, second]);
    expect(await ids({ agentId: agent.id })).toEqual([first]);
    expect(await ids({ customerId: bo.id })).toEqual([second]);
    expect(await ids({ startDate: '2026-01-05T10:00:00Z' })).toEqual([second]);
    expect(await ids({ endDate: '2026-01-05T09:30:00Z' })).toEqual([first]);
    expect((await it.get('/agents/approvals', { sortOrder: 'up' })).status).toBe(400);
    const page = (await it.get('/agents/approvals', { limit: 1 })).body;
    expect(await ids({ limit: 1, cursor: page.nextCursor })).toEqual([first]);
  });

  test('an order of the whole balance that waits pays what the balance was when it was submitted', async () => {
    const { it, agent } = await asking();
    await it.patch(`/agents/${agent.id}/policy`, { spendingLimits: { perTransactionLimit: 200_000 } });
    const { body } = await agent.pay(undefined);
    expect(body.transferDetails.amount).toBe(100_000);
    await it.funded('USD', 500);
    await it.approve(body);
    expect(await it.balance(it.usd.id)).toBe(500);
  });

  test('an order that waits keeps the payment rail that was requested', async () => {
    const { it, agent } = await asking();
    const { body } = await agent.post('/transfer-out', {
      source: { accountId: it.usd.id },
      destination: { accountId: it.bankId, paymentRail: 'WIRE' },
      amount: 100,
    });
    expect((await it.approve(body)).body.transaction).toMatchObject({
      paymentRail: 'WIRE',
      railSelectionMode: 'MANUAL',
    });
  });
});

describe('an approval that checks the order again (reference 7.1)', () => {
  const change = (it: AgentKit, agent: Running, policy: object) => it.patch(`/agents/${agent.id}/policy`, policy);

  const CASES: readonly (readonly [string, string, (it: AgentKit, agent: Running) => unknown])[] = [
    ['the agent is paused', 'AGENT_PAUSED', (it, agent) => it.patch(`/agents/${agent.id}`, { isPaused: true })],
    ['the permission is missing', 'PERMISSION_MISSING', (it, agent) => change(it, agent, { permissions: [] })],
    [
      'the account is no longer allowed',
      'ACCOUNT_NOT_ALLOWED',
      (it, agent) => change(it, agent, { accountRestrictions: { allowedAccountIds: [] } }),
    ],
    [
      'the limit is lower',
      'PER_TRANSACTION_LIMIT_EXCEEDED',
      (it, agent) => change(it, agent, { spendingLimits: { perTransactionLimit: 5999 } }),
    ],
    [
      'the limit of the day is used up',
      'DAILY_LIMIT_EXCEEDED',
      async (it, agent) => {
        await change(it, agent, { spendingLimits: { dailyLimit: 6500 } });
        await it.approve((await agent.pay(501)).body);
      },
    ],
    ['the balance is spent', 'INSUFFICIENT_BALANCE', (it) => it.post('/transfer-out', everything(it))],
    ['the destination is deleted', 'REFERENCE_NOT_FOUND', (it) => it.del(`/customers/external-accounts/${it.bankId}`)],
    ['the customer is under review', 'USER_NOT_READY', (it) => it.review()],
  ];
  const everything = (it: AgentKit) => ({
    source: { accountId: it.usd.id },
    destination: { accountId: it.bank('USD').id },
  });

  test.each(CASES)(
    'once %s, an approval leaves the action FAILED with %s and changes nothing else (reference 7.1)',
    async (_, why, happen) => {
      const { it, agent } = await asking();
      const { body: waits } = await agent.pay(6000);
      await happen(it, agent);
      await it.settle();
      const [payments, balance] = [(await it.get('/transactions')).body.totalCount, await it.balance(it.usd.id)];
      const used = (await agent.shown()).usage;
      it.story();
      const { status, body } = await it.approve(waits);
      expect([status, body.status]).toEqual([200, 'FAILED']);
      for (const member of ['transaction', 'rejectionReason']) expect(body).not.toHaveProperty(member);
      const { code, reason } = failure(it, waits.id) ?? {};
      expect(reason ?? code).toBe(why);
      await it.settle();
      expect(it.story()).toEqual([]);
      expect([(await it.get('/transactions')).body.totalCount, await it.balance(it.usd.id)]).toEqual([
        payments,
        balance,
      ]);
      expect((await agent.shown()).usage).toEqual(used);
      expect(refusal(await it.approve(waits)).status).toBe(409);
    },
  );

  test.each([
    ['expired', 'QUOTE_EXPIRED', (it: AgentKit) => it.advance('PT5M')],
    [
      'was executed by the platform',
      'QUOTE_ALREADY_EXECUTED',
      (it: AgentKit, id: string) => it.post(`/quotes/${id}/execute`),
    ],
  ])('an approval of a quote that %s leaves the action FAILED with %s', async (_, reason, happen) => {
    const { it, agent } = await asking();
    const { quote, action } = await exchange(it, agent);
    expect(action).toMatchObject({ status: 'PENDING_APPROVAL', quote: { id: quote.id, status: 'PENDING' } });
    await happen(it, quote.id);
    const { body } = await it.approve(action);
    expect([body.status, failure(it, action.id)?.reason]).toEqual(['FAILED', reason]);
    expect((await agent.shown()).usage.dailyTransactionCount).toBe(0);
  });

  test('a quote whose approval failed can be requested again until it expires', async () => {
    const { it, agent } = await asking();
    const { quote, action } = await exchange(it, agent);
    await it.patch(`/agents/${agent.id}`, { isPaused: true });
    expect((await it.approve(action)).body.status).toBe('FAILED');
    await it.patch(`/agents/${agent.id}`, { isPaused: false });
    const again = await agent.post(`/quotes/${quote.id}/execute`);
    expect([again.status, again.body.status]).toEqual([200, 'PENDING_APPROVAL']);
    expect((await it.approve(again.body)).body).toMatchObject({
      status: 'APPROVED',
      quote: { status: 'PROCESSING' },
      transaction: { id: quote.transactionId },
    });
  });
});

describe('a quote that waits for approval', () => {
  test('a quote that waits for approval waits once: a second execution is refused with 409 CONFLICT', async () => {
    const { it, agent } = await asking();
    const { quote, action } = await exchange(it, agent);
    const again = await agent.post(`/quotes/${quote.id}/execute`);
    expect([refusal(again).status, again.body.details]).toEqual([
      409,
      { reason: 'QUOTE_AWAITS_APPROVAL', actionId: action.id },
    ]);
  });

  test('a quote that waits for approval has an event with the quote in it', async () => {
    const { it, agent } = await asking();
    const { quote } = await exchange(it, agent);
    expect(it.events('AGENT_ACTION.PENDING_APPROVAL')[0]?.data).toMatchObject({
      type: 'EXECUTE_QUOTE',
      quote: { id: quote.id, totalSendingAmount: 10_000, totalReceivingAmount: quote.totalReceivingAmount },
    });
  });

  test('a quote that waits for approval is paid at its price once it is approved', async () => {
    const { it, agent } = await asking();
    const { quote, action } = await exchange(it, agent);
    const { body } = await it.approve(action);
    expect(body).toMatchObject({ status: 'APPROVED', transaction: { id: quote.transactionId, agentId: agent.id } });
    await it.settle();
    expect((await agent.get(`/actions/${action.id}`)).body.quote.status).toBe('COMPLETED');
  });
});

describe('the policy agent.decide', () => {
  const decided = async (policy: string | undefined, name = 'Payroll') => {
    const platform = { currencies: [{ code: 'USD' }] };
    const it = await agentKit({ scenario: { platform, ...(policy ? { policies: { 'agent.decide': policy } } : {}) } });
    const agent = await it.agent(ASKS);
    await it.patch(`/agents/${agent.id}`, { name });
    const { body } = await agent.pay(100);
    const end = async () => (await agent.get(`/actions/${body.id}`)).body;
    return { it, agent, body, end };
  };

  test('the policy agent.decide is hold by default: an order waits until someone decides', async () => {
    const { it, body, end } = await decided(undefined);
    await it.advance('P30D');
    expect((await end()).status).toBe('PENDING_APPROVAL');
    const jobs = (await it.control('GET', '/jobs')).body.data;
    expect(jobs.find((job: { kind: string }) => job.kind === 'agent.decide')).toMatchObject({
      dueAt: null,
      payload: { actionId: body.id },
    });
  });

  test('the policy agent.decide "at once" approves an order as soon as its call has returned', async () => {
    const { it, body, end } = await decided('at once');
    expect(body.status).toBe('PENDING_APPROVAL');
    await it.settle();
    expect((await end()).status).toBe('APPROVED');
  });

  test('the policy agent.decide "after" approves at its moment, and rejects for an agent whose name ends in 002', async () => {
    const yes = await decided('after PT10M');
    await yes.it.advance('PT9M59S');
    expect((await yes.end()).status).toBe('PENDING_APPROVAL');
    await yes.it.advance('PT1S');
    expect((await yes.end()).status).toBe('APPROVED');
    const no = await decided('after PT10M', 'Payroll 002');
    await no.it.advance('PT10M');
    expect(await no.end()).toMatchObject({
      status: 'REJECTED',
      rejectionReason: "the sandbox rejects: the agent's name ends in 002",
    });
  });

  test('the policy agent.decide decides nothing on an action that was decided before', async () => {
    const { it, body, end } = await decided('after PT10M');
    await it.reject(body);
    expect(await it.advance('PT10M')).not.toContainEqual(expect.objectContaining({ kind: 'agent.decide' }));
    expect((await end()).status).toBe('REJECTED');
  });
});

describe('a decision by hand', () => {
  test('a decision by hand approves or rejects an action as the platform would', async () => {
    const { it, agent } = await asking();
    const [one, other] = [(await agent.pay(100)).body, (await agent.pay(200)).body];
    const decide = (id: string, body: object) => it.control('POST', `/agent-actions/${id}/decision`, body);
    expect((await decide(one.id, { decision: 'approve' })).body).toMatchObject({ status: 'APPROVED' });
    const rejected = await decide(other.id, { decision: 'reject', reason: 'no' });
    expect(rejected.body).toMatchObject({ status: 'REJECTED', rejectionReason: 'no' });
    expect((await decide(one.id, { decision: 'reject' })).status).toBe(409);
    expect((await decide('AgentAction:x', { decision: 'reject' })).status).toBe(404);
    expect((await decide(one.id, { decision: 'perhaps' })).status).toBe(400);
  });
});

describe('a payment of an agent from an embedded wallet', () => {
  /** Zoe's wallet, an agent of hers, and a quote of it. */
  const wallet = async (policy: object, options: HostOptions = {}) => {
    const it = await walletKit(options);
    const { key } = await it.login();
    const made = { name: 'Payroll', customerId: it.customerId, policy };
    const { agent, deviceCode } = (await it.post('/agents', made)).body;
    const redeemed = await it.post(`/agents/device-codes/${deviceCode.code}/redeem`, undefined, { as: null });
    const auth = bearer(redeemed.body.accessToken);
    const call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
      it.call(method, `/agents/me${path}`, body, { as: null, headers: { ...auth, ...headers } });
    const usd = (await it.get('/customers/internal-accounts', { currency: 'USD', customerId: it.customerId })).body;
    const { body: quote } = await call('POST', '/quotes', {
      source: from(it.accountId),
      destination: to(usd.data[0].id),
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000_000,
    });
    const payload = quote.paymentInstructions[0].accountOrWalletInfo.payloadToSign;
    const execute = (headers?: Record<string, string>) =>
      call('POST', `/quotes/${quote.id}/execute`, undefined, headers);
    return { it, key, agent, quote, payload, execute };
  };

  test("an agent pays from a wallet with its owner's signature over the payload of the quote, in one call or in two", async () => {
    for (const calls of [1, 2]) {
      const { key, payload, execute, quote } = await wallet(policyOf());
      const headers: Record<string, string> = { 'service-wallet-signature': await stampOf(key, payload) };
      if (calls === 2) {
        const first = await execute();
        expect([first.status, first.body.payloadToSign]).toEqual([202, payload]);
        headers['request-id'] = first.body.requestId;
      }
      const paid = await execute(headers);
      expect([paid.status, paid.body.status, paid.body.quote.id]).toEqual([200, 'APPROVED', quote.id]);
    }
  });

  test("in profile grid an agent's payment from a wallet without a signature is refused with 401", async () => {
    const { execute, key, payload } = await wallet(policyOf(), { profile: 'grid' });
    expect(refusal(await execute())).toMatchObject({ status: 401, code: 'WALLET_SIGNATURE_MISSING' });
    const headers = { 'grid-wallet-signature': await stampOf(key, payload) };
    expect((await execute(headers)).body.status).toBe('APPROVED');
  });

  test("an agent's payment from a wallet is refused with 401 when the signature is over something else, malformed or missing", async () => {
    const { execute, key, payload } = await wallet(policyOf());
    const code = async (signature: string) => refusal(await execute({ 'service-wallet-signature': signature })).code;
    expect(await code(await stampOf(key, `${payload} `))).toBe('WALLET_SIGNATURE_INVALID');
    expect(await code('nonsense')).toBe('WALLET_SIGNATURE_MALFORMED');
    const first = await execute();
    expect(refusal(await execute({ 'request-id': first.body.requestId })).code).toBe('WALLET_SIGNATURE_MISSING');
  });

  test('the policy of an agent refuses a payment from a wallet before a signature is required', async () => {
    const { it, agent, execute } = await wallet(policyOf());
    await it.patch(`/agents/${agent.id}/policy`, { spendingLimits: { perTransactionLimit: 1 } });
    expect((await execute()).body.details.reason).toBe('PER_TRANSACTION_LIMIT_EXCEEDED');
    await it.patch(`/agents/${agent.id}`, { isPaused: true });
    expect((await execute()).body.details.reason).toBe('AGENT_PAUSED');
  });

  test('an order from a wallet that waits was signed when it was submitted, and its approval needs no second signature', async () => {
    const { it, key, payload, execute, agent, quote } = await wallet(ASKS);
    const headers = { 'service-wallet-signature': await stampOf(key, payload) };
    expect(refusal(await execute({ 'service-wallet-signature': 'nonsense' })).status).toBe(401);
    const waits = await execute(headers);
    expect(waits.body.status).toBe('PENDING_APPROVAL');
    const done = await it.post(`/agents/${agent.id}/actions/${waits.body.id}/approve`);
    expect(done.body).toMatchObject({ status: 'APPROVED', transaction: { id: quote.transactionId } });
  });
});

describe('pause and deletion of an agent', () => {
  test('the pause and the deletion of an agent take effect at once, even for a call that is under way', async () => {
    const it = await agentKit();
    const { id, token } = await it.agent();
    const paused = await it.agent();
    const slow = { match: { operation: 'agentCreateTransferOut' }, then: { delayMs: 600 } };
    expect((await it.control('POST', '/faults', slow)).status).toBe(200);
    const body = { source: { accountId: it.usd.id }, destination: { accountId: it.bankId }, amount: 100 };
    const late = async (accessToken: string, meanwhile: () => Promise<unknown>) => {
      const call = it.overlapping('POST', '/agents/me/transfer-out', body, { as: null, headers: bearer(accessToken) });
      await meanwhile();
      return call;
    };
    const gone = await late(token, () => it.overlapping('DELETE', `/agents/${id}`));
    expect(refusal(gone)).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    const pause = () => it.overlapping('PATCH', `/agents/${paused.id}`, { isPaused: true });
    expect((await late(paused.token, pause)).body.details.reason).toBe('AGENT_PAUSED');
    expect((await it.get('/transactions')).body.totalCount).toBe(0);
  });
});
