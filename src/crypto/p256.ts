import { createECDH, createHash, createPublicKey, ECDH, type KeyObject, verify } from 'node:crypto';

/** A P-256 key pair in lower-case hexadecimal: a scalar of 64 digits, and the point in both forms. */
export interface KeyPair {
  scalar: string;
  compressed: string;
  uncompressed: string;
}

/** A public key as clients may send it: compressed or uncompressed (spec 2.6; the length selects the session flow). */
export const CLIENT_PUBLIC_KEY = /^(0[23][0-9a-fA-F]{64}|04[0-9a-fA-F]{128})$/;

const CURVE = 'prime256v1';
/** The order of the group, and the prefix of every P-256 SubjectPublicKeyInfo that holds an uncompressed point. */
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const SPKI = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');

/**
 * Returns the key pair for 32 random bytes. Bytes that are not a valid scalar (odds 2^-32) are hashed until they are.
 */
export function keyPairFrom(seed: Uint8Array): KeyPair {
  if (seed.length !== 32) throw new RangeError(`A P-256 key is made from 32 bytes, not ${seed.length}`);
  for (let scalar: Buffer = Buffer.from(seed); ; scalar = createHash('sha256').update(scalar).digest()) {
    const value = BigInt(`0x${scalar.toString('hex')}`);
    if (value === 0n || value >= N) continue;
    const ecdh = createECDH(CURVE);
    ecdh.setPrivateKey(scalar);
    return {
      scalar: scalar.toString('hex'),
      compressed: ecdh.getPublicKey('hex', 'compressed'),
      uncompressed: ecdh.getPublicKey('hex', 'uncompressed'),
    };
  }
}

function converted(publicKeyHex: string, form: 'compressed' | 'uncompressed'): string | undefined {
  if (!CLIENT_PUBLIC_KEY.test(publicKeyHex)) return undefined;
  try {
    return ECDH.convertKey(publicKeyHex, CURVE, 'hex', 'hex', form).toString();
  } catch {
    return undefined;
  }
}

/** Returns a public key, in either form and case, as 66 lower-case digits; undefined if it is not a point on P-256. */
export const normalise = (publicKeyHex: string): string | undefined => converted(publicKeyHex, 'compressed');

/**
 * Returns a public key as 130 lower-case digits. Throws if it is not a point on P-256: call `normalise` on client input
 * first.
 */
export function uncompressed(publicKeyHex: string): string {
  const point = converted(publicKeyHex, 'uncompressed');
  if (point === undefined) throw new RangeError('Not a point on P-256');
  return point;
}

/**
 * Returns whether hexadecimal text is shaped like a P-256 signature in DER: a sequence of two positive, minimal
 * integers.
 */
export function isDerSignature(derHex: string): boolean {
  if (!/^30(?:[0-9a-f]{2})+$/i.test(derHex)) return false;
  const bytes = Buffer.from(derHex, 'hex');
  const integer = (at: number): number => {
    const length = bytes[at + 1] ?? 0;
    const first = bytes[at + 2] ?? 0x80;
    const second = bytes[at + 3] ?? 0;
    const minimal = first < 0x80 && (first > 0 || length === 1 || second >= 0x80);
    return bytes[at] === 2 && length >= 1 && length <= 33 && minimal ? at + 2 + length : Number.NaN;
  };
  return bytes[1] === bytes.length - 2 && integer(integer(2)) === bytes.length;
}

function keyObject(publicKeyHex: string): KeyObject | undefined {
  const point = converted(publicKeyHex, 'uncompressed');
  return point === undefined
    ? undefined
    : createPublicKey({ key: Buffer.concat([SPKI, Buffer.from(point, 'hex')]), format: 'der', type: 'spki' });
}

/**
 * Returns whether this key made the DER signature over SHA-256 of the bytes. Accepts low and high S, since half of the
 * signatures of real clients have the high one; refuses anything but strict DER.
 */
export function verifyDer(publicKeyHex: string, bytes: Uint8Array, derHex: string): boolean {
  const key = keyObject(publicKeyHex);
  return key !== undefined && isDerSignature(derHex) && verify('sha256', bytes, key, Buffer.from(derHex, 'hex'));
}
