import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { blocksIn } from '../kit/documents.ts';
import { freePort } from '../kit/port.ts';
import { folder } from './kit.ts';

const run = promisify(execFile);
const BIN = join(import.meta.dirname, '../../bin/sandbox-emulator.js');

test('the script for a plain shell starts the emulator, calls it and ends it (W20)', async () => {
  const [block] = blocksIn('docs/environments.md').filter(({ note }) => note === 'run');
  const port = await freePort();
  const text = block?.text.replaceAll('4010', String(port));
  const script = `npx() { shift; exec "${process.execPath}" "${BIN}" "$@"; }\n${text}`;
  const { stdout } = await run('sh', ['-euc', script], { cwd: folder() });
  expect(stdout).toMatch(/"status":"ok"/);
  expect(stdout).toContain('"umaDomain":"pay.example"');
  await expect(fetch(`http://127.0.0.1:${port}/_emulator/health`)).rejects.toThrow();
});
