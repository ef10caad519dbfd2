import { termsOf } from '../../calls/terms.ts';
import { CURRENCIES, powerOfTen } from '../../contract/money.ts';

/** The greatest length of a search text. */
const LONGEST = 200;

/** The query of a search: a text, its words, and the amount that it may stand for. */
export interface Query {
  readonly text: string;
  readonly words: readonly string[];
  /** Returns whether a text has every word. */
  has(text: string): boolean;
  /**
   * Returns whether a text has every significant word, whatever its ending; false for a query that is not plain words.
   */
  hasInPlainWords(text: string): boolean;
  /** Returns whether an amount in minor units is the one in the query. */
  isAmount(minor: number, currency: string): boolean;
}

/** `Customer …8d0c1f`, as pages write an id: its beginning and its end. */
const SHORT_ID = /^([a-z]+) …([0-9a-f]{6})$/;
const AMOUNT = /^(-?[\d,]+(?:\.\d+)?)\s*([a-z]{3,4})?$/;

/** Parses a search text. */
export function queryOf(input: string): Query {
  const text = input.trim().slice(0, LONGEST).toLowerCase();
  const [, prefix, ending] = SHORT_ID.exec(text) ?? [];
  const words = prefix && ending ? [`${prefix}:`, ending] : text.replaceAll('…', '').split(/\s+/).filter(Boolean);
  const plain = /^[a-z][a-z' ?-]+$/.test(text) ? termsOf(text) : [];
  return {
    text,
    hasInPlainWords: (found) => {
      if (plain.length < 2) return false;
      const terms = new Set(termsOf(found));
      return plain.every((term) => terms.has(term));
    },
    words,
    has: (found) => {
      const low = found.toLowerCase();
      return words.every((word) => low.includes(word));
    },
    isAmount: amountTest(text),
  };
}

/**
 * Returns the test for an amount. Whole numbers may be major or minor units, numbers with a point are major ones; in
 * one currency if it is named.
 */
function amountTest(text: string): Query['isAmount'] {
  const [, digits, code] = AMOUNT.exec(text) ?? [];
  if (digits === undefined) return () => false;
  const number = Number(digits.replaceAll(',', ''));
  const whole = !digits.includes('.');
  return (minor, currency) => {
    if (code !== undefined && code !== currency.toLowerCase()) return false;
    const decimals = CURRENCIES.get(currency)?.decimals ?? 0;
    return Math.round(number * powerOfTen(decimals)) === minor || (whole && number === minor);
  };
}
