import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { TURNS } from '../../src/engine/turns.ts';
import { AnswerWriter } from '../../src/http/write-together.ts';
import { startEmulator } from '../../src/index.ts';

const answer = { status: 200, headers: {}, body: '{}' };

/** A response that notes its name when it is written; `fails` breaks while it is. */
function response(name: string, written: string[], fails = false): ServerResponse {
  const outgoing = {
    destroyed: false,
    writeHead() {
      if (fails) throw new Error(`${name} is broken`);
    },
    end: () => written.push(name),
  };
  return outgoing as unknown as ServerResponse;
}

test('replies of one turn are written in order, before work that was due earlier', async () => {
  const written: string[] = [];
  const writer = new AnswerWriter(() => written.push('broken'));
  TURNS.soon(() => written.push('work'));
  for (const name of ['a', 'b', 'c']) writer.add(answer, response(name, written));
  expect(written).toEqual([]);
  await nextTurn();
  expect(written).toEqual(['a', 'b', 'c', 'work']);
});

test('the thirty-second reply of a turn is written at once, with those before it', async () => {
  const written: string[] = [];
  const writer = new AnswerWriter(() => {});
  for (let i = 1; i <= 33; i += 1) writer.add(answer, response(`${i}`, written));
  expect(written).toHaveLength(32);
  await nextTurn();
  expect(written).toEqual(Array.from({ length: 33 }, (_, i) => `${i + 1}`));
});

test('a reply that cannot be written holds no other up', async () => {
  const written: string[] = [];
  const broken: string[] = [];
  const writer = new AnswerWriter((error) => broken.push((error as Error).message));
  for (const name of ['a', 'b', 'c']) writer.add(answer, response(name, written, name === 'b'));
  writer.flush();
  expect([written, broken]).toEqual([['a', 'c'], ['b is broken']]);
  await nextTurn();
  expect(written).toEqual(['a', 'c']);
});

test('a hundred calls that arrive at once on one connection are answered in order', async () => {
  const emulator = await startEmulator({ port: 0 });
  onTestFinished(() => emulator.close());
  const { port } = new URL(emulator.url);
  const head = `HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${emulator.sandbox.authorization}\r\n`;
  const calls = Array.from(
    { length: 100 },
    (_, i) => `GET /2025-10-13/customers?limit=${i + 1} ${head}${i === 99 ? 'Connection: close\r\n' : ''}\r\n`,
  );
  const text = await new Promise<string>((resolve, reject) => {
    let all = '';
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(calls.join('')));
    socket.setEncoding('utf8').on('data', (part) => {
      all += part;
    });
    socket.on('end', () => resolve(all)).on('error', reject);
  });
  const ids = [...text.matchAll(/x-request-id: req_(\d+)/g)].map(([, id]) => Number(id));
  expect(ids).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
});
