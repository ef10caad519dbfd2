const UTF8 = new TextDecoder('utf-8', { fatal: true });
const HEX = /^(?:[0-9a-fA-F]{2})+$/;

/** The bytes of hexadecimal text in either case, or undefined. */
export const fromHex = (text: unknown): Uint8Array | undefined =>
  typeof text === 'string' && HEX.test(text) ? Buffer.from(text, 'hex') : undefined;

/**
 * The bytes of base64url text, or undefined. Padding is optional, the standard alphabet is taken as well; stray
 * characters and bits that no encoder leaves behind are not, so that no two texts pass for one another.
 */
export function fromBase64url(text: unknown): Uint8Array | undefined {
  if (typeof text !== 'string') return undefined;
  const plain = unpadded(text).replaceAll('+', '-').replaceAll('/', '_');
  const bytes = Buffer.from(plain, 'base64url');
  return bytes.toString('base64url') === plain ? bytes : undefined;
}

/** Base64url text without its padding. */
export const unpadded = (text: string): string => text.replace(/={1,2}$/, '');

/** The JSON object that these UTF-8 bytes or this text spell, or undefined. */
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
