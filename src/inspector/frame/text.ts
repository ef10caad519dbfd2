import { moneyText as moneyOf } from '../../contract/money.ts';

/** The form of an id of ours anywhere in a text. */
export const ID = /\b[A-Z][A-Za-z]{1,40}:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

/** Returns what stands in a row that arrived from outside, as text, whatever it is. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? (jsonOf(value) ?? '…') : String(value);
}

/**
 * Returns what some work gives; undefined where a value is nested deeper than can be written, or a text is not what it
 * should be.
 */
function orNothing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** A value as JSON; undefined where it has none, or is nested deeper than can be written. */
export const jsonOf = (value: unknown): string | undefined => orNothing(() => JSON.stringify(value));

/** A text whose first letter is a capital. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Characters that would not be seen, or would turn the rest of a line around, made visible. */
export const escapeControlChars = (value: unknown): string =>
  textOf(value).replaceAll(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (c) => {
      const code = c.charCodeAt(0);
      return code < 0x20 ? String.fromCharCode(0x2400 + code) : `\\u${code.toString(16).padStart(4, '0')}`;
    },
  );

/** `Customer:019b8d0e-…-0c1f` as `Customer …8d0c1f`. */
export function shortId(value: unknown): string {
  const id = textOf(value);
  const colon = id.indexOf(':');
  if (colon < 0 || id.length - colon < 20) return escapeControlChars(id);
  return `${escapeControlChars(id.slice(0, colon))} …${escapeControlChars(id.slice(-6))}`;
}

/** Members within members that are shown. */
export const DEEPEST = 100;

/** A path, or a part of one, as it was meant; one that is badly written stands for itself. */
export const decode = (path: string): string => orNothing(() => decodeURIComponent(path)) ?? path;

/** Minor units of a currency as people write them: `1250 USD` is 12.50 USD. */
export function moneyText(text: string): string {
  const [units, code = ''] = text.split(' ');
  return escapeControlChars(moneyOf(Number(units), code));
}
