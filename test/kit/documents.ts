import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** The README, what coding agents read first, and every page of docs. */
export const DOCUMENTS = [
  ...['README.md', 'llms.txt', 'AGENTS.md'],
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

interface Block {
  language: string;
  /** What stands behind the language: `file=<name>`, `run`, or nothing. */
  note: string;
  text: string;
}

/** A section of a document whose blocks make a project: files, and commands to run in it. */
export interface Project {
  name: string;
  files: ReadonlyMap<string, string>;
  commands: readonly string[];
  /** Commands marked `toolchain`, which need programs of another language. */
  toolchain: readonly string[];
}

/** The blocks of a document, in their order. */
export const blocksIn = (document: string): Block[] => blocksOf(readFileSync(join(ROOT, document), 'utf8'));

const blocksOf = (text: string): Block[] =>
  [...text.matchAll(/^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm)].map(([, language = '', note = '', inside = '']) => ({
    language,
    note: note.trim(),
    text: inside,
  }));

/** Every program in TypeScript that imports the package and belongs to no project. */
export function programsOf(document: string): { name: string; code: string }[] {
  return blocksOf(readFileSync(join(ROOT, document), 'utf8'))
    .filter(({ language, note, text }) => language === 'ts' && note === '' && text.includes("from 'sandbox-emulator"))
    .map(({ text }, i) => ({ name: `${document}, example ${i + 1}`, code: text }));
}

/** Every block of TypeScript, whether it runs or not, in a file of its own; files of one project stand beside each other. */
export const typeScriptOf = (document: string): { file: string; code: string }[] =>
  readFileSync(join(ROOT, document), 'utf8')
    .split(/^## /m)
    .flatMap((section, s) =>
      blocksOf(section)
        .filter(({ language }) => language === 'ts')
        .map(({ note, text }, i) => {
          const name = /^file=(\S+)$/.exec(note)?.[1] ?? `example-${i + 1}.ts`;
          return { file: join(document.replaceAll(/\W+/g, '-'), `${s}`, name), code: text };
        }),
    );

/** Every section with blocks `file=<name>`; blocks `run` are its commands. */
export function projectsOf(document: string): Project[] {
  return readFileSync(join(ROOT, document), 'utf8')
    .split(/^## /m)
    .map((section) => {
      const blocks = blocksOf(section);
      const files = blocks.flatMap(({ note, text }) => {
        const name = /^file=(\S+)$/.exec(note)?.[1];
        return name === undefined ? [] : [[name, text] as const];
      });
      return {
        name: `${document}, ${section.split('\n', 1)[0]}`,
        files: new Map(files),
        commands: blocks.filter(({ note }) => note === 'run').map(({ text }) => text.trim()),
        toolchain: blocks.filter(({ note }) => note === 'toolchain').map(({ text }) => text.trim()),
      };
    })
    .filter(({ files }) => files.size > 0);
}

/** A folder with this package, and others that it was developed with, installed. It is gone after `remove`. */
export function projectFolder(files: ReadonlyMap<string, string>): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-emulator-project-'));
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  const link = (to: string, name: string) =>
    existsSync(join(ROOT, to)) && symlinkSync(join(ROOT, to), join(modules, name));
  link('.', 'sandbox-emulator');
  link('bin/sandbox-emulator.js', '.bin/sandbox-emulator');
  link('node_modules/vitest', 'vitest');
  link('node_modules/vitest/vitest.mjs', '.bin/vitest');
  // Else a runner finds the configuration of this repository, or of whoever owns the folder of temporary files.
  // And no deadline of a runner decides, here as in our own tests.
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    'export default { test: { testTimeout: 100_000, hookTimeout: 100_000 } };\n',
  );
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** An environment without what tells a runner that it runs inside of another. */
export const withoutRunner = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:VITEST|TEST$|TINYPOOL|NODE_OPTIONS$)/.test(name)));
