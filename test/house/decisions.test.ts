import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PLANS } from '../../src/areas/transactions/plans.ts';
import { AREAS, EVENTS } from '../../src/areas.ts';

const SRC = join(import.meta.dirname, '../../src');

/** The code of every file under `src`, without comments. */
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({
    name,
    code: readFileSync(join(SRC, name), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''),
  }));

/** Where one of some patterns stands, but for a few places with a reason. */
const found = (patterns: readonly RegExp[], allowed: Readonly<Record<string, string>> = {}): string[] =>
  files
    .filter(({ name }) => !Object.hasOwn(allowed, name))
    .flatMap(({ name, code }) => patterns.flatMap((one) => (code.match(one) ?? []).map((text) => `${name}: ${text}`)));

const ASKS = '(?:startsWith|endsWith|includes|indexOf|match|matchAll|search)';

test('no code reads the text of a message, an error or a sentence to decide', () => {
  const asked = [
    new RegExp(`\\b(?:message|error|reason|says|said|sentence|fault|stack)\\??\\.${ASKS}\\(`, 'g'),
    /\.(?:test|exec)\(\s*[\w.?]*\b(?:message|error|reason|says|said|sentence|fault|stack)\s*\)/g,
    /\b(?:error|failure|cause)\??\.message\s*[!=]==/g,
  ];
  expect(
    found(asked, {
      'areas/webhooks/send.ts': 'puts the code of an error before its message, unless it stands there already',
      'control/sentence.ts': 'leaves out of a line what its sentence says already',
      'fixtures/last-requests.ts': 'leaves out of a line what its sentence says already',
    }),
  ).toEqual([]);
});

test('no code compares the name of a plan: what is special about a plan is declared with it', () => {
  const names = Object.keys(PLANS).join('|');
  expect(
    found([
      new RegExp(`[!=]==\\s*'(?:${names})'|'(?:${names})'\\s*[!=]==|case '(?:${names})'`, 'g'),
      new RegExp(`\\bplan\\??\\.${ASKS}\\(`, 'g'),
    ]),
  ).toEqual([]);
});

test('no code outside an area names an event of that area, but for the profiles that rename it or leave it out', () => {
  const wrong = AREAS.flatMap((area) =>
    area.events.flatMap(({ types }) =>
      types.flatMap((type) =>
        files
          .filter(({ name }) => !name.startsWith(`areas/${area.name}/`) && name !== 'contract/profile.ts')
          // The exam judges a backend from outside, by the names that the backend receives.
          .filter(({ name }) => !name.startsWith('exam/'))
          .filter(({ code }) => code.includes(`'${type}'`))
          .map(({ name }) => `${name}: ${type}`),
      ),
    ),
  );
  expect(wrong).toEqual([]);
});

test('a delivery rule belongs to an event type of its own group', () => {
  const rules = EVENTS.flatMap(({ types, delivery = {} }) =>
    Object.keys(delivery).map((type) => ({ type, told: types.includes(type) })),
  );
  expect(rules).toEqual([
    { type: 'INCOMING_PAYMENT.PENDING', told: true },
    { type: 'TEST', told: true },
  ]);
});
