// npm run docs: writes the pages that are made from the declarations (docs/events.md, docs/errors.md) and the figures of docs/scale.md and
// docs/comparison.md, from bench/report.json and bench/records.json.
import { spawnSync } from 'node:child_process';

const args = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--project',
  'in-process',
  'test/house/reference-pages.test.ts',
  'test/house/figures.test.ts',
];
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, WRITE_DOCS: '1' } });
process.exit(status ?? 1);
