import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const { stepsOf, argumentsOf } = await import(new URL('../../tools/run.mjs', import.meta.url).href);
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** What sh, cmd and PowerShell read differently: operators, quotes, variables, patterns, escapes, settings before a program. */
const OF_A_SHELL = /[&|;<>()$`'"*?~^%!\\{}]|^\w+=|^exec\b|^cd\b/;

describe.each(Object.entries(scripts))('the script %s', (_, script) => {
  test('a script of package.json contains nothing that shells read differently', () =>
    expect(script).not.toMatch(OF_A_SHELL));

  test('a script of package.json starts Node or a program that npm finds on every system', () => {
    const [program] = script.split(' ');
    expect(['node', 'vitest', 'biome']).toContain(program);
  });

  test('a script of package.json names steps that exist', () => {
    const [, tool, ...words] = script.split(' ');
    if (tool !== 'tools/run.mjs') return expect(script).not.toMatch(/ (?:then|beside) /);
    for (const step of stepsOf(words).flat()) {
      const file = argumentsOf(step).find((word: string) => /(?:\.[cm]?js|\/bin\/\w+)$/.test(word));
      // A built file is there after the build only.
      expect(existsSync(join(ROOT, file.replace(`${ROOT}/`, ''))), file).toBe(true);
    }
  });
});

test.each(['a && b', 'exec node x', 'A=1 node x', 'node x > y', "node 'x y'", 'rm -rf out/*'])(
  'the check of scripts finds "%s", which shells read differently',
  (script) => expect(script).toMatch(OF_A_SHELL),
);

test('the steps of a script run in turn after "then" and side by side after "beside"', () => {
  expect(stepsOf('a.mjs x then b.mjs beside --flag c.mjs'.split(' '))).toEqual([
    [['a.mjs', 'x']],
    [['b.mjs'], ['--flag', 'c.mjs']],
  ]);
});

test('a step of a script that no development dependency has is refused by its name', () => {
  expect(() => argumentsOf(['nothing'])).toThrow('no development dependency has a program nothing');
});
