import { createCipheriv, createDecipheriv, createECDH, createHmac } from 'node:crypto';
import type { KeyPair, Sealed } from '../../src/crypto/index.ts';

// A second implementation of HPKE for the tests, on Node's own functions: the product uses a library over WebCrypto.

const TAG_BYTES = 16;
const NOTHING = new Uint8Array();
/** RFC 9180 base mode: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. */
const KEM = Buffer.from('KEM\x00\x10', 'latin1');
const HPKE = Buffer.from('HPKE\x00\x10\x00\x01\x00\x02', 'latin1');

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

function hmac(key: Uint8Array, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

/** LabeledExtract and LabeledExpand of RFC 9180 4; at most 32 bytes are expanded, which is one step of HKDF. */
const extract = (suite: Buffer, salt: Uint8Array, label: string, ikm: Uint8Array): Buffer =>
  hmac(salt, 'HPKE-v1', suite, label, ikm);
const expand = (suite: Buffer, prk: Uint8Array, label: string, info: Uint8Array, length: number): Buffer =>
  hmac(prk, Uint8Array.of(0, length), 'HPKE-v1', suite, label, info, Uint8Array.of(1)).subarray(0, length);

/** The key schedule's context: the mode, no pre-shared key, and the `info` that both sides know. */
let context: Buffer | undefined;
const scheduled = (): Buffer =>
  (context ??= Buffer.concat([
    Uint8Array.of(0),
    extract(HPKE, NOTHING, 'psk_id_hash', NOTHING),
    extract(HPKE, NOTHING, 'info_hash', Buffer.from('turnkey_hpke', 'latin1')),
  ]));

/** The secret that a private key and a public one share. Throws when the public key is not a point on P-256. */
function agreed(scalar: string, publicKey: Uint8Array): Buffer {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(scalar, 'hex');
  return ecdh.computeSecret(publicKey);
}

/**
 * Key, nonce and additional data of the one message between a private key and a public one: bound to both public keys, the
 * one-time key, then the recipient's. Throws when the public key is not a point on P-256.
 */
function keysOf(scalar: string, publicKey: Uint8Array, enc: Uint8Array, recipient: Uint8Array) {
  const both = Buffer.concat([enc, recipient]);
  const prk = extract(KEM, NOTHING, 'eae_prk', agreed(scalar, publicKey));
  const shared = expand(KEM, prk, 'shared_secret', both, 32);
  const secret = extract(HPKE, shared, 'secret', NOTHING);
  const key = expand(HPKE, secret, 'key', scheduled(), 32);
  return { key, nonce: expand(HPKE, secret, 'base_nonce', scheduled(), 12), both };
}

/** Seals bytes to a key pair with a one-time key. */
export function sealedByNode(to: KeyPair, plaintext: Uint8Array, ephemeral: KeyPair): Sealed {
  const recipient = bytes(to.uncompressed);
  const enc = bytes(ephemeral.uncompressed);
  const { key, nonce, both } = keysOf(ephemeral.scalar, recipient, enc, recipient);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(both);
  return { enc, ciphertext: Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]) };
}

/** Returns the bytes that were sealed to this key pair, or undefined when they were sealed otherwise or changed on the way. */
export function openedByNode(recipient: KeyPair, enc: Uint8Array, ciphertext: Uint8Array): Uint8Array | undefined {
  if (enc.length !== 65 || ciphertext.length < TAG_BYTES) return undefined;
  try {
    const { key, nonce, both } = keysOf(recipient.scalar, enc, enc, bytes(recipient.uncompressed));
    const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(both);
    decipher.setAuthTag(ciphertext.subarray(-TAG_BYTES));
    const end = ciphertext.length - TAG_BYTES;
    return Uint8Array.from(Buffer.concat([decipher.update(ciphertext.subarray(0, end)), decipher.final()]));
  } catch {
    return undefined;
  }
}
