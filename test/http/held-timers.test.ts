import { request } from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import { receiver } from '../kit/receiver.ts';

const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };
const hold = (): void => void vi.useFakeTimers();

afterEach(() => void vi.useRealTimers());

/** The package as a program has it that imports it now. */
async function imported() {
  vi.resetModules();
  return (await import('../../src/index.ts')).startEmulator;
}

const MOMENTS = ['its import', 'its start', 'its calls'];

test.each(MOMENTS)(
  'a program that sets fake timers before %s still has replies, webhooks, advances and waits, and can close',
  async (moment) => {
    const hooks = await receiver();
    if (moment === 'its import') hold();
    const startEmulator = await imported();
    if (moment === 'its start') hold();
    const emulator = await startEmulator({ port: 0, webhookUrl: hooks.url });
    if (moment === 'its calls') hold();
    const { sandbox } = emulator;
    const headers = { authorization: sandbox.authorization, 'content-type': 'application/json' };
    const post = () => fetch(`${sandbox.baseUrl}/customers`, { method: 'POST', headers, body: JSON.stringify(ada) });
    expect((await post()).status).toBe(201);
    await hooks.until(1);
    expect(hooks.received[0]?.event.type).toBe('CUSTOMER.KYC_APPROVED');

    sandbox.faults.add({ match: { method: 'POST', times: 1 }, then: { delayMs: 1 } });
    expect((await post()).status).toBe(201);
    await hooks.until(2);

    hooks.react = () => 'hang';
    expect((await post()).status).toBe(201);
    await hooks.until(3);
    // The first leaves the attempt open, the second ends it.
    await sandbox.clock.advance('1s');
    await sandbox.clock.advance('29s');
    const listed = (await (await fetch(`${emulator.url}/_emulator/webhooks?limit=1`)).json()) as {
      data: { attempts: { error?: string }[] }[];
    };
    expect(listed.data[0]?.attempts[0]?.error).toBe('no answer within 30 s');

    await expect(sandbox.webhooks.waitFor('TEST', { timeoutMs: 1 })).rejects.toThrow('no TEST was emitted within 1 ms');
    const asked = await fetch(`${emulator.url}/_emulator/webhooks/wait?type=TEST&timeoutMs=1`);
    expect(asked.status).toBe(404);

    const unfinished = request(`${sandbox.baseUrl}/customers`, {
      method: 'POST',
      headers: { ...headers, 'content-length': 9 },
    });
    const broken = new Promise((resolve) => unfinished.on('error', resolve));
    unfinished.write('{');
    await emulator.close();
    await broken;
  },
);

test.each(MOMENTS.slice(1))(
  'a job that falls due under fake timers, set before %s, runs once they are removed',
  async (moment) => {
    const hooks = await receiver();
    const startEmulator = await imported();
    if (moment === 'its start') hold();
    const emulator = await startEmulator({
      port: 0,
      webhookUrl: hooks.url,
      scenario: { policies: { 'customer.decide': 'after 50ms' } },
    });
    hold();
    expect((await emulator.sandbox.fetch('/customers', { json: ada })).status).toBe(201);
    vi.useRealTimers();
    await hooks.until(1);
    expect(hooks.received[0]?.event.type).toBe('CUSTOMER.KYC_APPROVED');
    await emulator.close();
  },
);

test('fake timers that a program advances run the jobs of a live sandbox', async () => {
  const hooks = await receiver();
  const startEmulator = await imported();
  hold();
  const emulator = await startEmulator({
    port: 0,
    webhookUrl: hooks.url,
    scenario: { policies: { 'customer.decide': 'after 1h' } },
  });
  expect((await emulator.sandbox.fetch('/customers', { json: ada })).status).toBe(201);
  vi.advanceTimersByTime(3_600_000);
  await hooks.until(1);
  expect(hooks.received[0]?.event.type).toBe('CUSTOMER.KYC_APPROVED');
  await emulator.close();
});
