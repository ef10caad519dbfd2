// npm run docs: writes the pages that are made from the declarations (docs/events.md, docs/errors.md, the figures of docs/scale.md).
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
