import { expect, test } from 'vitest';
import { BANK, CODE, EMIL, type EuKit, euKit, NORA } from '../sca/eu.ts';
import { bearer, policyOf } from './material.ts';

/** Nora, who authenticates strongly, and an agent that pays for her. */
async function paying(mode: 'AUTO' | 'APPROVAL_REQUIRED') {
  const it = await euKit();
  const limits = { currency: 'EUR', perTransactionLimit: 50_000 };
  const policy = policyOf({ defaultExecutionMode: mode, spendingLimits: limits });
  const { agent, deviceCode } = (await it.post('/agents', { name: 'Payroll', customerId: NORA, policy })).body;
  const redeemed = await it.post(`/agents/device-codes/${deviceCode.code}/redeem`, undefined, { as: null });
  const post = (path: string, body?: unknown) =>
    it.post(path, body, { as: null, headers: bearer(redeemed.body.accessToken) });
  const get = (path: string) =>
    it.call('GET', path, undefined, { as: null, headers: bearer(redeemed.body.accessToken) });
  const quote = await post('/agents/me/quotes', {
    source: { sourceType: 'ACCOUNT', accountId: await it.own(NORA) },
    destination: { destinationType: 'ACCOUNT', accountId: BANK.nora },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000,
  });
  const { status, body: action } = await post(`/agents/me/quotes/${quote.body.id}/execute`);
  const usage = async () => (await it.get(`/agents/${agent.id}`)).body.usage;
  const payment = async () => (await it.get(`/transactions/${quote.body.transactionId}`)).body;
  return { it, agent, get, post, quoteId: quote.body.id, action, status, usage, payment };
}
const spent = { dailyTransactionCount: 1, dailySpend: 10_000, monthlySpend: 10_000 };
const balance = async (it: EuKit) => it.balance(await it.own(NORA));

test('an agent that pays for a customer with strong authentication is done, and the payment waits for the customer alone (Y5)', async () => {
  const { it, post, quoteId, action, status, usage, payment } = await paying('AUTO');
  expect([status, action.status, action.transaction.status]).toEqual([200, 'APPROVED', 'PENDING_AUTHORIZATION']);
  expect(await usage()).toMatchObject(spent);
  const before = await balance(it);
  // Neither the agent nor the proof of another customer pays it.
  expect((await post(`/quotes/${quoteId}/authorize`, { code: CODE })).status).toBe(401);
  expect((await it.misauthorized(quoteId, { code: '000000' })).status).toBe(400);
  await it.login({}, EMIL);
  expect([(await payment()).status, await balance(it)]).toEqual(['PENDING_AUTHORIZATION', before]);
  expect((await it.authorize(quoteId, { code: CODE })).body.status).toBe('PROCESSING');
  await it.settle();
  expect([(await payment()).status, await balance(it)]).toEqual(['COMPLETED', before - 10_000]);
  expect(await usage()).toMatchObject(spent);
});

test('a payment of an agent that its customer does not authorize fails with SCA_NOT_COMPLETED; its usage stays counted and its action APPROVED (Y5)', async () => {
  const { it, agent, get, action, usage, payment } = await paying('AUTO');
  await it.advance('PT5M');
  expect(await payment()).toMatchObject({ status: 'FAILED', failureReason: 'SCA_NOT_COMPLETED' });
  expect(await usage()).toMatchObject(spent);
  const path = `/agents/${agent.id}/actions/${action.id}`;
  expect((await it.post(`${path}/approve`)).status).toBe(409);
  expect((await get(`/agents/me/actions/${action.id}`)).body.status).toBe('APPROVED');
});

test('an order that the platform approves is challenged at the approval, not before (Y5)', async () => {
  const { it, agent, quoteId, action, payment } = await paying('APPROVAL_REQUIRED');
  expect([action.status, (await payment()).status]).toEqual(['PENDING_APPROVAL', 'PENDING']);
  const approved = await it.post(`/agents/${agent.id}/actions/${action.id}/approve`);
  expect(approved.body).toMatchObject({ status: 'APPROVED', transaction: { status: 'PENDING_AUTHORIZATION' } });
  expect((await it.authorize(quoteId, { code: CODE })).body.status).toBe('PROCESSING');
});
