import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Gate } from '../../src/http/gate.ts';
import { startEmulator } from '../../src/index.ts';
import type { EmulatorOptions } from '../../src/public.ts';

/** Over a real socket: what a browser or a rebound name would send. */
async function emulator(options: EmulatorOptions = {}) {
  const running = await startEmulator({ port: 0, seed: 1, ...options });
  onTestFinished(() => running.close());
  const { port } = new URL(running.url);
  return (path: string, headers: Record<string, string>, method = 'GET') =>
    new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
      request(
        { host: '127.0.0.1', port, path, method, headers: { host: `127.0.0.1:${port}`, ...headers } },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (part: string) => {
            text += part;
          });
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
        },
      )
        .on('error', reject)
        .end();
    });
}

test.each([
  [{ host: 'evil.example' }],
  [{ host: '127.0.0.1.evil.example:80' }],
  [{ host: 'localhost.evil.example' }],
  [{ host: '[::ffff:7f00:1]' }],
  [{ host: '[::ffff:7f00:2]:4010' }],
  [{ origin: 'http://evil.example' }],
  [{ origin: 'null' }],
  [{ 'sec-fetch-site': 'cross-site' }],
  [{ 'sec-fetch-site': 'same-site' }],
  [{ 'sec-fetch-site': 'none', 'sec-purpose': 'prefetch' }],
  [{ 'sec-fetch-site': 'none', 'sec-purpose': 'prefetch;prerender' }],
])('the control API refuses a request with %j with 403', async (headers) => {
  const ask = await emulator();
  for (const path of ['/_emulator/state', '/_emulator/health', '/openapi.json']) {
    const answer = await ask(path, headers);
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  }
  expect((await ask('/_emulator/reset', headers, 'POST')).status).toBe(403);
});

test.each([
  [{}],
  [{ host: 'localhost:4010' }],
  [{ host: '[::1]:4010' }],
  [{ host: 'my.localhost' }],
  [{ 'sec-fetch-site': 'none' }],
  [{ 'sec-fetch-site': 'same-origin' }],
  [{ 'sec-fetch-site': 'same-origin', 'sec-purpose': 'prefetch' }],
])('the control API answers a request with %j', async (headers) => {
  const ask = await emulator();
  expect((await ask('/_emulator/health', headers)).status).toBe(200);
});

/** What a browser sends for an address that a person opens, and for what a site redirects it to. */
const OPENED = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

test('an address that a browser opens shows a control that only reads, and changes nothing', async () => {
  const ask = await emulator({ holdClock: true, now: '2026-01-05T09:00:00Z' });
  for (const path of ['/_emulator/health', '/_emulator/state', '/_emulator/clock', '/openapi.json'])
    expect((await ask(path, OPENED)).status, path).toBe(200);
  const wait = '/_emulator/webhooks/wait?type=TEST&within=P30D';
  for (const [method, path] of [
    ['GET', wait],
    ['HEAD', wait],
    ['POST', '/_emulator/reset'],
    ['POST', '/_emulator/mcp'],
    ['GET', CONFIG],
    ['GET', '/2025-10-13/nowhere'],
  ] as const)
    expect((await ask(path, { authorization: AUTHORIZATION, ...OPENED }, method)).status, `${method} ${path}`).toBe(
      403,
    );
  expect(JSON.parse((await ask('/_emulator/clock', {})).text).now).toMatch(/^2026-01-05T09:00:00/);
  const refusal = JSON.parse((await ask(wait, OPENED)).text);
  expect(refusal.message).toBe(
    'a control that may change something answers clients, not an address that a browser opens (Sec-Fetch-Mode: navigate)',
  );
  expect((await ask(wait, { ...OPENED, 'sec-fetch-site': 'same-origin' })).status).toBe(404);
});

test('an address that a browser opens cannot have the API open a sandbox', async () => {
  const ask = await emulator();
  const authorization = `Basic ${Buffer.from('mallory:x').toString('base64')}`;
  expect((await ask(CONFIG, { authorization, ...OPENED })).status).toBe(403);
  expect(JSON.parse((await ask('/_emulator/sandboxes', {})).text).data).toHaveLength(1);
});

test('an emulator that listens on a mapped address answers at it', async () => {
  const ask = await emulator({ host: '::ffff:127.0.0.1' });
  expect((await ask('/_emulator/health', { host: '[::ffff:7f00:1]:4010' })).status).toBe(200);
  expect((await ask('/_emulator/health', { host: '[::ffff:7f00:2]:4010' })).status).toBe(403);
});

test('the control API answers its own pages', async () => {
  const ask = await emulator();
  expect((await ask('/_emulator/health', { host: 'localhost:9', origin: 'http://localhost:9' })).status).toBe(200);
});

const AUTHORIZATION = `Basic ${Buffer.from('test:secret').toString('base64')}`;
const CONFIG = '/2025-10-13/config';

test.each([
  [{ host: 'emulator:4010' }],
  [{ host: 'evil.example' }],
  [{ host: '[::ffff:7f00:1]:4010' }],
  [{ origin: 'http://evil.example' }],
  [{ origin: 'http://localhost:3000' }],
  [{ origin: 'null' }],
  [{ 'sec-fetch-site': 'cross-site' }],
  [{ 'sec-fetch-site': 'none', 'sec-purpose': 'prefetch' }],
])('the API refuses a request with %j with 403 and the error body, and does nothing (R3)', async (headers) => {
  const ask = await emulator();
  const sent = { authorization: AUTHORIZATION, ...headers };
  for (const [method, path] of [
    ['GET', CONFIG],
    ['POST', '/2025-10-13/customers'],
    ['GET', '/2025-10-13/nowhere'],
    ['OPTIONS', CONFIG],
  ] as const) {
    const answer = await ask(path, sent, method);
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  }
  expect(JSON.parse((await ask('/2025-10-13/customers', { authorization: AUTHORIZATION })).text).totalCount).toBe(0);
});

test.each([
  [{}],
  [{ host: 'localhost:4010' }],
  [{ host: '127.0.0.2' }],
  [{ origin: 'http://localhost:9', host: 'localhost:9' }],
  [{ 'user-agent': 'curl/8' }],
])('the API answers programs and pages of the emulator that send %j (R3)', async (headers) => {
  const ask = await emulator();
  expect((await ask(CONFIG, { authorization: AUTHORIZATION, ...headers })).status).toBe(200);
});

describe('--allow-host', () => {
  test("allowHost makes a name one of the emulator's own, with any port, at every address (R2, R3)", async () => {
    const ask = await emulator({ allowHost: ['emulator', 'Sandbox.Internal'] });
    for (const host of ['emulator', 'emulator:4010', 'EMULATOR:1', 'sandbox.internal', 'sandbox.internal.:80'])
      for (const path of [CONFIG, '/_emulator/health', '/', '/openapi.json'])
        expect((await ask(path, { host, authorization: AUTHORIZATION })).status, `${host} ${path}`).toBe(200);
    expect((await ask(CONFIG, { host: 'emulator.evil.example', authorization: AUTHORIZATION })).status).toBe(403);
  });
});

describe('an emulator on a network', () => {
  test.each([
    ['vm', 'vm:4010', true],
    ['vm', 'VM', true],
    ['vm', 'evil.example', false],
    ['0.0.0.0', 'evil.example', false],
    ['::', 'evil.example', false],
  ])('an emulator that listens on %s answers as %s: %s', (host, header, admitted) => {
    expect(new Gate({ open: true, options: { host } }).admits(header)).toBe(admitted);
  });

  test('an emulator on 0.0.0.0 answers to addresses, localhost and allowed names, and to no other name (R2)', async () => {
    const ask = await emulator({ host: '0.0.0.0', allowHost: ['emulator'] });
    for (const path of [CONFIG, '/_emulator/health', '/', '/kyc/x']) {
      const seen = async (host: string) => (await ask(path, { host, authorization: AUTHORIZATION })).status;
      for (const host of ['192.168.1.20:4010', '10.0.0.1', '[fe80::1]:4010', 'localhost:4010', 'emulator:4010'])
        expect([200, 404], `${host} ${path}`).toContain(await seen(host));
      for (const host of ['evil.example', 'rebound.example:4010', '10.0.0.1.evil.example', '999.0.0.1'])
        expect(await seen(host), `${host} ${path}`).toBe(403);
    }
  });

  test('a scenario over HTTP may name a built-in scenario, and never a file (R2)', async () => {
    const running = await startEmulator({ port: 0, seed: 1, host: '0.0.0.0' });
    onTestFinished(() => running.close());
    for (const scenario of [
      '/etc/passwd',
      '/etc/shadow',
      'scenarios/default.yaml',
      './package.json',
      '../x',
      'file:///etc/passwd',
      '__proto__',
      'constructor',
    ]) {
      const answer = await fetch(`${running.url}/_emulator/sandboxes`, {
        method: 'POST',
        body: JSON.stringify({ scenario }),
      });
      const text = await answer.text();
      expect([answer.status, JSON.parse(text).code], scenario).toEqual([400, 'INVALID_INPUT']);
      expect(text).not.toMatch(/root|neither a file|ENOENT|version/);
      expect(text).toContain('payouts');
    }
    const made = await fetch(`${running.url}/_emulator/sandboxes`, { method: 'POST', body: '{"scenario":"payouts"}' });
    expect(made.status).toBe(200);
  });

  test('a program that starts the emulator may name a scenario file (R2)', async () => {
    const running = await startEmulator({ port: 0, seed: 1, scenario: 'scenarios/regulated.yaml' });
    onTestFinished(() => running.close());
    const sandbox = await running.createSandbox({ scenario: 'scenarios/regulated.yaml' });
    expect((await (await sandbox.fetch('/config')).json()).isRegulatedFinancialInstitution).toBe(true);
  });
});

describe('--allow-origin', () => {
  const origin = 'http://localhost:3000';

  test('a preflight from an allowed origin is answered with the headers of the API, and is not logged (R3)', async () => {
    const ask = await emulator({ allowOrigin: [origin] });
    const preflight = await ask(
      CONFIG,
      {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,x-client-version',
        'sec-fetch-site': 'same-site',
      },
      'OPTIONS',
    );
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'origin' });
    for (const name of [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'Request-Id',
      'Service-Wallet-Signature',
      'x-client-version',
    ])
      expect(preflight.headers['access-control-allow-headers']).toContain(name);
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE'])
      expect(preflight.headers['access-control-allow-methods']).toContain(method);
    expect(JSON.parse((await ask('/_emulator/requests', {})).text).data).toEqual([]);
  });

  test("replies and refusals can be read by an allowed origin, with the emulator's own headers (R3)", async () => {
    const ask = await emulator({ allowOrigin: [origin, 'capacitor://app'] });
    for (const [path, from, status] of [
      [CONFIG, origin, 200],
      [CONFIG, 'capacitor://app', 200],
      ['/2025-10-13/customers/none', origin, 404],
      ['/2025-10-13/nowhere', origin, 404],
    ] as const) {
      const answer = await ask(path, { origin: from, authorization: AUTHORIZATION, 'sec-fetch-site': 'cross-site' });
      expect(answer.status, path).toBe(status);
      expect(answer.headers['access-control-allow-origin']).toBe(from);
      expect(answer.headers['access-control-expose-headers']).toBe('x-request-id, x-sandbox-emulator, retry-after');
    }
    expect((await ask(CONFIG, { authorization: 'Basic x', origin })).headers['access-control-allow-origin']).toBe(
      origin,
    );
  });

  test('allowOrigin opens neither the control API nor another origin (R3)', async () => {
    const ask = await emulator({ allowOrigin: [origin] });
    expect((await ask('/_emulator/health', { origin })).status).toBe(403);
    for (const other of ['http://localhost:3001', 'https://localhost:3000', 'http://localhost'])
      expect((await ask(CONFIG, { origin: other, authorization: AUTHORIZATION })).status).toBe(403);
  });

  test.each(['localhost:3000', 'http://localhost:3000/', '*', 'http://a b', ''])(
    'an allowOrigin of %j, which is not an origin, is refused at the start (R3)',
    async (bad) => {
      await expect(startEmulator({ port: 0, allowOrigin: [bad] })).rejects.toThrow('allowOrigin');
    },
  );

  test.each(['http://x', 'a b', '', 'a/b', '*'])(
    'an allowHost of %j, which is not a name, is refused at the start (R2)',
    async (bad) => {
      await expect(startEmulator({ port: 0, allowHost: [bad] })).rejects.toThrow('allowHost');
    },
  );
});

test.each(['/_emulator/state', '/2025-10-13/customers', '/inspector', '/kyc/none'])(
  'a request for %s with two Host headers is refused with 400, and a target on a foreign host with 403',
  async (path) => {
    const running = await startEmulator({ port: 0, seed: 1 });
    onTestFinished(() => running.close());
    const port = Number(new URL(running.url).port);
    const status = (target: string, ...hosts: readonly string[]) =>
      new Promise<string>((resolve, reject) => {
        const lines = [`GET ${target} HTTP/1.1`, ...hosts.map((host) => `Host: ${host}`), 'Connection: close'];
        let text = '';
        connect(port, '127.0.0.1')
          .on('data', (part) => {
            text += part;
          })
          .on('close', () => resolve(text.split(' ')[1] ?? ''))
          .on('error', reject)
          .write(`${lines.join('\r\n')}\r\n\r\n`);
      });
    const own = `127.0.0.1:${port}`;
    expect(await status(path, own, 'evil.example')).toBe('400');
    expect(await status(path, own, own)).toBe('400');
    expect(await status(`http://evil.example${path}`, own)).toBe('403');
    expect(await status(`http://${own}${path}`, 'evil.example')).toBe('403');
    // As a client sends it to a proxy.
    expect(await status(`http://${own}${path}`, own)).toBe(await status(path, own));
    expect(await status(path, own)).not.toMatch(/400|403/);
  },
);
