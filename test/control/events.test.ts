import { expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../src/index.ts';

const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };

/** Read events until one of a name has come; what came on the way. */
async function watch(url: string) {
  const answer = await fetch(url);
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

test('requests, facts, deliveries, the clock, faults and resets are told as they happen, to their own sandbox only', async () => {
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

test('a stream does not keep the emulator from closing', async () => {
  const emulator = await startEmulator({ port: 0 });
  const { until } = await watch(`${emulator.url}/_emulator/events`);
  await until('clock');
  await emulator.close();
  await expect(until('reset')).rejects.toThrow();
});
