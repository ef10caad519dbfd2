import MiniSearch from 'minisearch';
import { OPERATIONS } from '../areas.ts';
import { SYNONYMS } from './synonyms.ts';
import { stemOf, termsOf } from './terms.ts';

/** The parts of an operation that a search reads. */
export interface Listed {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly area: string;
  readonly summary: string;
}

/** Returns every operation as a search reads it. */
export const listedOperations = (): Listed[] =>
  OPERATIONS.map(({ id, method, path, tag, summary }) => ({ id, method, path, area: tag, summary }));

/** The weight of each part: synonyms matter as much as the id. */
const BOOST = { name: 3, synonyms: 3, summary: 2, place: 0.5 };
/** The factor for an operation that does the same for another caller, unless the question names that caller. */
const LESS = 0.4;
const OF_OTHERS: readonly (readonly [id: RegExp, word: string])[] = [
  [/^agent[A-Z]/, 'agent'],
  [/Platform(?:External|Internal)/, 'platform'],
];

/** The latest index, with the ids it covers: most searches are over all operations. */
let latest: { readonly ids: string; readonly index: MiniSearch } | undefined;

function indexOf(all: readonly Listed[]): MiniSearch {
  const ids = all.map(({ id }) => id).join(' ');
  if (latest?.ids === ids) return latest.index;
  const index = new MiniSearch({ fields: Object.keys(BOOST), tokenize: termsOf, processTerm: (term) => term });
  index.addAll(
    all.map(({ id, summary, path, area, method }) => ({
      id,
      name: id,
      synonyms: SYNONYMS[id] ?? '',
      summary,
      place: `${path} ${area} ${method}`,
    })),
  );
  latest = { ids, index };
  return index;
}

/**
 * Returns the operations that match a text, best first; an exact id precedes all. Without words it returns all in their
 * order.
 */
export function findOperations<T extends Listed>(all: readonly T[], text: string): T[] {
  const words = termsOf(text);
  if (words.length === 0) return [...all];
  const byId = new Map(all.map((one) => [one.id, one]));
  const found = indexOf(all).search(text, {
    boost: BOOST,
    // A word that matches nothing may be misspelt, or the beginning of another.
    prefix: (term) => term.length > 3,
    fuzzy: (term) => (term.length > 4 ? 0.2 : 0),
    boostDocument: (id) =>
      OF_OTHERS.some(([form, word]) => form.test(id) && !words.includes(stemOf(word))) ? LESS : 1,
  });
  const named = text.trim();
  const ids = [...(byId.has(named) ? [named] : []), ...found.map(({ id }) => id)];
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}
