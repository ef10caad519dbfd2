import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WalletClient } from '../../../src/testkit/index.ts';
import { leaveQuoteWaiting, live, NODES, pay, within } from '../../kit/live.ts';
import { client, commandLine } from '../../kit/process.ts';
import { receiver } from '../../kit/receiver.ts';
import { sure } from '../../kit/sure.ts';

const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', birthDate: '1991-05-04' };

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'live-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** How many deliveries of a sandbox have had an answer, or were given up. While a receiver hangs there is none for 30 seconds. */
async function given(url: string, sandbox = 'test'): Promise<number> {
  const answer = await fetch(`${url}/_emulator/webhooks?sandbox=${sandbox}`);
  const { data } = (await answer.json()) as { data: { attempts: unknown[] }[] };
  expect(data.length).toBeGreaterThan(0);
  return data.filter(({ attempts }) => attempts.length > 0).length;
}

describe.each(NODES)('trouble in real time, on %s', (node) => {
  test('a receiver that is down delays no payment and no decision, and gets the events of both once it is back, those of the payment in order (L1)', async () => {
    const { call, hooks, told } = await live(['--scenario', 'unregulated'], node);
    const does = sure(call);
    const parties = await leaveQuoteWaiting(call);
    await hooks.kill();
    const customer = await does('POST', '/customers', ada);
    const payment = await pay(call, parties);
    await within('the settled payment', async () => {
      const { status } = await does('GET', `/transactions/${payment}`);
      return status === 'COMPLETED' || undefined;
    });
    await within('the decision', async () => {
      const { kycStatus } = await does('GET', `/customers/${customer.id}`);
      return kycStatus === 'APPROVED' || undefined;
    });
    await hooks.revive();
    await within('what was kept', () => hooks.types().includes('OUTGOING_PAYMENT.COMPLETED') || undefined);
    await told('CUSTOMER.KYC_APPROVED', (data) => data.id === customer.id);
    const ofPayment = hooks.received.filter(({ event }) => event.data.id === payment).map(({ event }) => event.type);
    const steps = ['OUTGOING_PAYMENT.PENDING', 'OUTGOING_PAYMENT', 'OUTGOING_PAYMENT.PROCESSING'];
    expect(ofPayment).toEqual([...steps, 'OUTGOING_PAYMENT.COMPLETED']);
  });

  test('a body that is not JSON is refused in the same words on every Node', async () => {
    const { ready } = commandLine(['--port', '0', '--json', '--log', 'off'], { node });
    const { baseUrl } = await ready();
    const wordsFor = async (body: string) => {
      const headers = { authorization: `Basic ${btoa('test:secret')}`, 'content-type': 'application/json' };
      const reply = await fetch(`${baseUrl}/customers`, { method: 'POST', headers, body });
      return ((await reply.json()) as { message: string }).message.replace('the body is not JSON: ', '');
    };
    const cut = ['{"a":1,"b""c"}', '{"a":1,"b" }', '[{"a":1,"b"', '{"a""b"}'];
    expect(await Promise.all(cut.map(wordsFor))).toEqual(
      [10, 11, 11, 4].map((at) => `Expected ':' after property name in JSON at position ${at}`),
    );
    expect(await Promise.all(['{"a":1,}', '[1', '{"a":01}', '"abc', '{"a":}'].map(wordsFor))).toEqual([
      'Expected double-quoted property name in JSON at position 7',
      "Expected ',' or ']' after array element in JSON at position 2",
      'Unexpected number in JSON at position 6',
      'Unterminated string in JSON at position 4',
      `Unexpected token '}', "{"a":}" is not valid JSON`,
    ]);
  });

  test('a receiver that accepts and never answers delays no payment, no decision and no call (L1)', async () => {
    const { call, hooks, emulator, ready } = await live(['--scenario', 'unregulated'], node);
    const does = sure(call);
    hooks.react = () => 'hang';
    const parties = await leaveQuoteWaiting(call);
    for (let i = 0; i < 40; i += 1) await does('POST', '/customers', ada);
    const customer = await does('POST', '/customers', ada);
    const payment = await pay(call, parties);
    await within('the settled payment', async () => {
      const { status } = await does('GET', `/transactions/${payment}`);
      return status === 'COMPLETED' || undefined;
    });
    await within('the decision', async () => {
      const { kycStatus } = await does('GET', `/customers/${customer.id}`);
      return kycStatus === 'APPROVED' || undefined;
    });
    expect(await given(ready.url)).toBe(0);
    const moved = await fetch(`${ready.url}/_emulator/clock`, { method: 'POST', body: '{"advance":"PT1H"}' });
    expect(moved.status).toBe(200);
    emulator.child.kill('SIGTERM');
    expect(await emulator.ended).toBe(0);
  });

  test('a sandbox whose receiver hangs delays no webhook of another sandbox (L7)', async () => {
    const { ready, hooks } = await live([], node);
    hooks.react = () => 'hang';
    const other = await receiver();
    const login = (id: string) => client({ ...ready, credentials: { id, secret: 'any' } });
    const [first, second] = [sure(login('first')), sure(login('second'))];
    await second('PATCH', '/config', { webhookEndpoint: other.url });
    await leaveQuoteWaiting(login('first'));
    for (let i = 0; i < 40; i += 1) await first('POST', '/customers', ada);
    const customer = await second('POST', '/customers', ada);
    await within('the webhook of the healthy sandbox', () =>
      other.received.find(({ event }) => event.data.id === customer.id),
    );
    expect(await given(ready.url, 'first')).toBe(0);
  });

  test('a decision that was due when the emulator stopped happens after its restart from --state, in real time (L1)', async () => {
    const state = join(folder(), 'state.json');
    const first = await live(['--scenario', 'unregulated', '--state', state], node);
    const parties = await leaveQuoteWaiting(first.call);
    const customer = await sure(first.call)('POST', '/customers', ada);
    first.emulator.child.kill('SIGTERM');
    expect(await first.emulator.ended).toBe(0);
    const second = await live(['--scenario', 'unregulated', '--state', state], node);
    expect((await sure(second.call)('GET', `/customers/${customer.id}`)).id).toBe(customer.id);
    await second.told('CUSTOMER.KYC_APPROVED', (data) => data.id === customer.id);
    const payment = await pay(second.call, parties);
    await second.told('OUTGOING_PAYMENT.COMPLETED', (data) => data.id === payment);
  });

  test('a program exits by itself after close(), with jobs due now and later, and a delivery under way (U1, L2)', async () => {
    const hooks = await receiver();
    hooks.react = () => 'hang';
    const program = join(folder(), 'program.mjs');
    writeFileSync(
      program,
      `import { startEmulator } from ${JSON.stringify(pathToFileURL('dist/index.js').href)};
       const webhookUrl = process.argv[2] === 'one job' ? undefined : ${JSON.stringify(hooks.url)};
       const emulator = await startEmulator({ port: 0, scenario: 'unregulated', webhookUrl });
       const make = () => emulator.sandbox.fetch('/customers', { json: ${JSON.stringify(ada)} });
       for (let i = 0; webhookUrl && i < 40; i += 1) await make();
       if (process.argv[2] === 'advanced') void emulator.sandbox.clock.advance('PT3S');
       if (process.argv[2] === 'reset') await emulator.sandbox.reset();
       await make();
       await emulator.close();
       for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
       const left = process.getActiveResourcesInfo().filter((name) => name !== 'PipeWrap');
       process.stdout.write(['closed', ...left].join(' '), () => left.length > 0 && process.exit(1));`,
    );
    for (const how of ['one job', 'many jobs', 'advanced', 'reset']) {
      const child = spawn(node, [program, how], { stdio: ['ignore', 'pipe', 'inherit'] });
      onTestFinished(() => void child.kill('SIGKILL'));
      let out = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        out += text;
      });
      const code = await new Promise((resolve) => child.on('close', resolve));
      expect([how, code, out]).toEqual([how, 0, 'closed']);
    }
  });

  test('the clock of scenario demo can be moved after a customer, an import and a wallet login (L8)', async () => {
    const { ready, call } = await live(['--scenario', 'demo'], node);
    const does = sure(call);
    const { id, secret } = ready.credentials;
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
    const customer = await does('POST', '/customers', { ...ada, email: 'ada@example.com' });
    const form = new FormData();
    form.set('file', new Blob(['customerType,fullName\nINDIVIDUAL,Ada Keller\n'], { type: 'text/csv' }), 'people.csv');
    const upload = { method: 'POST', headers: { authorization }, body: form };
    expect((await fetch(`${ready.baseUrl}/customers/bulk/csv`, upload)).status).toBe(202);
    const accounts = await does('GET', `/customers/internal-accounts?customerId=${customer.id}&type=EMBEDDED_WALLET`);
    expect(accounts.data).toHaveLength(1);
    await new WalletClient({ baseUrl: ready.baseUrl, authorization, accountId: accounts.data[0].id }).loginWithOtp({
      code: '000000',
    });
    for (const body of ['{"advance":"PT1H"}', '{"mode":"held"}', '{"advance":"P1D"}', '{"mode":"live","speed":60}'])
      expect((await fetch(`${ready.url}/_emulator/clock`, { method: 'POST', body })).status).toBe(200);
  });
});

test('the command line exits with 0 on SIGTERM with jobs due now and later (U1)', async () => {
  const emulator = commandLine(['--json', '--port', '0']);
  const call = client(await emulator.ready());
  await leaveQuoteWaiting(call);
  for (let i = 0; i < 10; i += 1) await call('POST', '/customers', ada);
  emulator.child.kill('SIGTERM');
  expect(await emulator.ended).toBe(0);
});
