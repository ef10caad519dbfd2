import { expect, test } from 'vitest';
import { AgentClient, redeemAgent, WalletError } from '../../src/testkit/index.ts';
import { type Kit, kit } from '../kit/sandbox.ts';

/** The kit's app in the place of the network. */
const throughApp = (it: Kit) => ({
  baseUrl: 'http://emulator.test/',
  fetch: async (url: string, init: { method: string; headers: Record<string, string>; body?: string }) => {
    const { authorization, ...headers } = init.headers;
    const path = new URL(url).pathname + new URL(url).search;
    const answer = await it.overlapping(init.method, path, undefined, {
      as: null,
      headers: { ...headers, ...(authorization ? { authorization } : {}) },
      ...(init.body === undefined ? {} : { raw: init.body }),
    });
    return { status: answer.status, text: async () => answer.text };
  },
});

async function rent() {
  const it = await kit({ scenario: 'agents' });
  const agent = await redeemAgent(throughApp(it), 'SERVICE-AGENT-RENT-2026');
  const accounts = (await agent.call('GET', '/internal-accounts?currency=USD')).body.data;
  const [landlord] = (await agent.call('GET', '/external-accounts?currency=USD')).body.data;
  return { it, agent, source: accounts[0].id as string, destination: landlord.id as string };
}

test('an agent client redeems its code, pays, waits for approval, and is refused with the check that failed', async () => {
  const { it, agent, source, destination } = await rent();
  expect([agent.name, agent.agentId]).toEqual(['Rent', (await it.get(`/agents/${agent.agentId}`)).body.id]);
  const paid = await agent.transferOut({ source, destination, amount: 20_000 });
  expect([paid.status, paid.transaction.agentId]).toEqual(['APPROVED', agent.agentId]);
  const rail = { accountId: destination, paymentRail: 'WIRE' };
  expect((await agent.transferOut({ source, destination: rail, amount: 1 })).transaction.paymentRail).toBe('WIRE');
  const collected = await agent.transferIn({ source: destination, destination: source, amount: 500 });
  expect([collected.type, collected.transaction.type]).toEqual(['TRANSFER_IN', 'INCOMING']);
  const waits = await agent.transferOut({ source, destination, amount: 25_001 });
  await it.post(`/agents/${agent.agentId}/actions/${waits.id}/approve`);
  expect((await agent.action(waits.id)).status).toBe('APPROVED');
  const refused = await agent.transferOut({ source, destination, amount: 50_001 }).catch((error) => error);
  expect(refused).toBeInstanceOf(WalletError);
  expect([refused.status, refused.code, refused.reason]).toEqual([403, 'FORBIDDEN', 'PER_TRANSACTION_LIMIT_EXCEEDED']);
});

test('an agent client creates a quote and executes it; a second client of the same token is the same agent', async () => {
  const { it, agent, source } = await rent();
  const [sister] = (await agent.call('GET', '/external-accounts?currency=EUR')).body.data;
  const quote = await agent.createQuote({
    source: { sourceType: 'ACCOUNT', accountId: source },
    destination: { destinationType: 'ACCOUNT', accountId: sister.id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000,
  });
  const { agentId, accessToken } = agent;
  const same = new AgentClient({ ...throughApp(it), agentId, accessToken });
  const action = await same.executeQuote(quote.id);
  expect([action.type, action.quote.id, same.name]).toEqual(['EXECUTE_QUOTE', quote.id, '']);
});

test('a header of a call of an agent client replaces that of the client, whatever its case', async () => {
  const { it, agent } = await rent();
  const seen: object[] = [];
  const fetch = async (_: string, init: { headers: Record<string, string> }) => {
    seen.push(Object.fromEntries(new Headers(init.headers)));
    return { status: 200, text: async () => '' };
  };
  const { agentId, accessToken } = agent;
  const client = new AgentClient({ ...throughApp(it), agentId, accessToken, fetch });
  await client.call('POST', '', {}, { Authorization: 'Bearer other', 'Content-Type': 'text/plain', ACCEPT: '*/*' });
  expect(seen).toEqual([{ authorization: 'Bearer other', 'content-type': 'text/plain', accept: '*/*' }]);
});

test('redeemAgent rejects a code that was redeemed before, with its reason', async () => {
  const { it } = await rent();
  const again = await redeemAgent(throughApp(it), 'SERVICE-AGENT-RENT-2026').catch((error) => error);
  expect([again.status, again.reason]).toEqual([400, 'DEVICE_CODE_REDEEMED']);
});
