import { createECDH, createHash, createHmac, createPublicKey, ECDH, type KeyObject, verify } from 'node:crypto';

/** A P-256 key pair in hexadecimal: the scalar has 64 digits, the point both its forms, lower case. */
export interface KeyPair {
  scalar: string;
  compressed: string;
  uncompressed: string;
}

/** A public key as clients may send it: compressed or uncompressed (spec 2.6; the length selects the session flow). */
export const CLIENT_PUBLIC_KEY = /^(0[23][0-9a-fA-F]{64}|04[0-9a-fA-F]{128})$/;

const CURVE = 'prime256v1';
/** The order of the group, and the head of every P-256 SubjectPublicKeyInfo that holds an uncompressed point. */
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const SPKI = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');

const sha256 = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const number = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
const hex32 = (value: bigint): string => value.toString(16).padStart(64, '0');

/** One object for all scalars that are used and forgotten at once: making it takes half as long as what it is used for. */
let ecdh: ECDH | undefined;

function withScalar(scalar: Uint8Array): ECDH {
  ecdh ??= createECDH(CURVE);
  ecdh.setPrivateKey(scalar);
  return ecdh;
}

/** The key pair of 32 bytes of randomness. Bytes that are no valid scalar (odds 2^-32) are hashed until they are. */
export function keyPairFrom(seed: Uint8Array): KeyPair {
  if (seed.length !== 32) throw new RangeError(`A P-256 key is made from 32 bytes, not ${seed.length}`);
  for (let scalar: Buffer = Buffer.from(seed); ; scalar = sha256(scalar)) {
    const value = number(scalar);
    if (value === 0n || value >= N) continue;
    return { scalar: scalar.toString('hex'), ...formsOf(withScalar(scalar).getPublicKey('hex')) };
  }
}

/** Both forms of a point, lower case. */
type Forms = Pick<KeyPair, 'compressed' | 'uncompressed'>;

/** The forms of a point from its uncompressed one: the last bit of y stands in the head of the compressed one. */
const formsOf = (point: string): Forms => ({
  compressed: `${Number.parseInt(point.slice(-1), 16) % 2 ? '03' : '02'}${point.slice(2, 66)}`,
  uncompressed: point,
});

/** Keys seen lately, by their text as it was sent: a login asks for the same key ten times, and a session signs more than once. */
const read = new Map<string, Forms & { key?: KeyObject }>();
const READ_LIMIT = 1000;

function pointOf(publicKeyHex: string): (Forms & { key?: KeyObject }) | undefined {
  const known = read.get(publicKeyHex);
  if (known) return known;
  if (!CLIENT_PUBLIC_KEY.test(publicKeyHex)) return undefined;
  try {
    const point = formsOf(ECDH.convertKey(publicKeyHex, CURVE, 'hex', 'hex', 'uncompressed').toString());
    if (read.size >= READ_LIMIT) read.clear();
    read.set(publicKeyHex, point);
    read.set(point.compressed, point);
    return point;
  } catch {
    return undefined;
  }
}

/** A public key of either form and case as 66 lower-case digits, or undefined when it is no point on P-256. */
export const normalise = (publicKeyHex: string): string | undefined => pointOf(publicKeyHex)?.compressed;

/** The same as 130 lower-case digits. Throws when it is no point on P-256: normalise what a client sent first. */
export function uncompressed(publicKeyHex: string): string {
  const point = pointOf(publicKeyHex);
  if (point === undefined) throw new RangeError('Not a point on P-256');
  return point.uncompressed;
}

/** a^-1 modulo the group order, by the extended Euclidean algorithm. */
function inverse(a: bigint): bigint {
  let [r0, r1, t0, t1] = [N, a, 0n, 1n];
  while (r1 > 0n) {
    const q = r0 / r1;
    [r0, r1, t0, t1] = [r1, r0 - q * r1, t1, t0 - q * t1];
  }
  return t0 < 0n ? t0 + N : t0;
}

/** The candidates of RFC 6979 3.2 for the nonce, in order. */
function* nonces(scalar: Buffer, digest: Buffer): Generator<bigint> {
  const hmac = (key: Buffer, ...parts: Buffer[]) => createHmac('sha256', key).update(Buffer.concat(parts)).digest();
  const seed = Buffer.concat([scalar, Buffer.from(hex32(number(digest) % N), 'hex')]);
  let v: Buffer = Buffer.alloc(32, 1);
  let k: Buffer = Buffer.alloc(32);
  for (const step of [0, 1]) {
    k = hmac(k, v, Buffer.from([step]), seed);
    v = hmac(k, v);
  }
  for (;;) {
    v = hmac(k, v);
    yield number(v);
    k = hmac(k, v, Buffer.from([0]));
    v = hmac(k, v);
  }
}

/**
 * ECDSA over SHA-256, deterministic and with the low S. OpenSSL draws its nonces at random and a library in pure
 * JavaScript takes 85 ms to its first signature, so the platform does the curve and this the arithmetic of RFC 6979.
 */
function signed(pair: KeyPair, bytes: Uint8Array): { r: bigint; s: bigint } {
  const scalar = Buffer.from(pair.scalar, 'hex');
  const digest = sha256(bytes);
  for (const k of nonces(scalar, digest)) {
    if (k === 0n || k >= N) continue;
    const point = withScalar(Buffer.from(hex32(k), 'hex')).getPublicKey();
    const r = number(point.subarray(1, 33)) % N;
    const s = (inverse(k) * ((number(digest) + r * number(scalar)) % N)) % N;
    if (r === 0n || s === 0n) continue;
    return { r, s: s > N / 2n ? N - s : s };
  }
  throw new Error('unreachable: the nonces never end');
}

const derInteger = (value: bigint): string => {
  const plain = value.toString(16);
  const even = plain.length % 2 ? `0${plain}` : plain;
  const positive = even >= '80' ? `00${even}` : even;
  return `02${(positive.length / 2).toString(16).padStart(2, '0')}${positive}`;
};

/** ECDSA P-256 over SHA-256 of the bytes as DER, hexadecimal; deterministic (RFC 6979), low S. */
export function signDer(pair: KeyPair, bytes: Uint8Array): string {
  const { r, s } = signed(pair, bytes);
  const integers = derInteger(r) + derInteger(s);
  return `30${(integers.length / 2).toString(16).padStart(2, '0')}${integers}`;
}

/** The same signature as the 64 bytes r || s, the form of a JWS. */
export function signRaw(pair: KeyPair, bytes: Uint8Array): Uint8Array {
  const { r, s } = signed(pair, bytes);
  return Buffer.from(hex32(r) + hex32(s), 'hex');
}

/** Whether hexadecimal text has the shape of a DER signature of P-256: a sequence of two positive, minimal integers. */
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
  const point = pointOf(publicKeyHex);
  if (!point || point.key) return point?.key;
  const der = Buffer.concat([SPKI, Buffer.from(point.uncompressed, 'hex')]);
  point.key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return point.key;
}

/**
 * Whether the DER signature is this key's over SHA-256 of the bytes. Both halves of S are taken (half of the real
 * clients' signatures have the high one); anything but strict DER is not.
 */
export function verifyDer(publicKeyHex: string, bytes: Uint8Array, derHex: string): boolean {
  const key = keyObject(publicKeyHex);
  return key !== undefined && isDerSignature(derHex) && verify('sha256', bytes, key, Buffer.from(derHex, 'hex'));
}
