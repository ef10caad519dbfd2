import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';

/** Every TypeScript example that imports the package, in the README and in docs. */
const examples = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)].flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/```ts\n(.*?)```/gs)]
    .map((match) => match[1] as string)
    .filter((code) => code.includes("from 'sandbox-emulator"))
    .map((code, i) => ({ name: `${file}, example ${i + 1}`, code })),
);

const ENTRIES = { 'sandbox-emulator': 'dist/index.js', 'sandbox-emulator/testkit': 'dist/testkit.js' };

test('the documents have examples', () => {
  expect(examples.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['README.md, example 1', 'docs/wallet.md, example 1']),
  );
});

test.each(examples)('$name runs as it is written', async ({ name, code }) => {
  let { code: script } = await transform(code, { loader: 'ts', format: 'esm' });
  for (const [specifier, file] of Object.entries(ENTRIES))
    script = script.replaceAll(`"${specifier}"`, `"${pathToFileURL(file).href}"`);
  const path = `dist/${name.replaceAll(/\W+/g, '-')}.mjs`;
  writeFileSync(path, script);
  onTestFinished(() => rmSync(path, { force: true }));
  const { stderr } = await promisify(execFile)(process.execPath, [path], { timeout: 15_000 });
  expect(stderr).toBe('');
});
