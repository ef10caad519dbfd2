import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventOf, folder, run } from '../cli/kit.ts';
import { freePort } from '../kit/port.ts';
import { client, command, commandLine, environment, type Ready } from '../kit/process.ts';
import { type Agent, agentOf } from '../mcp/agent.ts';

const ROOT = join(import.meta.dirname, '../..');
const FLAGS = ['--port', '0', '--json', '--log', 'off'];
const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };

const page = async ({ url }: Pick<Ready, 'url'>, path: string) => {
  const reply = await fetch(`${url}${path}`, { headers: { accept: 'text/html' } });
  return { status: reply.status, text: await reply.text() };
};

/** An agent whose client starts the executable's `mcp`, or reaches that of one that runs. */
async function agentOver(way: string): Promise<Agent> {
  const agent = new Client({ name: 'test', version: '1' });
  const [file, ...before] = command();
  const transport =
    way === 'stdio'
      ? new StdioClientTransport({
          command: file,
          args: [...before, 'mcp', '--seed', '1'],
          env: { PATH: String(environment()['PATH']) },
          stderr: 'ignore',
        })
      : new StreamableHTTPClientTransport(new URL(`${(await commandLine(FLAGS).ready()).url}/_emulator/mcp`));
  await agent.connect(transport as Parameters<Client['connect']>[0]);
  onTestFinished(() => agent.close());
  return agentOf(agent);
}

describe('the executable, with no program on its PATH', () => {
  test('the executable says that it is ready, answers a call, and exits with 0 on SIGTERM', async () => {
    const running = commandLine(FLAGS);
    const ready = await running.ready();
    expect(ready.pid).toBe(running.child.pid);
    const made = await client(ready)('POST', '/customers', ADA);
    expect([made.status, made.body.kycStatus]).toEqual([201, 'APPROVED']);
    running.child.kill('SIGTERM');
    expect(await running.ended).toBe(0);
    expect(running.out.stderr).toBe('');
  });

  test('the executable speaks HTTPS to a receiver', async () => {
    const url = `https://127.0.0.1:${await freePort()}/hooks`;
    const ready = await commandLine([...FLAGS, '--webhook-url', url]).ready();
    const refused = await client(ready)('POST', '/sandbox/webhooks/test');
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('ECONNREFUSED')]);
  });

  test('the executable starts with scenario demo and serves its pages, style and script included', async () => {
    const ready = await commandLine([...FLAGS, '--scenario', 'demo']).ready();
    const overview = await page(ready, '/');
    expect(overview.status).toBe(200);
    const loaded = [...overview.text.matchAll(/(?:src|href)="(\/inspector\/assets\/[^"]+)"/g)].map((found) => found[1]);
    expect(loaded.map((path) => path?.replace(/\.[0-9a-f]+\./, '.')).sort()).toEqual(
      ['icon.svg', 'inspector.css', 'inspector.js'].map((name) => `/inspector/assets/${name}`),
    );
    for (const path of loaded) expect((await page(ready, path as string)).status).toBe(200);
    const { body } = await client(ready)('GET', '/customers?limit=1');
    expect((await page(ready, `/inspector/state/customers/${body.data[0].id}`)).text).toContain(body.data[0].fullName);
  });

  test('the executable listens for webhooks of another emulator and finds their signatures right', async () => {
    const ready = await commandLine(FLAGS).ready();
    const hears = commandLine(['listen', '--json', '--port', '0', '--emulator', ready.url, '--register']);
    await hears.ready();
    await client(ready)('POST', '/customers', ADA);
    expect(await eventOf(hears, 'delivery', 2)).toMatchObject({ type: 'CUSTOMER.KYC_APPROVED', verified: true });
  });

  test('the executable continues from the state file that it wrote at its end', async () => {
    const state = join(folder(), 'state.json');
    const before = commandLine([...FLAGS, '--state', state]);
    await client(await before.ready())('POST', '/customers', ADA);
    before.child.kill('SIGTERM');
    expect(await before.ended).toBe(0);
    const after = await commandLine([...FLAGS, '--state', state]).ready();
    const { body } = await client(after)('GET', '/customers');
    expect(body.data.map(({ fullName }: { fullName: string }) => fullName)).toEqual(['Ada Keller']);
  });

  test('the executable takes a file by multipart', async () => {
    const ready = await commandLine(FLAGS).ready();
    const form = new FormData();
    form.append(
      'file',
      new Blob(['platformCustomerId,customerType,fullName\na,INDIVIDUAL,Ada Keller\n'], { type: 'text/csv' }),
      'a.csv',
    );
    const authorization = `Basic ${btoa(`${ready.credentials.id}:${ready.credentials.secret}`)}`;
    const reply = await fetch(`${ready.baseUrl}/customers/bulk/csv`, {
      method: 'POST',
      headers: { authorization },
      body: form,
    });
    expect(reply.status).toBe(202);
    expect(await reply.json()).toMatchObject({ progress: { total: 1 } });
  });

  test('the executable prints the same OpenAPI document, scenario file and version as the package', async () => {
    const built = JSON.parse(readFileSync(join(ROOT, 'dist/openapi/spec.json'), 'utf8'));
    const printed = JSON.parse((await run(['openapi'])).stdout);
    expect(printed).toEqual({ ...built, servers: printed.servers });
    expect((await run(['scenarios', 'wallet'])).stdout).toBe(readFileSync(join(ROOT, 'scenarios/wallet.yaml'), 'utf8'));
    expect((await run(['version'])).stdout.trim()).toBe(
      JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version,
    );
  });

  test.each(['stdio', 'Streamable HTTP'])(
    'the executable serves a coding agent over %s: tools, pages and documents',
    async (way) => {
      const agent = await agentOver(way);
      const { baseUrl } = await agent.use('overview');
      expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/2025-10-13$/);
      const made = await agent.use('call_operation', { id: 'createCustomer', body: ADA });
      expect([made.status, made.body.kycStatus]).toEqual([201, 'APPROVED']);
      await agent.use('webhooks', { act: 'wait', type: 'CUSTOMER.KYC_APPROVED', subject: made.body.id });
      const { resources } = await agent.client.listResources();
      const uris = resources.map(({ uri }) => uri).filter((uri) => uri.startsWith('sandbox-emulator://docs/'));
      // What is for those who have the repository, or who choose, the package does not have.
      const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: string[] };
      const pages = readdirSync(join(ROOT, 'docs')).filter(
        (name) => name.endsWith('.md') && !files.includes(`!docs/${name}`),
      );
      expect(uris.sort()).toEqual(pages.map((name) => `sandbox-emulator://docs/${name.replace('.md', '')}`).sort());
      const read = async (uri: string) => (await agent.client.readResource({ uri })).contents[0] as { text: string };
      expect((await read('sandbox-emulator://docs/mcp')).text).toBe(readFileSync(join(ROOT, 'docs/mcp.md'), 'utf8'));
      expect((await read('sandbox-emulator://llms')).text).toBe(readFileSync(join(ROOT, 'llms.txt'), 'utf8'));
      expect(JSON.parse((await read('sandbox-emulator://openapi.json')).text).openapi).toBe('3.1.0');
    },
  );

  test('the executable writes a scenario file that it finds valid, and exits with 1 on an invalid one', async () => {
    const at = folder();
    expect((await run(['init', 'mine.yaml'], { cwd: at })).code).toBe(0);
    expect(existsSync(join(at, 'mine.yaml'))).toBe(true);
    expect(await run(['validate', 'mine.yaml'], { cwd: at })).toEqual({
      code: 0,
      stdout: 'mine.yaml: valid\n',
      stderr: '',
    });
    writeFileSync(join(at, 'wrong.yaml'), 'custmers: []\n');
    expect((await run(['validate', 'wrong.yaml'], { cwd: at })).code).toBe(1);
  });

  test('the executable needs no file beside it and writes none', async () => {
    const at = folder();
    const moved = join(at, 'moved');
    copyFileSync(command()[0], moved);
    expect(execFileSync(moved, ['scenarios', '--json'], { env: {}, cwd: at, encoding: 'utf8' })).toContain('"demo"');
    expect(readdirSync(at)).toEqual(['moved']);
  });
});

test('the executable has every command of the program, and each prints its help without running', async () => {
  const help = (await run(['--help'])).stdout;
  const commands = [...(help.split('Commands:')[1]?.split('\n\n')[0] ?? '').matchAll(/^ {2}([a-z-]+)/gm)].map(
    (row) => row[1] as string,
  );
  expect(commands).toContain('start');
  for (const name of commands) {
    const { code, stdout } = await run([name, '--help']);
    expect([name, code, stdout.includes('Usage:')]).toEqual([name, 0, true]);
  }
});
