import { createBase58check } from '@scure/base';
import { base64url, fromHex, hex, sha256, text, utf8 } from './bytes.ts';
import { openWith, sealTo } from './hpke.ts';
import { type ClientKey, createClientKey, expanded, signDer, verifies } from './keys.ts';

/** The value that the sandbox accepts for any wallet signature. Real clients do not need it. */
export const LEGACY_WALLET_SIGNATURE = 'sandbox-valid-signature';

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error(`The bundle is not JSON: ${json.slice(0, 60)}`);
  }
}

/** Decrypts what was sealed to a key; throws a sentence that says what failed. */
async function opened(what: string, key: ClientKey, enc: Uint8Array, ct: Uint8Array): Promise<Uint8Array> {
  try {
    return await openWith(key, enc, ct);
  } catch (cause) {
    throw new Error(`${what} was not sealed to the key ${key.uncompressed.slice(0, 16)}…, or was altered`, { cause });
  }
}

function fieldsOf(json: string, ...names: string[]): Record<string, string> {
  const value = parsed(json);
  const fields = new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  return Object.fromEntries(
    names.map((name) => {
      const field: unknown = fields.get(name);
      if (typeof field !== 'string') throw new Error(`The bundle has no text field ${name}`);
      return [name, field];
    }),
  );
}

/** Returns the data inside a bundle, after checking its signature if a key is given. */
function dataOf(bundle: string, quorumPublicKey: string | undefined): string {
  const { data = '', dataSignature = '' } = fieldsOf(bundle, 'data', 'dataSignature');
  if (quorumPublicKey && !verifies(quorumPublicKey, fromHex(data), fromHex(dataSignature)))
    throw new Error('The bundle is not signed by the quorum key');
  return text(fromHex(data));
}

/**
 * Seals a one-time code and a client's public key, in either form, to the `otpEncryptionTargetBundle` of a challenge.
 * Returns the value of `encryptedOtpBundle`. Checks the bundle's signature if the quorum's public key is given.
 */
export async function sealOtp(
  targetBundle: string,
  code: string,
  publicKey: string,
  quorumPublicKey?: string,
): Promise<string> {
  if (!/^(?:0[23][\da-f]{64}|04[\da-f]{128})$/i.test(publicKey))
    throw new Error('A public key is 66 or 130 hexadecimal digits: `compressed` or `uncompressed` of a client key');
  const { targetPublic = '' } = fieldsOf(dataOf(targetBundle, quorumPublicKey), 'targetPublic');
  const message = utf8(JSON.stringify({ otp_code: code, public_key: publicKey }));
  const { enc, ct } = await sealTo(expanded(fromHex(targetPublic)), message);
  return JSON.stringify({ encappedPublic: hex(enc), ciphertext: hex(ct) });
}

/** Returns the wallet signature header for a `payloadToSign`, which is signed exactly as it was received. */
export function stamp(key: ClientKey, payloadToSign: string): string {
  const signature = hex(signDer(key, utf8(payloadToSign)));
  const fields = { publicKey: key.compressed, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature };
  return base64url(utf8(JSON.stringify(fields)));
}

function decoded(bundle: string): Uint8Array {
  try {
    return createBase58check(sha256).decode(bundle);
  } catch (cause) {
    throw new Error(`An encryptedSessionSigningKey is Base58Check, and this is not: ${bundle.slice(0, 60)}`, { cause });
  }
}

/**
 * Returns the session key inside an `encryptedSessionSigningKey`, decrypted with the key whose public half was sent.
 */
export async function openSessionKey(bundle: string, key: ClientKey): Promise<ClientKey> {
  const bytes = decoded(bundle);
  const scalar = await opened('The session key', key, expanded(bytes.slice(0, 33)), bytes.slice(33));
  if (scalar.length !== 32) throw new Error(`The session key has ${scalar.length} bytes, not 32`);
  return createClientKey(scalar);
}

/** Returns the mnemonic inside `encryptedWalletCredentials`. The sandbox does not sign it: pass no quorum key there. */
export async function openWalletExport(
  bundle: string,
  key: ClientKey,
  expected: { organizationId?: string; quorumPublicKey?: string } = {},
): Promise<string> {
  const data = dataOf(bundle, expected.quorumPublicKey);
  const fields = fieldsOf(data, 'encappedPublic', 'ciphertext', 'organizationId');
  const { encappedPublic = '', ciphertext = '', organizationId } = fields;
  if (expected.organizationId !== undefined && organizationId !== expected.organizationId)
    throw new Error(`The export is of the organization ${organizationId}, not ${expected.organizationId}`);
  return text(await opened('The export', key, fromHex(encappedPublic), fromHex(ciphertext)));
}
