// npm run evidence: runs the simulations, then every test of npm test, and writes what they have seen to docs/evidence.json, and
// docs/reliance.md from it. Tests that fail write nothing.
import { spawnSync } from 'node:child_process';

const env = { ...process.env, EVIDENCE: 'write' };
for (const args of [
  ['--project', 'sweep', 'simulation.test.ts'],
  ['--project', 'in-process'],
]) {
  const run = ['node_modules/vitest/vitest.mjs', 'run', ...args];
  const { status } = spawnSync(process.execPath, run, { stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}
