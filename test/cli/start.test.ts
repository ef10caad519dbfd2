import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { handleSignals } from '../../src/cli/stop.ts';
import type { Emulator } from '../../src/public.ts';
import { freePort } from '../kit/port.ts';
import { client, commandLine } from '../kit/process.ts';
import { folder, taken } from './kit.ts';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
const JSON_FREE = ['--json', '--port', '0'];

/** The status of an answer to who calls by a name; `fetch` lets nobody say which. */
const statusOf = (url: string, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { host } }, (reply) => resolve(reply.resume().statusCode)).on('error', reject);
  });

test('the first line of --json is the ready event, however long the scenario takes to fill', async () => {
  const dir = folder();
  writeFileSync(join(dir, 'many.yaml'), 'generate: { customers: 40000 }');
  const { ready } = commandLine([...JSON_FREE, '--scenario', join(dir, 'many.yaml')]);
  expect(await ready()).toMatchObject({ event: 'ready', credentials: { id: 'test' } });
});

describe('flags that print and exit', () => {
  test('--version prints the version and nothing else', async () => {
    const { out, ended } = commandLine(['--version']);
    expect(await ended).toBe(0);
    expect(out).toEqual({ stdout: `${version}\n`, stderr: '' });
  });

  test('start --help names every flag of the contract', async () => {
    const { out, ended } = commandLine(['start', '--help']);
    expect(await ended).toBe(0);
    for (const flag of [
      '--port',
      '--host',
      '--scenario',
      '--webhook-url',
      '--profile',
      '--base-path',
      '--auth',
      '--seed',
      '--now',
      '--hold-clock',
      '--state',
      '--log',
      '--quiet',
      '--json',
      '--allow-remote-webhooks',
      '--parent-watch',
    ])
      expect(out.stdout).toContain(flag);
  });
});

describe('a start', () => {
  test('the first line of --json is the ready event, and its URLs and credentials work', async () => {
    const { ready, child } = commandLine(JSON_FREE);
    const event = await ready();
    expect(Object.keys(event).sort()).toEqual([
      'baseUrl',
      'credentials',
      'event',
      'inspectorUrl',
      'pid',
      'url',
      'webhookPublicKey',
    ]);
    expect(event).toMatchObject({
      event: 'ready',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      baseUrl: `${event.url}/2025-10-13`,
      inspectorUrl: `${event.url}/`,
      credentials: { id: 'test', secret: 'secret' },
      pid: child.pid,
    });
    expect(event.webhookPublicKey).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
    expect((await client(event)('GET', '/config')).status).toBe(200);
    expect(await (await fetch(`${event.url}/_emulator/health`)).json()).toMatchObject({
      status: 'ok',
      version,
      profile: 'spec',
    });
  });

  test('every other line of --json is JSON too, one per request', async () => {
    const { ready, out, child, ended } = commandLine(JSON_FREE);
    const call = client(await ready());
    await call('GET', '/config');
    await call('POST', '/customers', { customerType: 'INDIVIDUAL', fullName: 'Ann Lee 002' });
    await call('GET', '/nowhere');
    child.kill('SIGTERM');
    await ended;
    const lines = out.stdout
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { event: 'request', method: 'GET', path: '/2025-10-13/config', operation: 'getPlatformConfig', status: 200 },
      { event: 'request', operation: 'createCustomer', status: 201, magic: [expect.stringContaining('002')] },
      { event: 'request', status: 404, code: 'REFERENCE_NOT_FOUND' },
    ]);
    expect(out.stderr).toBe('');
  });

  test.each([
    ['--port', (port: number) => ({ args: ['--port', `${port}`], env: { PORT: '1', SANDBOX_EMULATOR_PORT: '2' } })],
    ['SANDBOX_EMULATOR_PORT', (port: number) => ({ args: [], env: { PORT: '1', SANDBOX_EMULATOR_PORT: `${port}` } })],
    ['PORT', (port: number) => ({ args: [], env: { PORT: `${port}` } })],
  ])('a start takes its port from %s', async (_, how) => {
    const port = await freePort();
    const { args, env } = how(port);
    const { ready } = commandLine(['--json', ...args], { env });
    expect((await ready()).url).toBe(`http://127.0.0.1:${port}`);
  });

  test('a start takes its address and its host names from variables where no flag names them', async () => {
    const env = { SANDBOX_EMULATOR_HOST: '127.0.0.2', SANDBOX_EMULATOR_ALLOW_HOST: 'emulator,other' };
    const { url } = await commandLine(JSON_FREE, { env }).ready();
    expect(new URL(url).hostname).toBe('127.0.0.2');
    const asked = (host: string) => statusOf(`${url}/_emulator/health`, host);
    expect(await Promise.all(['emulator', 'other', 'third'].map(asked))).toEqual([200, 200, 403]);
    const flag = await commandLine([...JSON_FREE, '--host', '127.0.0.1', '--allow-host', 'third'], { env }).ready();
    expect(new URL(flag.url).hostname).toBe('127.0.0.1');
    expect(await statusOf(`${flag.url}/_emulator/health`, 'third')).toBe(200);
    expect(await statusOf(`${flag.url}/_emulator/health`, 'emulator')).toBe(403);
  });

  test('a start follows its flags for scenario, profile, base path, seed, clock and credentials mode', async () => {
    const file = join(folder(), 'mine.yaml');
    writeFileSync(file, 'credentials: [{ id: mine, secret: pw }]\nplatform: { umaDomain: mine.example }\n');
    const { ready } = commandLine([
      ...JSON_FREE,
      '-s',
      'regulated',
      '-s',
      file,
      '--auth',
      'known',
      '--seed',
      '7',
      '--now',
      '2030-01-01T00:00:00Z',
      '--hold-clock',
      '--base-path',
      '/api/v1',
    ]);
    const event = await ready();
    expect(event).toMatchObject({ baseUrl: `${event.url}/api/v1`, credentials: { id: 'mine', secret: 'pw' } });
    expect((await client(event)('GET', '/config')).body).toMatchObject({
      umaDomain: 'mine.example',
      isRegulatedFinancialInstitution: true,
      createdAt: '2030-01-01T00:00:00.000Z',
    });
    expect((await client({ ...event, credentials: { id: 'other', secret: 'x' } })('GET', '/config')).status).toBe(401);
    // The version segment is always served, too.
    expect((await client({ ...event, baseUrl: `${event.url}/2025-10-13` })('GET', '/config')).status).toBe(200);
  });

  test('two starts with the same seed and a held clock give the same ids', async () => {
    const run = async () => {
      const { ready } = commandLine([...JSON_FREE, '--seed', '7', '--now', '2030-01-01T00:00:00Z', '--hold-clock']);
      return (await client(await ready())('POST', '/customers', { customerType: 'BUSINESS' })).body;
    };
    expect(await run()).toEqual(await run());
  });

  test('--now without an offset is UTC, whatever the time zone of the machine', async () => {
    const flags = [...JSON_FREE, '--now', '2026-01-05T09:00:00', '--hold-clock'];
    const { url } = await commandLine(flags, { env: { TZ: 'Asia/Tokyo' } }).ready();
    expect(await (await fetch(`${url}/_emulator/clock`)).json()).toMatchObject({ now: '2026-01-05T09:00:00.000Z' });
  });

  test('a start with --quiet prints nothing at all', async () => {
    const port = await freePort();
    const { out, child, ended } = commandLine(['--quiet', '--port', `${port}`]);
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/_emulator/health`).catch(() => undefined);
      if (answer?.ok) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(out).toEqual({ stdout: '', stderr: '' });
  });
});

describe('refusals of a start', () => {
  test('a start on a busy port is refused with one sentence and exit code 1', async () => {
    const port = await taken();
    const { out, ended } = commandLine(['--port', `${port}`]);
    expect(await ended).toBe(1);
    expect(out.stdout).toBe('');
    expect(out.stderr.trim().split('\n')).toEqual([expect.stringContaining(`port ${port} is taken`)]);
  });

  test.each([
    [['--port', 'abc'], 'port'],
    [['--port', '70000'], '70000'],
    [['--port', '-1'], 'port'],
    [['--profile', 'other'], 'profile'],
    [['--auth', 'none'], 'auth'],
    [['--seed', 'x'], 'seed'],
    [['--now', 'yesterday'], '--now'],
    [['--webhook-url', 'ftp://x'], '--webhook-url'],
    [['--base-path', 'no slash'], '--base-path'],
    [['--log', 'xml'], 'log'],
    [['--unknown'], '--unknown'],
    [['--scenario', 'defualt'], 'did you mean default'],
    [['--scenario', '/nowhere/at/all.yaml'], 'no scenario /nowhere/at/all.yaml'],
  ])('a start with %j is refused with exit code 1', async (args, says) => {
    const { out, ended } = commandLine(['--json', '--port', '0', ...args]);
    expect(await ended).toBe(1);
    expect(out.stdout).toBe('');
    expect(out.stderr).toContain(says);
    expect(out.stderr).not.toMatch(/\bat .*:\d+:\d+/);
  });

  test('a start with a PORT that is not a number is refused with exit code 1', async () => {
    const { out, ended } = commandLine(['--json'], { env: { PORT: 'http' } });
    expect(await ended).toBe(1);
    expect(out.stderr).toContain('port');
  });

  test('a start with mistakes in its scenario names each with line and column, and exits with 1', async () => {
    const file = join(folder(), 'bad.yaml');
    writeFileSync(file, 'platform:\n  regulatd: true\n  umaDomain: 7\n');
    const { out, ended } = commandLine([...JSON_FREE, '-s', file]);
    expect(await ended).toBe(1);
    expect(out.stderr).toContain(`${file}:2:3: unknown key regulatd; did you mean regulated?`);
    expect(out.stderr).toContain(`${file}:3:`);
  });
});

describe('the end of an emulator', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'an emulator exits with 0 at %s, even with open connections',
    async (signal) => {
      const { ready, child, ended } = commandLine(JSON_FREE);
      const { url } = await ready();
      const idle = connect(Number(new URL(url).port), '127.0.0.1');
      onTestFinished(() => void idle.destroy());
      idle.on('error', () => {});
      await new Promise((resolve) => idle.once('connect', resolve));
      idle.write('POST /2025-10-13/customers HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n\r\n{');
      await fetch(`${url}/_emulator/health`);
      child.kill(signal);
      expect(await ended).toBe(0);
    },
  );

  test('signals to save and to reload that come while the scenario fills are obeyed once it has', async () => {
    const dir = folder();
    const [scenario, state] = ['many.yaml', 'state.json'].map((name) => join(dir, name)) as [string, string];
    writeFileSync(scenario, 'generate: { customers: 40000 }');
    const args = ['--port', '0', '--scenario', scenario, '--state', state];
    const { out, child } = commandLine(args, { withoutTerminal: true });
    await expect.poll(() => out.stdout, { timeout: 20_000 }).toContain('filling');
    writeFileSync(scenario, 'generate: { customers: 1 }');
    child.kill('SIGUSR2');
    child.kill('SIGHUP');
    await expect.poll(() => out.stdout, { timeout: 30_000 }).toContain('started over from');
    await expect.poll(() => existsSync(state), { timeout: 10_000 }).toBe(true);
  });

  test('an end that hangs is forced with exit code 1 after five seconds', () => {
    vi.useFakeTimers();
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
    const hangs = { close: () => new Promise(() => {}) } as unknown as Emulator;
    const wishes = { reload: () => {}, complain: () => {}, parentWatch: false, saves: false };
    const on = vi.spyOn(process, 'on').mockReturnThis();
    onTestFinished(() => {
      vi.useRealTimers();
      for (const spy of [exit, on]) spy.mockRestore();
    });
    handleSignals(hangs, {} as never, wishes);
    on.mock.calls.find(([signal]) => signal === 'SIGTERM')?.[1]();
    vi.advanceTimersByTime(4999);
    expect(exit).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(exit).toHaveBeenCalledExactlyOnceWith(1);
  });

  test('an emulator with --parent-watch exits when its stdin ends', async () => {
    const { ready, child, ended } = commandLine([...JSON_FREE, '--parent-watch']);
    await ready();
    child.stdin?.end();
    expect(await ended).toBe(0);
  });

  test('an emulator without --parent-watch goes on when its stdin is closed', async () => {
    const { ready, child } = commandLine(JSON_FREE);
    const { url } = await ready();
    child.stdin?.end();
    for (let i = 0; i < 5; i += 1) expect((await fetch(`${url}/_emulator/health`)).status).toBe(200);
    expect(child.exitCode).toBeNull();
  });

  test('an emulator whose parent never reads stdout answers every request', async () => {
    const port = await freePort();
    const { child, ended } = commandLine(['--log', 'json', '--port', `${port}`], { read: false });
    const url = `http://127.0.0.1:${port}`;
    for (;;) {
      const answer = await fetch(`${url}/_emulator/health`).catch(() => undefined);
      if (answer?.ok) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const call = client({ baseUrl: `${url}/2025-10-13`, credentials: { id: 'test', secret: 'secret' } });
    // About 1.4 MB of log, twenty times what a pipe holds.
    const long = 'x'.repeat(6000);
    for (let i = 0; i < 230; i += 1)
      expect((await call('GET', `/customers?platformCustomerId=${i}${long.slice(0, 400)}`)).status).toBe(200);
    for (let i = 0; i < 200; i += 1) expect((await call('GET', `/customers/${long}`)).status).toBe(404);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});

describe('a state file', () => {
  const made = async (
    file: string,
    act: (call: ReturnType<typeof client>, url: string) => Promise<void>,
    signal: NodeJS.Signals = 'SIGTERM',
  ) => {
    const { ready, child, ended } = commandLine([...JSON_FREE, '--state', file]);
    const event = await ready();
    await act(client(event), event.url);
    child.kill(signal);
    return ended;
  };

  test('a start with --state has what was there at the end of the last run', async () => {
    const file = join(folder(), 'state.json');
    let id = '';
    expect(
      await made(file, async (call) => {
        id = (await call('POST', '/customers', { customerType: 'BUSINESS' })).body.id;
      }),
    ).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8')).format).toBe(1);
    await made(file, async (call) => {
      expect((await call('GET', `/customers/${id}`)).body.id).toBe(id);
      expect((await call('GET', '/customers')).body.totalCount).toBe(1);
    });
    expect(existsSync(`${file}.tmp`)).toBe(false);
  });

  test('SIGUSR2 saves the state of a running emulator', async () => {
    const file = join(folder(), 'state.json');
    const { ready, child } = commandLine([...JSON_FREE, '--state', file]);
    const call = client(await ready());
    await call('POST', '/customers', { customerType: 'BUSINESS' });
    child.kill('SIGUSR2');
    while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 10));
    const { tables } = JSON.parse(readFileSync(file, 'utf8'));
    expect(tables.find((table: { name: string }) => table.name === 'customers').rows).toHaveLength(1);
    expect((await call('GET', '/customers')).status).toBe(200);
  });

  test.each([
    ['a pipe', 'pipe', 'is a pipe, not a file; nothing would be saved'],
    ['an empty name', '', 'the state file has no name; nothing would be saved'],
  ])('%s in the place of a state file is refused at once (X9)', async (_, name, sentence) => {
    const place = folder();
    execFileSync('mkfifo', [join(place, 'pipe')]);
    const { ended, out } = commandLine([...JSON_FREE, '--state', name && join(place, name)]);
    expect(await ended).toBe(1);
    expect(out.stderr).toContain(sentence);
  });

  test('saves of the state file at the same time do not disturb each other', async () => {
    const file = join(folder(), 'state.json');
    const { ready, child, out, ended } = commandLine([...JSON_FREE, '--state', file, '-s', 'default']);
    const call = client(await ready());
    for (let i = 0; i < 200; i += 1) await call('POST', '/customers', { customerType: 'BUSINESS' });
    for (let i = 0; i < 5; i += 1) {
      child.kill('SIGUSR2');
      await call('GET', '/config');
    }
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(out.stderr).toBe('');
    expect(JSON.parse(readFileSync(file, 'utf8')).format).toBe(1);
    expect(readdirSync(join(file, '..'))).toEqual(['state.json']);
  });

  test.each([
    ['not JSON', '{"format":1,'],
    ['of another format', '{"format":99}'],
    ['JSON of another kind', '[]'],
    ['without most of its members', '{"format":1}'],
    [
      'wrong in its rows',
      '{"format":1,"clock":{"now":"2026-01-05T09:00:00.000Z","mode":"held","speed":1},"ids":{"seed":"1","drawn":0,"lastMs":0,"tick":0},"settings":{"policies":{},"limits":{}},"tables":[{"name":"accounts","next":1,"rows":[null]}]}',
    ],
  ])('a state file that is %s is left as it is, and reported in one sentence', async (_, text) => {
    const file = join(folder(), 'state.json');
    writeFileSync(file, text);
    const { out, ended } = commandLine([...JSON_FREE, '--state', file]);
    expect(await ended).toBe(1);
    expect(out.stderr).toContain(file);
    expect(out.stderr.trim().split('\n')).toHaveLength(1);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});
