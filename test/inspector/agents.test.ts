import { expect, test } from 'vitest';
import { unescaped, visitor } from './visit.ts';

/** A text as it is compared: pages write a status in words. */
const plain = (text: string) => text.replaceAll('<wbr/>', '').replaceAll('_', ' ').toLowerCase();

/** Scenario agents, its first agent connected, and an action that waits. */
async function waiting() {
  const it = await visitor({ scenario: 'agents' });
  const redeemed = await it.post('/agents/device-codes/SERVICE-AGENT-GIFT-2026/redeem', undefined, { as: null });
  const { accessToken, agentId } = redeemed.body;
  const call = (method: string, path: string, body?: object) =>
    it.call(method, `/agents/me${path}`, body, { as: null, headers: { authorization: `Bearer ${accessToken}` } });
  const account = (await call('GET', '/internal-accounts?currency=EUR')).body.data[0].id;
  const [sister] = (await it.get('/customers/external-accounts', { currency: 'EUR' })).body.data;
  const quote = await call('POST', '/quotes', {
    source: { sourceType: 'ACCOUNT', accountId: account },
    destination: { destinationType: 'ACCOUNT', accountId: sister.id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 5000,
  });
  const executed = await call('POST', `/quotes/${quote.body.id}/execute`);
  return { it, accessToken, agentId, action: executed.body, executed };
}

test('agents, device codes and actions have pages, and an action has its buttons', async () => {
  const { it, agentId, action } = await waiting();
  for (const [path, texts] of [
    ['/inspector/state/agents', ['Rent', 'Gifts', 'Retired', 'PAUSED', 'CONNECTED']],
    [`/inspector/state/agents/${agentId}`, ['Gifts', 'APPROVAL_REQUIRED']],
    ['/inspector/state/device-codes', ['AgentDeviceCode:', 'REDEEMED', 'ISSUED']],
    ['/inspector/state/agent-actions', ['PENDING_APPROVAL', 'EXECUTE_QUOTE']],
    [`/inspector/state/agent-actions/${action.id}`, ['Approve', 'Reject', action.quote.id]],
  ] as const) {
    const { html } = await it.open(path);
    for (const text of texts) expect(plain(unescaped(html)), `${path}: ${text}`).toContain(plain(text));
  }
});

test('no page shows an access token; a copied call has a variable in its place', async () => {
  const { it, accessToken, executed } = await waiting();
  const id = executed.headers.get('x-request-id');
  const { html } = await it.open(`/inspector/requests/${id}`);
  expect(unescaped(html)).toContain('Authorization: Bearer $ACCESS_TOKEN');
  for (const path of [
    '/',
    '/inspector/requests',
    `/inspector/requests/${id}`,
    '/inspector/state/agents',
    '/inspector/state',
  ])
    expect((await it.open(path)).html.includes(accessToken), path).toBe(false);
});

test('the page of an operation shows its call with Basic credentials, with a token, or with neither', async () => {
  const { it } = await waiting();
  const said = async (operation: string) => {
    const { html } = await it.open(`/inspector/api/${operation}`);
    return /curl -s .*/.exec(unescaped(html))?.[0];
  };
  expect(await said('getAgentById')).toContain('curl -s -u test:secret ');
  expect(await said('getAgentMe')).toContain('curl -s -H "Authorization: Bearer $ACCESS_TOKEN" ');
  expect(await said('redeemAgentDeviceCode')).toContain("curl -s -X POST 'http");
});

test('the page of an action that failed at its approval says why, which the API does not', async () => {
  const { it, agentId, action } = await waiting();
  await it.patch(`/agents/${agentId}`, { isPaused: true });
  expect((await it.post(`/agents/${agentId}/actions/${action.id}/approve`)).body.status).toBe('FAILED');
  const { html } = await it.open(`/inspector/state/agent-actions/${action.id}`);
  expect(unescaped(html)).toContain('failed for AGENT_PAUSED: agent Gifts may not do this: it is paused');
});
