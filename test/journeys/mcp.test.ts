import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { folder, run } from '../cli/kit.ts';
import { projectFolder, withoutRunner } from '../kit/documents.ts';
import { freePort } from '../kit/port.ts';
import { commandLine } from '../kit/process.ts';
import { type Agent, agentOf } from '../mcp/agent.ts';

interface Started extends Agent {
  /** What the process said on stderr. */
  readonly said: () => string;
  readonly pid: number;
}

/** An agent whose client starts `sandbox-emulator mcp`, as clients do. */
async function overStdio(...flags: string[]): Promise<Started> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['bin/sandbox-emulator.js', 'mcp', ...flags],
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (text) => {
    said += text;
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { ...agentOf(client), said: () => said, pid: Number(transport.pid) };
}

/** An agent at `/_emulator/mcp` of an emulator that runs. */
async function overHttp(url: string): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/_emulator/mcp`));
  await client.connect(transport as Parameters<Client['connect']>[0]);
  onTestFinished(() => client.close());
  return agentOf(client);
}

const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller 001' };
const BO = {
  accountType: 'USD_ACCOUNT',
  accountNumber: '12345678',
  routingNumber: '021000021',
  beneficiary: {
    beneficiaryType: 'INDIVIDUAL',
    fullName: 'Bo Lind',
    address: { line1: '1 Main St', postalCode: '10001', country: 'US' },
  },
};

describe.each(['held', 'live'])('a task of an agent in tool calls, the clock %s', (mode) => {
  const connections = {
    stdio: () => overStdio('--seed', '1', ...(mode === 'held' ? ['--hold-clock'] : [])),
    http: async () => {
      const { ready } = commandLine([
        '--port',
        '0',
        '--json',
        '--seed',
        '1',
        ...(mode === 'held' ? ['--hold-clock'] : []),
      ]);
      return overHttp((await ready()).url);
    },
  };

  test.each(['stdio', 'http'] as const)(
    'an agent integrates a payment, finds why it fails, mends it, proves it and records a test, over %s',
    async (transport) => {
      const { use } = await connections[transport]();
      const call = async (id: string, sent: object = {}) => use('call_operation', { id, ...sent });

      // Integrate: what there is, and what a payment takes.
      const { baseUrl, credentials } = await use('overview');
      expect([new URL(baseUrl).pathname, credentials.clientId]).toEqual(['/2025-10-13', 'test']);
      const { operations } = await use('find_operation', { query: 'create a quote' });
      const { body: takes } = await use('describe_operation', { id: operations[0].id });
      expect(Object.keys(takes)).toEqual(expect.arrayContaining(['source', 'destination', 'lockedCurrencyAmount']));
      const { body: ada } = await call('createCustomer', { body: ADA });
      const { body: accounts } = await call('listCustomerInternalAccounts', {
        query: { customerId: ada.id, currency: 'USD' },
      });
      const from = accounts.data[0].id;
      const { body: bo } = await call('createCustomerExternalAccount', {
        body: { customerId: ada.id, currency: 'USD', accountInfo: BO },
      });
      const payment = {
        source: { sourceType: 'ACCOUNT', accountId: from },
        destination: { destinationType: 'ACCOUNT', accountId: bo.id },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 5000,
      };
      await use('snapshots', { act: 'keep', name: 'before' });

      // Find why it fails: nobody has decided on the customer, and the magic value says so.
      const refused = await call('createQuote', { body: payment });
      expect([refused.status, refused.body.code]).toEqual([403, 'USER_NOT_READY']);
      const reason = await use('why');
      expect([reason.id, reason.why.expected, reason.why.seen]).toEqual([refused.requestId, 'APPROVED', 'PENDING']);
      const { decisions } = await use('read_state', { id: ada.id });
      expect(decisions.map(({ label }: { label: string }) => label)).toEqual(['Approve', 'Reject']);

      // Mend: approve her, give her money, pay.
      expect((await use('decide', { id: ada.id, answer: { decision: 'APPROVED' } })).resource.kycStatus).toBe(
        'APPROVED',
      );
      await call('sandboxFundInternalAccount', { params: { accountId: from }, body: { amount: 10_000 } });
      const quote = await call('createQuote', { body: payment });
      expect(quote.status).toBe(201);
      const executed = await call('executeQuote', { params: { quoteId: quote.body.id } });
      expect(executed.status).toBe(200);

      // Prove it: the event that says so, the money, and what changed since the mistake.
      await use('clock', { act: 'advance', by: '1h' });
      const { transactionId } = quote.body;
      const { event } = await use('webhooks', {
        act: 'wait',
        type: 'OUTGOING_PAYMENT.COMPLETED',
        subject: transactionId,
      });
      expect(event.payload.data.id).toBe(transactionId);
      const paid = await use('read_state', { id: transactionId, path: 'resource.status' });
      expect(paid['resource.status']).toBe('COMPLETED');
      const left = await use('read_state', { id: from, path: 'resource.balance.amount' });
      expect(left['resource.balance.amount']).toBe(5000);
      const { diff } = await use('snapshots', { act: 'diff', name: 'before' });
      expect(JSON.stringify(diff)).toContain(transactionId);

      // And that the code copes when the service does not.
      await use('faults', {
        act: 'add',
        fault: { match: { operation: 'createQuote', times: 1 }, then: { status: 503 } },
      });
      expect((await call('createQuote', { body: payment })).status).toBe(503);
      expect((await use('why')).next).toContain('faults');
      expect((await call('createQuote', { body: payment })).status).toBe(201);

      // A test is left behind: the same payment by somebody who is approved, recorded, and run.
      const cem = await call('createCustomer', { body: { ...ADA, fullName: 'Cem Oz' } });
      const his = await call('listCustomerInternalAccounts', { query: { customerId: cem.body.id, currency: 'USD' } });
      const [{ id: source }] = his.body.data;
      const to = await call('createCustomerExternalAccount', {
        body: { customerId: cem.body.id, currency: 'USD', accountInfo: BO },
      });
      await call('sandboxFundInternalAccount', { params: { accountId: source }, body: { amount: 10_000 } });
      const again = await call('createQuote', {
        body: {
          ...payment,
          source: { ...payment.source, accountId: source },
          destination: { ...payment.destination, accountId: to.body.id },
        },
      });
      const last = await call('executeQuote', { params: { quoteId: again.body.id } });
      const { text } = await use('record', { requests: { from: cem.requestId, to: last.requestId } });
      const { folder, remove } = projectFolder(new Map([['payment.test.ts', text]]));
      onTestFinished(remove);
      const recorded = { cwd: folder, env: withoutRunner(process.env) };
      const { stdout } = await promisify(execFile)('npx', ['vitest', 'run'], recorded);
      expect(stdout).toContain('1 passed');
    },
  );
});

describe('the command mcp', () => {
  test('mcp --url joins a running emulator, so that people and agents see one sandbox', async () => {
    const { ready } = commandLine(['--port', '0', '--json']);
    const { url, baseUrl } = await ready();
    const { use, said } = await overStdio('--url', url);
    expect((await use('overview')).baseUrl).toBe(baseUrl);
    expect(said()).toBe(`sandbox-emulator: joined the emulator at ${url}\n`);
    const { body } = await use('call_operation', { id: 'createCustomer', body: ADA });
    const answer = await fetch(`${url}/_emulator/resources/${body.id}`);
    expect(answer.status).toBe(200);
  });

  test('mcp --sandbox uses the named sandbox', async () => {
    const { ready } = commandLine(['--port', '0', '--json']);
    const { url } = await ready();
    const made = await fetch(`${url}/_emulator/sandboxes`, { method: 'POST' });
    const { id } = (await made.json()) as { id: string };
    const { use } = await overStdio('--url', url, '--sandbox', id);
    expect((await use('overview')).sandbox).toBe(id);
  });

  test('mcp says that the emulator it joined has stopped, and goes on when it is back', async () => {
    const flags = ['--port', String(await freePort()), '--json'];
    const first = commandLine(flags);
    const { url } = await first.ready();
    const { use } = await overStdio('--url', url);
    first.child.kill();
    await first.ended;
    await expect(use('overview')).rejects.toThrow(`no emulator answers at ${url} any more`);
    const again = commandLine(flags);
    await again.ready();
    expect((await use('overview')).sandbox).toBe('test');
  });

  test('mcp does not send its control token to a program that takes the port of the emulator it joined', async () => {
    const token = 'a-token-of-some-length';
    const flags = ['--port', String(await freePort()), '--json', '--control-token', token];
    const first = commandLine(flags);
    const { url } = await first.ready();
    const { use } = await overStdio('--url', url, '--control-token', token);
    expect((await use('overview')).sandbox).toBe('test');
    first.child.kill();
    await first.ended;
    const received: unknown[] = [];
    const other = createServer((request, response) => {
      received.push([request.url, request.headers['x-control-token']]);
      response.end('{}');
    });
    await once(other.listen(Number(new URL(url).port), '127.0.0.1'), 'listening');
    onTestFinished(() => void other.close());
    await expect(use('overview')).rejects.toThrow(`no emulator answers at ${url} any more`);
    expect(received.length).toBeGreaterThan(0);
    for (const one of received) expect(one).toEqual(['/_emulator/health', undefined]);
  });

  test('mcp with a flag of start starts an emulator of its own on a free port, which others can call, too', async () => {
    const { use, said } = await overStdio('--scenario', 'wallet', '--profile', 'grid');
    const { baseUrl, profile, rows } = await use('overview');
    expect([profile, rows.customers]).toEqual(['grid', 1]);
    expect(said()).toBe(`sandbox-emulator: started an emulator at ${new URL(baseUrl).origin}\n`);
    expect((await fetch(new URL('/_emulator/health', baseUrl))).status).toBe(200);
  });

  test.each<[string, NodeJS.Signals[]]>([
    ['its window is closed', ['SIGHUP']],
    ['it is terminated', ['SIGTERM']],
    ['Ctrl+C ends its agent, which ends it once more', ['SIGINT', 'SIGTERM']],
  ])('mcp with --state saves when %s', async (_, signals) => {
    const state = join(folder(), 'kept.state');
    const { use, pid } = await overStdio('--state', state);
    await use('call_operation', { id: 'createCustomer', body: ADA });
    for (const signal of signals) process.kill(pid, signal);
    await expect.poll(() => (existsSync(state) ? readFileSync(state, 'utf8') : '')).toContain(ADA.fullName);
  });

  test('mcp writes nothing but messages to stdout, answers each request, and exits when stdin ends', async () => {
    const running = commandLine(['mcp', '--seed', '1']);
    const messages = [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      },
      { method: 'notifications/initialized' },
      {
        id: 2,
        method: 'tools/call',
        params: { name: 'call_operation', arguments: { id: 'createCustomer', body: ADA } },
      },
      {
        id: 3,
        method: 'tools/call',
        params: { name: 'webhooks', arguments: { act: 'set_endpoint', url: 'http://127.0.0.1:1/' } },
      },
    ];
    running.child.stdin?.end(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
    expect(await running.ended).toBe(0);
    const answers = running.out.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
  });

  test('mcp serves a client of the newer era without initialization, and exits when stdin ends', async () => {
    const running = commandLine(['mcp', '--seed', '1']);
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const messages = [
      { id: 1, method: 'server/discover', params: { _meta } },
      { id: 2, method: 'tools/list', params: { _meta } },
      {
        id: 3,
        method: 'tools/call',
        params: { name: 'call_operation', arguments: { id: 'getPlatformConfig' }, _meta },
      },
      {
        id: 4,
        method: 'tools/call',
        params: { name: 'webhooks', arguments: { act: 'wait', type: 'TEST', seconds: 60 }, _meta },
      },
      { method: 'notifications/cancelled', params: { requestId: 4, reason: 'no longer wanted', _meta } },
    ];
    running.child.stdin?.end(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
    expect(await running.ended).toBe(0);
    const answers = running.out.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const [discovered, listed, called] = [1, 2, 3].map((id) => answers.find((one) => one.id === id)?.result);
    expect(discovered.supportedVersions).toEqual(['2026-07-28']);
    expect(listed.tools.map(({ name }: { name: string }) => name)).toContain('call_operation');
    expect(called.structuredContent.status).toBe(200);
    expect(answers.length).toBe(3);
  });

  test('mcp ends at SIGTERM', async () => {
    const { client, pid, use } = await overStdio('--seed', '1');
    await use('overview');
    const closed = new Promise<void>((resolve) => {
      client.onclose = resolve;
    });
    process.kill(pid, 'SIGTERM');
    await closed;
  });

  test.each([
    [['--url', 'http://127.0.0.1:1'], /^no emulator answers at http:\/\/127\.0\.0\.1:1; /],
    [
      ['--url', 'http://127.0.0.1:1', '--seed', '1'],
      /^--url joins an emulator that runs, and --seed is for one that is/,
    ],
    [['--scenario', 'walet'], /^no scenario walet: /],
    [['--json'], /^unknown option '--json'/],
  ])('mcp with %j is refused with one sentence and exit code 1', async (flags, sentence) => {
    const { code, stdout, stderr } = await run(['mcp', ...flags]);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(sentence)]);
  });
});
