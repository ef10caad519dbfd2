// npm run evidence: runs the simulations, then every test of npm test, and writes what they have seen to docs/evidence.json, and
// docs/reliance.md from it. Tests that fail write nothing. `-- --declared` takes what was seen from the record and makes the rest
// anew, in seconds: after a change of rows, of test/planted/falsifications.json, or of recordings and shapes.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const env = { ...process.env, EVIDENCE: 'write' };
const all = [
  ['--project', 'sweep', 'simulation.test.ts'],
  ['--project', 'in-process'],
];
const declared = [['--project', 'in-process', 'test/evidence/evidence.test.ts']];
const before = ['docs/evidence.json', 'docs/reliance.md'].map((file) => [file, readFileSync(file)]);
for (const args of process.argv.includes('--declared') ? declared : all) {
  const run = ['node_modules/vitest/vitest.mjs', 'run', ...args];
  const { status } = spawnSync(process.execPath, run, { stdio: 'inherit', env });
  if (status === 0) continue;
  for (const [file, bytes] of before) writeFileSync(file, bytes);
  process.exit(status ?? 1);
}
