import { jsonOf } from '../../contract/json.ts';
import { moneyText as moneyOf } from '../../contract/money.ts';

/** The form of an id of ours anywhere in a text. */
export const ID = /\b[A-Z][A-Za-z]{1,40}:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

/** Returns a value of a row from outside as text, whatever it is. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? (jsonOf(value) ?? '…') : String(value);
}

/** Returns a text with a capital first letter. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns a text with its invisible characters, and those that would reverse the rest of a line, made visible. */
export const escapeControlChars = (value: unknown): string =>
  textOf(value).replaceAll(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (c) => {
      const code = c.charCodeAt(0);
      return code < 0x20 ? String.fromCharCode(0x2400 + code) : `\\u${code.toString(16).padStart(4, '0')}`;
    },
  );

/** Returns `Customer:019b8d0e-…-0c1f` as `Customer …8d0c1f`. */
export function shortId(value: unknown): string {
  const id = textOf(value);
  const colon = id.indexOf(':');
  if (colon < 0 || id.length - colon < 20) return escapeControlChars(id);
  return `${escapeControlChars(id.slice(0, colon))} …${escapeControlChars(id.slice(-6))}`;
}

/** The greatest depth of members within members that is shown. */
export const DEEPEST = 100;

/** Returns minor units of a currency as people write them: `1250 USD` is 12.50 USD. */
export function moneyText(text: string): string {
  const [units, code = ''] = text.split(' ');
  return escapeControlChars(moneyOf(Number(units), code));
}
