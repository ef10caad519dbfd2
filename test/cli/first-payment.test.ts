import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { blocksIn } from '../kit/documents.ts';
import { commandLine } from '../kit/process.ts';
import { folder, lineOf } from './kit.ts';

const run = promisify(execFile);
const BIN = join(import.meta.dirname, '../../bin/sandbox-emulator.js');

test('every line of the page about a first payment does what it says, pasted in order on a fresh start (W18)', async () => {
  const scripts = blocksIn('docs/first-payment.md').filter(({ language }) => language === 'sh');
  const [start, receiver, ...rest] = scripts.map(({ text }) => text.trim());
  expect([start, receiver]).toEqual(['npx sandbox-emulator', 'npx sandbox-emulator listen --register']);
  const { url } = await commandLine(['--json', '--port', '0']).ready();
  const hears = commandLine(['listen', '--register', '--port', '0'], { env: { SANDBOX_EMULATOR_URL: url } });
  await lineOf(hears, (line) => line.includes('verified') && line.includes('TEST'));

  const text = rest.join('\n').replaceAll('http://127.0.0.1:4010', url);
  const script = `npx() { shift; "${process.execPath}" "${BIN}" "$@"; }\n${text}`;
  const env = { ...process.env, SANDBOX_EMULATOR_URL: url, NO_COLOR: '1' };
  const { stdout, stderr } = await run('sh', ['-euc', script], { env, cwd: folder() });
  expect(stderr).toBe('');
  expect(stdout).toMatch(
    /^50000\n\{\n {2}"totalSendingAmount": 12500,\n {2}"totalReceivingAmount": \d+,[^}]*\}\nPROCESSING\n\{\n {2}"status": 409,\n {2}"code": "CONFLICT",\n {2}"reason": "QUOTE_ALREADY_EXECUTED"\n\}\n/,
  );
  expect(stdout).toContain('a quote is executed once');
  for (const end of ['PENDING', 'PROCESSING', 'COMPLETED'])
    await lineOf(hears, (line) => line.includes('verified') && line.includes(`OUTGOING_PAYMENT.${end}`));
});
