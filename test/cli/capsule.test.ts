import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { client, commandLine } from '../kit/process.ts';
import { folder, run } from './kit.ts';

test('a sandbox is written to a capsule, and opens in another process with its requests, its clock and its past (product 8.2)', async () => {
  const file = join(folder(), 'failed.sandbox.json.gz');
  const emulator = commandLine(['--port', '0', '--json', '--now', '2026-01-05T09:00:00Z', '--hold-clock']);
  const ready = await emulator.ready();
  const call = client(ready);
  await call('POST', '/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', taxId: '123-45-6789' });
  await call('POST', '/customers', { customerType: 'NOBODY' });
  for (let i = 0; i < 98; i += 1) await call('GET', '/customers');
  const { stdout } = await run(['capsule', file, '--url', ready.url]);
  expect(stdout).toMatch(/failed\.sandbox\.json\.gz {2}\d+ bytes/);
  expect(statSync(file).size).toBeLessThan(200_000);
  emulator.child.kill('SIGTERM');
  await emulator.ended;

  const other = commandLine(['open', file, '--port', '0', '--json']);
  const { url, credentials } = await other.ready();
  expect(credentials.id).toBe(ready.credentials.id);
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a reply
  const ask = async (method: string, path: string): Promise<any> =>
    (await fetch(`${url}/_emulator${path}`, { method })).json();
  const { data } = await ask('GET', '/requests?limit=100');
  expect(data).toHaveLength(100);
  const refused = await ask('GET', `/requests/${data.at(-2).id}`);
  expect(refused.why.code).toBe('INVALID_INPUT');
  await fetch(`${url}/_emulator/requests/${data.at(-1).id}/rewind`, { method: 'POST' });
  const { data: tables } = await ask('GET', '/tables');
  expect(tables.map(({ name }: { name: string }) => name)).not.toContain('customers');
  expect(await ask('GET', '/clock')).toMatchObject({ now: '2026-01-05T09:00:00.000Z', mode: 'held' });
  const page = await (await fetch(`${url}/`)).text();
  expect(page).not.toContain('123-45-6789');
  other.child.kill('SIGTERM');
  await other.ended;

  // On a machine that others share, the variable locks what is opened, too.
  const env = { SANDBOX_EMULATOR_CONTROL_TOKEN: 'a-token-of-some-length' };
  const locked = commandLine(['open', file, '--port', '0', '--json'], { env });
  const { url: there } = await locked.ready();
  expect((await fetch(`${there}/_emulator/requests`)).status).toBe(401);
});

test('open says in one sentence why a file cannot be opened, and exits with 1', async () => {
  const none = await run(['open', join(folder(), 'none.gz')]);
  expect([none.code, none.stdout, none.stderr]).toEqual([
    1,
    '',
    expect.stringMatching(/^there is no file .*none\.gz\n$/),
  ]);
  const foreign = await run(['open', 'package.json']);
  expect([foreign.code, foreign.stderr]).toEqual([1, 'package.json is not a capsule of sandbox-emulator\n']);
});
