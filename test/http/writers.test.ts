import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Answer } from '../../src/contract/answer.ts';
import { Dropped, toResponse } from '../../src/http/fetch.ts';
import { writeAnswer } from '../../src/http/node.ts';

/** A stream of some chunks; `left` is told when its reader goes before the end. */
const streamOf = (chunks: readonly string[], left: () => void = () => {}): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
    },
    cancel: left,
  });

const ended = (text: string): ReadableStream<Uint8Array> => new Blob([text]).stream();
const JSON_TYPE = { 'content-type': 'application/json' };

/** The URL of a server that gives one answer, made anew for each request. */
async function serve(answer: () => Answer): Promise<string> {
  const server = createServer((_, outgoing) => writeAnswer(answer(), outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const readOf = async (response: Response) => {
  const { date: _, connection: _c, 'keep-alive': _k, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, text: await response.text() };
};

test.each<[string, () => Answer]>([
  ['a text', () => ({ status: 201, headers: JSON_TYPE, body: '{"name":"Zoë"}' })],
  ['an empty text', () => ({ status: 200, headers: JSON_TYPE, body: '' })],
  ['no body', () => ({ status: 204, headers: { 'x-request-id': 'req_1' }, body: null })],
  ['a stream', () => ({ status: 200, headers: JSON_TYPE, body: ended('[1,2]') })],
])('an answer with %s is the same over a socket and as a Response, for GET and for HEAD', async (_, answer) => {
  const url = await serve(answer);
  for (const method of ['GET', 'HEAD']) {
    const { headers, ...sent } = await readOf(await fetch(url, { method }));
    const { headers: made, ...without } = await readOf(toResponse(answer(), method));
    expect(sent).toEqual(without);
    // How long a body is, a socket has to say.
    const { 'content-length': _l, 'transfer-encoding': _t, ...said } = headers;
    const { 'content-length': _m, ...meant } = made;
    expect(said).toEqual(meant);
  }
});

test('a text answer has its content-length over a socket, and for HEAD as a Response', async () => {
  const answer: Answer = { status: 200, headers: JSON_TYPE, body: '"Zoë"' };
  const url = await serve(() => answer);
  for (const method of ['GET', 'HEAD']) expect((await fetch(url, { method })).headers.get('content-length')).toBe('6');
  expect(toResponse(answer, 'HEAD').headers.get('content-length')).toBe('6');
});

test('a streamed answer is cancelled for HEAD, and when its reader leaves', async () => {
  let left = 0;
  const answer = (): Answer => ({ status: 200, headers: JSON_TYPE, body: streamOf(['[1,'], () => (left += 1)) });
  const url = await serve(answer);
  await fetch(url, { method: 'HEAD' });
  expect(left).toBe(1);
  toResponse(answer(), 'HEAD');
  expect(left).toBe(2);
  const leave = new AbortController();
  const reader = (await fetch(url, { signal: leave.signal })).body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('[1,');
  leave.abort();
  while (left < 3) await new Promise(setImmediate);
});

test('a streamed answer that breaks closes the connection', async () => {
  const url = await serve(() => ({
    status: 200,
    headers: JSON_TYPE,
    body: new ReadableStream({ pull: (controller) => controller.error(new Error('broken')) }),
  }));
  await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
});

test('an answer that breaks halfway sends its head, the first half of its bytes and no end', async () => {
  const answer: Answer = { status: 200, headers: JSON_TYPE, body: '"Zoë"', breaks: 'halfway' };
  for (const response of [await fetch(await serve(() => answer)), toResponse(answer, 'GET')]) {
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '6']);
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('"Zo');
    await expect(reader?.read()).rejects.toThrow(TypeError);
  }
});

test('an answer that breaks before its first byte makes fetch fail', async () => {
  const answer: Answer = { status: 200, headers: {}, body: null, breaks: 'before' };
  await expect(fetch(await serve(() => answer))).rejects.toThrow('fetch failed');
  expect(() => toResponse(answer, 'GET')).toThrow(Dropped);
});
