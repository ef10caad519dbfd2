import { createHmac } from 'node:crypto';

export interface TotpOptions {
  /** The moment of the code; pass the sandbox's time if its clock is not the machine's. Default: now. */
  at?: number | string | Date;
  /** Steps before (negative) or after that moment. Default 0. */
  steps?: number;
  /** The number of digits. Default 6. */
  digits?: number;
  /** Seconds per step. Default 30. */
  period?: number;
  algorithm?: 'sha1' | 'sha256' | 'sha512';
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns the bytes of base32 text (RFC 4648), padded or not, in either case. */
function fromBase32(text: string): Uint8Array {
  const plain = text.replaceAll(/[\s=]/g, '').toUpperCase();
  const bits = [...plain].map((letter) => {
    const value = ALPHABET.indexOf(letter);
    if (value < 0) throw new TypeError(`${letter} is not a letter of base32`);
    return value.toString(2).padStart(5, '0');
  });
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2));
}

/** Returns the key of a secret in any of its forms: bytes, base32 text, or the `otpauth:` address of a QR code. */
const keyOf = (secret: string | Uint8Array): Uint8Array =>
  typeof secret !== 'string'
    ? secret
    : fromBase32(secret.startsWith('otpauth:') ? (new URL(secret).searchParams.get('secret') ?? '') : secret);

/** Returns the code that an authenticator app shows at a moment (RFC 6238). */
export function totpCode(secret: string | Uint8Array, options: TotpOptions = {}): string {
  const { at = Date.now(), steps = 0, digits = 6, period = 30, algorithm = 'sha1' } = options;
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(new Date(at).getTime() / 1000 / period) + steps));
  const mac = createHmac(algorithm, keyOf(secret)).update(counter).digest();
  const number = mac.readUInt32BE((mac[mac.length - 1] as number) & 0xf) & 0x7fffffff;
  return String(number).padStart(digits, '0').slice(-digits);
}
