import { Client as Newer, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { type Kit, kit } from '../kit/sandbox.ts';
import { agent } from './agent.ts';

const URL_OF_MCP = 'http://127.0.0.1:4010/_emulator/mcp';
const VERSION = '2026-07-28';

/** An agent of the newer era at `/_emulator/mcp`; `seen` has the status and form of every answer. */
async function newer({ host }: Pick<Kit, 'host'>) {
  const client = new Newer({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: VERSION } } });
  const seen: string[] = [];
  const fetch = async (to: string | URL, init?: RequestInit) => {
    const answer = await host.fetch(new Request(to, init));
    seen.push(`${answer.status} ${answer.headers.get('content-type')?.split(';')[0]}`);
    return answer;
  };
  await client.connect(new StreamableHTTPClientTransport(new URL(URL_OF_MCP), { fetch }));
  onTestFinished(() => client.close());
  return { client, seen };
}

/** One request of the newer era, which says by itself whose it is and what it speaks. */
const envelope = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

async function post(
  { host }: Pick<Kit, 'host'>,
  method: string,
  params: Record<string, unknown> = {},
  isNewer = true,
  signal?: AbortSignal,
) {
  const name = (params['name'] ?? params['uri']) as string | undefined;
  const answer = await host.fetch(
    new Request(URL_OF_MCP, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(isNewer ? { 'mcp-protocol-version': VERSION, 'mcp-method': method } : {}),
        ...(isNewer && name !== undefined ? { 'mcp-name': name } : {}),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: isNewer ? { ...params, _meta: envelope } : params,
      }),
      ...(signal ? { signal } : {}),
    }),
  );
  return { status: answer.status, body: JSON.parse((await answer.text()) || 'null') };
}

test('a client of either era of MCP sees the same tools, prompts and resources, and gets the same answers', async () => {
  const it = await kit();
  const [old, { client, seen }] = [await agent(it), await newer(it)];
  const listed = (of: Pick<Newer, 'listTools' | 'listPrompts' | 'listResources' | 'listResourceTemplates'>) =>
    Promise.all([of.listTools(), of.listPrompts(), of.listResources(), of.listResourceTemplates()]);
  const bare = (all: object) =>
    JSON.parse(
      JSON.stringify(all, (name, value) =>
        /^(?:_meta|resultType|ttlMs|cacheScope|execution)$/.test(name) ? undefined : value,
      ),
    );
  const [before, after] = [await listed(old.client as never), await listed(client)];
  expect(bare(after)).toEqual(bare(before));
  const asked = { name: 'describe_operation', arguments: { id: 'createQuote' } };
  const told = await client.callTool(asked);
  expect(told.structuredContent).toEqual((await old.client.callTool(asked)).structuredContent);
  expect(new Set(seen)).toEqual(new Set(['200 application/json']));
});

test('server/discover of the newer era names the version, the capabilities, and how to begin', async () => {
  const { status, body } = await post(await kit(), 'server/discover');
  expect([status, body.result.supportedVersions]).toEqual([200, [VERSION]]);
  expect(body.result.instructions).toContain('Start with overview');
  expect(body.result.capabilities).toMatchObject({ tools: { listChanged: false }, resources: { listChanged: false } });
  expect(body.result._meta['io.modelcontextprotocol/serverInfo'].name).toBe('sandbox-emulator');
});

test('a request of the newer era of MCP needs no initialization before it', async () => {
  const { body } = await post(await kit(), 'tools/call', { name: 'overview', arguments: {} });
  expect(body.result.structuredContent).toMatchObject({ sandbox: 'test', next: expect.any(String) });
});

test('an unknown version of MCP is refused with 400, and the refusal names the served version', async () => {
  const { host } = await kit();
  const _meta = { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
  const answer = await host.fetch(
    new Request(URL_OF_MCP, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } }),
    }),
  );
  expect(answer.status).toBe(400);
  expect(JSON.parse(await answer.text()).error).toMatchObject({ code: -32022, data: { supported: [VERSION] } });
});

test.each([
  [
    'resources/read',
    { uri: 'sandbox-emulator://nothing' },
    200,
    -32602,
    /^there is no resource sandbox-emulator:\/\/nothing/,
  ],
  ['tools/call', { name: 'nothing' }, 200, -32602, /^there is no tool nothing; tools\/list has their names$/],
  ['prompts/get', { name: 'nothing' }, 200, -32602, /nothing not found/],
  ['nothing/at/all', {}, 404, -32601, /^Method not found/],
])(
  '%s with %j is refused with the error of the newer era of MCP for a client of that era',
  async (method, params, status, code, says) => {
    const answer = await post(await kit(), method, params);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(answer.body.error.message).toMatch(says);
  },
);

const WAIT = { name: 'webhooks', arguments: { act: 'wait', type: 'CUSTOMER.KYC_APPROVED', seconds: 30 } };
const HELD = { scenario: { policies: { 'customer.decide': 'hold' as const } } };

test.each(['older', 'newer'])(
  'a client of the %s era that asks for progress over HTTP gets it while its call waits',
  async (era) => {
    const it = await kit(HELD);
    const { client } = era === 'older' ? await agent(it) : await newer(it);
    const { body } = await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' });
    const heard: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void heard.push(progress);
    const call =
      client instanceof Newer
        ? client.callTool(WAIT, { onprogress })
        : client.callTool(WAIT, undefined, { onprogress });
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    await it.control('POST', `/customers/${body.id}/decision`, { decision: 'APPROVED' });
    expect((await call).structuredContent).toMatchObject({ event: { type: 'CUSTOMER.KYC_APPROVED' } });
  },
);

test.each(['older', 'newer'])('a client of the %s era that disconnects ends its call with 499', async (era) => {
  const it = await kit(HELD);
  const gone = new AbortController();
  const waited: Promise<{ status: number }> = post(it, 'tools/call', WAIT, era === 'newer', gone.signal);
  gone.abort();
  expect((await waited).status).toBe(499);
});

test('operation ids are completed for a client of the newer era of MCP', async () => {
  const { client } = await newer(await kit());
  const ref = { type: 'ref/resource' as const, uri: 'sandbox-emulator://operations/{id}' };
  const { completion } = await client.complete({ ref, argument: { name: 'id', value: 'createQ' } });
  expect(completion.values).toEqual(['createQuote']);
});
