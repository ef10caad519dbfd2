/** Returns what a text says as JSON; undefined when it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The same; what is not JSON stays the text that it is. */
export function jsonOrText(text: string): unknown {
  const value = jsonIn(text);
  return value === undefined ? text : value;
}

/** Returns whether a value is an object of JSON: neither null nor a list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
