import { expect, test } from 'vitest';
import { leaveQuoteWaiting, live, within } from '../../kit/live.ts';
import { client } from '../../kit/process.ts';

// biome-ignore lint/suspicious/noExplicitAny: a journey says what it expects of a reply, line by line
const read = async (response: Response): Promise<any> => response.json();

const policy = {
  permissions: ['VIEW_TRANSACTIONS', 'CREATE_TRANSFERS'],
  defaultExecutionMode: 'AUTO',
  spendingLimits: { currency: 'USD', perTransactionLimit: 50_000, dailyLimit: 80_000 },
  approvalThresholds: { currency: 'USD', amount: 25_000 },
};

test('an agent pays within its policy, waits for approval above it, and is refused beyond it', async () => {
  const { ready, call, told } = await live();
  await leaveQuoteWaiting(call);
  const done = async (wanted: number, ...[method, path, body]: Parameters<typeof call>) => {
    const answer = await call(method, path, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(wanted);
    return answer.body;
  };

  // The platform: a customer with money and a landlord, and an agent of hers with a policy.
  const lena = await done(201, 'POST', '/customers', { customerType: 'INDIVIDUAL', fullName: 'Lena Fischer' });
  await told('CUSTOMER.KYC_APPROVED', (data) => data.id === lena.id);
  const accounts = await done(200, 'GET', `/customers/internal-accounts?customerId=${lena.id}&currency=USD`);
  const account = accounts.data[0].id;
  await done(200, 'POST', `/sandbox/internal-accounts/${account}/fund`, { amount: 100_000 });
  const landlord = await done(201, 'POST', '/customers/external-accounts', {
    customerId: lena.id,
    currency: 'USD',
    accountInfo: {
      accountType: 'USD_ACCOUNT',
      accountNumber: '123456789501',
      routingNumber: '021000021',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Carol Jensen' },
    },
  });
  const { agent, deviceCode } = await done(201, 'POST', '/agents', { name: 'Rent', customerId: lena.id, policy });

  // The agent: it redeems its code without credentials, and calls with its token.
  const redeemed = await fetch(`${ready.baseUrl}/agents/device-codes/${deviceCode.code}/redeem`, { method: 'POST' });
  expect(redeemed.status).toBe(200);
  const { accessToken } = await read(redeemed);
  const asAgent = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${ready.baseUrl}/agents/me${path}`, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: await read(response) };
  };
  const pay = (amount: number) =>
    asAgent('POST', '/transfer-out', {
      source: { accountId: account },
      destination: { accountId: landlord.id },
      amount,
    });

  // Within the threshold it pays at once.
  const paid = await pay(25_000);
  expect([paid.status, paid.body.status]).toEqual([201, 'APPROVED']);
  const completed = await told('OUTGOING_PAYMENT.COMPLETED', (data) => data.id === paid.body.transaction.id);
  expect(completed.event.data.agentId).toBe(agent.id);

  // Above it somebody is asked, and says yes.
  const waits = await pay(25_001);
  expect([waits.status, waits.body.status]).toEqual([201, 'PENDING_APPROVAL']);
  const question = await told('AGENT_ACTION.PENDING_APPROVAL', (data) => data.id === waits.body.id);
  const { id, transferDetails } = question.event.data;
  expect(transferDetails).toMatchObject({ amount: 25_001, destinationAccountId: landlord.id });
  expect((await done(200, 'GET', '/agents/approvals')).data.map((action: { id: string }) => action.id)).toEqual([id]);
  const approved = await done(200, 'POST', `/agents/${agent.id}/actions/${id}/approve`);
  expect(approved.status).toBe('APPROVED');
  await told('OUTGOING_PAYMENT.COMPLETED', (data) => data.id === approved.transaction.id);
  await within('the end of the action', async () => {
    const { body } = await asAgent('GET', `/actions/${id}`);
    return body.transaction?.status === 'COMPLETED' ? body : undefined;
  });

  // Beyond its limits it is refused, and told which.
  const over = await pay(50_001);
  expect([over.status, over.body.details.reason]).toEqual([403, 'PER_TRANSACTION_LIMIT_EXCEEDED']);
  const again = await pay(30_000);
  expect([again.status, again.body.details.reason]).toEqual([403, 'DAILY_LIMIT_EXCEEDED']);
  expect((await asAgent('GET', '')).body.usage).toMatchObject({ dailyTransactionCount: 2, dailySpend: 50_001 });

  // Another one is asked about, and somebody says no.
  const second = await pay(26_000);
  await told('AGENT_ACTION.PENDING_APPROVAL', (data) => data.id === second.body.id);
  await done(200, 'POST', `/agents/${agent.id}/actions/${second.body.id}/reject`, { reason: 'not this month' });
  expect((await asAgent('GET', `/actions/${second.body.id}`)).body).toMatchObject({
    status: 'REJECTED',
    rejectionReason: 'not this month',
  });

  // Paused, it may only read; deleted, its token stands for nobody. The platform's credentials are not the agent's.
  await done(200, 'PATCH', `/agents/${agent.id}`, { isPaused: true });
  expect((await pay(1)).status).toBe(403);
  expect((await asAgent('GET', '/transactions')).body.totalCount).toBe(2);
  expect((await client(ready)('GET', '/agents/me')).status).toBe(401);
  const deleted = await fetch(`${ready.baseUrl}/agents/${agent.id}`, {
    method: 'DELETE',
    headers: {
      authorization: `Basic ${Buffer.from(`${ready.credentials.id}:${ready.credentials.secret}`).toString('base64')}`,
    },
  });
  expect(deleted.status).toBe(204);
  expect((await asAgent('GET', '')).status).toBe(401);
});
