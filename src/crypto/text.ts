const UTF8 = new TextDecoder('utf-8', { fatal: true });
const HEX = /^(?:[0-9a-fA-F]{2})+$/;

/** Returns the bytes of hexadecimal text in either case, or undefined. */
export const fromHex = (text: unknown): Uint8Array | undefined =>
  typeof text === 'string' && HEX.test(text) ? Buffer.from(text, 'hex') : undefined;

/**
 * Returns the bytes of base64url text, or undefined. Accepts text without padding, and the standard alphabet. Refuses
 * stray characters and bits that no encoder produces, so that no two texts pass for one another.
 */
export function fromBase64url(text: unknown): Uint8Array | undefined {
  if (typeof text !== 'string') return undefined;
  const plain = unpadded(text).replaceAll('+', '-').replaceAll('/', '_');
  const bytes = Buffer.from(plain, 'base64url');
  return bytes.toString('base64url') === plain ? bytes : undefined;
}

/** Returns base64url text without its padding. */
export const unpadded = (text: string): string => text.replace(/={1,2}$/, '');

/** Parses the JSON object in UTF-8 bytes or text; undefined if there is none. */
export function jsonObject(source: string | Uint8Array | undefined): Record<string, unknown> | undefined {
  if (source === undefined) return undefined;
  try {
    const text = typeof source === 'string' ? source : UTF8.decode(source);
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
