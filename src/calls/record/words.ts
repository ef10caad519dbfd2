/** Letters and digits of a word that is looked for: shorter ones are everywhere. */
const SHORTEST = 4;
const WORD = /[\p{L}\p{N}]+/gu;

/** The words of a text, each once. */
export const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.match(WORD)?.filter((word) => word.length >= SHORTEST));

/** The word of a value by which it is looked for, its longest; undefined where it has none that is long enough. */
export function wordOf(value: string): string | undefined {
  let longest = '';
  for (const word of wordsOf(value)) if (word.length > longest.length) longest = word;
  return longest === '' ? undefined : longest;
}

/** Texts in an order, found again by what stands in them: to look through all of them for each value is quadratic. */
export class Texts {
  readonly #texts: string[] = [];
  readonly #byWord = new Map<string, number[]>();

  add(text: string): void {
    const at = this.#texts.push(text) - 1;
    for (const word of wordsOf(text)) {
      const places = this.#byWord.get(word);
      if (places) places.push(at);
      else this.#byWord.set(word, [at]);
    }
  }

  /** Returns whether a value stands, at the ends of words, in a text behind the one at a place. */
  isBehind(value: string, at: number): boolean {
    const word = wordOf(value);
    if (word === undefined) return this.#texts.some((text, place) => place > at && text.includes(value));
    const places = this.#byWord.get(word) ?? [];
    for (let i = places.length - 1; i >= 0 && (places[i] as number) > at; i -= 1)
      if (this.#texts[places[i] as number]?.includes(value)) return true;
    return false;
  }
}

/** A text without what would end a comment's line: a reply may have any sign in it. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ');
