import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DOCUMENTS, programsOf, projectFolder, projectsOf, withoutRunner } from '../kit/documents.ts';

const run = promisify(execFile);
const programs = DOCUMENTS.flatMap(programsOf);
const projects = DOCUMENTS.flatMap(projectsOf).filter(({ commands }) => commands.length > 0);

const ENTRIES = { 'sandbox-emulator': 'dist/index.js', 'sandbox-emulator/testkit': 'dist/testkit.js' };

test('the documents have examples that are programs or projects', () => {
  expect(programs.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['README.md, example 1', 'docs/testkit.md, example 5', 'docs/wallet.md, example 1']),
  );
  expect(projects.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Vitest', 'node:test', 'CommonJS', 'pytest'].map((name) => `docs/fixtures.md, ${name}`)),
  );
});

test.each(programs)('the program of $name runs as it is written', async ({ name, code }) => {
  let { code: script } = await transform(code, { loader: 'ts', format: 'esm' });
  for (const [specifier, file] of Object.entries(ENTRIES))
    script = script.replaceAll(`"${specifier}"`, `"${pathToFileURL(file).href}"`);
  const path = `dist/${name.replaceAll(/\W+/g, '-')}.mjs`;
  writeFileSync(path, script);
  onTestFinished(() => rmSync(path, { force: true }));
  const { stderr } = await run(process.execPath, [path], { timeout: 100_000 });
  expect(stderr).toBe('');
});

/** A small stand-in for pytest is found where there is Python only, so that the page is tested on any machine. */
async function pythonPath(): Promise<{ PYTHONPATH?: string }> {
  const installed = await run('python3', ['-c', 'import pytest']).then(
    () => true,
    () => false,
  );
  return installed ? {} : { PYTHONPATH: join(import.meta.dirname, '../kit/python') };
}

describe('projects of the documents', () => {
  test.each(projects)('the project of $name works as it is written', async ({ files, commands }) => {
    const { folder, remove } = projectFolder(files);
    onTestFinished(remove);
    const env = { ...withoutRunner(process.env), ...(await pythonPath()) };
    for (const command of commands)
      await run('sh', ['-euc', command], { cwd: folder, env, timeout: 100_000 }).catch(
        (failed: { stdout: string; stderr: string }) =>
          expect.unreachable(`${command}\n${failed.stdout}\n${failed.stderr}`),
      );
  });
});
