import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Api } from '../../src/http/api.ts';
import { createApp, type Served } from '../../src/http/app.ts';
import { NodeRequest } from '../../src/http/node.ts';
import { serverFor } from '../../src/http/server.ts';
import { Host } from '../../src/sandbox/host.ts';
import { heardOn } from '../kit/heard.ts';

const BASIC = `Basic ${Buffer.from('test:secret').toString('base64')}`;
const ADA = JSON.stringify({ customerType: 'INDIVIDUAL', fullName: 'Ada Keller' });

/** A request as its bytes. */
function bytes(method: string, path: string, headers: readonly string[], body = ''): string {
  return [
    `${method} ${path.startsWith('/_') ? path : `/2025-10-13${path}`} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...headers,
    '',
    body,
  ].join('\r\n');
}

const sent = (method: string, path: string, body: string, ...headers: string[]) =>
  bytes(method, path, [`Authorization: ${BASIC}`, `Content-Length: ${body.length}`, ...headers], body);
const asked = (path: string, ...headers: string[]) => bytes('GET', path, [`Authorization: ${BASIC}`, ...headers]);

const JSON_TYPE = 'Content-Type: application/json';
const FUND = '/sandbox/internal-accounts/Customer:1/fund';
const add = (then: object) => sent('POST', '/_emulator/faults', JSON.stringify({ match: { times: 1 }, then }));

/** Conversations: one request after the other over one connection, each answered before the next is sent. */
const TALKS: Readonly<Record<string, readonly string[]>> = {
  'reads and lists': [
    sent('POST', '/customers', ADA, JSON_TYPE),
    asked('/customers'),
    asked('/customers?limit=1&customerType=INDIVIDUAL'),
    asked('/customers?limit=1&limit=2'),
    asked('/customers?limit=x&nobody=knows'),
    asked('/customers?region=a+b&region='),
    asked('/customers/Customer:nobody'),
    asked('/config', 'X-Empty:', 'X-Odd:   spaces   '),
  ],
  'headers that are repeated, in another case, or empty': [
    bytes('GET', '/config', [`authorization: ${BASIC}`, `AUTHORIZATION: ${BASIC}`]),
    bytes('GET', '/config', []),
    bytes('GET', '/config', ['Authorization:']),
    bytes('GET', '/config', ['Authorization: Bearer x']),
    bytes('GET', '/config', [`Authorization:\t${BASIC} \t`]),
    bytes('GET', '/config', [`Authorization: ${BASIC}\u00a0`]),
    sent('POST', '/customers', ADA, 'content-TYPE: application/json', 'Content-Type: text/plain'),
    sent('POST', '/customers', ADA, 'Content-Type: text/plain'),
    sent('POST', '/customers', ADA, JSON_TYPE, 'Idempotency-Key: a', 'idempotency-key: b'),
    sent('POST', '/customers', ADA, JSON_TYPE, 'Idempotency-Key:'),
    sent('POST', '/customers', ADA, JSON_TYPE, `Idempotency-Key: ${'k'.repeat(300)}`),
  ],
  'bodies that are missing or not JSON': [
    sent('POST', '/customers', '', JSON_TYPE),
    bytes('POST', '/customers', [`Authorization: ${BASIC}`]),
    sent('POST', '/customers', '{', JSON_TYPE),
    sent('POST', '/customers', '"\u00e9"', JSON_TYPE),
    sent('POST', '/customers', Buffer.from(ADA.replace('Ada', '\u00c9da \u{1f600}')).toString('latin1'), JSON_TYPE),
    sent('POST', '/customers', '[]', JSON_TYPE),
    sent('POST', FUND, '{"amount":1}', JSON_TYPE),
    bytes(
      'POST',
      '/customers',
      [`Authorization: ${BASIC}`, 'Transfer-Encoding: chunked'],
      `${ADA.length.toString(16)}\r\n${ADA}\r\n0\r\n\r\n`,
    ),
    bytes('POST', '/customers', ['Content-Length: 5'], 'hello'),
    bytes('GET', '/config', [`Authorization: ${BASIC}`, 'Content-Length: 5'], 'hello'),
  ],
  'repeated keys, deletions and unknown paths': [
    sent('POST', '/customers', ADA, JSON_TYPE, 'Idempotency-Key: once'),
    sent('POST', '/customers', ADA, JSON_TYPE, 'Idempotency-Key: once'),
    sent('POST', '/customers', '{"customerType":"BUSINESS"}', JSON_TYPE, 'Idempotency-Key: once'),
    sent('POST', '/webhooks/nowhere', '{}', JSON_TYPE),
    sent('PUT', '/customers', '{}', JSON_TYPE),
    asked('/customers/../config'),
    asked('/customers/%43ustomer:1'),
    asked('/customers/a//b'),
    bytes('OPTIONS', '/customers', ['Origin: http://127.0.0.1', 'Access-Control-Request-Method: POST']),
    bytes('GET', '/config', [`Authorization: ${BASIC}`, 'Origin: https://evil.example']),
  ],
  'faults before and after the call': [
    add({ status: 503 }),
    asked('/config'),
    add({ code: 'RATE_LIMITED', retryAfter: 2 }),
    sent('POST', '/customers', ADA, JSON_TYPE),
    add({ status: 500, when: 'after' }),
    sent('POST', '/customers', ADA, JSON_TYPE),
    add({ delayMs: 1 }),
    sent('POST', '/customers', ADA, JSON_TYPE),
    asked('/customers'),
  ],
  'a fault that truncates the reply': [add({ truncate: true }), asked('/config')],
  'a fault that closes the connection': [add({ drop: true }), sent('POST', '/customers', ADA, JSON_TYPE)],
  'a fault that closes the connection after the call': [
    add({ drop: true, when: 'after' }),
    sent('POST', '/customers', ADA, JSON_TYPE),
  ],
};

/** Have a conversation; what came back, and what the request log says of it. */
async function talk(requests: readonly string[], change: (served: Served) => Served) {
  const host = await Host.start({ seed: 1, holdClock: true, now: '2026-03-01T00:00:00Z' });
  const served = change(createApp(host));
  const server = serverFor(host, served);
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    host.close();
    server.closeAllConnections();
    server.close();
  });
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const heard = heardOn(socket);
  const answers: string[] = [];
  for (const request of requests) {
    heard.text = '';
    if (!heard.ended) socket.write(request, 'latin1');
    const isWhole = () => {
      const { text } = heard;
      const end = text.indexOf('\r\n\r\n');
      return end >= 0 && text.length >= end + 4 + Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
    };
    await heard.until(isWhole);
    const [head = '', body = ''] = heard.text.split('\r\n\r\n');
    // Their order means nothing, and the date is the machine's.
    const lines = head.split('\r\n').map((line) => line.replace(/^[^:]*:/, (name) => name.toLowerCase()));
    answers.push([...lines.filter((line) => !line.startsWith('date:')).sort(), '', body].join('\n'));
  }
  socket.destroy();
  const log = [...host.default.requestLog.newest()].map(({ ms: _, before, ...entry }) => ({
    ...entry,
    turn: before?.moment.turn,
  }));
  return { answers, log };
}

/** The API, of which the server takes no path to be: all of its calls go through Hono. */
const ofHono = (api: Api): Api => Object.assign(Object.create(api) as Api, { baseOf: () => undefined });

test.each(Object.entries(TALKS))(
  'a plain call gets the same reply and log entry as through Hono’s adapter: %s',
  async (_, requests) => {
    const answered = vi.spyOn(Api.prototype, 'answer');
    onTestFinished(() => answered.mockRestore());
    const ours = await talk(requests, (served) => served);
    const direct = answered.mock.calls.filter(([request]) => request instanceof NodeRequest).length;
    const theirs = await talk(requests, ({ fetch, request, api }) => ({ fetch, request, api: ofHono(api) }));
    expect(ours).toEqual(theirs);
    expect(direct).toBeGreaterThan(0);
    expect(answered.mock.calls.filter(([request]) => request instanceof NodeRequest)).toHaveLength(direct);
  },
);

test.each([
  ['after sending all of it is read', ADA, ADA],
  ['before the end of it is refused', ADA.slice(0, -1), 'the body ended before it was complete'],
])('the body of a client that disconnects %s', async (_, part, result) => {
  let client: Socket | undefined;
  let told = (_: string): void => {};
  const read = new Promise<string>((resolve) => (told = resolve));
  const server = createServer((incoming) => {
    // What came with the head is parsed before this turn ends.
    setImmediate(() => client?.destroy());
    incoming.on('close', () => {
      new NodeRequest(incoming).bytes().then(
        (all) => told(Buffer.from(all).toString()),
        ({ message }) => told(message),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write(bytes('POST', '/customers', [`Content-Length: ${ADA.length}`], part));
  expect(await read).toBe(result);
});
