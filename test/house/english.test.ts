import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// Plain English, as CONTRIBUTING.md asks for it. What a machine can see of it; a reader sees more.

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => `${folder}/${file}`)
    .sort();
const textOf = (file: string): string => readFileSync(file, 'utf8');

/** A docstring begins with a verb, or with a noun phrase that names the thing. */
const CLAUSE = /^(?:What|Whether|How|Where|Why|Who|When|Which|Whose|Whoever)\b/;
/** Words that have a plainer one in the field: emitted, requested, arrived, deleted, anyone, in the meantime; "is not a file". */
const BANNED =
  /\b(?:told|asked|came|gone|whoever|meanwhile|of somebody)\b|(?<!\bthere )\b(?:is|are|was|were) no (?!longer|more\b|one\b)[a-z`]+/gi;
/** The most words of a sentence, as far as a mark of punctuation ends one. */
const MOST_WORDS = 25;

/** Rooms that still break a rule, and how often. A room may only get better: lower its number, or take its line out. */
const LEFT: Readonly<Record<string, number>> = {
  'src/areas/transactions': 3,
  'src/hosted': 1,
};

const docstrings = (text: string): string[] =>
  [...text.matchAll(/\/\*\*([\s\S]*?)\*\//g)].map(([, body = '']) =>
    body
      .replace(/^\s*\* ?/gm, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );

/** The comments of a file, and its texts of several words: messages, labels, descriptions, what stands in tags. */
function proseOf(text: string): string[] {
  const comments = [...text.matchAll(/^\s*\/\/ (.*)$/gm)].map(([, comment = '']) => comment);
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const texts = [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)].map(([, a, b = '']) => a ?? b);
  const plain = texts.map((each) => each.replace(/\$\{[^}]*\}/g, ' '));
  const inTags = [...code.matchAll(/>([^<>{}=;]+)</g)].map(([, each = '']) => each.replace(/\s+/g, ' '));
  return [...docstrings(text), ...comments, ...[...plain, ...inTags].filter((each) => each.trim().includes(' '))];
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
