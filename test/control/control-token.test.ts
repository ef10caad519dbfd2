import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CONTROLS } from '../../src/control/index.ts';
import { startEmulator } from '../../src/index.ts';
import type { EmulatorOptions } from '../../src/public.ts';

const TOKEN = `Zx9.~!#$%&'*+-^_|"(),/:;<=>?@[]{}`;

async function emulator(options: EmulatorOptions = {}) {
  const running = await startEmulator({ port: 0, seed: 1, controlToken: TOKEN, ...options });
  onTestFinished(() => running.close());
  return running;
}

const PAGE = { accept: 'text/html' };

/** Logs a person in. Returns the `Cookie` header of the browser from then on. */
async function login(url: string, token = TOKEN): Promise<string> {
  const answer = await fetch(`${url}/inspector/login`, {
    method: 'POST',
    body: new URLSearchParams({ token, next: '/inspector/requests' }),
    headers: { origin: url },
    redirect: 'manual',
  });
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toBe('/inspector/requests');
  return (answer.headers.get('set-cookie') as string).split(';', 1)[0] as string;
}

/** Sends a target as it is written. Returns the status line and the rest of the answer. */
const raw = (url: string, target: string, method = 'GET', headers = ''): Promise<string> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(`${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n${headers}\r\n`),
    );
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    socket.on('end', () => resolve(text)).on('error', reject);
  });

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Every address that a page with the token leads to, from the overview on. */
async function crawled(url: string): Promise<string[]> {
  const found = new Set(['/']);
  for (const path of found) {
    const answer = await fetch(`${url}${path}`, { headers: { ...PAGE, 'x-control-token': TOKEN } });
    if (!answer.headers.get('content-type')?.includes('html')) continue;
    for (const [, to] of (await answer.text()).matchAll(/ (?:href|src|action|data-url|data-events)="(\/[^"#]*)/g))
      if (found.size < 400) found.add((to as string).replaceAll('&amp;', '&'));
  }
  return [...found];
}

describe('calls without the control token', () => {
  test('every control refuses every method with 401 without the control token, except health', async () => {
    const { url } = await emulator();
    const paths = new Set(CONTROLS.map(({ path }) => path.replaceAll(/:\w+/g, 'x')));
    const all = ['/openapi.json', '/_emulator', '/_emulator/', '/_emulator/mcp', '/_emulator/nothing'];
    for (const path of [...all, ...[...paths].map((path) => `/_emulator${path}`)])
      for (const method of METHODS) {
        const { status, headers } = await fetch(`${url}${path}`, { method });
        const isHealth = path === '/_emulator/health' && (method === 'GET' || method === 'HEAD');
        expect([method, path, status]).toEqual([method, path, isHealth ? 200 : 401]);
        if (!isHealth) expect(headers.get('www-authenticate')).toBe('Bearer realm="sandbox-emulator control"');
      }
  });

  test('every linked address is refused with 401 without the control token, and a browser gets the login page', async () => {
    const running = await emulator();
    const customer = { customerType: 'INDIVIDUAL', fullName: 'Ada' };
    await running.sandbox.fetch('/customers', { json: customer });
    const paths = await crawled(running.url);
    expect(paths.length).toBeGreaterThan(60);
    for (const path of paths) {
      const plain = await fetch(`${running.url}${path}`);
      // There is nothing to read where a login ends.
      expect([path, plain.status]).toEqual([path, path === '/inspector/logout' ? 405 : 401]);
      if (path === '/inspector/logout') continue;
      if (!/^\/(?:inspector|\?|$)/.test(path)) continue;
      const page = await fetch(`${running.url}${path}`, { headers: PAGE });
      const text = await page.text();
      expect([path, page.status]).toEqual([path, 401]);
      expect(text).toContain('<label for="token">Control token</label>');
      expect(text).not.toContain('Ada');
      expect(page.headers.get('cache-control')).toBe('no-store');
    }
  });

  test.each([
    '//_emulator/requests',
    '/_emulator//requests',
    '/_emulator%2frequests',
    '/%5femulator/requests',
    '/%5Femulator/requests',
    '/_EMULATOR/requests',
    '/_emulator/requests/',
    '/_emulator/requests.',
    '/_emulator./requests',
    '/./_emulator/requests',
    '/x/../_emulator/requests',
    '/x/%2e%2e/_emulator/requests',
    '/_emulator/health/../requests',
    '/_emulator/health/%2e%2e/requests',
    '/_emulator/health%2f..%2frequests',
    '/_emulator/health;/requests',
    '/_emulator/requests?x=/_emulator/health',
    '/_emulator/requests%00',
    '\\_emulator\\requests',
    '/_emulator\\requests',
    'http://127.0.0.1/_emulator/requests',
    'http://127.0.0.1//_emulator/requests',
    'HTTP://127.0.0.1/_emulator/health/../requests',
    '/2025-10-13/../_emulator/requests',
    '/2025-10-13/%2e%2e/_emulator/requests',
    '/kyc/../_emulator/requests',
    '/kyc/%2e%2e/inspector/requests',
    '/kyc/../inspector/requests',
    '/inspector/login/../requests',
    '/inspector/login/requests',
    '/inspector/login%2f..%2frequests',
    '/inspector//requests',
    '/Inspector/requests',
    '/inspector',
    '/inspector/',
    '//',
    '/?',
    '/openapi.json/',
    '//openapi.json',
    '/openapi%2ejson',
    '/OPENAPI.json',
    '/favicon.ico',
    '/apple-touch-icon.png',
    '/.well-known/appspecific/com.chrome.devtools.json',
    '*',
  ])('the address %s is refused without the control token', async (target) => {
    const { url } = await emulator();
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
      const answer = await raw(url, target, method);
      expect([method, answer.split('\r\n', 1)[0]]).toEqual([
        method,
        expect.stringMatching(/^HTTP\/1\.1 (?:40[0-5]|417) /),
      ]);
      expect(answer).not.toContain('"data"');
    }
  });

  test('a control token in the query, the body or another cookie is refused with 401', async () => {
    const { url } = await emulator();
    const query = new URLSearchParams({
      token: TOKEN,
      'control-token': TOKEN,
      'x-control-token': TOKEN,
      access_token: TOKEN,
    });
    expect((await fetch(`${url}/_emulator/requests?${query}`)).status).toBe(401);
    expect((await fetch(`${url}/?${query}`, { headers: PAGE })).status).toBe(401);
    expect((await fetch(`${url}/inspector/login?${query}`, { headers: PAGE })).headers.get('set-cookie')).toBe(null);
    const body = JSON.stringify({ token: TOKEN });
    const sent = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
    expect((await fetch(`${url}/_emulator/reset`, sent)).status).toBe(401);
    for (const cookie of [`token=${TOKEN}`, `sandbox_emulator=${TOKEN}`, `sandbox_emulator_00000000=${TOKEN}`])
      expect((await fetch(`${url}/_emulator/requests`, { headers: { cookie } })).status).toBe(401);
  });

  test('the API, the hosted page and health need no control token', async () => {
    const { url, sandbox } = await emulator();
    const made = await (
      await sandbox.fetch('/customers', { json: { customerType: 'INDIVIDUAL', fullName: 'Ada' } })
    ).json();
    const link = await (await sandbox.fetch(`/customers/${made.id}/kyc-link`, { method: 'POST', json: {} })).json();
    const page = await fetch(link.kycUrl, { headers: PAGE });
    expect([page.status, (await page.text()).includes('Identity check')]).toEqual([200, true]);
    expect((await fetch(`${url}/kyc/nobody-knows`)).status).toBe(404);
    expect(await (await fetch(`${url}/_emulator/health`)).json()).toMatchObject({ status: 'ok' });
  });

  test('a request that is passed to emulator.fetch needs the control token as well', async () => {
    const { fetch: ask } = await emulator();
    const of = (headers = {}) => ask(new Request('http://127.0.0.1/_emulator/requests', { headers }));
    expect((await of()).status).toBe(401);
    expect((await of({ 'x-control-token': TOKEN })).status).toBe(200);
  });
});

describe('calls with the control token', () => {
  test.each([
    ['Authorization: Bearer', { authorization: `Bearer ${TOKEN}` }, 200],
    ['another case of the scheme', { authorization: `bearer  ${TOKEN}` }, 200],
    ['x-control-token', { 'x-control-token': TOKEN }, 200],
    ['both headers', { authorization: `Bearer ${TOKEN}`, 'x-control-token': TOKEN }, 200],
    ['one right and one wrong header', { authorization: `Bearer ${TOKEN}`, 'x-control-token': 'x' }, 401],
    ['the scheme Basic', { authorization: `Basic ${TOKEN}` }, 401],
    ['a part of the token', { 'x-control-token': TOKEN.slice(0, -1) }, 401],
    ['more than the token', { 'x-control-token': `${TOKEN}x` }, 401],
    ['an empty header', { 'x-control-token': '' }, 401],
    ['an empty bearer', { authorization: 'Bearer ' }, 401],
    ['another case of the token', { 'x-control-token': TOKEN.toLowerCase() }, 401],
  ] as const)(
    'a control token sent as "%s" is accepted, or refused with 401, at every address alike',
    async (_, headers, status) => {
      const { url } = await emulator();
      for (const path of ['/_emulator/requests', '/inspector/requests', '/openapi.json', '/'])
        expect([path, (await fetch(`${url}${path}`, { headers })).status]).toEqual([path, status]);
    },
  );

  test('two headers with the control token are refused with 401', async () => {
    const { url } = await emulator();
    const twice = `x-control-token: ${TOKEN}\r\nx-control-token: ${TOKEN}\r\n`;
    expect(await raw(url, '/_emulator/requests', 'GET', twice)).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('pages of other sites are refused with 403 also with the control token', async () => {
    const { url } = await emulator();
    const cookie = await login(url);
    for (const headers of [{ 'x-control-token': TOKEN }, { cookie }]) {
      const foreign = { ...headers, origin: 'https://evil.example' };
      expect((await fetch(`${url}/_emulator/reset`, { method: 'POST', headers: foreign })).status).toBe(403);
    }
    const answer = await raw(url, '/inspector/login', 'POST', 'Origin: https://evil.example\r\nContent-Length: 0\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  });

  test('coding agents call tools with the control token, and are refused with 401 without it', async () => {
    const { url } = await emulator();
    const ask = (headers = {}) =>
      fetch(`${url}/_emulator/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'call_operation', arguments: { id: 'listCustomers' } },
        }),
      });
    expect((await ask()).status).toBe(401);
    const answer = await ask({ authorization: `Bearer ${TOKEN}` });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toMatch(/\\"status\\": ?200/);
  });
});

describe('a login with the control token', () => {
  test('a login lets a browser see pages, follow the event stream and use controls until its logout', async () => {
    const { url } = await emulator();
    const cookie = await login(url);
    expect((await fetch(`${url}/`, { headers: { ...PAGE, cookie } })).status).toBe(200);
    expect((await fetch(`${url}/_emulator/reset`, { method: 'POST', headers: { cookie, origin: url } })).status).toBe(
      200,
    );
    const events = await fetch(`${url}/_emulator/events`, { headers: { cookie } });
    const reader = (events.body as ReadableStream<Uint8Array>).getReader();
    const ended = (async () => {
      for (;;) if ((await reader.read()).done) return 'done';
    })().catch(() => 'broken off');
    const out = await fetch(`${url}/inspector/logout`, {
      method: 'POST',
      headers: { cookie, origin: url },
      redirect: 'manual',
    });
    expect([out.status, out.headers.get('location')]).toEqual([303, '/']);
    expect(out.headers.get('set-cookie')).toMatch(
      /^sandbox_emulator_\w+=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/,
    );
    expect(['done', 'broken off']).toContain(await ended);
    expect((await fetch(`${url}/`, { headers: { ...PAGE, cookie } })).status).toBe(401);
  });

  test('a login with another token is refused with 401, the login page again and no cookie', async () => {
    const { url } = await emulator();
    const answer = await fetch(`${url}/inspector/login`, {
      method: 'POST',
      body: new URLSearchParams({ token: 'guess' }),
    });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null]);
    expect(await answer.text()).toContain('This is not the control token.');
  });

  test.each(['//evil.example', 'https://evil.example', '/\\evil.example', '/kyc/x', '/inspector/\r\nx: y', ''])(
    'a login does not redirect to %j',
    async (next) => {
      const { url } = await emulator();
      const body = new URLSearchParams({ token: TOKEN, next });
      const answer = await fetch(`${url}/inspector/login`, { method: 'POST', body, redirect: 'manual' });
      expect(answer.headers.get('location')).toBe('/');
    },
  );

  test('the cookie of a login is HttpOnly and SameSite=Strict, and does not hold the token', async () => {
    const { url } = await emulator();
    const body = new URLSearchParams({ token: TOKEN });
    const answer = await fetch(`${url}/inspector/login`, { method: 'POST', body, redirect: 'manual' });
    const cookie = answer.headers.get('set-cookie') as string;
    expect(cookie).toMatch(/^sandbox_emulator_[0-9a-f]{8}=[0-9a-f]{48}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(TOKEN);
  });
});

test('the control token and the cookie of a login are in no log, page, state or capsule', async () => {
  const { url, sandbox } = await emulator();
  const cookie = await login(url);
  const [, value] = cookie.split('=') as [string, string];
  const all = { cookie: `theirs=kept; ${cookie}`, 'x-control-token': TOKEN };
  const made = await (
    await sandbox.fetch('/customers', { json: { customerType: 'INDIVIDUAL', fullName: 'Ada' }, headers: all })
  ).json();
  await fetch(`${sandbox.baseUrl}/customers`, { headers: { ...all, authorization: `Bearer ${TOKEN}` } });
  const link = await (await sandbox.fetch(`/customers/${made.id}/kyc-link`, { method: 'POST', json: {} })).json();
  await fetch(link.kycUrl, { headers: all });
  const shown = async (path: string) => (await fetch(`${url}${path}`, { headers: { ...PAGE, cookie } })).text();
  const { data } = JSON.parse(await shown('/_emulator/requests')) as { data: { id: string }[] };
  const texts = [
    await shown('/_emulator/state'),
    await shown('/_emulator/requests'),
    await shown('/'),
    await shown('/inspector/scenario'),
  ];
  for (const { id } of data) {
    texts.push(await shown(`/_emulator/requests/${id}`));
    texts.push(await shown(`/inspector/requests/${id}`));
    texts.push(await shown(`/_emulator/requests/${id}/code?as=curl`));
  }
  const capsule = Buffer.from(await sandbox.capsule());
  texts.push((await import('node:zlib')).gunzipSync(capsule).toString());
  expect(texts.length).toBeGreaterThan(12);
  for (const text of texts) {
    for (const secret of [TOKEN, JSON.stringify(TOKEN).slice(1, -1), TOKEN.replaceAll('&', '&amp;'), value])
      expect(text.includes(secret)).toBe(false);
  }
  expect(texts.some((text) => text.includes('cookie'))).toBe(true);
});

test.each(['', ' ', 'two words', 'ümlaut', 'line\nbreak'])(
  'a control token %j is refused at the start, and the message does not repeat it',
  async (controlToken) => {
    const started = startEmulator({ port: 0, controlToken });
    await expect(started).rejects.toThrow(
      'startEmulator: controlToken must be one or more printable ASCII characters without spaces, not what was given',
    );
  },
);
