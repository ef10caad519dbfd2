import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placeOf, RULES } from '../../src/sandbox/rules.ts';
import { lived, paymentOf, visitor } from './visit.ts';

const SOURCE = join(import.meta.dirname, '../../src');

/** Every place that the code cites: texts that begin with a section, without comments and without the list itself. */
function citations(): Set<string> {
  const found = new Set<string>();
  for (const file of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('sandbox/rules.ts')) continue;
    const code = readFileSync(join(SOURCE, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    for (const [, , text = ''] of code.matchAll(
      /(['"`])((?:(?:spec|reference) \d|RFC \d|reference: |scenario: (?!\$)|sandbox: )[^'"`]*)\1/g,
    ))
      found.add(placeOf(text));
  }
  return found;
}

test('every place that a refusal cites is explained, and no other place is (U9)', () => {
  const cited = citations();
  expect(cited.size).toBeGreaterThan(30);
  const places = RULES.map(({ place }) => place);
  expect(new Set(places).size).toBe(places.length);
  expect([...cited].filter((place) => !places.includes(place)).sort()).toEqual([]);
  expect(places.filter((place) => !cited.has(place))).toEqual([]);
});

test('a refusal writes money in major units, and its rule links to a sentence that explains it (U9)', async () => {
  const world = await visitor();
  const { usd, bank } = await lived(world);
  await world.control('DELETE', '/faults');
  const payment = { ...paymentOf(usd.id, bank.id), lockedCurrencyAmount: 900_000_00, immediatelyExecute: true };
  const refused = await world.post('/quotes', payment);
  expect(refused.body.message).toMatch(/ holds 2,375\.00 USD, less than 900,000\.00 USD$/);
  const [{ id }] = (await world.control('GET', '/requests')).body.data;
  const { why } = (await world.control('GET', `/requests/${id}`)).body;
  expect(why).toMatchObject({
    rule: 'spec 5.1 (9)',
    says: expect.stringMatching(/^An account cannot send more than it holds/),
    expected: 'at least 900,000.00 USD',
    seen: '2,375.00 USD',
  });
  const { html } = await world.open(`/inspector/requests/${id}`);
  const link = /href="(\/inspector\/rules)#([\w-]+)">spec 5\.1 \(9\)</.exec(html);
  expect(link).not.toBeNull();
  const page = await world.open(link?.[1] as string);
  expect(page.status).toBe(200);
  expect(page.html).toContain(`<div id="${link?.[2]}">`);
  expect(page.html).toContain('An account cannot send more than it holds');
});
