import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { missingOf } from '../evidence/proofs.ts';
import { FAULTS } from '../planted/faults.ts';
import { OPERATION } from '../planted/operation.ts';

const ROOT = join(import.meta.dirname, '../..');
const { partsOf, thoroughOf } = await import(new URL('../../tools/near/parts.mjs', import.meta.url).href);

test.each<[string, string[], string[], string[]]>([
  ['the Dockerfile', ['Dockerfile'], [], ['executable']],
  ['the build', ['build.mjs'], [], ['executable', 'nodes']],
  ['what is installed', ['package-lock.json'], [], ['executable', 'nodes']],
  ['a parser of elliptic curves', ['src/crypto/p256.ts'], [], ['nodes']],
  [
    'a module of Node that is used anew',
    ['src/areas/rates/rules.ts'],
    ["+import { hash } from 'node:crypto';"],
    ['executable', 'nodes'],
  ],
  [
    'a file that a program finds beside itself',
    ['src/mcp/documents.ts'],
    ['-  import.meta.dirname,'],
    ['executable', 'nodes'],
  ],
  ['code in which a fault is planted', ['src/areas/cards/payments.ts'], ['+  if (amount > 0) return;'], ['planted']],
  ['a suite that finds a planted fault', ['test/areas/webhooks/delivery.test.ts'], [], ['planted']],
  ['a rule of an area', ['src/areas/rates/rules.ts', 'docs/rates.md'], ['+  return rate * 2;'], []],
])('a change of %s runs what depends on it at once, and leaves the rest to the night', (_, files, lines, parts) => {
  expect(partsOf(files, lines)).toEqual(parts);
});

test('a change runs at length the random tests near to it, and those that it changes itself', () => {
  expect(thoroughOf(['src/areas/cards/payments.ts', 'README.md'])).toEqual(['test/areas/cards', 'test/house']);
  expect(thoroughOf(['src/inspector/page.tsx'])).toEqual(['test/house']);
  expect(thoroughOf(['test/inspector/pages.test.ts'])).toEqual(['test/inspector']);
  expect(thoroughOf(['docs/cards.md'])).toEqual([]);
});

test('.ci/landed names one commit in full', () => {
  expect(readFileSync(join(ROOT, '.ci/landed'), 'utf8')).toMatch(/^[0-9a-f]{40}\n$/);
});

/** What CONTRIBUTING says of adding an operation; paths within an area are those of its folder. */
const adding =
  /## Adding an operation\n([\s\S]*?)\n## /.exec(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'))?.[1] ?? '';

test.each([...new Set(OPERATION.map(({ file }) => file))])(
  'CONTRIBUTING names %s, which a new operation touches, under "Adding an operation"',
  (file) => {
    const spellings = [file, file.replace(/^src\/areas\/\w+\//, ''), file.replace(/[^/]+$/, '')];
    const test = /^test\/areas\/\w+\/\w+\.test\.ts$/.test(file) ? ['test/areas/<area>/<operation>.test.ts'] : [];
    expect(
      [...spellings, ...test].some((name) => adding.includes(`\`${name}\``)),
      adding,
    ).toBe(true);
  },
);

test('each file that the throw-away operation touches has the lines that it changes', () => {
  for (const { file, sound } of OPERATION)
    expect(readFileSync(join(ROOT, file), 'utf8').split(sound), `${file}: ${sound}`).toHaveLength(2);
});

test('each planted fault fits one line of its file, and names a test that exists', () => {
  for (const { what, file, sound, suite, test: name } of FAULTS) {
    expect(readFileSync(join(ROOT, file), 'utf8').split(sound), what).toHaveLength(2);
    // Every text has the empty one in it: such a fault would count as found whatever the suite says.
    expect(name, what).not.toBe('');
    expect(missingOf({ file: suite, test: name }), what).toBeUndefined();
  }
});
