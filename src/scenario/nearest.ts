import { distance } from 'fastest-levenshtein';

/** The nearest of some names, if one is near enough to be meant. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const most = Math.max(2, name.length / 3);
  // What differs in length by more is not near; asking that first keeps a long name from being compared at all.
  const [best] = names
    .filter((n) => Math.abs(n.length - name.length) <= most)
    .map((n) => [distance(name, n), n] as const)
    .sort((a, b) => a[0] - b[0]);
  return best && best[0] <= most ? best[1] : undefined;
}

const letters = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/** Near values that are shown. */
const MOST_NEAR = 4;

/** Returns the values that a wrong one may mean, whatever its case and signs between words: all that are equally near. */
export function nearValues(value: string, values: readonly string[]): string[] {
  const plain = letters(value.slice(0, LONGEST_NAME));
  const most = Math.max(1, Math.floor(plain.length / 3));
  if (plain === '') return [];
  const found = values.map((one) => [distance(plain, letters(one)), one] as const);
  const best = Math.min(...found.map(([far]) => far));
  const near = best > most ? [] : found.flatMap(([far, one]) => (far === best ? [one] : []));
  return near.length > MOST_NEAR ? [] : near;
}

/** Returns names as a sentence lists them: `a, b or c`. */
export const eitherOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

/** The page that lists the keys of scenarios. */
export const PAGE = 'docs/scenarios.md';

/** Characters of a name that are shown. */
export const LONGEST_NAME = 100;

/** Names that are listed where none is near: all of a few, else the first of them. */
const FEW = 12;
const FIRST = 6;

/** The end of a sentence about an unknown name: the near one, if there is one. */
export const didYouMean = (near: string | undefined): string => (near === undefined ? '' : `; did you mean ${near}?`);

/** Returns what helps in place of an unknown name: the near one, or all that there are. */
export function nearOrAll(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near ? `did you mean ${near}?` : known.length > 0 ? `there is ${known.join(', ')}` : 'there is none';
}

/** Returns what helps after an unknown name, to follow it: the near one, or the names that there are, else `page` for them. */
export function instead(near: string | undefined, known: readonly string[], page: string): string {
  if (near !== undefined) return didYouMean(near);
  if (known.length === 0) return '';
  if (known.length <= FEW) return `; there ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}`;
  return `; there are ${known.slice(0, FIRST).join(', ')} and ${known.length - FIRST} more: ${page}`;
}
