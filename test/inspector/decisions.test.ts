import { describe, expect, test } from 'vitest';
import { lived, type Visitor, visitor } from './visit.ts';

interface Button {
  label: string;
  url: string;
  body: unknown;
}

const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');

/** The buttons in the head of a page, as its script would press them; and the head's text. */
async function headOf(world: Visitor, path: string): Promise<{ text: string; buttons: Button[] }> {
  const { status, html } = await world.open(path);
  expect(status, path).toBe(200);
  const head = /<div class="top" id="head"[^>]*>(.*?)<\/header>/s.exec(html)?.[1] ?? '';
  const buttons = [...head.matchAll(/<button ([^>]*data-method="POST"[^>]*)>(.*?)<\/button>/gs)].map(
    ([, about = '', label = '']) => ({
      label,
      url: unescaped(/data-url="([^"]*)"/.exec(about)?.[1] ?? '').replace('/_emulator', ''),
      body: JSON.parse(unescaped(/data-body="([^"]*)"/.exec(about)?.[1] ?? '{}')),
    }),
  );
  return { text: head.replaceAll(/<[^>]*>/g, ' '), buttons };
}

const pathOf = (table: string, id: string): string => `/inspector/state/${table}/${encodeURIComponent(id)}`;

/** Every customer, every payment and every card of a world. */
const decided = (world: Visitor): [table: string, id: string][] =>
  [...world.sandbox.world.snapshot().tables]
    .filter(({ name }) => ['customers', 'transactions', 'cards'].includes(name))
    .flatMap(({ name, rows }) => rows.map((row): [string, string] => [name, row.id]));

describe('decisions on pages (U2)', () => {
  test.each([
    ['spec', 'demo'],
    ['spec', 'unregulated'],
    ['spec', 'cards'],
    ['grid', 'default'],
    ['grid', 'wallet'],
  ] as const)(
    'every decision that a page offers can be taken, and is then not offered again: profile %s, scenario %s',
    async (profile, scenario) => {
      const world = await visitor({ profile, scenario });
      await lived(world);
      let pressed = 0;
      for (const [table, id] of decided(world)) {
        const origin = await headOf(world, pathOf(table, id));
        for (const { label, url, body } of origin.buttons) {
          const fork = (await world.control('POST', '/sandboxes/test/fork', {})).body;
          const where = `${table} ${id}: ${label}`;
          expect((await world.control('POST', `${url}?sandbox=${fork.id}`, body)).status, where).toBe(200);
          const after = await headOf(world, `${pathOf(table, id)}?sandbox=${fork.id}`);
          expect(after.text, where).not.toBe(origin.text);
          // What was decided is not offered again.
          expect(
            after.buttons.map((one) => one.label),
            where,
          ).not.toContain(label);
          pressed += 1;
        }
      }
      expect(pressed).toBeGreaterThan(1);
    },
  );
});

test('the head of a resource, with its badge and buttons, is fetched again after any event (U2)', async () => {
  const world = await visitor();
  const { ida } = await lived(world);
  const { html } = await world.open(pathOf('customers', ida.id));
  const live = /<div class="top" id="head" data-live="([^"]*)">/.exec(html)?.[1]?.split(' ');
  expect(live).toEqual(expect.arrayContaining(['request', 'fact', 'delivery', 'clock', 'reset']));
});

test('a fork shows the counts of its rows before anything has read it (U3)', async () => {
  const world = await visitor({ scenario: 'demo' });
  const fork = (await world.control('POST', '/sandboxes/test/fork', {})).body;
  const counts = async (path: string): Promise<[string, string][]> =>
    [
      ...(await world.open(path)).html.matchAll(
        /<a (?:class="row-link" )?href="\/inspector\/state\/([\w.-]+)[^>]*>[^<]*(?:<b>|<\/a><span>)([\d,]+)</g,
      ),
    ].map(([, table = '', n = '']) => [table, n]);
  for (const path of ['/inspector/state', '/']) {
    const origin = await counts(path);
    expect(origin.length, path).toBeGreaterThan(4);
    expect(Number(new Map(origin).get('accounts')), path).toBeGreaterThan(10);
    // A fork has a login of its own besides.
    const forked = await counts(`${path}?sandbox=${fork.id}`);
    expect(
      forked.filter(([table]) => table !== 'tokens'),
      path,
    ).toEqual(origin.filter(([table]) => table !== 'tokens'));
  }
  expect((await world.open(`/?sandbox=${fork.id}`)).html).not.toContain('The scenario brought');
});
