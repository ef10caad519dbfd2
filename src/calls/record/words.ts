/** The least number of letters and digits of an indexed word: shorter ones are everywhere. */
const SHORTEST = 4;
const WORD = /[\p{L}\p{N}]+/gu;

/** Returns the distinct words of a text. */
export const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.match(WORD)?.filter((word) => word.length >= SHORTEST));

/** Returns the word that indexes a value, its longest; undefined if none is long enough. */
export function wordOf(value: string): string | undefined {
  let longest = '';
  for (const word of wordsOf(value)) if (word.length > longest.length) longest = word;
  return longest === '' ? undefined : longest;
}

/** Texts in an order, indexed by their words: scanning all of them for each value would be quadratic. */
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

  /** Returns whether a text after position `at` contains a value. */
  isBehind(value: string, at: number): boolean {
    const word = wordOf(value);
    if (word === undefined) return this.#texts.some((text, place) => place > at && text.includes(value));
    const places = this.#byWord.get(word) ?? [];
    for (let i = places.length - 1; i >= 0 && (places[i] as number) > at; i -= 1)
      if (this.#texts[places[i] as number]?.includes(value)) return true;
    return false;
  }
}

/** Returns a text without characters that would end a line comment: a reply may contain any character. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ');
