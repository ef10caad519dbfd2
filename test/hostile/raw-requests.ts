import type { Random } from './random.ts';

const AUTHORIZATION = `Basic ${Buffer.from('test:secret').toString('base64')}`;
const METHODS = [
  'GET',
  'GET',
  'POST',
  'POST',
  'PUT',
  'DELETE',
  'OPTIONS',
  'HEAD',
  'get',
  'BREW',
  'PRI',
  'CONNECT',
  'TRACE',
  'G\u0000T',
  'M-SEARCH',
];
const VERSIONS = [
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/2.0',
  'HTTP/0.9',
  'HTTP/1.2',
  'http/1.1',
  'HTTP/1',
  '',
];
const TARGETS = [
  '*',
  '',
  '/',
  '//',
  '/..',
  '/%',
  '/?',
  '/#x',
  'http://evil.example/',
  'evil.example:80',
  '/\u00ff',
  '/%00',
  '/kyc/x',
  '/openapi.json',
];
const HOSTS = [
  '',
  'evil.example',
  '127.0.0.256',
  '[::1',
  'localhost:99999',
  'a b',
  '127.0.0.1, evil',
  '::',
  '[::1]',
  'x'.repeat(500),
  '\u00e9.example',
  '@',
  '127.0.0.1:0x1',
];
const ODD_LINES = [
  ...[
    'X-A',
    'X-A:',
    ': x',
    'X A: b',
    'X-\u0000: b',
    'X-A: \u0000',
    'X-A: \u00ff',
    ' folded',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip, chunked',
  ],
  ...[
    'Transfer-Encoding: x',
    'Content-Length: 1',
    'Content-Length: -1',
    'Content-Length: 1e3',
    'Content-Length: 5, 5',
    'Connection: close',
    'Connection: upgrade',
  ],
  ...[
    'Upgrade: websocket',
    'Upgrade: h2c',
    'Expect: 100-continue',
    'Expect: x',
    'Trailer: a',
    'TE: trailers',
    'Host: second.example',
    'Authorization: Basic \u00e9',
  ],
  ...[
    'Idempotency-Key: \u00ff\u00fe',
    'Origin: https://evil.example',
    `X-Long: ${'a'.repeat(20_000)}`,
    'Cookie: \u0001',
    'Keep-Alive: timeout=1',
  ],
];
const CHUNKS = [
  '5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n',
  'zz\r\n{}\r\n',
  '2\r\n{}\r\n',
  'ffffffffffffffff\r\n',
  '2;x=y\r\n{}\r\n0\r\nA: b\r\n\r\n',
  '-1\r\n',
  '2\r\n{}x\r\n0\r\n\r\n',
];
const PATHS = [
  '/customers',
  '/config',
  '/quotes',
  '/customers/x',
  '/documents',
  '/customers/bulk/csv',
  '/sandbox/webhooks/test',
];
const FORM = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx';

function bodyOf(random: Random): { lines: string[]; body: string } {
  const json = random.of([
    '{}',
    '{"customerType":"INDIVIDUAL"}',
    '{"a":',
    '[]',
    '',
    '\u00ff\u00fe',
    `{"a":"${'x'.repeat(40_000)}`,
  ]);
  const size = Buffer.byteLength(json, 'latin1');
  return random.of([
    { lines: ['Content-Type: application/json', `Content-Length: ${size}`], body: json },
    { lines: ['Content-Type: application/json', `Content-Length: ${size}`], body: json },
    { lines: ['Content-Type: application/json', `Content-Length: ${size + 10}`], body: json },
    { lines: ['Content-Type: application/json', `Content-Length: ${Math.max(size - 1, 0)}`], body: json },
    { lines: ['Content-Type: application/json', 'Content-Length: 99999999'], body: json },
    { lines: ['Content-Type: application/json', 'Transfer-Encoding: chunked'], body: random.of(CHUNKS) },
    { lines: ['Content-Type: multipart/form-data; boundary=b', `Content-Length: ${FORM.length}`], body: FORM },
    {
      lines: ['Content-Type: multipart/form-data; boundary=b', 'Transfer-Encoding: chunked'],
      body: `${FORM.length.toString(16)}\r\n${FORM}\r\n0\r\n\r\n`,
    },
    { lines: [], body: '' },
  ]);
}

function one(random: Random, host: string, basePath: string): string {
  const known = random.once(0.7)
    ? basePath + random.of(PATHS)
    : random.of(['/_emulator/health', '/_emulator/faults', '/inspector/clock']);
  const target = random.once(0.75) ? known : random.of(TARGETS);
  const method = random.once(0.7) ? random.of(['GET', 'POST', 'PATCH']) : random.of(METHODS);
  const version = random.once(0.85) ? 'HTTP/1.1' : random.of(VERSIONS);
  const { lines, body } = method === 'GET' && random.once(0.8) ? { lines: [], body: '' } : bodyOf(random);
  const head = [`${method} ${target} ${version}`];
  if (random.once(0.95)) head.push(`Host: ${random.once(0.85) ? host : random.of(HOSTS)}`);
  if (random.once(0.8)) head.push(`Authorization: ${AUTHORIZATION}`);
  head.push(...lines);
  while (random.once(0.3)) head.splice(1 + random.below(head.length), 0, random.of(ODD_LINES));
  const end = random.once(0.95) ? '\r\n' : random.of(['\n', '\r', '\r\n\r\n', '']);
  return `${head.join(end)}${end}${end}${body}`;
}

/** The bytes of one or more requests on one connection, in the parts in which they are sent. */
export function rawRequest(random: Random, host: string, basePath: string): Buffer[] {
  const requests = Array.from({ length: random.of([1, 1, 1, 2, 4]) }, () => one(random, host, basePath));
  const bytes = Buffer.from(random.once(0.03) ? 'x\u0000\u0016\u0003\u0001' : requests.join(''), 'latin1');
  const end = random.once(0.1) ? random.below(bytes.length + 1) : bytes.length;
  if (random.once(0.8)) return [bytes.subarray(0, end)];
  const parts: Buffer[] = [];
  for (let at = 0; at < end && parts.length < 12; ) {
    const next = parts.length === 11 ? end : Math.min(end, at + 1 + random.below(200));
    parts.push(bytes.subarray(at, next));
    at = next;
  }
  return parts;
}
