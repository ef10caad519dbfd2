import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error: a tool without types
import { ruleFinder } from '../../tools/falsify/finder.mjs';
// @ts-expect-error: a tool without types
import { allRules } from '../../tools/falsify/rules.mjs';
import falsifications from '../planted/falsifications.json' with { type: 'json' };
import { unknownRules } from '../planted/falsify-known.ts';
import { type Title, titlesIn } from './titles.ts';

const ROOT = join(import.meta.dirname, '../..');
const RULES: readonly string[] = allRules();
const DECLARED = falsifications.map(({ rule }) => rule);
const read = (file: string): string => (existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : '');

const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** What a title may read as: what a table puts in (`%s`, `$name`) or a value of the code may be any text. */
const formOf = (title: Title): string =>
  title === undefined
    ? '.*'
    : title
        .map((text) =>
          text
            .split(/%[sdifjoOc#$]|\$[\w.]+/)
            .map(literal)
            .join('.*'),
        )
        .join('.*');

/** The full names of the tests in a file, as expressions: the titles of the groups around each, and its own. */
const namesIn = (file: string): RegExp[] =>
  titlesIn(read(file)).map(({ groups, title }) => {
    // Outside of a group it may stand in a function that groups call.
    const before = groups.length === 0 ? '(?:.* )?' : '';
    return new RegExp(`^${before}${[...groups, title].map(formOf).join(' ')}$`, 's');
  });

const known = new Map<string, RegExp[]>();
/** Whether a title says something itself, or leaves all of it to its table. */
const speaks = (form: RegExp): boolean => /[a-z]{3}/i.test(form.source.replaceAll('(?:.* )?', ''));
/** Whether a file has a test of a name. Where any text fits a title, the name must stand in the file. */
function hasTest(suite: string, name: string): boolean {
  const names = known.get(suite) ?? namesIn(suite);
  known.set(suite, names);
  return names.some((form) => form.test(name) && (speaks(form) || read(suite).includes(name)));
}

const times = (text: string, part: string): number => (part === '' ? 0 : text.split(part).length - 1);

test('every rule that a refusal can carry has a falsification (npm run falsify -- --find looks for those that are missing)', () => {
  expect(RULES.length).toBeGreaterThan(100);
  expect(RULES.filter((rule) => !DECLARED.includes(rule))).toEqual([]);
});

test('every falsification belongs to a rule that a refusal can carry, and the file lists them in the order of their rules', () => {
  expect(DECLARED.filter((rule) => !RULES.includes(rule))).toEqual([]);
  expect(DECLARED).toEqual([...DECLARED].sort());
});

test('every falsification changes one place of the product', () => {
  const places = falsifications.map(({ rule, file, sound, faulty }) => ({
    rule,
    times: times(read(file), sound),
    isProduct: file.startsWith('src/'),
    changes: sound !== faulty,
  }));
  expect(places.filter((one) => one.times !== 1 || !one.isProduct || !one.changes)).toEqual([]);
});

test('every falsification names a test that exists', () => {
  const missing = falsifications.filter(({ suite, test: name }) => !hasTest(suite, name));
  expect(missing.map(({ rule, suite, test: name }) => ({ rule, suite, name }))).toEqual([]);
});

test('a rule that is made with a value is matched by its template, and by no other', () => {
  const find = ruleFinder(RULES) as (text: string) => string | undefined;
  const made = RULES.find((rule) => rule.endsWith(' (see /_emulator/faults)'));
  expect(made).toMatch(/^\$\{/);
  expect(find('503 (see /_emulator/faults)')).toBe(made);
  expect(find('spec 7, status 404')).toBe('spec 7, status 404');
  expect(find('spec 7, status 404, and more')).toBeUndefined();
});

test('the log of a test shows a refusal whose rule no code declares', async () => {
  const refused = (...rules: string[]) => rules.map((rule) => ({ why: { rule } }));
  expect(await unknownRules(refused('spec 7, status 404', '503 (see /_emulator/faults)'))).toEqual([]);
  expect(await unknownRules([...refused('made up', 'spec 7, status 404'), {}])).toEqual(['made up']);
});
