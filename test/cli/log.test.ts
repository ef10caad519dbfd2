import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type BannerFacts, banner } from '../../src/cli/banner.ts';
import { logFormat } from '../../src/cli/commands/start.ts';
import { colours, hasColours, jsonText, printable } from '../../src/cli/text.ts';
import { startEmulator } from '../../src/index.ts';
import { freePort } from '../kit/port.ts';
import { client, commandLine } from '../kit/process.ts';
import { lineOf } from './kit.ts';

const ESCAPE = '\u001b';
const [plain, painted] = [colours(false), colours(true)];

/** An emulator that logs in a way, called with a magic value and with a path that would clear a terminal. */
async function logged(args: readonly string[], env: Record<string, string> = {}) {
  const port = await freePort();
  const running = commandLine(['--port', String(port), ...args], { env });
  const baseUrl = `http://127.0.0.1:${port}/2025-10-13`;
  for (;;) if (await fetch(`http://127.0.0.1:${port}/_emulator/health`).catch(() => undefined)) break;
  const call = client({ baseUrl, credentials: { id: 'mine', secret: 'x' } });
  await call('POST', '/customers', { customerType: 'INDIVIDUAL', fullName: 'Ann Lee 002' });
  await call('GET', '/customers/%1b%5B2J%C2%9B');
  return running;
}

describe('the log of requests', () => {
  test('--log pretty shows method, path, status, milliseconds, sandbox, and the magic value that fired', async () => {
    const running = await logged(['--log', 'pretty']);
    expect(await lineOf(running, (line) => line.includes('POST'))).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} 201 POST {3}\/2025-10-13\/customers \d+\.\d ms {2}mine {2}req_\d+ {2}.*002/,
    );
    const refused = await lineOf(running, (line) => line.includes(' 404 '));
    expect(refused).toMatch(/ 404 GET .* USER_NOT_FOUND$/);
    expect(running.out.stdout).not.toContain(ESCAPE);
  });

  test('--log json shows a request as JSON with operation, status, milliseconds, sandbox and magic value', async () => {
    const running = await logged(['--log', 'json']);
    const line = await lineOf(running, (text) => text.includes('"method":"POST"'));
    expect(JSON.parse(line)).toMatchObject({
      event: 'request',
      method: 'POST',
      path: '/2025-10-13/customers',
      operation: 'createCustomer',
      status: 201,
      ms: expect.any(Number),
      sandbox: 'mine',
      magic: [expect.stringContaining('002')],
    });
  });

  test('--log off shows no requests, but with --json the ready line', async () => {
    const running = await logged(['--log', 'off', '--json']);
    running.child.kill('SIGTERM');
    expect(await running.ended).toBe(0);
    expect(
      running.out.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).event),
    ).toEqual(['ready']);
  });

  test('FORCE_COLOR colours the log even in a pipe, and NO_COLOR wins', async () => {
    const running = await logged(['--log', 'pretty'], { FORCE_COLOR: '1', NO_COLOR: '' });
    expect(await lineOf(running, (line) => line.includes('POST'))).toContain(`${ESCAPE}[32m201${ESCAPE}[0m`);
    const sober = await logged(['--log', 'pretty'], { FORCE_COLOR: '1', NO_COLOR: '1' });
    expect(await lineOf(sober, (line) => line.includes('POST'))).not.toContain(ESCAPE);
  });

  test.each([
    [{}, 'pretty'],
    [{ log: 'pretty' }, 'pretty'],
    [{ log: 'json' }, 'json'],
    [{ json: true }, 'json'],
    [{ json: true, log: 'pretty' }, 'json'],
    [{ json: true, log: 'off' }, 'off'],
    [{ quiet: true, log: 'json' }, 'off'],
  ] as const)('the flags %j give the log format %s', (flags, format) => {
    expect(logFormat(flags)).toBe(format);
  });

  test.each([[[]], [['--log', 'pretty']]])(
    'a pipe gets the banner, then text, with the flags %j (U12)',
    async (flags) => {
      const running = await logged(flags);
      await lineOf(running, (line) => line.includes(' 201 POST'));
      const { stdout } = running.out;
      expect(stdout).toMatch(/^sandbox-emulator \d+\.\d+\.\d+\n/);
      expect(stdout.indexOf('base URL')).toBeLessThan(stdout.indexOf(' 201 POST'));
      expect(stdout).not.toContain(ESCAPE);
      expect(stdout).not.toContain('{"event"');
    },
  );

  test('--log json begins with the ready event and has no banner (U12)', async () => {
    const running = await logged(['--log', 'json']);
    expect((await running.ready()).event).toBe('ready');
    expect(running.out.stdout).not.toContain('base URL');
  });
});

describe('colours of the terminal', () => {
  test.each([
    [{}, true, true],
    [{}, false, false],
    [{ TERM: 'dumb' }, true, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: '3', NO_COLOR: '1' }, true, false],
  ])('the environment %j, on a terminal: %j, gives colours: %j', (env, terminal, on) => {
    expect(hasColours(terminal, env)).toBe(on);
  });
});

describe('texts of others in the terminal', () => {
  test.each([
    ['\u001b[31m', '\\x1b[31m'],
    ['a\nb\r\t', 'a\\x0ab\\x0d\\x09'],
    ['\u009b\u007f', '\\x9b\\x7f'],
    ['\u202eabc\u2066', '\\u{202e}abc\\u{2066}'],
    ['\u2028\ufeff', '\\u{2028}\\u{feff}'],
    ['\ud800', '\\u{d800}'],
    ['Zoë 漢字 😀', 'Zoë 漢字 😀'],
  ])('the text %j is shown without control characters', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  test('a text of others is printed as JSON without control characters, and parses to the same value', () => {
    const value = { a: '\u001b\u009b\u202e\u2028\n', b: ['\u{e0001}', 'é'] };
    for (const indent of [undefined, 2]) {
      expect(JSON.parse(jsonText(value, indent))).toEqual(value);
      expect(jsonText(value, indent).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
    }
  });
});

describe('the banner of a start', () => {
  const facts: BannerFacts = {
    url: 'http://127.0.0.1:4010',
    baseUrl: 'http://127.0.0.1:4010/2025-10-13',
    inspectorUrl: 'http://127.0.0.1:4010/',
    credentials: { id: 'test', secret: 'secret' },
    auth: 'open',
    scenario: ['default', 'mine.yaml'],
    watching: true,
    profile: 'spec',
    webhookUrl: 'http://127.0.0.1:3000/hooks',
    clock: { mode: 'live', now: '2026-01-05T09:00:00.000Z', speed: 1 },
    state: undefined,
    continues: false,
  };

  test('the banner names URLs, credentials, scenario, profile, webhook endpoint and clock of a start', () => {
    const text = banner(facts, plain);
    for (const part of [
      'http://127.0.0.1:4010/2025-10-13\n',
      'test:secret',
      'default + mine.yaml  (watched)',
      'spec\n',
      'http://127.0.0.1:4010/\n',
      'http://127.0.0.1:3000/hooks',
      'http://127.0.0.1:4010/_emulator/webhooks/key',
      'running from 2026-01-05T09:00:00.000Z',
    ])
      expect(text).toContain(part);
    expect(banner({ ...facts, webhookUrl: undefined }, plain)).toMatch(/try: .+ listen --register\n/);
    const other = { webhookUrl: undefined, url: 'http://127.0.0.1:4110' };
    expect(banner({ ...facts, ...other }, plain)).toMatch(
      /try: .+ listen --register --url http:\/\/127\.0\.0\.1:4110\n/,
    );
    const far = { webhookUrl: 'https://hooks.invalid/', unsent: 'https://hooks.invalid/ is not on this machine' };
    expect(banner({ ...facts, ...far }, plain)).toContain(
      'https://hooks.invalid/  not sent: --allow-remote-webhooks was not given\n',
    );
    expect(banner({ ...facts, clock: { ...facts.clock, mode: 'held' } }, plain)).toContain('held at 2026-01-05');
    expect(banner({ ...facts, state: 's.json' }, plain)).toMatch(/state +s\.json\n/);
    expect(banner({ ...facts, state: 's.json', continues: true }, plain)).toContain(
      's.json  (continued; the scenario counts from the next reset)',
    );
    expect(text).not.toContain(ESCAPE);
    expect(banner(facts, painted)).toContain(`${ESCAPE}[1m`);
  });

  test('the last line of the banner works when it is pasted, whatever the credentials are', async () => {
    const curl = await promisify(execFile)('curl', ['--version']).catch(() => undefined);
    if (!curl) return;
    const secret = `it's $HOME "x"`;
    const emulator = await startEmulator({ port: 0, scenario: { credentials: [{ id: 'me', secret }] }, auth: 'known' });
    const { url, baseUrl, inspectorUrl } = emulator;
    const text = banner({ ...facts, url, baseUrl, inspectorUrl, credentials: { id: 'me', secret } }, plain);
    const { stdout } = await promisify(execFile)('sh', ['-c', text.trim().split('\n').at(-1) as string]);
    await emulator.close();
    expect(JSON.parse(stdout)).toMatchObject({ fullName: 'Ada Keller', kycStatus: 'APPROVED' });
  });
});

test('a start warns of an address that others can reach, unless a control token locks it', async () => {
  const running = commandLine(['--json', '--port', '0', '--host', '0.0.0.0']);
  await running.ready();
  const message =
    'listening on 0.0.0.0: everybody who can reach this machine can use this emulator; --control-token asks them for a secret';
  expect(JSON.parse(await lineOf(running, () => true, 'stderr'))).toEqual({ event: 'warning', message });
  const pretty = commandLine(['--log', 'pretty', '--port', '0', '--host', '0.0.0.0']);
  expect(await lineOf(pretty, () => true, 'stderr')).toBe(`warning: ${message}`);
  const locked = commandLine(['--log', 'pretty', '--port', '0', '--host', '0.0.0.0', '--control-token', 'only-for-us']);
  await lineOf(locked, (line) => line.includes('control API'));
  locked.child.kill('SIGTERM');
  locked.child.kill('SIGTERM');
  await locked.ended;
  expect(locked.out.stderr).toBe('');
});
