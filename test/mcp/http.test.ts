import { expect, test } from 'vitest';
import { kit } from '../kit/sandbox.ts';
import { agent } from './agent.ts';

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** A message without a client in between. */
async function post(body: string, headers: Record<string, string> = {}, method = 'POST', query = '') {
  const { host } = await kit();
  const sent = { method, headers: { ...HEADERS, ...headers }, ...(method === 'POST' ? { body } : {}) };
  const answer = await host.fetch(new Request(`http://127.0.0.1:4010/_emulator/mcp${query}`, sent));
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: JSON.parse(text || 'null') };
}

test('an MCP message over HTTP is answered without a session', async () => {
  const { status, headers, body } = await post(JSON.stringify(LIST));
  expect([status, headers.get('mcp-session-id'), body.id]).toEqual([200, null, 1]);
  expect(headers.get('x-sandbox-emulator')).toBe('0.0.0-source');
  expect(body.result.tools.length).toBe(17);
});

test.each(['GET', 'DELETE', 'PUT'])(
  '%s of the MCP address is refused with 405: there is no stream to open and no session to end',
  async (method) => {
    const { status, headers } = await post('', {}, method);
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  },
);

test.each([
  [{ origin: 'http://evil.example' }, '', 403],
  [{ 'sec-fetch-site': 'cross-site' }, '', 403],
  // One that nobody has used yet is opened by an agent, too (G12); this is not an id.
  [{}, '?sandbox=no:body', 404],
  [{}, '?sandbox=suite-17', 200],
  [{ accept: 'text/html' }, '', 406],
])('an MCP message with headers %j and query "%s" is answered with %d', async (headers, query, status) => {
  expect((await post(JSON.stringify(LIST), headers, 'POST', query)).status).toBe(status);
});

test.each([
  ['{"jsonrpc":', 400],
  ['7', 400],
  ['{"jsonrpc":"2.0"}', 400],
  [`"${'x'.repeat(1024 * 1024)}"`, 400],
])('an MCP body that is not a message, such as %.20s, is refused with %d', async (body, status) => {
  expect((await post(body)).status).toBe(status);
});

test('the query of the MCP address chooses the sandbox of the tools, unless a call names another', async () => {
  const it = await kit();
  const { id } = (await it.control('POST', '/sandboxes', {})).body;
  const { use } = await agent(it, `?sandbox=${id}`);
  expect((await use('overview')).sandbox).toBe(id);
  expect((await use('overview', { sandbox: 'test' })).sandbox).toBe('test');
});

test('the request log has the calls that MCP tools make, but not the MCP messages', async () => {
  const it = await kit();
  const { use } = await agent(it);
  await use('overview');
  await use('call_operation', { id: 'getPlatformConfig' });
  const { data } = (await it.control('GET', '/requests')).body;
  expect(data.map(({ operation }: { operation: string }) => operation)).toEqual(['getPlatformConfig']);
});

const NO_RESOURCE = /^there is no resource .*; resources\/list has their names$/;

test.each<[string, unknown, number, string | RegExp]>([
  ['resources/read', { uri: 'sandbox-emulator://nothing' }, -32002, NO_RESOURCE],
  ['resources/read', { uri: 'sandbox-emulator://operations/nothing' }, -32002, NO_RESOURCE],
  ['resources/read', { uri: 'sandbox-emulator://operations/%E0%A4%A' }, -32002, NO_RESOURCE],
  ['resources/read', { uri: 'file:///etc/passwd' }, -32002, NO_RESOURCE],
  ['resources/read', { uri: 'no address' }, -32602, 'params.uri: must be a URI'],
  ['resources/read', { uri: 7 }, -32602, /^params\.uri: /],
  ['resources/read', {}, -32602, 'params.uri: required'],
  ['resources/read', undefined, -32602, 'params: required'],
  ['resources/list', { cursor: 'next' }, -32602, 'params.cursor: there is one page, and no cursor'],
  ['prompts/get', { name: 'nothing' }, -32602, /nothing not found/],
  [
    'prompts/get',
    { name: 'integrate', arguments: { goal: 'x'.repeat(3000) } },
    -32602,
    /: goal: must have at most 2000 characters$/,
  ],
  ['prompts/get', { name: 'integrate', arguments: { goal: 7 } }, -32602, /^params\.arguments\.goal: /],
  ['prompts/get', {}, -32602, 'params.name: required'],
  ['tools/call', { name: 'nothing' }, -32602, 'there is no tool nothing; tools/list has their names'],
  ['tools/call', { name: 'why', arguments: 'x' }, -32602, /^params\.arguments: /],
  ['tools/call', {}, -32602, 'params.name: required'],
  ['tools/list', { cursor: 7 }, -32602, /^params\.cursor: /],
  ['initialize', {}, -32602, /^params\.protocolVersion: required; /],
  ['nothing/at/all', {}, -32601, 'Method not found'],
])('%s with %.60j is refused with the error that MCP declares, %d (X12)', async (method, params, code, says) => {
  const { status, body } = await post(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }));
  expect([status, body.id, body.error.code]).toEqual([200, 7, code]);
  if (typeof says === 'string') expect(body.error.message).toBe(says);
  else expect(body.error.message).toMatch(says);
  if (code === -32002) expect(body.error.data).toEqual(params);
});

test('a refusal of a tool is a result with isError, so that the agent can read it', async () => {
  for (const [name, given] of [
    ['why', { nothing: 1 }],
    ['describe_operation', { id: 'nothing' }],
  ] as const) {
    const params = { name, arguments: given };
    const { body } = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    expect([body.result.isError, body.result.content[0].text]).toEqual([true, expect.stringContaining('nothing')]);
  }
});
