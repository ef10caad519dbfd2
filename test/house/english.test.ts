import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// Plain English, as CONTRIBUTING.md asks for it. What a machine can see of it; a reader sees more.

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file}`)
    .sort();
const textOf = (file: string): string => readFileSync(file, 'utf8');

/** A docstring begins with a verb, or with a noun phrase that names the thing. */
const CLAUSE = /^(?:What|Whether|How|Where|Why|Who|When|Which|Whose|Whoever)\b/;
/** Words that have a plainer one in the field: emitted, requested, arrived, deleted, anyone, in the meantime. */
const BANNED = /\b(?:told|asked|came|gone|whoever|meanwhile|of somebody)\b/gi;
/** The most words of a sentence, as far as a mark of punctuation ends one. */
const MOST_WORDS = 25;

/** Rooms that still break a rule, and how often. A room may only get better: lower its number, or take its line out. */
const LEFT: Readonly<Record<string, number>> = {
  'src/areas/agents': 1,
  'src/areas/credentials': 1,
  'src/areas/customers': 5,
  'src/areas/directories': 1,
  'src/areas/external-accounts': 1,
  'src/areas/onboarding': 3,
  'src/areas/quotes': 3,
  'src/areas/sandbox': 2,
  'src/areas/sca': 3,
  'src/areas/sessions': 1,
  'src/areas/stablecoins': 1,
  'src/areas/transactions': 9,
  'src/calls': 7,
  'src/cli': 6,
  'src/contract': 4,
  'src/declare': 3,
  'src/engine': 1,
  'src/fixtures': 1,
  'src/hosted': 1,
  'src/http': 2,
  'src/inspector': 3,
  'src/parity': 2,
  'src/sandbox': 5,
  'src/scenario': 1,
  'src/testkit': 2,
  'test/areas': 63,
  'test/browser': 2,
  'test/cli': 8,
  'test/control': 33,
  'test/crypto': 2,
  'test/engine': 8,
  'test/executable': 1,
  'test/fixtures': 3,
  'test/house': 5,
  'test/http': 4,
  'test/inspector': 12,
  'test/journeys': 5,
  'test/ledger': 1,
  'test/profile': 2,
  'test/scenario': 1,
  'test/testkit': 5,
};

const docstrings = (text: string): string[] =>
  [...text.matchAll(/\/\*\*([\s\S]*?)\*\//g)].map(([, body = '']) =>
    body
      .replace(/^\s*\* ?/gm, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );

/** The comments of a file, and its texts of several words: messages, labels, descriptions. */
function proseOf(text: string): string[] {
  const comments = [...text.matchAll(/^\s*\/\/ (.*)$/gm)].map(([, comment = '']) => comment);
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const texts = [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)].map(([, a, b = '']) => a ?? b);
  const plain = texts.map((each) => each.replace(/\$\{[^}]*\}/g, ' '));
  return [...docstrings(text), ...comments, ...plain.filter((each) => each.trim().includes(' '))];
}

const roomOf = (file: string): string =>
  file
    .split('/')
    .slice(0, file.startsWith('src/areas/') ? 3 : 2)
    .join('/');

test('a docstring begins with a verb or a noun phrase, never with a clause such as "What it does"', () => {
  const found = filesIn('src').flatMap((file) =>
    docstrings(textOf(file))
      .filter((each) => CLAUSE.test(each))
      .map((each) => `${file}: ${each}`),
  );
  expect(found).toEqual([]);
});

test('docstrings have sentences of at most 25 words', () => {
  const found = filesIn('src').flatMap((file) =>
    docstrings(textOf(file))
      .flatMap((each) => each.split(/(?<=[.;:])\s|(?<=,)\s(?=(?:and )?\d{3}|`[A-Z_]+` )/))
      .filter((each) => each.split(' ').length > MOST_WORDS)
      .map((each) => `${file}: ${each}`),
  );
  expect(found).toEqual([]);
});

/** A banned word with what stands round it. */
const inContext = (text: string): string[] =>
  [...text.matchAll(BANNED)].map(({ 0: word, index }) =>
    text.slice(Math.max(0, index - 30), index + word.length + 30).replaceAll('\n', ' '),
  );

test('words with a plainer one in the field become fewer (W22)', () => {
  const found: Record<string, string[]> = {};
  const note = (file: string, texts: readonly string[]) => {
    const words = texts.flatMap(inContext).map((each) => `${file}: ${each}`);
    if (words.length > 0) found[roomOf(file)] = [...(found[roomOf(file)] ?? []), ...words];
  };
  for (const file of filesIn('src')) note(file, proseOf(textOf(file)));
  for (const file of filesIn('test')) {
    const names = textOf(file).matchAll(/\b(?:test|it|describe)(?:\.\w+)*(?:\([^'"`)]*\))?\(\s*'((?:[^'\\]|\\.)*)'/g);
    note(
      file,
      [...names].map(([, name = '']) => name),
    );
  }
  const counts = Object.fromEntries(Object.entries(found).map(([room, words]) => [room, words.length]));
  const more = Object.entries(found).flatMap(([room, words]) => (words.length > (LEFT[room] ?? 0) ? words : []));
  expect(counts, `one of these is new; CONTRIBUTING, "Words", has the plainer word:\n${more.join('\n')}`).toEqual(LEFT);
  expect(Object.keys(LEFT).length).toBeLessThan(50);
});
