import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import type { Kit } from '../kit/sandbox.ts';

/** A coding agent as the library's own client has it. */
export interface Agent {
  readonly client: Client;
  /** Uses a tool and returns its answer, read; throws the sentence of a tool that could not. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer, line by line
  use(tool: string, asked?: Record<string, unknown>): Promise<any>;
}

/** The tools of a connected client. */
export const agentOf = (client: Client): Agent => ({
  client,
  use: async (name, asked = {}) => {
    const { content, isError } = (await client.callTool({ name, arguments: asked })) as CallToolResult;
    const [said] = content;
    if (said?.type !== 'text') throw new Error('a tool answers with text');
    if (isError) throw new Error(said.text);
    return JSON.parse(said.text);
  },
});

/** An agent at `/_emulator/mcp`, without a socket. */
export async function agent({ host }: Pick<Kit, 'host'>, query = ''): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' });
  const url = new URL(`http://127.0.0.1:4010/_emulator/mcp${query}`);
  const fetch = (to: string | URL, init?: RequestInit) => host.fetch(new Request(to, init));
  await client.connect(new StreamableHTTPClientTransport(url, { fetch }) as Parameters<Client['connect']>[0]);
  onTestFinished(() => client.close());
  return agentOf(client);
}
