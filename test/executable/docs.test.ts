import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { folder } from '../cli/kit.ts';
import { EXECUTABLE } from '../kit/process.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/executable.md'), 'utf8');
const EXAMPLES = [...PAGE.matchAll(/^```sh executable\n([\s\S]*?)^```$/gm)].map(([, text = '']) => ({
  text,
  name: text.split('\n', 1)[0],
}));

/** What a shell of a user's finds who has the executable, and no Node: it, and the tools of any Linux. */
function path(): string {
  const at = folder();
  const bin = join(at, 'bin');
  mkdirSync(bin);
  symlinkSync(EXECUTABLE, join(bin, 'sandbox-emulator'));
  for (const tool of ['curl', 'sed', 'sleep']) symlinkSync(`/usr/bin/${tool}`, join(bin, tool));
  return bin;
}

test.each(EXAMPLES)('the example "$name" of docs/executable.md works without Node', async ({ text }) => {
  const options = { cwd: folder(), env: { PATH: path() } };
  const { stdout, stderr } = await promisify(execFile)('/bin/bash', ['--norc', '-euc', text], options);
  expect(stderr).toBe('');
  expect(stdout).not.toBe('');
});

test('docs/executable.md names every input and output of the action, with their defaults', () => {
  const { inputs, outputs } = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
  const [, section = ''] = PAGE.split('## In a workflow');
  const rows = [...section.matchAll(/^\| `([\w-]+)` \| (?:`([^`]*)`|none) \|/gm)].map(([, name, value = '']) => [
    name,
    value,
  ]);
  expect(rows).toEqual(Object.entries<{ default: string }>(inputs).map(([name, input]) => [name, input.default]));
  for (const name of Object.keys(outputs)) expect(section).toContain(`\`${name}\``);
});

test('docs/executable.md names the variables of the image, with their values', () => {
  const image = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  const set = [...image.matchAll(/(SANDBOX_EMULATOR_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]);
  const rows = [...PAGE.matchAll(/^\| `(SANDBOX_EMULATOR_\w+)` \| `(.*?)` \|/gm)].map(([, name, value]) => [
    name,
    value,
  ]);
  expect(rows).toEqual(set);
});
