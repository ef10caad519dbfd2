import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** Every file of the package; `*` is part of a name, `#` the digest of a built file's text. */
const EXPECTED = [
  'package.json',
  'README.md',
  'LICENSE',
  'THIRD-PARTY-NOTICES',
  'AGENTS.md',
  'llms.txt',
  'scenario.schema.json',
  'bin/sandbox-emulator.js',
  'dist/cli.js',
  'dist/index.js',
  'dist/testkit.js',
  'dist/vitest.js',
  'dist/chunks/*-#.js',
  'dist/openapi/grid.json.br',
  'dist/openapi/spec.json.br',
  'docs/*.md',
  ...['SandboxEmulator.cs', 'SandboxEmulator.java', 'SandboxEmulator.php'].map((name) => `fixtures/${name}`),
  ...['exam-backend.ts', 'sandbox_emulator.py', 'sandbox_emulator.rb', 'sandboxemulator.go'].map(
    (name) => `fixtures/${name}`,
  ),
  'scenarios/*.yaml',
];

/** Those that a build without types leaves out. */
const TYPES = [
  'dist/types/index.d.ts',
  'dist/types/public.d.ts',
  'dist/types/catalogue.d.ts',
  'dist/types/grid.d.ts',
  'dist/types/fixtures/vitest.d.ts',
  'dist/types/scenario/error.d.ts',
  'dist/types/testkit/*.d.ts',
];

const pattern = (name: string): RegExp =>
  new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '[\\w.-]+').replaceAll('#', '[A-Z0-9]{8}')}$`);

test('the package has the files that it should have, and no other', () => {
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--silent'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const files: string[] = JSON.parse(packed)[0].files.map(({ path }: { path: string }) => path);
  const expected = [...EXPECTED, ...(existsSync(join(ROOT, 'dist/types')) ? TYPES : [])];
  const patterns = expected.map(pattern);
  expect(files.filter((file) => !patterns.some((each) => each.test(file))).sort()).toEqual([]);
  expect(expected.filter((_, i) => !files.some((file) => patterns[i]?.test(file)))).toEqual([]);
});

test('compilers that read no exports find the same types for each entry of the package', () => {
  const { exports, types, typesVersions } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const declared = Object.entries<{ types?: string }>(exports).filter(([, entry]) => entry.types !== undefined);
  const older = Object.entries<[string]>(typesVersions['*']).map(([name, [file]]) => [`./${name}`, file]);
  expect([['.', types], ...older]).toEqual(declared.map(([name, entry]) => [name, entry.types]));
});
