// What typed calls cost a project in its type-check: one that makes every call by its types, beside the same by plain fetch.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { done, emulator, THIS } from '../kit.mjs';
import { output } from '../processes.mjs';
import { inTurns, median } from '../statistics.mjs';
import { installed, thisPackage } from './package.mjs';

const TIMES = 5;
const OPTIONS = {
  strict: true,
  noEmit: true,
  target: 'es2023',
  module: 'nodenext',
  skipLibCheck: true,
  types: ['node'],
  typeRoots: [join(THIS, 'node_modules/@types')],
};
const COMPILERS = { types: 'typescript/bin/tsc', 'types-5': 'typescript-5/bin/tsc' };

/** Each operation with an example of its input; what is empty is left out. */
async function examples() {
  const server = await emulator();
  const found = [];
  for (const { id, method, path } of (await done(`${server.url}/_emulator/operations`)).data) {
    const { example } = await done(`${server.url}/_emulator/operations/${id}`);
    const input = Object.fromEntries(
      ['params', 'query', 'headers', 'body']
        .filter((name) => example[name] !== undefined && Object.keys(example[name]).length > 0)
        .map((name) => [name, example[name]]),
    );
    found.push({ id, method, path, input });
  }
  await server.stop();
  return found;
}

const typed = (calls) => `import { startEmulator } from 'sandbox-emulator';
const { sandbox } = await startEmulator({ port: 0 });
${calls.map(({ id, input }) => `console.log((await sandbox.ok('${id}', ${JSON.stringify(input)})));`).join('\n')}
`;
const plain = (calls) => `const base = 'http://127.0.0.1:4010/2025-10-13';
${calls.map(({ method, path, input }) => `console.log(await (await fetch(base + ${JSON.stringify(path)}, { method: '${method}', body: JSON.stringify(${JSON.stringify(input.body ?? null)}) })).json());`).join('\n')}
`;

export async function types(report) {
  const { cwd } = await installed(thisPackage());
  const calls = await examples();
  for (const [name, text] of [
    ['typed', typed(calls)],
    ['plain', plain(calls)],
  ]) {
    writeFileSync(join(cwd, `${name}.ts`), text);
    const config = { compilerOptions: OPTIONS, files: [`${name}.ts`] };
    writeFileSync(join(cwd, `tsconfig.${name}.json`), JSON.stringify(config));
  }
  for (const [id, compiler] of Object.entries(COMPILERS)) {
    const check = async (name) => {
      const began = performance.now();
      await output(process.execPath, [join(THIS, 'node_modules', compiler), '-p', join(cwd, `tsconfig.${name}.json`)]);
      return (performance.now() - began) / 1000;
    };
    await check('plain');
    await check('typed');
    const pairs = await inTurns(
      TIMES,
      () => check('plain'),
      () => check('typed'),
    );
    const reference = median(pairs.map(([without]) => without));
    const value = median(pairs.map(([without, all]) => all - without));
    report(id, { value, reference, ratio: value / reference, note: `${calls.length} calls` });
  }
}
