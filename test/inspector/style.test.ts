import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { linksOf, lived, visitor } from './visit.ts';

const ROOM = new URL('../../src/inspector/', import.meta.url);
const text = (file: string): string => readFileSync(new URL(file, ROOM), 'utf8');
const files = (room: string, ending: RegExp): string[] =>
  readdirSync(new URL(room, ROOM))
    .filter((file) => ending.test(file))
    .map((file) => `${room}${file}`);

/** The look of the inspector's pages; the hosted page has its own, in its room. */
const LOOK = files('look/', /\.css$/).filter((file) => !/tokens/.test(file));
const SOURCES = readdirSync(ROOM, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.tsx$|^client\/.*\.js$/.test(file));

/** Every class that a rule speaks of. */
const styled = new Set(
  LOOK.flatMap((file) =>
    [
      ...text(file)
        .replaceAll(/\/\*[\s\S]*?\*\//g, '')
        .matchAll(/([^{}]+)\{/g),
    ].flatMap(([, selector = '']) =>
      selector.startsWith('@') ? [] : [...selector.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, name]) => name as string),
    ),
  ),
);

/** Classes that come from a value: the state of a delivery, the mode of the clock, the tone of a status, a side, a language. */
const FROM_VALUES = [
  'DELIVERED',
  'PENDING',
  'WAITING',
  'ABANDONED',
  'held',
  'good',
  'warn',
  'bad',
  'note',
  'present',
  'later',
  'request',
  'was',
  'is',
  'curl',
  'fetch',
  'python',
  'java',
  'go',
];
/** Classes that say something and look like nothing. */
const NO_LOOK = ['UNSENT', 'ok', 'plain'];

/** Words that stand in a class of a page or that the script sets. */
const written = new Set(
  SOURCES.flatMap((file) =>
    [
      ...text(file).matchAll(
        /(?:class(?:Name)?\s*=\s*|classList\.\w+\(|tone=)(\{[^}]*\}[^>\n]*|"[^"]*"|'[^']*'|[^\n]*)/g,
      ),
    ].flatMap(([, value = '']) => value.match(/[A-Za-z][\w-]*/g) ?? []),
  ),
);

describe('the look of the pages', () => {
  test('the style of the pages has no rule for a class that no page and no script has', () => {
    expect([...styled].filter((name) => !written.has(name) && !FROM_VALUES.includes(name))).toEqual([]);
  });

  test('the style of the pages has a rule for every class of a page that was shown', async () => {
    const world = await visitor();
    await lived(world);
    const seen = new Set<string>(['/', '/inspector/nothing', '/inspector/requests?q=nothing-like-it']);
    const bare = new Set<string>();
    for (const path of seen) {
      const { html } = await world.open(path);
      for (const [, names = ''] of html.matchAll(/ class="([^"]*)"/g))
        for (const name of names.split(' ')) if (!styled.has(name) && !NO_LOOK.includes(name)) bare.add(name);
      if (seen.size < 150)
        for (const link of linksOf(html)) if (/^\/(?:inspector\/(?!assets))?/.test(link)) seen.add(link);
    }
    expect([...bare]).toEqual([]);
    expect(seen.size).toBeGreaterThan(100);
  });

  test('the style of the pages is served with all its parts, and so is the script', async () => {
    const { assets } = await import('../../src/inspector/assets.ts');
    const { style, script } = assets();
    for (const file of [...LOOK, 'look/tokens.css']) expect(style.text, file).toContain(text(file));
    for (const file of files('client/', /\.js$/)) expect(script.text, file).toContain(text(file));
  });
});
