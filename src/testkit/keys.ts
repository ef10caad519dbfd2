import { p256 } from '@noble/curves/nist.js';
import { fromHex, hex, random, sha256 } from './bytes.ts';

/** A client's P-256 key pair, in hexadecimal. Sending one form or the other selects the flow of a session. */
export interface ClientKey {
  /** 32 bytes. Never leaves the client. */
  privateKey: string;
  /** 33 bytes, 66 digits: the client keeps the session key. */
  compressed: string;
  /** 65 bytes, 130 digits: the service makes a session key and seals it to this one. */
  uncompressed: string;
}

/** A key pair: a random one, or the one of a text or of 32 bytes, always the same. Throws for bytes of another length. */
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

/** ECDSA over SHA-256 as DER, deterministic. */
export const signDer = (key: ClientKey, message: Uint8Array): Uint8Array =>
  p256.sign(message, fromHex(key.privateKey), { format: 'der' });

/** Returns whether a DER signature of either half of S is this key's. */
export function verifies(publicKey: string, message: Uint8Array, der: Uint8Array): boolean {
  try {
    return p256.verify(der, message, fromHex(publicKey), { format: 'der', lowS: false });
  } catch {
    return false;
  }
}

/** A public key in its form of 65 bytes. Throws when it is none. */
export const expanded = (publicKey: Uint8Array): Uint8Array => p256.Point.fromBytes(publicKey).toBytes(false);
