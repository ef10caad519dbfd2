import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../../src/index.ts';
import { receiver } from '../../kit/receiver.ts';

const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };

/** A receiver that accepts and never answers, and does nothing about connections by itself. */
async function silent() {
  let came = () => {};
  const heard = new Promise<void>((resolve) => {
    came = resolve;
  });
  const server: Server = createServer(() => came());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => server.closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  // The server ends when the last connection does, which nobody here closes.
  const closed = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url, heard, closed };
}

test('a closing emulator ends its connections to 30 receivers that never answer (X7)', async () => {
  const emulator = await startEmulator({ port: 0 });
  const receivers = await Promise.all(Array.from({ length: 30 }, silent));
  for (const { url } of receivers) {
    const sandbox = await emulator.createSandbox({ webhookUrl: url });
    await sandbox.fetch('/customers', { method: 'POST', json: ada });
  }
  await Promise.all(receivers.map(({ heard }) => heard));
  await emulator.close();
  await Promise.all(receivers.map(({ closed }) => closed()));
});

test.each(['dropped', 'reset'])(
  'a sandbox that is %s leaves no connection to a receiver that never answers (X7)',
  async (how) => {
    const { url, heard, closed } = await silent();
    const emulator = await startEmulator({ port: 0 });
    onTestFinished(() => emulator.close());
    const sandbox = await emulator.createSandbox({ webhookUrl: url });
    await sandbox.fetch('/customers', { method: 'POST', json: ada });
    await heard;
    await (how === 'reset' ? sandbox.reset() : sandbox.drop());
    await closed();
  },
);

test.each(['its sandbox is dropped', 'the emulator closes'])(
  'a test webhook to a receiver that never answers is refused with 409 when %s (X7)',
  async (how) => {
    const { url, heard, closed } = await silent();
    const broken: string[] = [];
    const emulator = await startEmulator({ port: 0, onBroken: (what) => broken.push(what) });
    onTestFinished(() => emulator.close());
    const sandbox = await emulator.createSandbox({ webhookUrl: url });
    const reply = sandbox.fetch('/sandbox/webhooks/test', { method: 'POST' });
    await heard;
    await (how === 'the emulator closes' ? emulator.close() : sandbox.drop());
    expect((await reply).status).toBe(409);
    // It is nothing that the operation has to declare.
    expect(broken).toEqual([]);
    await closed();
  },
);

test('a delivery that a close interrupts is saved without a failed attempt, and the next start sends it (X7)', async () => {
  const hooks = await receiver();
  hooks.react = () => 'hang';
  const folder = mkdtempSync(join(tmpdir(), 'closing-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const options = { port: 0, webhookUrl: hooks.url, state: join(folder, 'state.json') };
  const emulator = await startEmulator(options);
  await emulator.sandbox.fetch('/customers', { method: 'POST', json: ada });
  await hooks.until(1);
  const rows = async () =>
    JSON.stringify(await emulator.sandbox.snapshot()).match(/"state":"PENDING","attempts":\[\]/g);
  const before = await rows();
  expect(before).toHaveLength(1);
  await emulator.close();
  expect(await rows()).toEqual(before);
  hooks.react = () => 200;
  const next = await startEmulator(options);
  await hooks.until(2);
  await next.close();
  expect(hooks.received[1]?.event).toEqual(hooks.received[0]?.event);
});
