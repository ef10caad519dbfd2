import { expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../src/index.ts';
import { run } from './kit.ts';

test('logs and why say which requests a rewind undid, and that their webhooks are undone', async () => {
  const emulator = await startEmulator({ port: 0, seed: 1 });
  onTestFinished(() => emulator.close());
  const ask = async (...args: string[]) => (await run([...args, '--url', emulator.url])).stdout;
  const { sandbox } = emulator;
  for (const fullName of ['Ada Keller', 'Ida Berg'])
    await sandbox.fetch('/customers', { method: 'POST', json: { customerType: 'INDIVIDUAL', fullName } });
  expect(await ask('rewind', 'req_2')).toMatch(/^back to the state before req_2: \d+ row changes undone/);
  expect((await ask('logs')).trimEnd().split('\n')).toEqual([
    expect.stringMatching(/ req_1$/),
    expect.stringMatching(/ req_2 {2}undone by the rewind to before req_2$/),
  ]);
  const [first, second] = (await ask('logs', '--json'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect([first.undone, second.undone, second.undoneBy]).toEqual([undefined, true, 'req_2']);
  const said = await ask('why', 'req_2');
  expect(said).toMatch(/\n {2}undone {4}by the rewind to before req_2\n {2}outcome {3}done\n/);
  const webhooks = said.split('\n').filter((line) => line.startsWith('  webhook'));
  expect(webhooks.length).toBeGreaterThan(0);
  for (const line of webhooks) expect(line).toMatch(/ {2}webhook {3}\S+ undone$/);
  expect(await ask('why', 'req_1')).not.toContain('undone');
});
