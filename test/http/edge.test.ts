import { type AddressInfo, connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { createApp } from '../../src/http/app.ts';
import { serverFor } from '../../src/http/server.ts';
import { startEmulator } from '../../src/index.ts';
import type { EmulatorOptions } from '../../src/public.ts';
import { Host } from '../../src/sandbox/host.ts';
import { heardOn } from '../kit/heard.ts';
import { kit, refusal } from '../kit/sandbox.ts';
import { walletKit } from '../kit/wallet.ts';

const AUTHORIZATION = `Basic ${Buffer.from('test:secret').toString('base64')}`;

async function started(options: EmulatorOptions = {}) {
  const running = await startEmulator({ port: 0, seed: 1, ...options });
  onTestFinished(() => running.close());
  return { ...running, port: Number(new URL(running.url).port) };
}

interface Reply {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** One connection, one request after the other; each reply is read to its announced length. */
function connection(port: number) {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const heard = heardOn(socket);
  return {
    get ended() {
      return heard.ended;
    },
    closed: () => heard.until(() => false),
    async ask(sent: string, method = 'POST'): Promise<Reply> {
      socket.write(sent);
      await heard.until(() => heard.text.includes('\r\n\r\n'));
      const [head = '', ...lines] = heard.text.slice(0, heard.text.indexOf('\r\n\r\n')).split('\r\n');
      const headers = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
      );
      const start = heard.text.indexOf('\r\n\r\n') + 4;
      const length = method === 'HEAD' ? 0 : Number(headers['content-length'] ?? 0);
      await heard.until(() => heard.text.length >= start + length);
      const body = heard.text.slice(start, start + length);
      heard.text = heard.text.slice(start + length);
      return { status: Number(head.split(' ')[1]), headers, text: body };
    },
  };
}

const request = (method: string, path: string, body = '', more: Record<string, string> = {}) => {
  const headers = {
    host: '127.0.0.1',
    authorization: AUTHORIZATION,
    ...(body ? { 'content-type': 'application/json', 'content-length': String(body.length) } : {}),
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n');
};

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test('an Idempotency-Key is read behind 2,500 other headers (RFC 9110)', async () => {
  const { port } = await started();
  const { ask } = connection(port);
  const made = await ask(request('POST', '/2025-10-13/customers', '{"customerType":"INDIVIDUAL"}'));
  const path = `/2025-10-13/customers/${JSON.parse(made.text).id}/kyc-link`;
  const links = [];
  for (const key of ['k1', 'k1', 'k2']) {
    const [first = '', ...rest] = request('POST', path, '{}', { 'idempotency-key': key }).split('\r\n');
    links.push((await ask([first, ...new Array<string>(2500).fill('a:1'), ...rest].join('\r\n'))).text);
  }
  expect(links[0]).toContain('kycUrl');
  expect([links[1] === links[0], links[2] === links[0]]).toEqual([true, false]);
});

test.each([
  ['GET', '/_emulator/sandboxes'],
  ['GET', '/2025-10-13/customers'],
  ['POST', '/2025-10-13/nothing'],
])('the reply to %s %s says that its connection stays open for 65 seconds', async (method, path) => {
  const { port } = await started();
  const { headers } = await connection(port).ask(request(method, path), method);
  expect(headers['keep-alive']).toBe('timeout=65');
});

describe('request bodies', () => {
  test('a body that is nested deeper than 100 levels is refused with 400 INVALID_REQUEST_FORMAT by every operation (H3)', async () => {
    const { call } = await kit();
    for (const op of OPERATIONS.filter((each) => each.body && !each.upload)) {
      const path = op.path.replaceAll(/\{\w+\}/g, 'Customer:00000000-0000-7000-8000-000000000000');
      for (const raw of [nested(101), `{"a":${nested(3000)}}`, `{"a":"]]]\\"]]","b":${nested(3000)}}`]) {
        const answer = await call(op.method, path, undefined, {
          raw,
          headers: { 'content-type': 'application/json', 'idempotency-key': 'k' },
        });
        expect(refusal(answer), op.id).toMatchObject({ status: 400, code: 'INVALID_REQUEST_FORMAT' });
      }
    }
  });

  test('a body may be nested 100 levels deep, and brackets within its strings do not count (H3)', async () => {
    const { post } = await kit();
    const raw = `{"customerType":"BUSINESS","more":${nested(99)},"text":"${'['.repeat(500)}\\"${'{'.repeat(500)}"}`;
    expect((await post('/customers', undefined, { raw, headers: { 'content-type': 'application/json' } })).status).toBe(
      201,
    );
  });

  test('a body of the control API that is nested too deep is refused with 400 INVALID_REQUEST_FORMAT (H3)', async () => {
    const { host } = await kit();
    for (const [method, path] of [
      ['POST', '/sandboxes'],
      ['POST', '/faults'],
      ['PUT', '/state'],
    ] as const) {
      const answer = await createApp(host).request(`http://127.0.0.1:4010/_emulator${path}`, {
        method,
        body: nested(3000),
      });
      expect([answer.status, ((await answer.json()) as { code: string }).code], path).toEqual([
        400,
        'INVALID_REQUEST_FORMAT',
      ]);
    }
  });

  test.each(OPERATIONS.filter((op) => op.method !== 'GET' && !op.body && !op.upload).map((op) => [op.id, op] as const))(
    'a body that %s does not use is ignored, whatever it holds (H4)',
    async (_, op) => {
      const { call } = await kit();
      const path = op.path.replaceAll(/\{\w+\}/g, 'Customer:00000000-0000-7000-8000-000000000000');
      const without = await call(op.method, path);
      for (const raw of ['{', 'x=1', '[]', 'null', nested(3000), new Uint8Array([0xff, 0xfe]), 'x'.repeat(2_000_000)]) {
        const answer = await call(op.method, path, undefined, { raw });
        expect([answer.status, answer.body?.code], String(raw).slice(0, 20)).toEqual([
          without.status,
          without.body?.code,
        ]);
      }
    },
  );
});

describe('ids in the path', () => {
  test('an id with %3A in the path equals the id with a colon for a repeated Idempotency-Key (S22)', async () => {
    const { post, call } = await kit();
    const { body: customer } = await post('/customers', { customerType: 'BUSINESS' });
    const ask = (id: string) =>
      call('POST', `/customers/${id}/kyc-link`, undefined, { headers: { 'idempotency-key': 'one' } });
    const first = await ask(customer.id);
    expect((await ask(customer.id.replace(':', '%3A'))).text).toBe(first.text);
  });
});

describe('requests over a real connection', () => {
  const BOUNDARY = 'x-boundary';
  const form = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const FORMS: readonly (readonly [string, string, Record<string, string>])[] = [
    ['a form without an end', `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\nx`, form],
    ['text in place of a form', 'hello', form],
    [
      'a form with headers beyond the bounds',
      `--${BOUNDARY}\r\nX: ${'x'.repeat(20_000)}\r\n\r\nx\r\n--${BOUNDARY}--`,
      form,
    ],
    ['a form of another type', 'hello', {}],
    ['a body beyond the limit', 'x'.repeat(3_000_000), { 'content-type': 'application/json' }],
  ];

  test.each(FORMS)(
    '%s is refused with 400 and read to its end, and the connection answers the next request (H8)',
    async (_, body, headers) => {
      const host = await Host.start({ seed: 1 });
      const server = serverFor(host, createApp(host));
      const unread: string[] = [];
      server.on('request', (incoming, outgoing) =>
        outgoing.on('finish', () => {
          // What lies about unread is what the HTTP layer closes a connection for, soon after it was promised to stay.
          if (incoming.method === 'POST' && !incoming.readableEnded) unread.push(incoming.url ?? '');
        }),
      );
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => {
        host.close();
        server.closeAllConnections();
        server.close();
      });
      const line = connection((server.address() as AddressInfo).port);
      for (const path of ['/2025-10-13/documents', '/2025-10-13/customers/bulk/csv', '/2025-10-13/customers']) {
        const refused = await line.ask(request('POST', path, body, headers));
        expect(refused.status, path).toBe(400);
        expect(refused.headers['connection'], path).not.toBe('close');
        expect((await line.ask(request('GET', '/2025-10-13/config'), 'GET')).status, path).toBe(200);
      }
      expect(unread).toEqual([]);
    },
  );

  test('a refusal that leaves too much of a body unread closes the connection (H8)', async () => {
    const { port } = await started();
    for (const [path, status] of [
      ['/2025-10-13/customers', 400],
      ['/_emulator/faults', 400],
      ['/2025-10-13/nowhere', 404],
      ['/kyc/x', 400],
    ] as const) {
      const line = connection(port);
      const refused = await line.ask(request('POST', path, '{', { 'content-length': '99999999999' }));
      expect(refused.status, path).toBe(status);
      expect(refused.headers['connection'], path).toBe('close');
      await line.closed();
    }
  });

  test('a client that sends 40 MB can read the refusal of its body', async () => {
    const { port } = await started();
    const headers = { authorization: `Basic ${btoa('test:secret')}` };
    const pdf = new FormData();
    pdf.set('documentType', 'PASSPORT');
    pdf.set('documentHolder', 'Customer:1');
    pdf.set('file', new Blob([Buffer.alloc(40_000_000, 32)]), 'a.pdf');
    for (const [path, body] of [
      ['/documents', pdf],
      ['/customers', Buffer.alloc(40_000_000, 32)],
    ] as const)
      for (const _ of [1, 2, 3]) {
        const reply = await fetch(`http://127.0.0.1:${port}/2025-10-13${path}`, { method: 'POST', headers, body });
        expect([reply.status, await reply.json()], path).toMatchObject([400, { status: 400 }]);
      }
  });

  test('a refusal before the body is read leaves the connection usable (H8)', async () => {
    const { port } = await started();
    const line = connection(port);
    const body = 'x'.repeat(300_000);
    for (const [path, more, status] of [
      ['/2025-10-13/customers', { authorization: 'Basic x' }, 401],
      ['/2025-10-13/nowhere', {}, 404],
      ['/2025-10-13/config', {}, 405],
      ['/_emulator/nowhere', {}, 404],
    ] as const)
      expect((await line.ask(request('POST', path, body, more))).status, path).toBe(status);
    expect((await line.ask(request('GET', '/2025-10-13/config'), 'GET')).status).toBe(200);
  });

  test.each([
    ['HTTP/1.0 without Host', 'GET /2025-10-13/config HTTP/1.0\r\n\r\n', 400],
    ['HTTP/1.1 without Host', 'GET /2025-10-13/config HTTP/1.1\r\n\r\n', 400],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n', 400],
    ['an invalid Host', 'GET / HTTP/1.1\r\nhost: a b\r\n\r\n', 400],
    ['a Host with a path', 'GET / HTTP/1.1\r\nhost: a/b\r\n\r\n', 400],
    ['a backslash in the path', 'GET /a\\b HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n', 400],
    ['text that is not HTTP', 'hello\r\n\r\n', 400],
    ['a header without a colon', 'GET / HTTP/1.1\r\nhost 127.0.0.1\r\n\r\n', 400],
    [
      'two Content-Length headers',
      'POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      400,
    ],
    ['headers without end', `GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
    ['CONNECT', 'CONNECT pay.example:443 HTTP/1.1\r\nHost: pay.example:443\r\n\r\n', 400],
    ['an unknown expectation', 'GET /2025-10-13/config HTTP/1.1\r\nHost: localhost\r\nExpect: x\r\n\r\n', 417],
  ])('%s is refused with the error body (H9)', async (_, sent, status) => {
    const { port } = await started();
    const reply = await connection(port).ask(sent);
    expect(reply.status).toBe(status);
    // The log has no line for what is not a request.
    expect(reply.headers['x-request-id']).toMatch(/^ctl_\d+$/);
    expect(reply.headers['x-sandbox-emulator']).toMatch(/^\d+\.\d+/);
    expect(JSON.parse(reply.text)).toEqual({ status, code: 'INVALID_REQUEST_FORMAT', message: expect.any(String) });
  });

  test.each([
    ['127.0.0.256', 403],
    ['999.1.1.1', 403],
    ['0x7f.1.1.1.1', 403],
    ['1.2.3.4.5', 403],
    ['a..b', 403],
    ['%zz', 400],
    ['evil.example', 403],
    ['xn--', 403],
  ])('the Host %s is refused with %i at every address (H6)', async (host, status) => {
    const { port } = await started();
    for (const path of ['/', '/_emulator/health', '/openapi.json', '/kyc/x', '/inspector', '/2025-10-13/config']) {
      const reply = await connection(port).ask(request('GET', path, '', { host }), 'GET');
      expect(reply.status, path).toBe(status);
    }
  });
});

describe('HEAD', () => {
  test('HEAD answers as GET does, without the body, for API, control API and pages (S15)', async () => {
    const { port } = await started();
    for (const [path, more] of [
      ['/2025-10-13/config', {}],
      ['/2025-10-13/customers', {}],
      ['/2025-10-13/customers/none', {}],
      ['/2025-10-13/config', { authorization: 'Basic x' }],
      ['/2025-10-13/nowhere', {}],
      ['/_emulator/health', {}],
      ['/_emulator/operations', {}],
      ['/_emulator/requests/none', {}],
      ['/openapi.json', {}],
      ['/', {}],
      ['/', { accept: 'text/html' }],
      ['/inspector/requests', { accept: 'text/html' }],
      ['/kyc/x', {}],
    ] as const) {
      const line = connection(port);
      const get = await line.ask(request('GET', path, '', more), 'GET');
      const head = await line.ask(request('HEAD', path, '', more), 'HEAD');
      const plain = ({ 'x-request-id': _, date: __, ...rest }: Reply['headers']) => rest;
      const [a, b] = [plain(get.headers), plain(head.headers)];
      // What a page or a log says of itself changes from one look to the next.
      if (/inspector|^\/$|health|operations|none|nowhere/.test(path)) {
        expect(Number(b['content-length']), path).toBeGreaterThan(0);
        delete a['content-length'];
        delete b['content-length'];
      }
      expect([head.status, b], path).toEqual([get.status, a]);
      expect(head.text).toBe('');
      expect((await line.ask(request('GET', '/2025-10-13/config'), 'GET')).status).toBe(200);
    }
  });

  test('HEAD of an operation that only writes is refused with 405 (S15)', async () => {
    const { call } = await kit();
    expect((await call('HEAD', '/quotes')).status).toBe(405);
  });
});

describe('headers of answers', () => {
  test('a 401 for wrong credentials names Basic and its realm in WWW-Authenticate (S15)', async () => {
    const { call } = await kit();
    for (const as of [null, 'test:wrong', 'none'])
      expect((await call('GET', '/config', undefined, { as })).headers.get('www-authenticate')).toBe(
        'Basic realm="sandbox-emulator"',
      );
    expect((await call('GET', '/config')).headers.get('www-authenticate')).toBeNull();
  });

  test('a 401 for a wallet signature, or by a fault, does not ask for Basic credentials (S15)', async () => {
    const { login, call } = await walletKit();
    const { session } = await login();
    const answer = await call('DELETE', `/auth/sessions/${session.id}`, undefined, { headers: { 'request-id': 'x' } });
    expect(refusal(answer)).toMatchObject({ status: 401, code: 'WALLET_SIGNATURE_MISSING' });
    expect(answer.headers.get('www-authenticate')).toBeNull();
    const { call: faulty, control } = await kit();
    await control('POST', '/faults', { match: {}, then: { status: 401 } });
    expect((await faulty('GET', '/config')).headers.get('www-authenticate')).toBeNull();
  });

  test('a 204 has no content-type (S15)', async () => {
    const { post, del } = await kit();
    const { body } = await post('/tokens', { name: 'x', permissions: ['VIEW'] });
    const answer = await del(`/tokens/${body.id}`);
    expect([answer.status, answer.headers.has('content-type')]).toEqual([204, false]);
    const { port } = await started();
    const { headers, status } = await connection(port).ask(request('DELETE', '/_emulator/faults'));
    expect([status, headers['content-type']]).toEqual([204, undefined]);
  });

  test('a refusal that cannot change says x-should-retry: false, and one that another call resolves does not (C8)', async () => {
    const { post, call, control } = await kit({ scenario: 'contact-verification' });
    const told = async (answer: Promise<{ status: number; headers: Headers }>) => {
      const { status, headers } = await answer;
      return [status, headers.get('x-should-retry')];
    };
    const body = {
      customerType: 'INDIVIDUAL',
      platformCustomerId: 'a',
      email: 'a@example.com',
      phoneNumber: '+14155550123',
    };
    const { body: customer } = await post('/customers', body);
    expect(await told(post('/customers', body))).toEqual([409, 'false']);
    expect(await told(post(`/customers/${customer.id}/kyc-link`))).toEqual([409, null]);
    expect(await told(call('GET', '/customers/none'))).toEqual([404, null]);
    await control('POST', '/faults', { match: {}, then: { code: 'NOT_IMPLEMENTED' } });
    expect(await told(call('GET', '/config'))).toEqual([501, 'false']);
    await control('DELETE', '/faults');
    await control('POST', '/faults', { match: {}, then: { code: 'SCA_SESSION_REQUIRED' } });
    expect(await told(call('GET', '/config'))).toEqual([409, null]);
  });
});

describe('pipelined requests', () => {
  const get = `GET /2025-10-13/customers/none HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${AUTHORIZATION}\r\n\r\n`;
  const post = 'POST /2025-10-13/customers HTTP/1.1\r\nHost: localhost\r\n';

  test.each([
    ['that a fault drops', `${post}Authorization: ${AUTHORIZATION}\r\nContent-Length: 2\r\n\r\n{}`],
    ['that is not HTTP', 'this is not HTTP\r\n\r\n'],
    ['with an unknown expectation', `${post}Expect: more\r\n\r\n`],
    ['with the method CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n'],
  ])('a request %s leaves the request before it on the connection its reply', async (_, next) => {
    const { port, sandbox } = await started();
    sandbox.faults.add({ match: { path: '/customers', method: 'POST' }, then: { drop: true } });
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const heard = heardOn(socket);
    socket.write(get + next);
    await heard.until(() => false);
    expect(heard.text).toMatch(/^HTTP\/1\.1 404 Not Found.*no customer none/s);
  });

  test.each([
    ['that is not HTTP', 'this is not HTTP\r\n\r\n', 400],
    ['with an invalid chunk', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
    ['with an unknown expectation', `${post}Expect: more\r\n\r\n`, 417],
    ['with the method CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', 400],
  ])(
    'a request %s leaves those before it on the connection their replies, in order, after bodies and delays',
    async (_, next, status) => {
      const { port, sandbox } = await started();
      sandbox.faults.add({ match: { path: '/customers', method: 'POST', times: 1 }, then: { delayMs: 20 } });
      const body = JSON.stringify({ customerType: 'INDIVIDUAL', fullName: 'Ada Keller' });
      const create = `${post}Authorization: ${AUTHORIZATION}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      const socket = connect(port, '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      const heard = heardOn(socket);
      socket.write(get + create + get + create + next);
      await heard.until(() => false);
      expect(heard.text.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['404', '201', '404', '201', String(status)]);
    },
  );
});
