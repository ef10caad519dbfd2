import { expect, test } from 'vitest';
import { Host } from '../../../src/sandbox/host.ts';
import { kit } from '../../kit/sandbox.ts';

test.each([
  ['spec', 'SERVICE-AGENT-', 'sat_'],
  ['grid', 'GRID-AGENT-', 'gat_'],
] as const)(
  'the scenario agents has agents that redeem known device codes, profile %s',
  async (profile, prefix, token) => {
    const it = await kit({ scenario: 'agents', profile });
    const { data } = (await it.get('/agents')).body;
    expect(data.map((a: { name: string; isPaused: boolean }) => [a.name, a.isPaused])).toEqual([
      ['Retired', true],
      ['Gifts', false],
      ['Rent', false],
    ]);
    const redeemed = await it.post(`/agents/device-codes/${prefix}GIFT-2026/redeem`, undefined, { as: null });
    expect([redeemed.body.agentName, redeemed.body.accessToken.slice(0, 4)]).toEqual(['Gifts', token]);
    expect(it.events()).toEqual([]);
  },
);

const agent = {
  name: 'Payroll',
  customer: 'ada',
  policy: {
    permissions: [],
    defaultExecutionMode: 'AUTO',
    spendingLimits: { currency: 'USD', perTransactionLimit: 1 },
  },
};
const customers = [{ label: 'ada', customerType: 'INDIVIDUAL', fullName: 'Ada Keller' }];

test.each([
  ['the label of no customer', { ...agent, customer: 'bo' }, /agents.1.customer: no customer has the label bo/],
  ['a code that another agent has', { ...agent, code: 'AAAA-BBBB' }, /AAAA-BBBB is taken/],
  [
    'a threshold without a currency',
    { ...agent, policy: { ...agent.policy, approvalThresholds: { amount: 1 } } },
    /required/,
  ],
  [
    'a threshold in an unknown currency',
    { ...agent, policy: { ...agent.policy, approvalThresholds: { currency: 'XXX', amount: 1 } } },
    /not a currency of this service/,
  ],
  ['a malformed code', { ...agent, code: 'x' }, /XXXX-XXXX/],
])('a scenario is refused for an agent with %s', async (_, wrong, message) => {
  const scenario = { customers, agents: [{ ...agent, code: 'AAAA-BBBB' }, wrong] };
  await expect(Host.start({ scenario })).rejects.toThrow(message);
});

test('an agent of a scenario has the id that it is pinned to, and without a code gets a generated one that can be redeemed', async () => {
  const id = 'Agent:00000000-0000-7000-8000-000000000001';
  const it = await kit({ scenario: { customers, agents: [{ ...agent, id }] } });
  expect((await it.get(`/agents/${id}`)).body.isConnected).toBe(false);
  const [{ code }] = (await it.control('GET', '/codes')).body.data;
  expect(code).toMatch(/^SERVICE-AGENT-[A-Z0-9]{4}-[A-Z0-9]{4}$/);
  expect((await it.post(`/agents/device-codes/${code}/redeem`, undefined, { as: null })).body.agentId).toBe(id);
});
