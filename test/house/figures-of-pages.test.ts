import { readdirSync, readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { expect, test } from 'vitest';
import { CLAIMS } from './figures-of-pages/claims.ts';
import { KINDS } from './figures-of-pages/kinds.ts';

// Every number of a page is of a kind that is not a figure (a status, a section, a version, a date), or a claim that is computed
// here and compared. A number that is neither fails: say in claims.ts where it comes from.

/** Made from the declarations or the report, and compared by their own tests; and a record of decisions. */
const GENERATED = ['docs/events.md', 'docs/errors.md', 'docs/reliance.md', 'docs/architecture.md'];
const PAGES = [
  ...readdirSync('docs')
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
  'README.md',
  'llms.txt',
  'AGENTS.md',
].filter((page) => !GENERATED.includes(page));

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

/** The prose of a page: what is code, an address, a comment, or between the markers of a generated block is blank. */
function proseOf(page: string): string {
  return page
    .replaceAll(/^```[\s\S]*?^```$/gm, blank)
    .replaceAll(/^ {3,}```[\s\S]*?^ {3,}```$/gm, blank)
    .replaceAll(/<!-- (\w+) -->[\s\S]*?<!-- end of \1 -->/g, blank)
    .replaceAll(/<!--[\s\S]*?-->|<\/?[a-z][^>]*>|`[^`\n]*`|\]\([^)\s]*\)/g, blank);
}

const STATUSES = new Set(Object.keys(STATUS_CODES));
/** A status of HTTP, where nothing counts with it: "400", "a 503", but not "up to 500 faults". */
const isStatus = (digits: string, before: string, after: string): boolean =>
  STATUSES.has(digits) &&
  !/(?:about|than|most|least|first|last|up to|default|some|of) $/.test(before) &&
  !/^(?:[.,]\d| (?:[kMG]i?B|ms|µs|s|seconds|minutes|hours|days|lines|rows|calls|faults|events|points|characters|times)\b)/.test(
    after,
  );

/** Numbers of a text that are neither of a kind nor claimed, with their surroundings; `claimed` hears of each claim that was met. */
function straysIn(page: string, text: string, claimed: (pattern: RegExp) => void = () => {}): string[] {
  let left = text;
  const wrong: string[] = [];
  for (const { on, pattern, is } of CLAIMS) {
    if (on !== undefined && ![on].flat().includes(page)) continue;
    left = left.replaceAll(pattern, (said: string, ...groups: unknown[]) => {
      claimed(pattern);
      // After the groups come the place in the text and the text.
      const captured = groups.slice(
        0,
        groups.findIndex((group) => typeof group === 'number'),
      );
      const told = captured.filter((group) => group !== undefined).map((group) => String(group).replaceAll(',', ''));
      const truth = is.slice(0, told.length).map((value) => String(value()));
      if (told.join() !== truth.join()) wrong.push(`${page}: "${said}" should say ${truth.join(' and ')}`);
      return blank(said);
    });
  }
  for (const { pattern, on } of KINDS) if (on === undefined || on === page) left = left.replaceAll(pattern, blank);
  for (const found of left.matchAll(/(?<![\w.])\d[\d.,]*(?:xx)?/g)) {
    const [before, after] = [left.slice(0, found.index), left.slice(found.index + found[0].length)];
    const digits = found[0].replace(/[.,]+$/, '');
    if (/^\dxx$/.test(digits) || isStatus(digits, before, after)) continue;
    const line = left.slice(0, found.index).split('\n').length;
    wrong.push(`${page}:${line}: ${`${before.slice(-25)}${found[0]}${after.slice(0, 25)}`.replaceAll('\n', ' ')}`);
  }
  return wrong;
}

test('every number of the documents is of a kind that is not a figure, or is computed and true', () => {
  const met = new Set<RegExp>();
  const strays = PAGES.flatMap((page) =>
    straysIn(page, proseOf(readFileSync(page, 'utf8')), (pattern) => met.add(pattern)),
  );
  expect(strays).toEqual([]);
  const idle = CLAIMS.filter(({ pattern }) => !met.has(pattern)).map(({ pattern }) => String(pattern));
  expect(idle, 'these have left their pages').toEqual([]);
});

test('the kinds of numbers that are not figures are at most 18, and each is on some page', () => {
  const all = PAGES.map((page) => ({ page, text: proseOf(readFileSync(page, 'utf8')) }));
  const idle = KINDS.filter(
    ({ pattern, on }) => !all.some(({ page, text }) => (on ?? page) === page && text.search(pattern) >= 0),
  );
  expect(idle.map(({ what }) => what)).toEqual([]);
  expect(KINDS.length).toBeLessThanOrEqual(18);
});

test.each([
  ['a count', 'It has 17 doors.'],
  ['a time', 'It takes 3 ms.'],
  ['a size', 'up to 500 MB'],
  ['a count that reads as a status', 'a sandbox has up to 500 faults'],
  ['a false count of operations', 'All 12 operations of the contract'],
])('the check of figures finds %s that no line of claims knows', (_, text) => {
  expect(straysIn('docs/none.md', text)).toHaveLength(1);
});

test.each([
  'it is refused with 400 or 409',
  'spec 5.1 (6), 2.7',
  'Node 20.19 or later, with HAProxy 2.6',
  'from 0 to 1',
  'on 2026-01-05',
  'ECDSA P-256 over SHA-256',
  '125.00 USD leave',
])('the check of figures finds no figure in "%s"', (text) => {
  expect(straysIn('docs/none.md', text)).toEqual([]);
});
