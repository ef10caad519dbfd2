import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { blocksIn } from '../kit/documents.ts';
import { commandLine } from '../kit/process.ts';

const run = promisify(execFile);
const BIN = join(import.meta.dirname, '../../bin/sandbox-emulator.js');

/** What each command of the first screen prints, in order. What starts the emulator is done before. */
const SHOWN: readonly [start: string, shows: RegExp][] = [
  ['curl -s -u test:secret', /"fullName":"Ada Keller"/],
  ['npx sandbox-emulator advance 7d', /^now \d{4}-\d\d-\d\d /],
  [
    'npx sandbox-emulator trigger OUTGOING_PAYMENT.COMPLETED',
    /^OUTGOING_PAYMENT\.COMPLETED Webhook:.*\n( {2}20[01] \w+ req_\d\n)+$/,
  ],
  ['npx sandbox-emulator fault add', /^fault-1 {2}createCustomer, once: status 503/],
  ['npx sandbox-emulator call createCustomer', /^503 POST \/customers req_5\n/],
  ['npx sandbox-emulator why last', /req_5 .*\n.*refused: fault-1 of this sandbox/],
  ['npx sandbox-emulator rewind last', /^back to the state before req_4: \d+ row changes undone/],
  ['curl -s http://127.0.0.1', /"id":"req_1",.*"CUSTOMER\.KYC_APPROVED"/],
];

/** The commands of the README above its first heading, as a shell takes them: lines that end in a backslash go on. */
const commands = (): string[] => {
  const screen = blocksIn('README.md').slice(0, 3);
  return screen.flatMap(({ text }) => text.replaceAll(/ #.*$/gm, '').replaceAll('\\\n', ' ').trim().split('\n'));
};

test('every line of the first screen of the README does what it says, pasted in order on a fresh start (W6)', async () => {
  const [start, ...lines] = commands();
  expect(start).toBe('npm ci && npm start');
  expect(lines).toHaveLength(SHOWN.length);
  const { url } = await commandLine(['--json', '--port', '0']).ready();
  const env = { ...process.env, SANDBOX_EMULATOR_URL: url, NO_COLOR: '1' };
  for (const [i, [begins, shows]] of SHOWN.entries()) {
    const line = (lines[i] as string).replaceAll('http://127.0.0.1:4010', url);
    expect(lines[i]).toContain(begins);
    const script = `npx() { shift; "${process.execPath}" "${BIN}" "$@"; }\n${line}`;
    const { stdout } = await run('sh', ['-c', script], { env }).catch((failed: { stdout: string }) => failed);
    expect(stdout).toMatch(shows);
  }
});
