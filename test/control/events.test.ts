import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { startEmulator } from '../../src/index.ts';
import { type Kit, kit } from '../kit/sandbox.ts';

const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };

/** Read events until one of a name has come; what came on the way. */
async function watch(url: string, signal: AbortSignal | null = null) {
  const answer = await fetch(url, { signal });
  const reader = (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  onTestFinished(() => reader.cancel().catch(() => {}));
  let text = '';
  const until = async (event: string) => {
    for (;;) {
      const end = text.indexOf('\n\n', text.indexOf(`event: ${event}\n`));
      if (text.includes(`event: ${event}\n`) && end > 0) {
        const seen = text.slice(0, end);
        text = text.slice(end);
        return seen
          .split('\n\n')
          .map((part) => ({
            event: /^event: (.*)$/m.exec(part)?.[1],
            data: JSON.parse(/^data: (.*)$/m.exec(part)?.[1] ?? 'null'),
          }))
          .filter((part) => part.event !== undefined);
      }
      const { value, done } = await reader.read();
      if (done) throw new Error(`the stream ended before ${event}`);
      text += value;
    }
  };
  return { answer, until };
}

test('the event stream shows requests, facts, deliveries, the clock, faults and resets of its own sandbox as they happen', async () => {
  const emulator = await startEmulator({ port: 0, seed: 1, holdClock: true, now: '2026-01-05T09:00:00Z' });
  onTestFinished(() => emulator.close());
  const { sandbox } = emulator;
  const other = await emulator.createSandbox();
  const post = (to: typeof sandbox) =>
    fetch(`${to.baseUrl}/customers`, {
      method: 'POST',
      headers: { authorization: to.authorization, 'content-type': 'application/json' },
      body: JSON.stringify(ada),
    });
  const { answer, until } = await watch(`${emulator.url}/_emulator/events`);
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  expect(await until('clock')).toMatchObject([
    { event: 'clock', data: { now: '2026-01-05T09:00:00.000Z', mode: 'held' } },
  ]);
  await post(other);
  await post(sandbox);
  const told = await until('request');
  expect(told.map(({ event, data }) => [event, data.type ?? data.operation])).toEqual([
    ['fact', 'CUSTOMER.KYC_APPROVED'],
    ['request', 'createCustomer'],
  ]);
  sandbox.faults.add({ match: { webhook: '*' }, then: { status: 200 } });
  expect((await until('faults')).at(-1)?.event).toBe('faults');
  await fetch(`${emulator.url}/_emulator/webhooks/endpoint`, {
    method: 'PUT',
    body: JSON.stringify({ url: 'http://127.0.0.1:9/none' }),
  });
  await sandbox.webhooks.settle();
  expect((await until('delivery')).at(-1)?.data.type).toBe('TEST');
  await post(sandbox);
  await sandbox.webhooks.settle();
  expect((await until('delivery')).at(-1)?.data).toMatchObject({
    type: 'CUSTOMER.KYC_APPROVED',
    state: 'DELIVERED',
    attempts: 1,
  });
  await sandbox.clock.advance('PT5M');
  const moved = (await until('clock')).at(-1);
  expect(moved?.data.now).toBe('2026-01-05T09:05:00.000Z');
  await sandbox.reset();
  expect((await until('reset')).at(-1)?.event).toBe('reset');
});

test('an open event stream does not keep the emulator from closing', async () => {
  const emulator = await startEmulator({ port: 0 });
  const { until } = await watch(`${emulator.url}/_emulator/events`);
  await until('clock');
  await emulator.close();
  await expect(until('reset')).rejects.toThrow();
});

/** The same sandbox behind a real socket. */
async function served(it: Kit): Promise<string> {
  const server = createAdaptorServer({ fetch: createApp(it.host).fetch });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The stream of a sandbox without a socket. */
async function streamOf(it: Kit) {
  const answer = await createApp(it.host).request('http://127.0.0.1:4010/_emulator/events');
  return (answer.body as ReadableStream<Uint8Array>).getReader();
}

/** Let what the sockets have to say be heard, until it holds. */
async function soon(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 2000 && !holds(); i += 1) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(holds()).toBe(true);
}

test('the event stream forgets a listener that disconnects, and a HEAD request', async () => {
  const it = await kit();
  const url = await served(it);
  const { stream } = it.sandbox;
  const streams = [];
  for (let i = 0; i < 5; i += 1) {
    const leave = new AbortController();
    const { until } = await watch(`${url}/_emulator/events`, leave.signal);
    await until('clock');
    streams.push(leave);
  }
  expect(stream.audience).toBe(5);
  for (const leave of streams) leave.abort();
  await soon(() => stream.audience === 0);
  expect((await fetch(`${url}/_emulator/events`, { method: 'HEAD' })).status).toBe(200);
  expect(stream.audience).toBe(0);
});

test('a listener of the event stream that does not read holds up nobody, and later gets the number of events that it missed', async () => {
  const it = await kit();
  const answer = await streamOf(it);
  for (let i = 0; i < 3000; i += 1) it.sandbox.stream.publish({ event: 'reset' });
  let text = '';
  const read = async () => {
    const { value } = await answer.read();
    text += new TextDecoder().decode(value);
  };
  for (let i = 0; i < 1000; i += 1) await read();
  it.sandbox.stream.publish({ event: 'reset' });
  for (let i = 0; i < 2; i += 1) await read();
  const missed = Number(/event: missed\ndata: {"count":(\d+)}/.exec(text)?.[1]);
  expect(text.split('event: reset').length - 1 + missed).toBe(3001);
  await answer.cancel();
  expect(it.sandbox.stream.audience).toBe(0);
});

test('the event stream of a sandbox ends when the sandbox is dropped', async () => {
  const emulator = await startEmulator({ port: 0 });
  onTestFinished(() => emulator.close());
  const other = await emulator.createSandbox();
  const { until } = await watch(`${emulator.url}/_emulator/events?sandbox=${other.id}`);
  await until('clock');
  await other.drop();
  await expect(until('reset')).rejects.toThrow('the stream ended');
  expect((await fetch(`${emulator.url}/_emulator/events?sandbox=${other.id}`)).status).toBe(404);
});

test('the event stream is refused with 403 for a page of another site', async () => {
  const emulator = await startEmulator({ port: 0 });
  onTestFinished(() => emulator.close());
  const headers = { origin: 'https://evil.example' };
  expect((await fetch(`${emulator.url}/_emulator/events`, { headers })).status).toBe(403);
});

test('all listeners of an event stream receive the same events, numbered from 1 for each', async () => {
  const it = await kit();
  const streams = await Promise.all(Array.from({ length: 50 }, () => streamOf(it)));
  await it.post('/customers', ada);
  for (const stream of streams) {
    let text = '';
    while (!text.includes('event: request')) text += new TextDecoder().decode((await stream.read()).value);
    expect([...text.matchAll(/^id: (\d+)\nevent: (\w+)$/gm)].map((m) => `${m[1]} ${m[2]}`)).toEqual([
      '1 fact',
      '2 request',
    ]);
    await stream.cancel();
  }
  expect(it.sandbox.stream.audience).toBe(0);
});
