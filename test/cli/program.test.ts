import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { receiver } from '../kit/receiver.ts';

const ENTRY = join(import.meta.dirname, '../../dist/index.js');

/** A program of a user's, run by Node against the built package until it ends: what it printed. Its stdin ends when it may go on. */
async function program(code: string, goOn: Promise<void> = Promise.resolve()): Promise<string> {
  const running = promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', `import { startEmulator } from ${JSON.stringify(ENTRY)};\n${code}`],
    { timeout: 100_000 },
  );
  await Promise.race([goOn, running]);
  running.child.stdin?.end();
  return (await running).stdout;
}

test('a program that closes its emulator exits, even while a receiver hangs', async () => {
  const hooks = await receiver();
  hooks.react = () => 'hang';
  // What would keep the program alive is named, but for its own stdin and stdout: the receiver has 30 seconds.
  const code = `
    const emulator = await startEmulator({ port: 0, webhookUrl: '${hooks.url}' });
    await fetch(emulator.baseUrl + '/customers', {
      method: 'POST',
      headers: { authorization: emulator.sandbox.authorization, 'content-type': 'application/json' },
      body: '{"customerType":"BUSINESS"}',
    });
    await new Promise((resolve) => process.stdin.once('end', resolve).resume());
    await emulator.close();
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    console.log(['closed', ...process.getActiveResourcesInfo().filter((name) => name !== 'PipeWrap')].join(' '));`;
  const out = await program(code, hooks.until(1));
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
