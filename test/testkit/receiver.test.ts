import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebhookReceiver, type WebhookReceiverOptions } from '../../src/testkit/index.ts';
import { WEBHOOK } from '../crypto/vectors.ts';
import { freePort } from '../kit/port.ts';
import { kit } from '../kit/sandbox.ts';

async function receiver(options: WebhookReceiverOptions = {}) {
  const made = await WebhookReceiver.start(options);
  onTestFinished(() => made.close());
  const deliver = (body: string, headers: Record<string, string> = {}) =>
    fetch(made.url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
  return { made, deliver };
}
const event = (type: string) => JSON.stringify({ id: 'Webhook:1', type, timestamp: '2026-01-01T00:00:00Z', data: {} });

test('a receiver hands out each delivery once, by its type, whether it arrived before or after the call', async () => {
  const { made, deliver } = await receiver();
  const later = made.next('B' as string);
  await deliver(event('A'));
  await deliver(event('B'));
  await deliver(event('B'));
  expect((await later).event.type).toBe('B');
  expect((await made.next()).event.type).toBe('A');
  expect((await made.next('B' as string)).verified).toBeUndefined();
  await expect(made.next(undefined, 10)).rejects.toThrow('No webhook of any type within 10 ms; seen: A, B, B');
  expect(made.deliveries).toHaveLength(3);
});

test('a receiver answers as set: with a status, headers and a body, once or always, late, or by dropping the call', async () => {
  const { made, deliver } = await receiver();
  made.answerOnce(500);
  made.answerOnce({ status: 429, headers: { 'retry-after': '2' }, body: 'slow down', delayMs: 1 });
  expect((await deliver(event('A'))).status).toBe(500);
  const slow = await deliver(event('A'));
  expect([slow.status, slow.headers.get('retry-after'), await slow.text()]).toEqual([429, '2', 'slow down']);
  expect((await deliver(event('A'))).status).toBe(200);
  made.answer(204);
  expect((await deliver(event('A'))).status).toBe(204);
  made.answer({ drop: true });
  await expect(deliver(event('A'))).rejects.toThrow();
  expect(made.deliveries).toHaveLength(5);
});

test('a receiver works in a program that holds its timers: it hands out, times out and answers late', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { made, deliver } = await receiver();
  made.answer({ status: 204, delayMs: 1 });
  expect((await deliver(event('A'))).status).toBe(204);
  expect((await made.next()).event.type).toBe('A');
  await expect(made.next(undefined, 1)).rejects.toThrow('No webhook of any type within 1 ms; seen: A');
});

test('a receiver with a public key verifies deliveries, and answers a wrong signature with 401', async () => {
  const { made, deliver } = await receiver({ publicKey: WEBHOOK.publicKey });
  expect((await deliver(WEBHOOK.body, { 'x-service-signature': WEBHOOK.header })).status).toBe(200);
  expect((await deliver(event('A'), { 'x-service-signature': WEBHOOK.header })).status).toBe(401);
  expect((await deliver(event('A'))).status).toBe(401);
  expect(made.deliveries.map(({ verified }) => verified)).toEqual([true, false, false]);
  const renamed = await receiver({ publicKey: WEBHOOK.publicKey, signatureHeader: 'X-Other' });
  expect((await renamed.deliver(WEBHOOK.body, { 'x-other': WEBHOOK.header })).status).toBe(200);
});

test('a receiver answers a body that is not JSON with 400, and keeps no delivery', async () => {
  const { made, deliver } = await receiver();
  expect((await deliver('nope')).status).toBe(400);
  expect(made.deliveries).toEqual([]);
});

test('a receiver rejects a port in use with EADDRINUSE, and frees its own port when it is closed', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  await expect(WebhookReceiver.start({ port })).rejects.toThrow('EADDRINUSE');
  const { made, deliver } = await receiver({ port: await freePort() });
  await made.close();
  await made.close();
  await expect(deliver(event('A'))).rejects.toThrow();
  const { made: next } = await receiver({ port: Number(new URL(made.url).port) });
  expect(next.url).toBe(made.url);
});

test('a receiver verifies what the emulator sends with the key that the emulator publishes (spec 5 rule 11)', async () => {
  const k = await kit();
  const publicKey = (await k.control('GET', '/webhooks/key')).body.pem;
  const { made } = await receiver({ publicKey });
  await k.control('PUT', '/webhooks/endpoint', { url: made.url });
  expect((await k.post('/sandbox/webhooks/test')).status).toBe(200);
  expect((await made.next('TEST')).verified).toBe(true);
});
