import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { commandLine } from '../kit/process.ts';
import { conformance } from './conformance-suite.ts';

/**
 * The suite asks for tools, prompts and documents of a server made for it, by their names: each is one of ours that does
 * what the scenario is about.
 */
const OURS: Readonly<Record<string, object>> = {
  test_simple_text: { name: 'overview', arguments: {} },
  test_error_handling: { name: 'describe_operation', arguments: { id: 'nothing' } },
  test_tool_with_progress: { name: 'webhooks', arguments: { act: 'wait', type: 'CUSTOMER.KYC_REJECTED', seconds: 6 } },
  test_simple_prompt: { name: 'find_why' },
  test_prompt_with_arguments: { name: 'integrate', arguments: { goal: 'testValue1 and testValue2' } },
  'test://static-text': { uri: 'sandbox-emulator://docs/mcp' },
};
const COMPLETED = {
  ref: { type: 'ref/resource', uri: 'sandbox-emulator://operations/{id}' },
  argument: { name: 'id', value: 'create' },
};

/** Scenarios that ask for what this server has no use for, and why. The list may only shrink. */
const NOT_OURS: Readonly<Record<string, string>> = {
  'logging-set-level': 'no logging: the newest version of the protocol leaves it out, and stderr has it',
  'tools-call-with-logging': 'no logging',
  'tools-call-image': 'no tool answers with an image',
  'tools-call-audio': 'no tool answers with sound',
  'tools-call-embedded-resource': 'no tool answers with a document: read_docs has its text',
  'tools-call-mixed-content': 'no tool answers with an image',
  'tools-call-sampling': 'no tool asks the client for a model',
  'tools-call-elicitation': 'no tool asks the person behind the client',
  'elicitation-sep1034-defaults': 'no tool asks the person behind the client',
  'elicitation-sep1330-enums': 'no tool asks the person behind the client',
  'json-schema-2020-12': 'asks for one tool with given schema words ($defs, $ref) that none of ours needs',
  'server-sse-polling': 'no sessions: every message stands for itself',
  'server-sse-multiple-streams': 'no sessions',
  'resources-read-binary': 'no document is binary',
  'resources-templates-read': 'asks that the document holds its parameter 123, and no operation has this id',
  'resources-subscribe': 'documents do not change while the process lives',
  'resources-unsubscribe': 'documents do not change while the process lives',
  'prompts-get-embedded-resource': 'no prompt holds a document',
  'prompts-get-with-image': 'no prompt holds an image',
};

interface Asked {
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly uri?: string; readonly _meta?: object };
}

/** A message with our names in it. */
function renamed(text: string): string {
  const message = JSON.parse(text) as Asked;
  if (message.method === 'completion/complete') return JSON.stringify({ ...message, params: COMPLETED });
  const ours = OURS[message.params?.name ?? ''] ?? OURS[message.params?.uri ?? ''];
  if (ours === undefined) return text;
  const { _meta } = message.params ?? {};
  return JSON.stringify({ ...message, params: { ...ours, ...(_meta ? { _meta } : {}) } });
}

/** A proxy that changes names only. Returns its address. */
async function renaming(url: string): Promise<string> {
  const server = createServer((asked, answer) => {
    const parts: Buffer[] = [];
    asked.on('data', (part) => parts.push(part));
    asked.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8');
      const sent = asked.method === 'POST' ? renamed(text) : '';
      const headers = { ...asked.headers, 'content-length': String(Buffer.byteLength(sent)) };
      request(url, { method: asked.method, headers }, (reply) => {
        answer.writeHead(reply.statusCode ?? 0, reply.headers);
        reply.pipe(answer);
      }).end(sent);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

test("the MCP server passes every scenario of the protocol's conformance suite that covers what it has", async () => {
  const { url } = await commandLine(['--port', '0', '--json', '--hold-clock']).ready();
  const found = await conformance(await renaming(`${url}/_emulator/mcp`));
  const failed = [...found].flatMap(([scenario, checks]) => {
    const wrong = checks.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO');
    if (wrong.length === 0 && checks.some(({ status }) => status === 'SUCCESS')) return [];
    return [[scenario, wrong.map(({ id, errorMessage }) => `${id}: ${errorMessage}`)] as const];
  });
  expect(failed.filter(([scenario]) => !Object.hasOwn(NOT_OURS, scenario))).toEqual([]);
  // What passes has no place in the list, nor has what the suite does not have.
  expect(Object.keys(NOT_OURS).filter((scenario) => !failed.some(([name]) => name === scenario))).toEqual([]);
  expect(Object.keys(NOT_OURS).length).toBeLessThanOrEqual(19);
  expect(found.size - failed.length).toBeGreaterThanOrEqual(13);
});
