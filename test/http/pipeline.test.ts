import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { OPERATIONS } from '../../src/areas.ts';
import { createApp } from '../../src/http/app.ts';
import { startEmulator } from '../../src/index.ts';
import { kit, refusal } from '../kit/sandbox.ts';

const PREFLIGHT = { origin: 'http://shop.example', 'access-control-request-method': 'POST' };
const FOREIGN = { ...PREFLIGHT, origin: 'http://evil.example' };

type Asked = [what: string, method: string, path: string, headers?: Record<string, string>];

/** Sends a request to a fresh emulator: its own id, the ids in the log, and the id of the call that comes next. */
async function numbersAround([method, path, headers]: [string, string, Record<string, string>?]) {
  const { get, control, host, sandbox } = await kit({ allowOrigin: ['http://shop.example'] });
  const authorization = `Basic ${Buffer.from(`${sandbox.id}:secret`).toString('base64')}`;
  const init = { method, headers: { authorization, ...headers } };
  const reply = await host.fetch(new Request(`http://127.0.0.1:4010${path}`, init));
  const logged = (await control('GET', '/requests')).body.data.map(({ id }: { id: string }) => id);
  const next = (await get('/config')).headers.get('x-request-id');
  return { own: reply.headers.get('x-request-id'), logged, next };
}

describe('the order of refusals', () => {
  test('a request is refused for its path first, then for its method, its credentials, and its permission or body', async () => {
    const { call } = await kit({ scenario: { credentials: [{ id: 'v', secret: 's', permissions: ['VIEW'] }] } });
    const nobody = { as: null, raw: '{' };
    expect((await call('GET', '/nowhere', undefined, { as: null })).status).toBe(404);
    expect((await call('PUT', '/customers', undefined, nobody)).status).toBe(405);
    expect((await call('POST', '/customers', undefined, nobody)).status).toBe(401);
    expect((await call('PATCH', '/customers/none', {})).status).toBe(403);
  });

  test('a bad body is refused with 400 before an unknown resource is refused with 404', async () => {
    const { patch, post } = await kit();
    expect((await patch('/customers/none', { birthDate: 'x' })).status).toBe(400);
    expect((await post('/sandbox/internal-accounts/none/fund', {})).status).toBe(400);
  });
});

describe('token ids', () => {
  test('token ids in Latin-1 lead to their own sandboxes, like those in UTF-8 (spec 5 rule 1)', async () => {
    const { host } = await kit();
    const app = createApp(host);
    const ask = async (bytes: Buffer, init: RequestInit = {}) => {
      const headers = { authorization: `Basic ${bytes.toString('base64')}`, 'content-type': 'application/json' };
      const reply = await app.request(`http://127.0.0.1:4010${host.basePath}/customers`, { ...init, headers });
      return { status: reply.status, body: (await reply.json()) as { data: unknown[] } };
    };
    const body = JSON.stringify({ customerType: 'INDIVIDUAL', fullName: 'Ada Keller' });
    expect((await ask(Buffer.from('zoë:x', 'latin1'), { method: 'POST', body })).status).toBe(201);
    expect((await ask(Buffer.from('zoë:x', 'latin1'))).body.data).toHaveLength(1);
    expect((await ask(Buffer.from('zoë:x', 'utf8'))).body.data).toHaveLength(1);
    expect((await ask(Buffer.from('zoé:x', 'latin1'))).body.data).toEqual([]);
    expect((await ask(Buffer.from('zoé:x', 'utf8'))).body.data).toEqual([]);
  });

  test.each(['open', 'known'] as const)(
    'the id of a token is refused with 401 as a user name in mode %s, and opens no sandbox (spec 5 rule 1)',
    async (auth) => {
      const it = await kit({ auth });
      const { id, clientId, clientSecret } = (await it.post('/tokens', { name: 'T', permissions: ['VIEW'] })).body;
      const refused = await it.call('GET', '/customers', undefined, { as: `${id}:${clientSecret}` });
      expect(refused).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
      expect(refused.body.message).toContain('clientId');
      expect([...it.host.sandboxes]).toHaveLength(1);
      expect((await it.call('GET', '/customers', undefined, { as: `${clientId}:${clientSecret}` })).status).toBe(200);
    },
  );
});

describe('every reply', () => {
  test('every reply names the emulator and its id in the log', async () => {
    const { get, call, control } = await kit();
    for (const answer of [
      await get('/config'),
      await get('/nowhere'),
      await call('GET', '/config', undefined, { as: null }),
    ]) {
      expect(answer.headers.get('x-sandbox-emulator')).toMatch(/^\d+\.\d+\.\d+/);
      expect(answer.headers.get('content-type')).toContain('application/json');
      const id = answer.headers.get('x-request-id');
      expect((await control('GET', `/requests/${id}`)).body.id).toBe(id);
    }
  });

  test('the control API, pages and preflights use up no request number: the first call is req_1 (W6)', async () => {
    const { get, call, control, host } = await kit({ allowOrigin: ['http://shop.example'] });
    const idOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id');
    expect(idOf(await control('GET', '/health'))).toBe('ctl_1');
    expect(idOf(await control('POST', '/clock', { advance: 'PT1H' }))).toBe('ctl_2');
    expect(idOf(await control('GET', '/requests/req_1'))).toBe('ctl_3');
    for (const path of ['/', '/inspector/requests', '/_emulator/mcp'])
      await host.fetch(new Request(`http://127.0.0.1${path}`, { headers: { accept: 'text/html' } }));
    const preflight = { origin: 'http://shop.example', 'access-control-request-method': 'POST' };
    expect(idOf(await call('OPTIONS', '/customers', undefined, { headers: preflight }))).toMatch(/^ctl_/);
    expect(idOf(await get('/config'))).toBe('req_1');
    expect(idOf(await get('/nowhere'))).toBe('req_2');
  });

  test.each<Asked>([
    ['a call of an operation', 'GET', '/2025-10-13/config'],
    ['a HEAD call of an operation', 'HEAD', '/2025-10-13/config'],
    ['a call below the other base path', 'GET', '/grid/2025-10-13/config'],
    ['a call that is refused', 'POST', '/2025-10-13/customers'],
    ['a call without credentials', 'GET', '/2025-10-13/config', { authorization: '' }],
    ['a method that a path does not answer', 'PUT', '/2025-10-13/customers'],
    ['OPTIONS that is not a preflight', 'OPTIONS', '/2025-10-13/customers'],
    ['a path that the API does not have', 'GET', '/2025-10-13/nowhere'],
    ['a path without the base path', 'GET', '/customers'],
  ])('the reply to %s has the next number of the log (W6)', async (_, ...asked) => {
    expect(await numbersAround(asked)).toEqual({ own: 'req_1', logged: ['req_1'], next: 'req_2' });
  });

  test.each<Asked>([
    ['the first page', 'GET', '/', { accept: 'text/html' }],
    ['the card for programs', 'GET', '/'],
    ['a HEAD call of the card for programs', 'HEAD', '/'],
    ['a page of the inspector', 'GET', '/inspector/requests'],
    ['a page that the inspector does not have', 'GET', '/inspector/nowhere'],
    ['the icon that browsers fetch', 'GET', '/favicon.ico'],
    ['an icon that phones look for', 'GET', '/apple-touch-icon.png'],
    ['the file that developer tools look for', 'GET', '/.well-known/appspecific/com.chrome.devtools.json'],
    ['the file that crawlers look for', 'GET', '/robots.txt'],
    ['the OpenAPI document', 'GET', '/openapi.json'],
    ['the control API', 'GET', '/_emulator/health'],
    ['a path that the control API does not have', 'GET', '/_emulator/nowhere'],
    ['a tool of a coding agent', 'POST', '/_emulator/mcp'],
    ['a hosted page of an unknown link', 'GET', '/kyc/nobody'],
    ['a form that is sent to an unknown link', 'POST', '/kyc/nobody'],
    ['a path below a hosted page', 'GET', '/kyc/nobody/nowhere'],
    ['the path of hosted pages', 'GET', '/kyc'],
    ['a method that no hosted page answers', 'PUT', '/kyc/nobody'],
    ['a preflight', 'OPTIONS', '/2025-10-13/customers', PREFLIGHT],
    ['a preflight of a foreign page', 'OPTIONS', '/2025-10-13/customers', FOREIGN],
  ])('the reply to %s has no number and no line in the log (W6)', async (_, ...asked) => {
    const { own, ...rest } = await numbersAround(asked);
    expect(own ?? 'ctl_').toMatch(/^ctl_/);
    expect(rest).toEqual({ logged: [], next: 'req_1' });
  });

  test('both base paths and a chosen one are served, and other paths are refused with 404', async () => {
    const running = await startEmulator({ port: 0, basePath: '/mine/v1', seed: 1 });
    onTestFinished(() => running.close());
    expect(running.baseUrl).toBe(`${running.url}/mine/v1`);
    const headers = { authorization: running.sandbox.authorization };
    for (const base of ['/mine/v1', '/2025-10-13', '/grid/2025-10-13'])
      expect((await fetch(`${running.url}${base}/config`, { headers })).status).toBe(200);
    for (const [path, status] of [
      ['/', 200],
      ['/config', 404],
      ['/2025-10-12/config', 404],
      ['/2025-10-13', 404],
      ['/2025-10-13config', 404],
      ['/2025-10-13//config', 404],
      ['/2025-10-13/config/', 404],
    ] as const)
      expect((await fetch(`${running.url}${path}`, { headers })).status, path).toBe(status);
  });
});

test.each(['/grid', '/2025-10-13/grid'])(
  'both base paths are served beside %s, which begins like one',
  async (basePath) => {
    const it = await kit({ basePath });
    const headers = { authorization: `Basic ${btoa('test:secret')}` };
    for (const base of [basePath, '/2025-10-13', '/grid/2025-10-13'])
      expect((await it.host.fetch(new Request(`http://127.0.0.1:4010${base}/config`, { headers }))).status, base).toBe(
        200,
      );
  },
);

/** Say something over a raw socket; what came back. */
async function raw(port: number, parts: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const closed = new Promise<void>((resolve) => {
    socket.on('close', resolve);
    socket.on('error', () => resolve());
  });
  for (const part of parts) if (socket.writable) await new Promise<void>((done) => socket.write(part, () => done()));
  await Promise.race([
    closed,
    (async () => {
      while (!text.includes('\r\n\r\n')) await new Promise((resolve) => setTimeout(resolve, 5));
    })(),
  ]);
  return text;
}

describe('requests over a real socket', () => {
  const authorization = `Basic ${Buffer.from('test:secret').toString('base64')}`;
  const head = (more: string) =>
    `POST /2025-10-13/customers HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\n${more}\r\n\r\n`;

  test('a body beyond the limit is refused with 400, with or without a Content-Length, and the emulator continues', async () => {
    const running = await startEmulator({ port: 0, seed: 1 });
    onTestFinished(() => running.close());
    const port = Number(new URL(running.url).port);
    expect(await raw(port, [head('content-length: 99999999999'), '{'])).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*INVALID_REQUEST_FORMAT/,
    );
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    expect(await raw(port, [head('transfer-encoding: chunked'), ...Array<string>(20).fill(chunk)])).toMatch(
      /^HTTP\/1\.1 400 /,
    );
    const text = JSON.stringify({ customerType: 'BUSINESS' });
    const sent = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
    expect(await raw(port, [head('transfer-encoding: chunked'), sent])).toMatch(/^HTTP\/1\.1 201 /);
  });

  test('requests that are not HTTP or break off leave the emulator working', async () => {
    const running = await startEmulator({ port: 0, seed: 1 });
    onTestFinished(() => running.close());
    const port = Number(new URL(running.url).port);
    expect(await raw(port, ['hello\r\n\r\n'])).toMatch(/^HTTP\/1\.1 400 /);
    const socket = connect(port, '127.0.0.1');
    await new Promise<void>((done) => socket.write(`${head('content-length: 100')}{"customerType"`, () => done()));
    socket.destroy();
    const headers = { authorization };
    const list = await (await fetch(`${running.baseUrl}/customers`, { headers })).json();
    expect(list).toMatchObject({ totalCount: 0 });
  });
});

describe('emulators in a program', () => {
  test('a program gets isolated sandboxes with their own clock, webhooks, snapshots and reset', async () => {
    const running = await startEmulator({
      port: 0,
      seed: 1,
      now: '2026-01-05T09:00:00Z',
      holdClock: true,
      scenario: 'unregulated',
    });
    onTestFinished(() => running.close());
    const [a, b] = await Promise.all([running.createSandbox(), running.createSandbox()]);
    const ask = async (sandbox: typeof a, path: string, body?: object): Promise<{ id: string }> =>
      (
        await running.fetch(
          new Request(`${sandbox.baseUrl}${path}`, {
            method: body ? 'POST' : 'GET',
            headers: { authorization: sandbox.authorization, 'content-type': 'application/json' },
            ...(body ? { body: JSON.stringify(body) } : {}),
          }),
        )
      ).json() as Promise<{ id: string }>;
    const made = await ask(a, '/customers', { customerType: 'BUSINESS' });
    expect(made).toMatchObject({ kycStatus: 'PENDING' });
    const snapshot = await a.snapshot();
    const soon = a.webhooks.waitFor('CUSTOMER.KYB_APPROVED');
    expect(await a.clock.advance('PT2S')).toMatchObject([{ kind: 'customer.decide' }]);
    expect((await soon).data).toMatchObject({ id: made.id, kycStatus: 'APPROVED' });
    expect(a.clock.now()).toBe('2026-01-05T09:00:02.000Z');
    await a.restore(snapshot);
    expect(await ask(a, `/customers/${made.id}`)).toEqual(made);
    expect(await ask(b, '/customers')).toMatchObject({ totalCount: 0 });
    await a.reset();
    expect(await ask(a, '/customers')).toMatchObject({ totalCount: 0 });
    await expect(a.webhooks.waitFor('CUSTOMER.KYB_APPROVED', { timeoutMs: 10 })).rejects.toThrow(
      'no CUSTOMER.KYB_APPROVED',
    );
    await expect(a.clock.advance('soon')).rejects.toThrow('must be a duration such as 2h');
    await expect(a.clock.advanceTo('2020-01-01T00:00:00Z')).rejects.toThrow('does not go back');
    await a.drop();
    expect((await running.fetch(new Request(`${running.url}/_emulator/sandboxes/${a.id}`))).status).toBe(404);
  });

  test('a start on a port in use rejects with EADDRINUSE, and a second emulator on a free port starts', async () => {
    const first = await startEmulator({ port: 0 });
    onTestFinished(() => first.close());
    await expect(startEmulator({ port: Number(new URL(first.url).port) })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    const second = await startEmulator({ port: 0 });
    await second.close();
    await second.close();
    expect(refusal).toBeTypeOf('function');
  });
});

interface Described {
  $ref?: string;
  enum?: string[];
  properties?: Record<string, Described>;
  required?: string[];
}

/** Every enumeration at the top of a body, with what it allows. */
const enumerations = OPERATIONS.flatMap((op) => {
  if (!op.body || op.upload) return [];
  const schema = z.toJSONSchema(op.body(), { io: 'input', unrepresentable: 'any' }) as Described & {
    $defs?: Record<string, Described>;
  };
  const whole = (part: Described): Described => schema.$defs?.[part.$ref?.split('/').at(-1) ?? ''] ?? part;
  const { properties = {}, required = [] } = whole(schema);
  return Object.entries(properties).flatMap(([name, member]) => {
    const { enum: values } = whole(member);
    return values ? [{ op, name, values, required: required.includes(name) }] : [];
  });
});

describe('values outside an enumeration', () => {
  const ID = 'Customer:00000000-0000-7000-8000-000000000000';
  const said = async (op: (typeof OPERATIONS)[number], name: string, body: object) => {
    const { call } = await kit();
    const answer = await call(op.method, op.path.replaceAll(/\{\w+\}/g, ID), body, {
      headers: { 'idempotency-key': 'k' },
    });
    expect(answer.status, answer.text).toBe(400);
    return answer.body.details.errors.find((error: { field: string }) => error.field === name)?.message;
  };

  test.each(enumerations.map((each) => [`${each.op.id}: ${each.name}`, each] as const))(
    'a refusal of an unknown value names the allowed ones, and does not call the value missing, at %s (S2)',
    async (_, { op, name, values, required }) => {
      const some = values.slice(0, 10).join(', ');
      const wanted = values.length > 10 ? `not one of ${some} and ${values.length - 10} more` : `not one of ${some}`;
      for (const wrong of ['NONE_OF_THEM', '', 'constructor'])
        expect(await said(op, name, { [name]: wrong })).toBe(wanted);
      if (required) expect(await said(op, name, {})).toBe('required');
    },
  );

  test('the bodies of all operations have more than five enumerations at the top', () => {
    expect(enumerations.length).toBeGreaterThan(5);
  });

  test('a refusal of an unknown value names the allowed ones also in a list, an object, a discriminator and a query (S2)', async () => {
    const { post, get } = await kit();
    const messages = async (path: string, body: object) =>
      Object.fromEntries(
        (await post(path, body)).body.details.errors.map((e: { field: string; message: string }) => [
          e.field,
          e.message,
        ]),
      );
    expect(await messages('/tokens', { name: 'x', permissions: ['VIEW', 'LOOK'] })).toEqual({
      'permissions.1': 'not one of VIEW, TRANSACT, MANAGE',
    });
    expect(await messages('/customers', { customerType: 'ROBOT' })).toMatchObject({
      customerType: 'not one of INDIVIDUAL, BUSINESS',
    });
    expect(await messages('/customers', {})).toMatchObject({ customerType: 'required' });
    const account = await messages('/platform/external-accounts', {
      currency: 'EUR',
      accountInfo: { accountType: 'X' },
    });
    expect(account['accountInfo.accountType']).toMatch(/^not one of (?:\w+, ){9}\w+ and \d+ more$/);
    const { body } = await get('/transactions', { sortOrder: 'sideways' });
    expect(body.details.errors).toMatchObject([{ field: 'sortOrder', message: 'not one of asc, desc' }]);
  });
});

test('a body of more than 100,000 values is refused with 400, and one of exactly as many is read', async () => {
  const { call } = await kit();
  const send = (values: number) =>
    call('POST', '/customers', undefined, {
      raw: `[${Array(values).fill('1').join()}]`,
      headers: { 'content-type': 'application/json' },
    });
  // The list itself is a value.
  expect((await send(99_999)).body.code).toBe('INVALID_INPUT');
  const { status, body } = await send(100_000);
  expect([status, body.code]).toEqual([400, 'INVALID_REQUEST_FORMAT']);
  expect(body.message).toBe('the body has more than 100000 values');
});

test('a body that is JSON is refused with 400 when it is sent as something else (spec 4)', async () => {
  const { call, sandbox } = await kit();
  const send = (type: string) =>
    call('POST', '/customers', undefined, {
      raw: JSON.stringify({ customerType: 'INDIVIDUAL', fullName: 'Ada Keller' }),
      headers: { 'content-type': type },
    });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded; charset=utf-8']) {
    const { status, body } = await send(type);
    expect([status, body.code], type).toEqual([400, 'INVALID_REQUEST_FORMAT']);
    expect(sandbox.requestLog.newest().next().value?.why).toEqual({
      rule: 'spec 4: bodies are JSON unless stated',
      expected: 'application/json',
      seen: type,
    });
  }
  for (const type of ['application/json; charset=utf-8', 'application/problem+json'])
    expect((await send(type)).status, type).toBe(201);
});
