import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { THIS } from '../kit.mjs';
import { fileName, output } from '../processes.mjs';

const seconds = async (args, cwd) => {
  const began = performance.now();
  await output(process.execPath, [join(THIS, 'node_modules/vitest/vitest.mjs'), 'run', ...args], { cwd });
  return (performance.now() - began) / 1000;
};

/** All tests in this process, once, beside what vitest takes for nothing. */
export async function suite(report) {
  const empty = fileName('empty');
  mkdirSync(empty);
  symlinkSync(join(THIS, 'node_modules'), join(empty, 'node_modules'));
  writeFileSync(join(empty, 'empty.test.js'), "import { test } from 'vitest';\ntest('nothing', () => {});\n");
  const reference = await seconds([], empty);
  const value = await seconds(['--project', 'in-process'], THIS);
  report('suite', { value, reference, ratio: value / reference });
}
