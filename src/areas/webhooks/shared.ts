/** The receivers' texts that are kept for reuse; each has at most 2 KiB. */
const MOST = 200;
const said = new Map<string, string>();

/**
 * Returns the text as one shared string, however often it was received: failing receivers respond the same every time.
 */
export function keptOnce(text: string): string {
  const known = said.get(text);
  if (known !== undefined) return known;
  said.set(text, text);
  if (said.size > MOST) said.delete(said.keys().next().value as string);
  return text;
}

/** Returns the number of texts kept, for a test that it does not grow. */
export const keptTexts = (): number => said.size;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * Returns an equal value that reuses equal parts of an earlier one, or the earlier one itself. Pending events about one
 * resource then share what did not change between them.
 */
export function sharing<T>(value: T, earlier: unknown): T {
  if (!isObject(value)) return value === earlier ? (earlier as T) : value;
  if (!isObject(earlier) || Array.isArray(value) !== Array.isArray(earlier)) return value;
  const names = Object.keys(value);
  const parts = names.map((name) => sharing(value[name], earlier[name]));
  const others = Object.keys(earlier);
  // The order of members is part of the text that is signed.
  if (names.length === others.length && names.every((name, i) => others[i] === name && parts[i] === earlier[name]))
    return earlier as T;
  if (parts.every((part, i) => part === value[names[i] as string])) return value;
  if (Array.isArray(value)) return parts as T;
  return Object.fromEntries(names.map((name, i) => [name, parts[i]])) as T;
}
