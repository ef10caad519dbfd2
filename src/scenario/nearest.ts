import { distance } from 'fastest-levenshtein';

/** Returns the nearest of some names, if one is near enough to be meant. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const most = Math.max(2, name.length / 3);
  // A name whose length differs by more is not near; this test first avoids any comparison of a long name.
  const [best] = names
    .filter((n) => Math.abs(n.length - name.length) <= most)
    .map((n) => [distance(name, n), n] as const)
    .sort((a, b) => a[0] - b[0]);
  return best && best[0] <= most ? best[1] : undefined;
}

const letters = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/** The most near values that are shown. */
const MOST_NEAR = 4;

/**
 * Returns the values that a wrong one may mean, ignoring case and characters between words: all that are equally near.
 */
export function nearValues(value: string, values: readonly string[]): string[] {
  const plain = letters(value.slice(0, LONGEST_NAME));
  const most = Math.max(1, Math.floor(plain.length / 3));
  if (plain === '') return [];
  const found = values.map((one) => [distance(plain, letters(one)), one] as const);
  const best = Math.min(...found.map(([far]) => far));
  const near = best > most ? [] : found.flatMap(([far, one]) => (far === best ? [one] : []));
  return near.length > MOST_NEAR ? [] : near;
}

/** Returns names as in a sentence: `a, b or c`. */
export const eitherOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

/** The page that lists the keys of scenarios. */
export const PAGE = 'docs/scenarios.md';

/** The most characters of a name that are shown. */
export const LONGEST_NAME = 100;

/** The most names that are listed if none is near; of more, the first. */
const FEW = 12;
const FIRST = 6;

/** Returns the end of a sentence about an unknown name: the near one, if there is one. */
export const didYouMean = (near: string | undefined): string => (near === undefined ? '' : `; did you mean ${near}?`);

/** Returns a hint in place of an unknown name: the near one, or all known names. */
export function nearOrAll(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near ? `did you mean ${near}?` : known.length > 0 ? `there is ${known.join(', ')}` : 'there is none';
}

/**
 * Returns the rest of a sentence after an unknown name: the near name, or the known names, otherwise the `page` that
 * lists them.
 */
export function instead(near: string | undefined, known: readonly string[], page: string): string {
  if (near !== undefined) return didYouMean(near);
  if (known.length === 0) return '';
  if (known.length <= FEW) return `; there ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}`;
  return `; there are ${known.slice(0, FIRST).join(', ')} and ${known.length - FIRST} more: ${page}`;
}
