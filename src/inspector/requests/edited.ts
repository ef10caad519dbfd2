import { failFields } from '../../contract/errors.ts';
import { jsonIn, jsonOf } from '../../contract/json.ts';
import { MASK } from '../../engine/masking.ts';
import { maskHeaders, maskSent } from '../../sandbox/mask.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import { escapeControlChars } from '../frame/text.ts';

/** Headers of the connection, which every sender sets itself. */
const OWN =
  /^(?:host|connection|content-length|transfer-encoding|expect|keep-alive|upgrade|origin|referer|cookie|sec-.*)$/;

/** Returns a body for editing: its secrets masked, JSON indented. */
export function editableBody(entry: Entry): string {
  const text = maskSent(entry);
  const value = jsonIn(text);
  return escapeControlChars(value === undefined ? text : JSON.stringify(value, null, 2));
}

const headersIn = (entry: Entry): (readonly [string, string])[] =>
  Object.entries(maskHeaders(entry.headers)).filter(([name]) => !OWN.test(name.toLowerCase()));

/** Returns headers for editing, one per line. */
export const editableHeaders = (entry: Entry): string =>
  headersIn(entry)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/**
 * Returns the body to send after editing: undefined if it is unchanged, so that it is sent as it arrived, secrets
 * included.
 */
export function changedBody(entry: Entry, edited: string): unknown {
  if (edited.trim() === editableBody(entry).trim()) return undefined;
  const value = jsonIn(edited);
  const original = jsonIn(entry.body);
  return value === undefined || original === undefined ? edited : unmasked(value, original);
}

/** Returns a value in which each part that is still masked has its original value. */
function unmasked(value: unknown, original: unknown): unknown {
  if (typeof value === 'string' && value.includes(MASK)) return typeof original === 'string' ? original : value;
  if (Array.isArray(value))
    return value.map((one, i) => unmasked(one, Array.isArray(original) ? original[i] : undefined));
  if (typeof value !== 'object' || value === null) return value;
  const from = (typeof original === 'object' && original !== null ? original : {}) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unmasked(one, from[name])]));
}

/** Returns the changes in edited headers: null leaves one out. 400 `INVALID_INPUT` for a line that is not a header. */
export function changedHeaders(entry: Entry, edited: string): Record<string, string | null> {
  const [before, after] = [new Map(headersIn(entry)), new Map(Object.entries(headersOf(edited)))];
  const changes: Record<string, string | null> = {};
  for (const name of before.keys()) if (!after.has(name)) changes[name] = null;
  for (const [name, value] of after) if (before.get(name) !== value) changes[name] = value;
  return changes;
}

/** Returns headers from lines of `name: value`. 400 `INVALID_INPUT` for a line in another form. */
export function headersOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const cut = line.indexOf(':');
      if (cut < 1) failFields([{ field: 'headers', message: `a line is "name: value", not "${line.slice(0, 80)}"` }]);
      return [line.slice(0, cut).trim(), line.slice(cut + 1).trim()];
    }),
  );
}

/** Parses a JSON text that a person typed. 400 `INVALID_INPUT` with the position at which it stops being JSON. */
export function jsonTyped(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return failFields([{ field: 'body', message: `not JSON: ${(error as Error).message}` }]);
  }
}

/** Returns a value as an editor shows it. */
export const indented = (value: unknown): string =>
  value === undefined ? '' : jsonOf(value) === undefined ? '' : JSON.stringify(value, null, 2);
