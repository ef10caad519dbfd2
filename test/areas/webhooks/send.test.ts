import { Agent, request } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Deadline } from '../../../src/areas/webhooks/deadline.ts';
import { requestText, send } from '../../../src/areas/webhooks/send.ts';
import { targetOf, USER_AGENT } from '../../../src/areas/webhooks/target.ts';

/** What Node's client writes for a POST, a kept connection asked for. */
function nodeText(url: string, body: string, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = new Duplex({
      read() {},
      write(chunk: Buffer, _encoding, done) {
        text += chunk.toString('utf8');
        done();
      },
    });
    const target = new URL(url);
    const agent = new Agent({ keepAlive: true });
    agent.createConnection = () => socket;
    const options = {
      method: 'POST',
      agent,
      headers: {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': USER_AGENT,
        ...headers,
      },
      ...(target.hostname.endsWith('.localhost') ? { hostname: '127.0.0.1' } : {}),
    };
    const sent = request(target, options);
    sent.on('finish', () => resolve(text));
    sent.on('error', () => {});
    sent.end(body);
  });
}

test.each([
  'http://127.0.0.1:4000/hooks',
  'http://localhost:4000',
  'http://shop.localhost:4000/a/b?c=d&e=%20f#g',
  'http://[::1]:4000/x y/é',
  'http://receiver.example/hooks',
  'http://receiver.example:80/hooks?',
  'http://xn--bcher-kva.example:8080/%7Bid%7D',
])('a request to %s is what Node would write', async (url) => {
  const { plain } = targetOf(url);
  const headers = { 'x-service-signature': '{"v":"1","s":"MEUCIQ=="}' };
  if (!plain) throw new Error('not sent plainly');
  for (const body of ['{}', '{"fullName":"Zoë 🙂"}'])
    expect(requestText(plain, body, headers)).toBe(await nodeText(url, body, headers));
});

test.each(['https://127.0.0.1/hooks', 'http://user:secret@127.0.0.1/hooks'])('%s is left to Node', (url) => {
  expect(targetOf(url).plain).toBeUndefined();
});

/** A receiver that says what it is told to, byte for byte, to each request that it gets on each connection. */
async function saying(says: (socket: Socket, requests: number, connections: number) => void) {
  let [requests, connections] = [0, 0];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    connections += 1;
    const nth = connections;
    socket.on('error', () => {});
    socket.on('data', () => {
      requests += 1;
      says(socket, requests, nth);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  return {
    counts: () => [requests, connections],
    post: async (ms = 30_000) => {
      const { ms: _, ...result } = await send(url, '{}', {}, new Deadline(ms));
      return result;
    },
  };
}

const OK = 'HTTP/1.1 200 OK\r\n';
const answered = (status: number, body: string) => ({ outcome: 'answered', status, body });

describe('a try to a receiver', () => {
  test.each([
    ['a plain answer', [`${OK}Content-Length: 2\r\n\r\nok`], answered(200, 'ok')],
    ['a body in two parts', [`${OK}Content-Length: 5\r\n\r\nhel`, 'lo'], answered(200, 'hello')],
    ['a head in two parts', [`${OK}Content-Le`, 'ngth: 2\r\n\r\nok'], answered(200, 'ok')],
    [
      'a chunk in two parts',
      [`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhe`, 'llo\r\n0\r\n\r\n'],
      answered(200, 'hello'),
    ],
    [
      'chunks with a trailer',
      [`${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nx: y\r\n\r\n`],
      answered(200, 'ok'),
    ],
    [
      'an answer after one on the way',
      ['HTTP/1.1 100 Continue\r\n\r\n', `${OK}Content-Length: 2\r\n\r\nok`],
      answered(200, 'ok'),
    ],
    ['an older version', ['HTTP/1.0 202 Accepted\r\nContent-Length: 2\r\n\r\nok'], answered(202, 'ok')],
    [
      'what is no HTTP',
      ['hello\r\n\r\n'],
      { outcome: 'failed', error: expect.stringContaining('HPE_INVALID_CONSTANT: Parse Error') },
    ],
    [
      'two lengths',
      [`${OK}Content-Length: 2\r\nContent-Length: 2\r\n\r\nok`],
      { outcome: 'failed', error: expect.stringContaining('HPE_UNEXPECTED_CONTENT_LENGTH: Parse Error') },
    ],
  ])('that says %s is judged as Node judges it', async (_, parts, result) => {
    const { post } = await saying((socket) => {
      const say = ([part, ...others]: readonly string[]): void => {
        if (part !== undefined) socket.write(part, () => setImmediate(() => say(others)));
      };
      say(parts);
    });
    expect(await post()).toEqual(result);
  });

  test.each([
    ['nothing', '', { outcome: 'failed', error: 'ECONNRESET: socket hang up' }],
    ['half an answer', `${OK}Content-Length: 5\r\n\r\nhel`, { outcome: 'failed', error: 'ECONNRESET: aborted' }],
    ['an answer that ends with it', `${OK}\r\nhello`, answered(200, 'hello')],
  ])('whose receiver says %s and closes the connection is judged as Node judges it', async (_, text, result) => {
    const { post } = await saying((socket) => socket.end(text));
    expect(await post()).toEqual(result);
  });

  test.each([
    ['nothing', ''],
    ['half a head', 'HTTP/1.1 200'],
    ['half a body', `${OK}Content-Length: 5\r\n\r\nhel`],
    ['half a chunk', `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhel`],
  ])('whose receiver says %s and then is silent has timed out', async (_, text) => {
    const { post } = await saying((socket) => socket.write(text));
    expect(await post(50)).toEqual({ outcome: 'timed-out', error: 'no answer within 0.05 s' });
  });

  test('uses a kept connection again, and none whose receiver closes it', async () => {
    const { post, counts } = await saying((socket, n) => {
      if (n === 3) socket.end(`${OK}Connection: close\r\nContent-Length: 0\r\n\r\n`);
      else if (n === 4) socket.write('HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n');
      else if (n === 5) socket.write(`${OK}Keep-Alive: timeout=1\r\nContent-Length: 0\r\n\r\n`);
      else socket.write(`${OK}Content-Length: 0\r\n\r\n`);
    });
    const seen: number[][] = [];
    for (let i = 0; i < 6; i += 1) {
      expect(await post()).toEqual(answered(200, ''));
      seen.push(counts());
    }
    expect(seen).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 2],
      [5, 3],
      [6, 4],
    ]);
  });

  test('on a kept connection that the receiver has forgotten is made once more, on a new one', async () => {
    const { post, counts } = await saying((socket, n) => {
      if (n === 2) socket.resetAndDestroy();
      else socket.write(`${OK}Content-Length: 0\r\n\r\n`);
    });
    expect(await post()).toEqual(answered(200, ''));
    expect(await post()).toEqual(answered(200, ''));
    expect(counts()).toEqual([3, 2]);
  });

  test('on a new connection that is reset is not made again', async () => {
    const { post, counts } = await saying((socket) => socket.resetAndDestroy());
    expect(await post()).toEqual({ outcome: 'failed', error: 'read ECONNRESET' });
    expect(counts()).toEqual([1, 1]);
  });
});
