import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../../src/index.ts';

/** Requests byte for byte as clients write them, over a real socket, to an emulator of the public names. */

let emulator: Emulator<'grid'>;
beforeAll(async () => {
  emulator = await startEmulator({ port: 0, profile: 'grid', seed: 1, now: '2026-01-05T09:00:00Z', holdClock: true });
});
afterAll(() => emulator.close());

interface Heard {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a reply, line by line
  body: any;
}

const body = (raw: string, headers: Record<string, string>): string => {
  if (headers['transfer-encoding'] !== 'chunked') return raw;
  let [text, rest] = ['', raw];
  for (;;) {
    const end = rest.indexOf('\r\n');
    const size = Number.parseInt(rest.slice(0, end), 16);
    if (!size) return text;
    text += rest.slice(end + 2, end + 2 + size);
    rest = rest.slice(end + 4 + size);
  }
};

/** Write these pieces, each after the emulator has said something new or at once, and read until it hangs up. */
async function exchange(...pieces: string[]): Promise<Heard[]> {
  const { port } = new URL(emulator.url);
  const socket = connect(Number(port), '127.0.0.1');
  let said = '';
  socket.setEncoding('utf8');
  const closed = new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
  socket.on('data', (text: string) => {
    said += text;
    const next = pieces.shift();
    if (next !== undefined) socket.write(next);
  });
  socket.write(pieces.shift() ?? '');
  await closed;
  return said.split(/(?=HTTP\/1\.1 \d{3})/).map((text) => {
    const [head = '', ...rest] = text.split('\r\n\r\n');
    const [first = '', ...lines] = head.split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const inside = body(rest.join('\r\n\r\n'), headers);
    return { status: Number(first.split(' ')[1]), headers, body: inside.startsWith('{') ? JSON.parse(inside) : inside };
  });
}

const BASE = '/grid/2025-10-13';
const login = () => {
  const { id, secret } = emulator.sandbox.credentials;
  return `Authorization: Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
};
/** A request of these lines; `Host`, credentials and `Connection: close` are everybody's. */
const request = (first: string, lines: string[], text = '', close = true): string =>
  [
    `${first.replace(' /', ` ${BASE}/`)} HTTP/1.1`,
    'Host: 127.0.0.1',
    login(),
    ...(close ? ['Connection: close'] : []),
    ...lines,
    '',
    text,
  ].join('\r\n');
const send = async (...sent: Parameters<typeof request>): Promise<Heard> =>
  (await exchange(request(...sent)))[0] as Heard;
const json = (text: string) => ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`];

const CUSTOMER = '{"customerType":"INDIVIDUAL","fullName":"Ada Obi"}';
const customer = async (): Promise<string> => (await send('POST /customers', json(CUSTOMER), CUSTOMER)).body.id;

describe('bodies over a raw connection', () => {
  test('a request with a content type and an empty body is taken (JVM libraries)', async () => {
    const id = await customer();
    const path = `POST /customers/${id}/kyc-link`;
    expect((await send(path, ['Content-Type: application/json', 'Content-Length: 0'])).status).toBe(201);
    expect(
      (await send(path, ['Content-Type: application/json; charset=utf-8', 'Transfer-Encoding: chunked'], '0\r\n\r\n'))
        .status,
    ).toBe(201);
    expect((await send(path, [])).status).toBe(201);
    expect(
      (await send(`DELETE /customers/${id}`, ['Content-Type: application/json', 'Content-Length: 0'])).status,
    ).toBe(200);
  });

  test('a body in chunks is taken, as streaming clients send it', async () => {
    const [a, b] = [CUSTOMER.slice(0, 17), CUSTOMER.slice(17)];
    const chunks = `${a.length.toString(16)}\r\n${a}\r\n${b.length.toString(16).toUpperCase()};x=y\r\n${b}\r\n0\r\n\r\n`;
    const answer = await send(
      'POST /customers',
      ['content-type: application/json', 'transfer-encoding: chunked'],
      chunks,
    );
    expect(answer).toMatchObject({ status: 201, body: { fullName: 'Ada Obi' } });
  });

  test('a body that waits for a go-ahead is taken after 100 (Expect: 100-continue)', async () => {
    const head = request('POST /customers', [...json(CUSTOMER), 'Expect: 100-continue']);
    const [go, answer] = await exchange(head, CUSTOMER);
    expect([go?.status, answer?.status]).toEqual([100, 201]);
  });

  test('a body with letters beyond ASCII is taken, raw and escaped', async () => {
    for (const text of [
      '{"customerType":"INDIVIDUAL","fullName":"Zoë Ångström"}',
      '{"customerType":"INDIVIDUAL","fullName":"Zo\\u00eb \\u00c5ngstr\\u00f6m"}',
    ])
      expect((await send('POST /customers', json(text), text)).body.fullName).toBe('Zoë Ångström');
  });
});

describe('headers over a raw connection', () => {
  test('a request is taken with header names in any case, and with unknown headers of a browser or a proxy', async () => {
    const lines = [
      'ACCEPT: */*',
      'accept-encoding: gzip, deflate, br, zstd',
      'X-Stainless-Retry-Count: 2',
      'x-stainless-helper-method: stream',
      'X-Forwarded-For: 10.0.0.1',
      'Via: 1.1 proxy',
      'traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      'Cookie: a=b',
      'User-Agent: okhttp/4.12.0',
      'CONTENT-TYPE: Application/JSON',
      `CONTENT-LENGTH: ${CUSTOMER.length}`,
    ];
    const answer = await send('POST /customers', lines, CUSTOMER);
    expect(answer.status).toBe(201);
    expect(answer.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(answer.headers).not.toHaveProperty('content-encoding');
  });

  test('two requests on one connection are answered in order', async () => {
    const [first, second] = await exchange(
      request('POST /customers', json(CUSTOMER), CUSTOMER, false),
      request('GET /config', []),
    );
    expect([first?.status, second?.status]).toEqual([201, 200]);
  });

  test('a 204 has no body, no JSON content type, and no length that a client would wait for', async () => {
    const text = '{"name":"T","permissions":["VIEW"]}';
    const { id } = (await send('POST /tokens', json(text), text)).body;
    const answer = await send(`DELETE /tokens/${id}`, ['Accept: */*']);
    expect([answer.status, answer.body]).toEqual([204, '']);
    expect(answer.headers).not.toHaveProperty('content-type', 'application/json');
    expect(answer.headers).not.toHaveProperty('content-length');
    expect(answer.headers).not.toHaveProperty('transfer-encoding');
  });
});

describe('paths and queries over a raw connection', () => {
  test('a path takes an id raw or percent-encoded, and a query a UMA address raw or escaped', async () => {
    const id = await customer();
    for (const written of [id, id.replace(':', '%3A')])
      expect((await send(`GET /customers/${written}`, [])).body.id).toBe(id);
    const { umaAddress } = (await send(`GET /customers/${id}`, [])).body;
    for (const written of [umaAddress, encodeURIComponent(umaAddress)])
      expect((await send(`GET /customers?umaAddress=${written}&limit=1`, [])).body.totalCount).toBe(1);
  });

  test('a filter takes moments with an offset or with microseconds, and refuses a raw plus, which is a space, with 400', async () => {
    const status = async (moment: string) => (await send(`GET /customers?createdAfter=${moment}`, [])).status;
    expect(await status('2025-01-01T00:00:00.123456Z')).toBe(200);
    expect(await status('2025-01-01T00%3A00%3A00%2B02%3A00')).toBe(200);
    expect(await status('2025-01-01T00:00:00+02:00')).toBe(400);
  });
});

describe('forms over a raw connection', () => {
  const parts = (id: string): [string, string][] => [
    ['documentHolder', id],
    ['documentType', 'PASSPORT'],
    ['country', 'US'],
    ['documentNumber', 'X1'],
    ['issuingAuthority', 'State'],
  ];
  const upload = async (boundary: string, quoted: boolean, text: string) =>
    send(
      'POST /documents',
      [
        `Content-Type: multipart/form-data; boundary=${quoted ? `"${boundary}"` : boundary}`,
        `Content-Length: ${text.length}`,
      ],
      text,
    );

  test('a form is taken as curl, Python, a JVM library and a browser write it', async () => {
    const id = await customer();
    const made = (boundary: string, field: (name: string, value: string) => string[], file: string[]) =>
      [...parts(id).map(([name, value]) => [...field(name, value), '', value]), [...file, '', '%PDF-1.7 x']]
        .map((lines) => `--${boundary}\r\n${lines.join('\r\n')}\r\n`)
        .concat(`--${boundary}--\r\n`)
        .join('');
    const plain = (name: string) => [`Content-Disposition: form-data; name="${name}"`];
    const curl = made('------------------------d74496d66958873e', plain, [
      'Content-Disposition: form-data; name="file"; filename="passport.pdf"',
      'Content-Type: application/pdf',
    ]);
    const python = made('c0ffee', plain, ['Content-Disposition: form-data; name="file"; filename="passport.pdf"']);
    const jvm = made(
      '6f2a1b',
      (name, value) => [`Content-Disposition: form-data; name="${name}"`, `Content-Length: ${value.length}`],
      [
        'Content-Disposition: form-data; name="file"; filename="passport.pdf"',
        'Content-Type: application/octet-stream',
        'Content-Length: 10',
      ],
    );
    const browser = made('----WebKitFormBoundaryA1b2C3', plain, [
      `Content-Disposition: form-data; name="file"; filename="pass.pdf"; filename*=UTF-8''p%C3%A4ss.pdf`,
      'Content-Type: application/pdf',
    ]);
    expect((await upload('------------------------d74496d66958873e', false, curl)).status).toBe(201);
    expect((await upload('c0ffee', false, python)).status).toBe(201);
    expect((await upload('6f2a1b', true, jvm)).status).toBe(201);
    expect((await upload('----WebKitFormBoundaryA1b2C3', false, browser)).status).toBe(201);
  });
});
