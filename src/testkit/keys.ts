import { p256 } from '@noble/curves/nist.js';
import { fromHex, hex, random, sha256 } from './bytes.ts';

/** A client's P-256 key pair, in hexadecimal. The form that is sent selects the flow of a session. */
export interface ClientKey {
  /** 32 bytes. Never leaves the client. */
  privateKey: string;
  /** 33 bytes, 66 digits. Sent if the client keeps the session key. */
  compressed: string;
  /** 65 bytes, 130 digits. Sent if the service shall create a session key and seal it to this one. */
  uncompressed: string;
}

/** Returns a key pair: random, or the same every time for a text or 32 bytes. Throws for bytes of another length. */
export function createClientKey(seed?: string | Uint8Array): ClientKey {
  if (typeof seed === 'object' && seed.length !== 32)
    throw new Error(`A private key has 32 bytes, not ${seed.length}; a seed of any length is given as text`);
  let secret = seed === undefined ? random(32) : typeof seed === 'string' ? sha256(seed) : seed;
  while (!p256.utils.isValidSecretKey(secret)) secret = sha256(secret);
  return {
    privateKey: hex(secret),
    compressed: hex(p256.getPublicKey(secret, true)),
    uncompressed: hex(p256.getPublicKey(secret, false)),
  };
}

/** Returns a deterministic ECDSA signature over SHA-256, as DER. */
export const signDer = (key: ClientKey, message: Uint8Array): Uint8Array =>
  p256.sign(message, fromHex(key.privateKey), { format: 'der' });

/** Returns whether this key made a DER signature, with either half of S. */
export function verifies(publicKey: string, message: Uint8Array, der: Uint8Array): boolean {
  try {
    return p256.verify(der, message, fromHex(publicKey), { format: 'der', lowS: false });
  } catch {
    return false;
  }
}

/** Returns a public key in its form of 65 bytes. Throws if it is not a public key. */
export const expanded = (publicKey: Uint8Array): Uint8Array => p256.Point.fromBytes(publicKey).toBytes(false);
