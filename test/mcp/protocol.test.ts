import { Client as Agent } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Client } from '../../src/mcp/client.ts';
import { within } from '../../src/mcp/http.ts';
import { serverFor } from '../../src/mcp/server.ts';
import { kit } from '../kit/sandbox.ts';

/** An agent on a connection that carries notifications both ways, as stdio does. */
async function connected() {
  const it = await kit({ scenario: { policies: { 'customer.decide': 'hold' } } });
  const client = new Agent({ name: 'test', version: '1' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  const signals: (AbortSignal | undefined)[] = [];
  const send = within((request) => it.host.fetch(request), 'http://127.0.0.1:4010');
  const server = serverFor(
    new Client((...call) => {
      signals.push(call[3]);
      return send(...call);
    }),
    'legacy',
  );
  await Promise.all([server.connect(there as Parameters<typeof server.connect>[0]), client.connect(here)]);
  onTestFinished(() => client.close());
  return { ...it, client, signals };
}

const WAIT = { name: 'webhooks', arguments: { act: 'wait', type: 'CUSTOMER.KYC_APPROVED', seconds: 30 } };

describe('the protocol of MCP (G10)', () => {
  test('every tool declares the shape of its answer, and answers with data and the same data as text', async () => {
    const { client } = await connected();
    const { tools } = await client.listTools();
    expect(tools.filter(({ outputSchema }) => outputSchema?.type !== 'object')).toEqual([]);
    const vague = tools.filter(({ outputSchema }) => Object.keys(outputSchema?.properties ?? {}).length < 2);
    expect(vague.map(({ name }) => name)).toEqual(['replay', 'decide', 'snapshots', 'scenario']);
    const { content, structuredContent } = (await client.callTool({
      name: 'overview',
      arguments: {},
    })) as CallToolResult;
    expect(structuredContent).toMatchObject({ next: expect.any(String) });
    expect(JSON.parse((content[0] as { text: string }).text)).toEqual(structuredContent);
  });

  test('the hints of a tool say what it reads or destroys, and that it reaches nothing beyond this machine', async () => {
    const { client } = await connected();
    const { tools } = await client.listTools();
    const named = (hint: string) =>
      tools.filter(({ annotations }) => Reflect.get(annotations ?? {}, hint) === true).map(({ name }) => name);
    expect(named('destructiveHint')).toEqual(['call_operation', 'play', 'snapshots', 'scenario']);
    expect(tools.every(({ annotations }) => annotations?.openWorldHint === false)).toBe(true);
    expect(
      tools.every(({ annotations }) => annotations?.readOnlyHint || annotations?.destructiveHint !== undefined),
    ).toBe(true);
  });

  test('a tool call that is cancelled aborts its request to the emulator', async () => {
    const { client, signals } = await connected();
    const cancel = new AbortController();
    const call = client.callTool(WAIT, undefined, { signal: cancel.signal });
    await expect.poll(() => signals.length).toBeGreaterThan(1);
    cancel.abort('no longer wanted');
    await expect(call).rejects.toThrow('no longer wanted');
    await expect.poll(() => signals.at(-1)?.aborted).toBe(true);
  });

  test('a client that asks for progress gets it while a long call waits', async () => {
    const { client, control, post } = await connected();
    const { body } = await post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' });
    const heard: number[] = [];
    const call = client.callTool(WAIT, undefined, { onprogress: ({ progress }) => void heard.push(progress) });
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    await control('POST', `/customers/${body.id}/decision`, { decision: 'APPROVED' });
    expect((await call).isError).toBeUndefined();
    expect(heard[0]).toBe(1);
  });

  test('operation ids and document names are completed', async () => {
    const { client } = await connected();
    const complete = async (uri: string, name: string, value: string) =>
      (await client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } })).completion.values;
    expect(await complete('sandbox-emulator://operations/{id}', 'id', 'createQ')).toEqual(['createQuote']);
    expect(await complete('sandbox-emulator://{+name}', 'name', 'docs/web')).toContain('docs/webhooks');
  });
});

describe('call_operation and the key of a payment (product 8.6)', () => {
  const PAY = { id: 'executeQuote', params: { quoteId: 'Quote:1' } };

  test('call_operation names the key that it sent, and the same key gets the same reply', async () => {
    const { client } = await connected();
    const call = async (more: object) =>
      (await client.callTool({ name: 'call_operation', arguments: { ...PAY, ...more } })).structuredContent as Record<
        string,
        unknown
      >;
    const first = await call({});
    expect(first['idempotencyKey']).toEqual(expect.any(String));
    expect((await call({ idempotencyKey: 'payment-7' }))['idempotencyKey']).toBe('payment-7');
    const { body } = (await call({ id: 'createCustomer', params: {}, body: { customerType: 'INDIVIDUAL' } })) as {
      body?: { id: string };
    };
    const link = (idempotencyKey: string) =>
      call({ id: 'createCustomerKycLink', params: { customerId: body?.id }, idempotencyKey });
    const links = [await link('a'), await link('a'), await link('b')].map((reply) => reply['body']);
    expect(links[1]).toEqual(links[0]);
    expect(links[2]).not.toEqual(links[0]);
  });

  test('call_operation says after a lost reply how to find out what happened', async () => {
    const { client, control } = await connected();
    await control('POST', '/faults', { match: { operation: 'executeQuote' }, then: { drop: true, when: 'after' } });
    const { content, isError } = (await client.callTool({
      name: 'call_operation',
      arguments: { ...PAY, idempotencyKey: 'payment-8' },
    })) as CallToolResult;
    expect(isError).toBe(true);
    expect((content[0] as { text: string }).text).toContain(
      'the same call with Idempotency-Key payment-8 answers what happened, and pays nothing twice',
    );
  });
});
