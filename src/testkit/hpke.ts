import { concat, fromHex, utf8 } from './bytes.ts';
import type { ClientKey } from './keys.ts';

/** Loads the cipher suite at first use: base mode, P-256, HKDF-SHA256, AES-256-GCM. */
async function suite() {
  const { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } = await import('@hpke/core');
  return new CipherSuite({ kem: new DhkemP256HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() });
}

const info = utf8('turnkey_hpke').slice().buffer;
const buffer = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;

/** Seals bytes to an uncompressed public key of 65 bytes. */
export async function sealTo(recipient: Uint8Array, message: Uint8Array): Promise<{ enc: Uint8Array; ct: Uint8Array }> {
  const hpke = await suite();
  const recipientPublicKey = await hpke.kem.deserializePublicKey(buffer(recipient));
  const sender = await hpke.createSenderContext({ recipientPublicKey, info });
  const enc = new Uint8Array(sender.enc);
  return { enc, ct: new Uint8Array(await sender.seal(buffer(message), buffer(concat(enc, recipient)))) };
}

/** Decrypts what was sealed to a key; `enc` has 65 bytes. Throws if it was sealed to another. */
export async function openWith(key: ClientKey, enc: Uint8Array, ct: Uint8Array): Promise<Uint8Array> {
  const hpke = await suite();
  // Both halves are given: from a private key alone, the library derives a wrong public key in half of all cases.
  const recipientKey = {
    privateKey: await hpke.kem.deserializePrivateKey(buffer(fromHex(key.privateKey))),
    publicKey: await hpke.kem.deserializePublicKey(buffer(fromHex(key.uncompressed))),
  };
  const recipient = await hpke.createRecipientContext({ recipientKey, enc: buffer(enc), info });
  return new Uint8Array(await recipient.open(buffer(ct), buffer(concat(enc, fromHex(key.uncompressed)))));
}
