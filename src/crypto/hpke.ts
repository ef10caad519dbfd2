import { type KeyPair, uncompressed } from './p256.ts';

/** A message sealed to a public key: the sender's one-time public key, 65 bytes, and the ciphertext. */
export interface Sealed {
  enc: Uint8Array;
  ciphertext: Uint8Array;
}

const INFO = new TextEncoder().encode('turnkey_hpke');
const ECDH = { name: 'ECDH', namedCurve: 'P-256' };

/** RFC 9180 base mode: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. Loaded at first use (K6). */
let suite: Promise<InstanceType<typeof import('@hpke/core').CipherSuite>> | undefined;
const loaded = () =>
  (suite ??= import('@hpke/core').then(
    (hpke) =>
      new hpke.CipherSuite({
        kem: new hpke.DhkemP256HkdfSha256(),
        kdf: new hpke.HkdfSha256(),
        aead: new hpke.Aes256Gcm(),
      }),
  ));

const bytes = (hex: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(hex, 'hex'));
const publicKey = (hex: string) => crypto.subtle.importKey('raw', bytes(uncompressed(hex)), ECDH, true, []);

/**
 * Returns both halves of a key pair. From a private key alone, the library derives a public key with an even Y, wrong
 * for half of all keys.
 */
async function cryptoKeyPair(pair: KeyPair) {
  const point = bytes(pair.uncompressed);
  const text = (part: Uint8Array) => Buffer.from(part).toString('base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: text(point.subarray(1, 33)),
    y: text(point.subarray(33)),
    d: text(bytes(pair.scalar)),
  };
  return {
    privateKey: await crypto.subtle.importKey('jwk', jwk, ECDH, true, ['deriveBits']),
    publicKey: await publicKey(pair.uncompressed),
  };
}

/** Returns the additional data that binds a message to both public keys: the one-time key, then the recipient's. */
const boundTo = (enc: Uint8Array, recipientPublicHex: string) =>
  Uint8Array.from(Buffer.concat([enc, bytes(uncompressed(recipientPublicHex))]));

/** Seals bytes to a public key, compressed or not. With a given one-time key pair the result is repeatable. */
export async function seal(recipientPublicHex: string, plaintext: Uint8Array, ephemeral?: KeyPair): Promise<Sealed> {
  const hpke = await loaded();
  const sender = await hpke.createSenderContext({
    recipientPublicKey: await publicKey(recipientPublicHex),
    info: INFO,
    ...(ephemeral && { ekm: await cryptoKeyPair(ephemeral) }),
  });
  const enc = new Uint8Array(sender.enc);
  const ciphertext = await sender.seal(Uint8Array.from(plaintext), boundTo(enc, recipientPublicHex));
  return { enc, ciphertext: new Uint8Array(ciphertext) };
}

/** Returns the bytes sealed to this key pair, or undefined if they were sealed to another or altered. */
export async function open(
  recipient: KeyPair,
  enc: Uint8Array,
  ciphertext: Uint8Array,
): Promise<Uint8Array | undefined> {
  const hpke = await loaded();
  const recipientKey = await cryptoKeyPair(recipient);
  try {
    const context = await hpke.createRecipientContext({ recipientKey, enc: Uint8Array.from(enc), info: INFO });
    const aad = boundTo(enc, recipient.uncompressed);
    return new Uint8Array(await context.open(Uint8Array.from(ciphertext), aad));
  } catch {
    return undefined;
  }
}
