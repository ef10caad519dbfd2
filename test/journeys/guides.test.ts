import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, onTestFinished, test } from 'vitest';
import { TOOLS } from '../../src/mcp/tools/index.ts';
import { blocksIn, projectFolder, withoutRunner } from '../kit/documents.ts';
import { commandLine as start } from '../kit/process.ts';

const run = promisify(execFile);
const RECEIVER = /127\.0\.0\.1:4010/g;

/** Flags of a block that starts an emulator. */
const flagsOf = (text: string): string[] => text.trim().replace('npx sandbox-emulator', '').split(' ').filter(Boolean);

test('every command of llms.txt works as it is written, one after the other', async () => {
  const blocks = blocksIn('llms.txt').filter(
    ({ language, text }) => language === 'sh' && !/^(?:npx vitest|python3)/.test(text),
  );
  const [first, ...rest] = blocks;
  const { ready } = start(['--port', '0', '--json', ...flagsOf(first?.text ?? '')]);
  const { url } = await ready();
  const { folder, remove } = projectFolder(new Map());
  onTestFinished(remove);
  expect(rest.length).toBe(8);
  const script = rest
    .map(({ text }) => text)
    .join('\n')
    .replaceAll(RECEIVER, new URL(url).host);
  const { stderr } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd: folder, timeout: 100_000 });
  expect(stderr).toBe('');
});

interface Configured {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly url?: string;
}

const CONFIGURED = ['llms.txt', 'AGENTS.md', 'docs/mcp.md'].flatMap((file) =>
  blocksIn(file)
    .filter(({ note }) => note === 'mcp')
    .map(({ text }, i) => {
      const { mcpServers, servers = mcpServers } = JSON.parse(text);
      return { name: `${file}, configuration ${i + 1}`, server: Object.values(servers)[0] as Configured };
    }),
);

test.each(CONFIGURED)('the MCP configuration of $name gives a client every tool', async ({ server }) => {
  const { folder, remove } = projectFolder(new Map());
  onTestFinished(remove);
  const { ready } = start(['--port', '0', '--json']);
  const { url } = await ready();
  const client = new Client({ name: 'test', version: '1' });
  // What runs on the usual port of this machine is nobody's business here.
  const env = { ...(withoutRunner(process.env) as Record<string, string>), SANDBOX_EMULATOR_URL: url };
  const transport =
    server.url === undefined
      ? new StdioClientTransport({
          command: String(server.command),
          args: [...(server.args ?? [])],
          cwd: folder,
          env: { ...env, PATH: `${join(folder, 'node_modules/.bin')}:${process.env['PATH']}` },
          stderr: 'ignore',
        })
      : new StreamableHTTPClientTransport(new URL(server.url.replace(RECEIVER, new URL(url).host)));
  await client.connect(transport as Parameters<Client['connect']>[0]);
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
});
