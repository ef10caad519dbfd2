import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { receiver } from '../kit/receiver.ts';

const ENTRY = join(import.meta.dirname, '../../dist/index.js');

/** A program of a user's, run by Node against the built package; what it printed. */
const program = async (code: string): Promise<string> =>
  (
    await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', `import { startEmulator } from ${JSON.stringify(ENTRY)};\n${code}`],
      { timeout: 100_000 },
    )
  ).stdout;

test('a program that closes its emulator ends, also while a receiver hangs', async () => {
  const hooks = await receiver();
  hooks.react = () => 'hang';
  // The receiver would have 30 seconds; a program that waited for it would be killed after 10.
  const out = await program(`
    const emulator = await startEmulator({ port: 0, webhookUrl: '${hooks.url}' });
    await fetch(emulator.baseUrl + '/customers', {
      method: 'POST',
      headers: { authorization: emulator.sandbox.authorization, 'content-type': 'application/json' },
      body: '{"customerType":"BUSINESS"}',
    });
    while ((await (await fetch(emulator.url + '/_emulator/webhooks')).json()).data.length === 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await emulator.close();
    console.log('closed');
  `);
  expect(out).toBe('closed\n');
  expect(hooks.received).toHaveLength(1);
});

test('a program that forgets to close an emulator is kept alive by it, as by any server', async () => {
  const out = await program(`
    const emulator = await startEmulator({ port: 0, now: '2026-01-05T09:00:00Z', holdClock: true });
    setTimeout(async () => {
      console.log(emulator.sandbox.clock.now());
      process.exit(0);
    }, 50).unref();
  `);
  expect(out).toBe('2026-01-05T09:00:00.000Z\n');
});
