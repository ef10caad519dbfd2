import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Refused } from '../../src/cli/remote.ts';
import { type EmulatorOptions, startEmulator } from '../../src/index.ts';
import { run } from './kit.ts';

/** An emulator of this process with a clock that stands, and the command line as it asks it. */
async function running(options: EmulatorOptions = {}) {
  const emulator = await startEmulator({ port: 0, seed: 1, now: '2026-01-05T09:00:00Z', holdClock: true, ...options });
  onTestFinished(() => emulator.close());
  return { emulator, ask: (...args: string[]) => run([...args, '--url', emulator.url]) };
}

/** The address of a server that is not an emulator. */
async function stranger(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a subcommand that calls a running emulator', () => {
  test('a subcommand says in one sentence that no emulator runs at its URL, with exit code 1', async () => {
    expect(await run(['advance', '1h', '--url', 'http://127.0.0.1:1'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'no emulator answers at http://127.0.0.1:1; start one with sandbox-emulator, or name it with --url\n',
    });
  });

  test('a subcommand refuses a name that no path can hold, and says what it should have named', async () => {
    const { ask } = await running();
    const asked = [
      ['why', '.', 'request .'],
      ['restore', '..', 'snapshot ..'],
      ['diff', '', 'snapshot without a name'],
      ['fork', '--sandbox=', 'sandbox without a name'],
    ] as const;
    for (const [name, given, missing] of asked)
      expect(await ask(name, given)).toEqual({ code: 2, stdout: '', stderr: `there is no ${missing}\n` });
    expect(await ask('fault', 'remove', '')).toMatchObject({ code: 2, stderr: 'there is no fault without a name\n' });
    expect(await ask('call', '..')).toMatchObject({ code: 1, stderr: 'there is no operation ..\n' });
  });

  test('a subcommand says that another program answers at its URL, with exit code 1', async () => {
    const url = await stranger((_, response) => response.end('{}'));
    expect(await run(['advance', '1h', '--url', url])).toEqual({
      code: 1,
      stdout: '',
      stderr: `what answers at ${url} is not a sandbox-emulator; name the one you mean with --url\n`,
    });
  });

  test.each(['ps', 'listen --port 0 --register', 'mcp'])(
    '%s does not send the control token to another program that answers at its URL',
    async (line) => {
      const tokens: unknown[] = [];
      const url = await stranger((request, response) => {
        tokens.push(request.headers['x-control-token'], request.headers.authorization);
        response.end('{"uptimeMs":1}');
      });
      const env = { SANDBOX_EMULATOR_CONTROL_TOKEN: 'a-token-of-some-length' };
      expect(await run([...line.split(' '), '--url', url], { env })).toMatchObject({ code: 1 });
      expect(tokens).toEqual([undefined, undefined]);
    },
  );

  test('a subcommand sends the given control token to an emulator', async () => {
    const controlToken = 'a-token-of-some-length';
    const { ask } = await running({ controlToken });
    expect(await ask('advance', '1h')).toMatchObject({ code: 2 });
    expect(await ask('advance', '1h', '--control-token', controlToken)).toMatchObject({ code: 0 });
    const added = await ask(
      'fault',
      'add',
      '--operation',
      'createQuote',
      '--status',
      '503',
      '--control-token',
      controlToken,
    );
    expect(added).toMatchObject({ code: 0, stderr: '' });
  });

  test('a subcommand says that another program answers at its URL, even where that does not speak HTTP', async () => {
    const server = createTcpServer((socket) => socket.end('220 mail.example\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await run(['advance', '1h', '--url', url])).toEqual({
      code: 1,
      stdout: '',
      stderr: `what answers at ${url} is not a sandbox-emulator; name the one you mean with --url\n`,
    });
  });

  test('a subcommand says that the answer broke off in the middle, with exit code 1', async () => {
    const url = await stranger((_, response) => {
      response.writeHead(200, { 'x-sandbox-emulator': '0', 'content-length': '100' });
      response.write('{', () => response.destroy());
    });
    expect(await run(['advance', '1h', '--url', url])).toEqual({
      code: 1,
      stdout: '',
      stderr: `the emulator at ${url} broke off in the middle of its answer; its own log may say why\n`,
    });
  });

  test('a subcommand prints a refusal of the emulator in one sentence, with exit code 2', async () => {
    const { ask } = await running();
    expect(await ask('advance', '1h', '--sandbox', 'no:body')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'there is no sandbox no:body\n',
    });
  });

  test('a subcommand finds the emulator by SANDBOX_EMULATOR_URL where --url is not given', async () => {
    const { emulator } = await running();
    const env = { SANDBOX_EMULATOR_URL: `${emulator.url}/` };
    const { code, stdout } = await run(['advance', '1h', '--json'], { env });
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { now: '2026-01-05T10:00:00.000Z', mode: 'held', speed: 1, ran: [] },
    ]);
  });

  test('a subcommand acts on the sandbox that --sandbox names, and on no other', async () => {
    const { emulator, ask } = await running();
    const mine = await emulator.createSandbox();
    await ask('advance', '1d', '--sandbox', mine.id);
    expect([emulator.sandbox.clock.now(), mine.clock.now()]).toEqual([
      '2026-01-05T09:00:00.000Z',
      '2026-01-06T09:00:00.000Z',
    ]);
  });
});

test('a refusal is printed as one sentence with every field once', () => {
  const body = (message: string, errors: object[]) => ({ message, code: 'INVALID_INPUT', details: { errors } });
  const two = [
    { field: 'a', message: 'must be a number' },
    { field: 'b.0', message: 'is not known' },
  ];
  expect(new Refused(400, body('2 fields are wrong', two)).message).toBe(
    '2 fields are wrong: a: must be a number; b.0: is not known',
  );
  expect(new Refused(400, body('a: must be a number', two.slice(0, 1))).message).toBe('a: must be a number');
  expect(new Refused(502, undefined).message).toBe('the emulator answered 502');
});

describe('the command advance', () => {
  const customer = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', birthDate: '1991-05-04' };

  test('advance prints the new moment and the jobs that ran on the way, in words', async () => {
    const { emulator, ask } = await running({ scenario: 'unregulated' });
    await emulator.sandbox.fetch('/customers', { json: customer });
    expect(await ask('advance', '90s')).toEqual({
      code: 0,
      stderr: '',
      stdout: 'now 2026-01-05 09:01:30, held; 1 job ran\n  2026-01-05 09:00:02 approve customer Ada Keller\n',
    });
    expect((await ask('advance', 'PT30S')).stdout).toBe('now 2026-01-05 09:02:00, held; nothing was due\n');
  });

  test('advance prints the same job many times in a row as one line', async () => {
    const { emulator, ask } = await running({ webhookUrl: 'http://127.0.0.1:1/' });
    await emulator.sandbox.fetch('/customers', { json: customer });
    expect((await ask('advance', '1h')).stdout).toBe(
      'now 2026-01-05 10:00:00, held; 9 jobs ran\n' +
        '  2026-01-05 09:00:05 send CUSTOMER.KYC_APPROVED, 9 times until 2026-01-05 09:42:35\n',
    );
  });

  test('advance --json prints the reply of the control API on one line', async () => {
    const { emulator, ask } = await running({ scenario: 'unregulated' });
    await emulator.sandbox.fetch('/customers', { json: customer });
    const { stdout } = await ask('advance', '7d', '--json');
    expect(stdout.split('\n')).toHaveLength(2);
    expect(JSON.parse(stdout)).toMatchObject({
      now: '2026-01-12T09:00:00.000Z',
      ran: [{ kind: 'customer.decide', at: '2026-01-05T09:00:02.000Z', does: 'approve customer Ada Keller' }],
    });
  });

  test('advance refuses a duration beyond the end of the clock as too long: one sentence, exit code 2 (X12)', async () => {
    const { ask } = await running({});
    expect(await ask('advance', '999999999d')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'advance: is too long: at most 2912073d, for the clock ends with the year 9998\n',
    });
  });

  test.each(['7', 'soon', '1h2d', '-1h', ''])(
    'advance refuses %j as a duration: one sentence, exit code 1',
    async (text) => {
      const { code, stdout, stderr } = await run(['advance', '--', text]);
      expect([code, stdout, stderr]).toEqual([
        1,
        '',
        `the duration must be a duration such as 2h, 90s, 1h30m, 7d or PT15M, not ${text}\n`,
      ]);
    },
  );
});
