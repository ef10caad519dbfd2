import { createECDH, createHash, createHmac } from 'node:crypto';
import type { KeyPair } from '../../src/crypto/index.ts';

// A second implementation of deterministic ECDSA for the tests, on Node's own curve: the product uses a library in JavaScript.

/** The order of the group P-256. */
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

const number = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
const bytes32 = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');

/** Returns a^-1 modulo the group order: Fermat's little theorem, for the order is a prime. */
function inverse(a: bigint): bigint {
  let [result, base] = [1n, a % N];
  for (let power = N - 2n; power > 0n; power >>= 1n) {
    if (power & 1n) result = (result * base) % N;
    base = (base * base) % N;
  }
  return result;
}

/** Yields the candidates of RFC 6979 3.2 for the nonce, in order. */
function* nonces(scalar: Buffer, digest: Buffer): Generator<bigint> {
  const hmac = (key: Buffer, ...parts: Buffer[]): Buffer =>
    createHmac('sha256', key).update(Buffer.concat(parts)).digest();
  const seed = Buffer.concat([scalar, bytes32(number(digest) % N)]);
  let [v, k] = [Buffer.alloc(32, 1), Buffer.alloc(32)];
  for (const step of [0, 1]) {
    k = Buffer.from(hmac(k, v, Buffer.from([step]), seed));
    v = Buffer.from(hmac(k, v));
  }
  for (;;) {
    v = Buffer.from(hmac(k, v));
    yield number(v);
    k = Buffer.from(hmac(k, v, Buffer.from([0])));
    v = Buffer.from(hmac(k, v));
  }
}

/** Returns the 64 bytes r || s of ECDSA over SHA-256 with the nonce of RFC 6979 and the low S. */
export function signedByNode(pair: KeyPair, message: Uint8Array): Buffer {
  const scalar = Buffer.from(pair.scalar, 'hex');
  const digest = createHash('sha256').update(message).digest();
  for (const k of nonces(scalar, digest)) {
    if (k === 0n || k >= N) continue;
    const ecdh = createECDH('prime256v1');
    ecdh.setPrivateKey(bytes32(k));
    const r = number(ecdh.getPublicKey().subarray(1, 33)) % N;
    const s = (inverse(k) * ((number(digest) + r * number(scalar)) % N)) % N;
    if (r !== 0n && s !== 0n) return Buffer.concat([bytes32(r), bytes32(s > N / 2n ? N - s : s)]);
  }
  throw new Error('unreachable: the nonces never end');
}
