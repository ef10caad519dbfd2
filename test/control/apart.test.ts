import { describe, expect, test } from 'vitest';
import { type Kit, kit } from '../kit/sandbox.ts';

const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };
const policy = {
  permissions: ['VIEW_TRANSACTIONS'],
  defaultExecutionMode: 'APPROVAL_REQUIRED',
  spendingLimits: { currency: 'USD', perTransactionLimit: 50_000 },
};

/** Makes everything by which callers find a sandbox, the same whenever it starts over. */
async function made(it: Kit) {
  const { id: customerId } = (await it.post('/customers', ada)).body;
  const token = (await it.post('/tokens', { name: 'T', permissions: ['VIEW', 'TRANSACT', 'MANAGE'] })).body;
  const link = (await it.post(`/customers/${customerId}/kyc-link`, {})).body;
  const agent = await it.post('/agents', { name: 'Buyer', customerId, policy });
  expect(agent.status, agent.text).toBe(201);
  const { code } = agent.body.deviceCode;
  const { accessToken } = (await it.post(`/agents/device-codes/${code}/redeem`, undefined, { as: null })).body;
  const waiting = (await it.post('/agents', { name: 'Waiting', customerId, policy })).body.deviceCode.code;
  return {
    customerId,
    token: `${token.clientId}:${token.clientSecret}`,
    accessToken,
    code: waiting,
    link: new URL(link.kycUrl).pathname,
  };
}

describe.each([
  ['a sandbox that was there', (it: Kit) => it.control('POST', '/sandboxes', { id: 'b', secret: 's' })],
  ['a fork', (it: Kit) => it.control('POST', '/sandboxes/test/fork', { name: 'b' })],
])('what leads to a sandbox does not lead to another one, after its state went to %s', (_, begin) => {
  test('a sandbox that starts over draws no token, agent, code or link that another sandbox has by then', async () => {
    const it = await kit();
    const before = await made(it);
    const { body: state } = await it.control('GET', '/state');
    await it.control('POST', '/reset');
    expect((await begin(it)).status).toBe(200);
    expect((await it.control('PUT', '/state?sandbox=b', state)).status).toBe(200);
    const after = await made(it);
    expect(after.customerId).toBe(before.customerId);
    for (const name of ['token', 'accessToken', 'code', 'link'] as const)
      expect(after[name], name).not.toBe(before[name]);
    const b = it.host.find('b');
    expect(it.host.find(before.token.split(':')[0] as string)).toBe(b);
    expect(it.host.find(after.token.split(':')[0] as string)).toBe(it.sandbox);
    const add = (as: string) => it.overlapping('POST', '/customers', { ...ada, fullName: 'Only There' }, { as });
    expect((await add(before.token)).status).toBe(201);
    expect((await it.get('/customers')).body.totalCount).toBe(1);
    const whose = async (accessToken: string) => {
      const headers = { authorization: `Bearer ${accessToken}` };
      return (await it.overlapping('GET', '/agents/me', undefined, { as: null, headers })).status;
    };
    expect([await whose(before.accessToken), await whose(after.accessToken)]).toEqual([200, 200]);
  });

  test('a sandbox that starts over beside none that took its state draws the same again', async () => {
    const it = await kit();
    const before = await made(it);
    await it.control('POST', '/reset');
    await begin(it);
    expect(await made(it)).toEqual(before);
  });
});
