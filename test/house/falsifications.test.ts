import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
// @ts-expect-error: a tool without types
import { ruleFinder } from '../../tools/falsify/finder.mjs';
// @ts-expect-error: a tool without types
import { allRules } from '../../tools/falsify/rules.mjs';
import falsifications from '../planted/falsifications.json' with { type: 'json' };
import { unknownRules } from '../planted/falsify-known.ts';

const ROOT = join(import.meta.dirname, '../..');
const RULES: readonly string[] = allRules();
const DECLARED = falsifications.map(({ rule }) => rule);
const read = (file: string): string => (existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : '');

type Node = { readonly [member: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const inside = (node: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((at, member) => (isNode(at) ? at[member] : undefined), node);

/** The name at the root of a function that is called: `test` of `test.each(table)`. */
function rootOf(callee: unknown): unknown {
  if (!isNode(callee)) return undefined;
  return callee['name'] ?? rootOf(callee['object'] ?? callee['callee'] ?? callee['tag']);
}

const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** What a title may read as: what a table puts in (`%s`, `$name`) or a value of the code may be any text. */
function formOf(title: unknown): string {
  const texts =
    inside(title, 'type') === 'TemplateLiteral'
      ? (inside(title, 'quasis') as Node[]).map((one) => String(inside(one, 'value', 'cooked')))
      : [inside(title, 'value')];
  if (texts.some((text) => typeof text !== 'string')) return '.*';
  return (texts as string[])
    .map((text) =>
      text
        .split(/%[sdifjoOc#$]|\$[\w.]+/)
        .map(literal)
        .join('.*'),
    )
    .join('.*');
}

/** The full names of the tests in a file, as expressions: the titles of the groups around each, and its own. */
function namesIn(file: string): RegExp[] {
  const names: RegExp[] = [];
  const visit = (value: unknown, groups: readonly string[]): void => {
    if (!isNode(value)) return;
    const [title] = (value['type'] === 'CallExpression' ? value['arguments'] : []) as Node[];
    const root = title && rootOf(value['callee']);
    if (root === 'test' || root === 'it') {
      // Outside of a group it may stand in a function that groups call.
      const before = groups.length === 0 ? '(?:.* )?' : '';
      names.push(new RegExp(`^${before}${[...groups, formOf(title)].join(' ')}$`, 's'));
      return;
    }
    const within = root === 'describe' ? [...groups, formOf(title)] : groups;
    for (const one of Object.values(value)) visit(one, within);
  };
  visit(parseAst(read(file), { lang: 'ts' }), []);
  return names;
}

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
