import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { REFUSED_FILES } from '../../src/areas/onboarding/documents/magic.ts';
import { magicValues, OPERATIONS } from '../../src/areas.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const DOCUMENTS = ['docs/architecture.md', 'CONTRIBUTING.md'];
const FILES = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).map(
  (file) => `src/${file.replaceAll('\\', '/')}`,
);
const SCRIPTS: ReadonlySet<string> = new Set(Object.keys(JSON.parse(read('package.json')).scripts));

/** Every word of the code under `src`, comments left out. */
const WORDS: ReadonlySet<string> = new Set(
  FILES.filter((file) => /\.(?:tsx?|js)$/.test(file)).flatMap(
    (file) =>
      read(file)
        .replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
        .match(/\w+/g) ?? [],
  ),
);

/** Names that are not ours. */
const FOREIGN: ReadonlySet<string> = new Set(['Host', 'Origin', 'Allow', 'Idempotency', 'Key']);
const isThere = (path: string): boolean => existsSync(join(ROOT, path));

/** What of a text between backticks does not exist; `room` is the folder that the line is about. */
function missing(span: string, room = 'src/areas/'): string[] {
  const script = /^npm (?:run )?(?!ci\b)([\w:-]+)/.exec(span)?.[1];
  if (script !== undefined) return SCRIPTS.has(script) ? [] : [`no script ${script}`];
  if (/^(?:-|n[a-z]+ )/.test(span)) return [];
  if (/^(?:\.ci|bench|bin|docs|src|test|tools)\//.test(span))
    return span.includes('<operation>') || isThere(span.replace('<area>', 'customers')) ? [] : [`no file ${span}`];
  if (/^[\w-]+(?:\.tsx?|\/)$/.test(span))
    return FILES.some((file) => file.startsWith(room) && `${file}/`.includes(`/${span.replace(/\/$/, '')}/`))
      ? []
      : [`no file ${span} in ${room}`];
  return (span.match(/[A-Za-z_]\w*/g) ?? [])
    .filter((word) => !WORDS.has(word) && !FOREIGN.has(word))
    .map((word) => `no ${word} in the code`);
}

const spansOf = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, span]) => String(span));

/** The first cells of the rows of the table with this heading. */
const firstCells = (text: string, heading: string): string[] => {
  const [, rows = ''] = text.split(new RegExp(`^\\| ${heading} \\|.*\\n\\|[-|]+\\|\\n`, 'm'));
  return rows
    .split(/\n(?!\|)/, 1)
    .flatMap((table) => [...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell]) => String(cell)));
};

describe.each(DOCUMENTS)('the document %s', (document) => {
  test('a document names only files, scripts and names that exist', () => {
    const wrong = read(document)
      .split('\n')
      .flatMap((line, at) => {
        const room = /^\| `(src\/\w+\/)`/.exec(line)?.[1];
        return spansOf(line).flatMap((span) => missing(span, room).map((what) => `line ${at + 1}: ${what}`));
      });
    expect(wrong).toEqual([]);
  });
});

test.each([
  ['README.md', /All (\d+) operations of the contract/],
  ['docs/comparison.md', /\| all (\d+), with their states/],
])('%s says how many operations are declared', (file, pattern) => {
  expect(Number(pattern.exec(read(file))?.[1])).toBe(OPERATIONS.length);
});

describe('the page of the architecture', () => {
  const text = read('docs/architecture.md');

  test('docs/architecture.md lists every folder of src among its rooms, and no other', () => {
    const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(firstCells(text, 'Room').sort()).toEqual(folders.map(({ name }) => `\`src/${name}/\``).sort());
  });

  test('docs/architecture.md lists the steps of a request in the order of src/http/steps.ts', () => {
    const steps = [...read('src/http/steps.ts').matchAll(/\bstep: '([^']+)'/g)].map(([, step]) => step);
    expect(firstCells(text, 'Step')).toEqual(steps);
  });
});

test.each([
  'npm run nothing',
  'src/nowhere/',
  'src/http/nowhere.ts',
  'nowhere.ts',
  'World.nonesuch',
  'nonesuch({ again: ms })',
])('the check of the documents finds that %s is missing', (span) => {
  expect(missing(span)).toHaveLength(1);
});

test.each([
  'npm run check',
  'npm ci',
  'src/areas/<area>/',
  'src/areas.ts',
  'routes.ts',
  'World.transact',
  'operation({...})',
])('the check of the documents finds that %s exists', (span) => {
  expect(missing(span)).toEqual([]);
});

/** Fields that the page of magic values calls by other words. */
const CALLED: Readonly<Record<string, string>> = {
  'wallet signature': 'Service-Wallet-Signature',
  'contact code': 'contact verification code',
  'code of strong authentication': 'strong customer authentication',
  'file name': 'File name',
  'account identifier': 'primary identifier',
};

test('the page of magic values has every value that a rule recognises, and its field', () => {
  const page = read('docs/magic-values.md');
  const names = [...magicValues(), ...[...REFUSED_FILES.keys()].map((name) => `file name ${name}`)];
  expect(names.length).toBeGreaterThan(50);
  const missing = names.filter((name) => {
    const cut = name.lastIndexOf(' ');
    const field = name.slice(0, cut);
    // One that does what every other value does needs no row.
    if (name === 'account identifier 101') return false;
    return !page.includes(CALLED[field] ?? field) || !page.includes(`\`${name.slice(cut + 1)}\``);
  });
  expect(missing).toEqual([]);
});
