import dns from 'node:dns';
import http from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Deadline } from '../../../src/areas/webhooks/deadline.ts';
import { send } from '../../../src/areas/webhooks/send.ts';

/** Returns the name of a receiver elsewhere, which is this machine until the test is over. */
function elsewhere(): string {
  const own = dns.lookup as (name: string, ...more: unknown[]) => void;
  const lookup = vi
    .spyOn(dns, 'lookup')
    .mockImplementation(((name: string, ...more: unknown[]) =>
      own(name === 'receiver.invalid' ? '127.0.0.1' : name, ...more)) as never);
  onTestFinished(() => lookup.mockRestore());
  return 'receiver.invalid';
}

/** A receiver that says what it is told to, byte for byte, to each request that it gets on each connection. */
async function saying(says: (socket: Socket, requests: number, connections: number) => void, host = '127.0.0.1') {
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
  const url = `http://${host}:${(server.address() as AddressInfo).port}/hooks`;
  return {
    counts: () => [requests, connections],
    post: async (ms = 30_000) => {
      const { ms: _, ...result } = await send(url, '{}', {}, new Deadline(ms));
      return result;
    },
  };
}

/** The address of a receiver that can go away. */
async function listening() {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  return { url, gone: () => new Promise((done) => server.close(done)) };
}

const OK = 'HTTP/1.1 200 OK\r\n';
const answered = (status: number, body: string) => ({ outcome: 'answered', status, body });

/** The receiver closed the connection: said in words, with the code (U20). */
const closed = {
  outcome: 'failed',
  error: expect.stringMatching(/^127\.0\.0\.1:\d+ closes the connection without an answer \(ECONNRESET\)$/),
};

const PLACES: readonly (readonly [string, () => string])[] = [
  ['on this machine', () => '127.0.0.1'],
  ['elsewhere', elsewhere],
];

describe('an attempt to reach a receiver', () => {
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
      'an interim answer before the final one',
      ['HTTP/1.1 100 Continue\r\n\r\n', `${OK}Content-Length: 2\r\n\r\nok`],
      answered(200, 'ok'),
    ],
    [
      'a switch to another protocol',
      ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
      answered(101, ''),
    ],
    ['an answer in HTTP/1.0', ['HTTP/1.0 202 Accepted\r\nContent-Length: 2\r\n\r\nok'], answered(202, 'ok')],
    [
      'text that is not HTTP',
      ['hello\r\n\r\n'],
      {
        outcome: 'failed',
        error: expect.stringMatching(/^what 127\.0\.0\.1:\d+ answers is not HTTP \(HPE_INVALID_CONSTANT\)$/),
      },
    ],
    [
      'two Content-Length headers',
      [`${OK}Content-Length: 2\r\nContent-Length: 2\r\n\r\nok`],
      {
        outcome: 'failed',
        error: expect.stringMatching(/^what 127\.0\.0\.1:\d+ answers is not HTTP \(HPE_UNEXPECTED_CONTENT_LENGTH\)$/),
      },
    ],
  ])('an attempt whose receiver sends %s has the outcome that HTTP defines', async (_, parts, result) => {
    const { post } = await saying((socket) => {
      const say = ([part, ...others]: readonly string[]): void => {
        if (part !== undefined) socket.write(part, () => setImmediate(() => say(others)));
      };
      say(parts);
    });
    expect(await post()).toEqual(result);
  });

  test.each([
    ['nothing', '', closed],
    [
      'half an answer',
      `${OK}Content-Length: 5\r\n\r\nhel`,
      { outcome: 'failed', error: 'the receiver breaks off in the middle of its answer (ECONNRESET)' },
    ],
    ['an answer without a length', `${OK}\r\nhello`, answered(200, 'hello')],
  ])(
    'an attempt whose receiver sends %s and closes the connection has the outcome that HTTP defines',
    async (_, text, result) => {
      const { post } = await saying((socket) => socket.end(text));
      expect(await post()).toEqual(result);
    },
  );

  test.each([
    ['nothing', ''],
    ['half a head', 'HTTP/1.1 200'],
    ['half a body', `${OK}Content-Length: 5\r\n\r\nhel`],
    ['half a chunk', `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhel`],
  ])('an attempt whose receiver sends %s and then nothing more times out', async (_, text) => {
    const { post } = await saying((socket) => socket.write(text));
    expect(await post(50)).toEqual({ outcome: 'timed-out', error: 'no answer within 0.05 s' });
  });

  test('an attempt reuses a kept connection, but none that its receiver closes', async () => {
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

  test.each(PLACES)(
    'an attempt on a kept connection that the receiver %s has reset is made once more, on a new connection',
    async (_, host) => {
      const { post, counts } = await saying((socket, n) => {
        if (n === 2) socket.resetAndDestroy();
        else socket.write(`${OK}Content-Length: 0\r\n\r\n`);
      }, host());
      expect(await post()).toEqual(answered(200, ''));
      expect(await post()).toEqual(answered(200, ''));
      expect(counts()).toEqual([3, 2]);
    },
  );

  test.each(PLACES)(
    'an attempt to a receiver %s is made once more on a new connection, although another kept one would be there',
    async (_, host) => {
      const used = new Set<Socket>();
      const waiting: Socket[] = [];
      const { post, counts } = await saying((socket, n) => {
        if (used.has(socket)) socket.resetAndDestroy();
        else {
          used.add(socket);
          waiting.push(socket);
          // The first two are under way at once, so two connections are kept.
          if (n > 1) for (const each of waiting.splice(0)) each.write(`${OK}Content-Length: 0\r\n\r\n`);
        }
      }, host());
      expect(await Promise.all([post(), post()])).toEqual([answered(200, ''), answered(200, '')]);
      expect(await post()).toEqual(answered(200, ''));
      expect(counts()).toEqual([4, 3]);
    },
  );

  test("an attempt to a receiver elsewhere goes by the program's own agent, also where it is made once more", async () => {
    const own = new (class Own extends http.Agent {})({ keepAlive: true });
    const used = vi.spyOn(own, 'addRequest' as never);
    const before = http.globalAgent;
    http.globalAgent = own;
    onTestFinished(() => {
      http.globalAgent = before;
      own.destroy();
    });
    const { post } = await saying((socket, n) => {
      if (n === 2) socket.resetAndDestroy();
      else socket.write(`${OK}Content-Length: 0\r\n\r\n`);
    }, elsewhere());
    expect(await post()).toEqual(answered(200, ''));
    expect(await post()).toEqual(answered(200, ''));
    expect(used).toHaveBeenCalledTimes(3);
  });

  test('an attempt on a new connection that is reset is not repeated', async () => {
    const { post, counts } = await saying((socket) => socket.resetAndDestroy());
    expect(await post()).toEqual(closed);
    expect(counts()).toEqual([1, 1]);
  });

  test('an attempt to an unknown name, or to a port where nothing listens, fails with a sentence (U20)', async () => {
    const result = async (url: string) => {
      const { outcome, error } = await send(url, '{}', {}, new Deadline(5000));
      return [outcome, error];
    };
    expect(await result('http://receiver.invalid/hooks')).toEqual([
      'failed',
      expect.stringMatching(/^no address is known for receiver\.invalid \((?:ENOTFOUND|EAI_AGAIN)\)$/),
    ]);
    const { url, gone } = await listening();
    await gone();
    expect(await result(url)).toEqual(['failed', `nothing answers at ${new URL(url).host} (ECONNREFUSED)`]);
  });
});
