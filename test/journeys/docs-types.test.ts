import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { DOCUMENTS, projectFolder, typeScriptOf } from '../kit/documents.ts';

const ROOT = join(import.meta.dirname, '../..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

/** What the compiler complains of; nothing when it is content. */
const complaints = async (...args: string[]): Promise<string> =>
  promisify(execFile)(process.execPath, [TSC, ...args], { cwd: ROOT }).then(
    () => '',
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  );

/** What a careful user compiles with, against the types that the package publishes. */
const configOf = (types: string) => ({
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: 'es2022',
    module: 'preserve',
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    skipLibCheck: true,
    paths: {
      'sandbox-emulator': [join(types, 'index.d.ts')],
      'sandbox-emulator/testkit': [join(types, 'testkit/index.d.ts')],
      'sandbox-emulator/vitest': [join(types, 'fixtures/vitest.d.ts')],
    },
  },
  include: ['examples/**/*.ts'],
});

/** The sources of the declarations that the package has, as its list of files names them; two are written by a tool. */
const published = (): string[] =>
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).files as string[]).flatMap((listed) => {
    const name = /^dist\/types\/(.+)\.d\.ts$/.exec(listed)?.[1];
    if (name === undefined || existsSync(join(ROOT, 'types', `${name}.d.ts`))) return [];
    const at = join(ROOT, 'src', name);
    return name.endsWith('*') ? readdirSync(dirname(at)).map((file) => join(dirname(at), file)) : [`${at}.ts`];
  });

/** How these alone are turned into declarations: what they export says its types itself, so that nothing else is read. */
const declarationsIn = (types: string) => ({
  extends: join(ROOT, 'tsconfig.build.json'),
  compilerOptions: { noResolve: true, noCheck: true, rootDir: join(ROOT, 'src'), outDir: types, paths: {}, types: [] },
  files: published(),
  include: [],
});

/** A stand-in for a package that is not installed here, as far as the page of fixtures uses it. */
const PLAYWRIGHT = `declare module '@playwright/test' {
  interface TestInfo {
    titlePath: string[];
    status?: string;
    expectedStatus: string;
    attach(name: string, options: { body: string; contentType: string }): Promise<void>;
  }
  type Fixture<V, A> = (args: A, use: (value: V) => Promise<void>, info: TestInfo) => Promise<void>;
  type Fixtures<T, W> = { [K in keyof W]: [Fixture<W[K], W>, { scope: 'worker' }] } & {
    [K in keyof T]: Fixture<T[K], T & W>;
  };
  interface Test<A> {
    (title: string, run: (args: A) => Promise<void>): void;
    extend<T, W>(fixtures: Fixtures<T, W>): Test<A & T & W>;
  }
  export const test: Test<{}>;
  export function expect(value: unknown): { toBe(other: unknown): void; toEqual(other: unknown): void };
}
`;

/** The built-in scenarios, and those of the documents, as programs define them. */
function scenarios(): { file: string; code: string }[] {
  const built = readdirSync(join(ROOT, 'scenarios')).map((name) => readFileSync(join(ROOT, 'scenarios', name), 'utf8'));
  const shown = DOCUMENTS.flatMap(
    (name) => readFileSync(join(ROOT, name), 'utf8').match(/(?<=^```yaml\n)# yaml-lang[\s\S]*?(?=^```$)/gm) ?? [],
  );
  expect([built.length, shown.length]).toEqual([13, 1]);
  return [...built, ...shown].map((text, i) => ({
    file: `scenario-${i}.ts`,
    code: `import { defineScenario } from 'sandbox-emulator';\ndefineScenario(${JSON.stringify(parse(text))});\n`,
  }));
}

test('every example in TypeScript, and every scenario that is built in or shown, type-checks under strict (U17, U18)', async () => {
  const { folder, remove } = projectFolder(new Map());
  onTestFinished(remove);
  const types = join(folder, 'types');
  await promisify(execFile)(process.execPath, ['tools/catalogue.mjs'], { cwd: ROOT });
  writeFileSync(join(folder, 'declarations.json'), JSON.stringify(declarationsIn(types)));
  expect(await complaints('-p', join(folder, 'declarations.json'))).toBe('');
  cpSync(join(ROOT, 'types'), types, { recursive: true });
  const examples = DOCUMENTS.flatMap(typeScriptOf);
  expect(examples.length).toBeGreaterThan(12);
  for (const { file, code } of [...examples, ...scenarios(), { file: 'playwright.d.ts', code: PLAYWRIGHT }]) {
    const path = join(folder, 'examples', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
    // What the page copies out of the package first.
    if (code.includes('./exam-backend.js'))
      cpSync(join(ROOT, 'fixtures/exam-backend.ts'), join(dirname(path), 'exam-backend.ts'));
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configOf(types)));
  expect(await complaints('-p', join(folder, 'tsconfig.json'))).toBe('');
});
