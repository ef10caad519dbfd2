import { createHash } from 'node:crypto';
import { open, type Sealed, seal } from './hpke.ts';
import { bad, good, type Outcome } from './outcome.ts';
import { type KeyPair, normalise } from './p256.ts';
import type { Signer } from './signer.ts';
import { fromHex, jsonObject } from './text.ts';

const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The key for an envelope, and the signer that uses it. */
interface Signed {
  readonly by: KeyPair;
  readonly signer: Signer;
}

/**
 * Returns JSON text of four fields around the data. The signature covers the data's bytes, not their hexadecimal text.
 */
function envelope(data: object, signed?: Signed): string {
  const bytes = utf8(JSON.stringify(data));
  return JSON.stringify({
    version: 'v1.0.0',
    data: hex(bytes),
    dataSignature: signed ? signed.signer.der(signed.by, bytes) : '',
    enclaveQuorumPublic: signed ? signed.by.uncompressed : '',
  });
}

/**
 * Returns the text of `otpEncryptionTargetBundle` (spec 2.4), signed: the key to which a client seals its one-time
 * code.
 */
export const targetBundle = (
  signer: Signer,
  quorum: KeyPair,
  target: { targetPublic: string; organizationId: string; userId: string },
): string => {
  const { targetPublic, organizationId, userId } = target;
  return envelope({ targetPublic, organizationId, userId }, { by: quorum, signer });
};

/** Parses the text of `encryptedOtpBundle`: JSON with the hexadecimal fields `encappedPublic` and `ciphertext`. */
export function parseOtpBundle(text: string): Outcome<Sealed> {
  const fields = jsonObject(text);
  if (!fields) return bad('OTP bundle is not a JSON object');
  const enc = fromHex(fields['encappedPublic']);
  if (enc?.length !== 65) return bad('OTP bundle has no encappedPublic of 130 hexadecimal digits');
  const ciphertext = fromHex(fields['ciphertext']);
  return ciphertext ? good({ enc, ciphertext }) : bad('OTP bundle has no hexadecimal ciphertext');
}

/** Decrypts a client's bundle. Returns the code, right or wrong, and the client's public key, compressed. */
export async function openOtp(target: KeyPair, bundle: Sealed): Promise<Outcome<{ code: string; publicKey: string }>> {
  const plaintext = await open(target, bundle.enc, bundle.ciphertext);
  if (!plaintext) return bad('OTP bundle could not be decrypted');
  const { otp_code: code, public_key: sent } = jsonObject(plaintext) ?? {};
  if (typeof code !== 'string' || typeof sent !== 'string') return bad('OTP bundle holds no otp_code and public_key');
  const publicKey = normalise(sent);
  return publicKey ? good({ code, publicKey }) : bad('OTP bundle holds a public_key that is not a point on P-256');
}

/** Imported at first use, and only once: even the import of a loaded module takes a while. */
let base: Promise<typeof import('@scure/base')> | undefined;

/**
 * Returns the text of `encryptedSessionSigningKey`: base58check of the compressed one-time key and the sealed private
 * scalar, 81 bytes.
 */
export async function sessionBundle(sessionKey: KeyPair, clientPublicKey: string, ephemeral: KeyPair): Promise<string> {
  const { createBase58check } = await (base ??= import('@scure/base'));
  const { ciphertext } = await seal(clientPublicKey, Buffer.from(sessionKey.scalar, 'hex'), ephemeral);
  const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest());
  return base58check.encode(Buffer.concat([Buffer.from(ephemeral.compressed, 'hex'), ciphertext]));
}

/**
 * Returns the text of `encryptedWalletCredentials`, the sealed mnemonic; unsigned, as in the sandbox, unless a key is
 * given.
 */
export async function exportBundle(
  mnemonic: string,
  clientPublicKey: string,
  organizationId: string,
  ephemeral: KeyPair,
  signed?: Signed,
): Promise<string> {
  const { enc, ciphertext } = await seal(clientPublicKey, utf8(mnemonic), ephemeral);
  return envelope({ encappedPublic: hex(enc), ciphertext: hex(ciphertext), organizationId }, signed);
}
