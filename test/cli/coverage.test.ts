import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { commandLine } from '../kit/process.ts';
import { folder, run } from './kit.ts';

test('a process writes its coverage at exit, and the command adds it up and judges it (product 8.3)', async () => {
  const coverage = join(folder(), 'coverage');
  const emulator = commandLine(['--port', '0', '--json', '--coverage', coverage]);
  const { baseUrl, url } = await emulator.ready();
  const headers = {
    authorization: `Basic ${Buffer.from('test:secret').toString('base64')}`,
    'content-type': 'application/json',
  };
  await fetch(`${baseUrl}/customers`, {
    method: 'POST',
    headers,
    body: '{"customerType":"INDIVIDUAL","fullName":"Ada"}',
  });
  const live = await run(['coverage', '--url', url, '--json']);
  expect(JSON.parse(live.stdout).operations.byName).toEqual({ createCustomer: { '201': 1 } });
  emulator.child.kill('SIGTERM');
  await emulator.ended;
  expect(readdirSync(coverage)).toHaveLength(1);

  // Vitest and Jest write their own coverage under this name.
  writeFileSync(join(coverage, 'coverage-final.json'), '{}');
  const shown = await run(['coverage', coverage]);
  expect([shown.code, shown.stderr]).toEqual([0, '']);
  const share = (100 / OPERATIONS.length).toFixed(1);
  expect(shown.stdout).toContain(`operations    1 of ${OPERATIONS.length}       ${share} %`);
  expect(shown.stdout).toContain('called, and never seen to fail\n  createCustomer: 400 ');
  expect(Math.max(...shown.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);

  const judged = await run(['coverage', coverage, '--min', 'operations=60,events=0']);
  expect(judged.code).toBe(2);
  expect(judged.stderr).toBe(`below the threshold: operations ${share} % of 60 %\n`);
  const wrong = await run(['coverage', coverage, '--min', 'lines=60']);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('--min must be parts and percentages')]);
  const tooMuch = await run(['coverage', coverage, '--min', 'operations=500']);
  expect([tooMuch.code, tooMuch.stderr]).toEqual([
    1,
    '--min must be parts and percentages from 0 to 100 such as operations=60,events=40, not operations=500; parts are operations, refusals, events, magic, states\n',
  ]);
});
