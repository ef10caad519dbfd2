import type { KeyPair } from './p256.ts';

/** Signs with ECDSA P-256 over SHA-256: deterministic (RFC 6979), low S. */
export interface Signer {
  /** Returns the signature as DER, hexadecimal. */
  der(pair: KeyPair, bytes: Uint8Array): string;
  /** Returns the signature as the 64 bytes r || s, the form of a JWS. */
  raw(pair: KeyPair, bytes: Uint8Array): Uint8Array;
}

let loaded: Promise<Signer> | undefined;

const scalarOf = ({ scalar }: KeyPair): Uint8Array => Uint8Array.from(Buffer.from(scalar, 'hex'));

/**
 * Loads the signing library at first use. OpenSSL picks random nonces, but one seed must always give the same bytes. An
 * operation that signs while it writes waits for this first.
 */
export const loadSigner = (): Promise<Signer> =>
  (loaded ??= import('@noble/curves/nist.js').then(({ p256 }) => ({
    der: (pair, bytes) => Buffer.from(p256.sign(bytes, scalarOf(pair), { format: 'der' })).toString('hex'),
    raw: (pair, bytes) => p256.sign(bytes, scalarOf(pair)),
  })));
