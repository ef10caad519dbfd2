import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { isLoopbackName } from '../contract/address.ts';
import { bad, good, type Outcome, unreadable } from './outcome.ts';
import { fromBase64url, jsonObject, unpadded } from './text.ts';

/** The legacy assertion signature that skips the WebAuthn checks (spec 5.1 rule 2). */
export const LEGACY_ASSERTION = 'sandbox-valid-passkey-signature';

const library = () => import('./webauthn-library.ts');
type Library = Awaited<ReturnType<typeof library>>;

const sha256 = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const attempt = <T>(step: () => T): T | undefined => {
  try {
    return step();
  } catch {
    return undefined;
  }
};

/** Parses the browser's client data. */
function clientDataOf(text: string): Outcome<Record<string, unknown>> {
  const fields = jsonObject(fromBase64url(text));
  return fields ? good(fields) : unreadable('clientDataJson', 'passkey clientDataJson is not base64url JSON');
}

/** Checks the type and the challenge of client data, and returns its origin. */
function originIn(
  fields: Record<string, unknown>,
  type: 'webauthn.create' | 'webauthn.get',
  challenge: string,
): Outcome<string> {
  if (fields['type'] !== type) return bad(`passkey client data type is not ${type}`);
  const seen = fields['challenge'];
  // Compared as text: a platform's challenge may not even be valid base64url.
  if (typeof seen !== 'string' || unpadded(seen) !== unpadded(challenge))
    return bad('passkey challenge does not match the issued one');
  const origin = fields['origin'];
  return typeof origin === 'string' ? good(origin) : bad('passkey origin is missing');
}

const APP_ORIGIN = /^android:apk-key-hash(?:-sha256)?:[\w-]+$/;

/** Accepts names only: an RP id is a domain, so browsers offer no passkeys to a page at `http://127.0.0.1`. */
const isLocal = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && isLoopbackName(hostname);

/**
 * Checks that an RP id hash belongs to the origin's host or to a domain above it. An app's origin has no host to
 * compare.
 */
function boundToOrigin(origin: string, rpIdHash: Uint8Array): Outcome<true> {
  if (APP_ORIGIN.test(origin)) return good(true);
  const url = attempt(() => new URL(origin));
  if (!url || url.origin !== origin) return bad('passkey origin is not a web or app origin');
  if (url.protocol !== 'https:' && !isLocal(url))
    return bad('passkey origin is not secure: plain http is for localhost only');
  // A browser takes the name of an absolute domain with its last dot and without it.
  const [, host, dot] = /^(.*?)(\.?)$/.exec(url.hostname) as unknown as [string, string, string];
  const labels = host.split('.');
  const domains = labels
    .map((_, at) => labels.slice(at).join('.'))
    .filter((name, at) => at === 0 || name.includes('.'));
  return domains.some((name) => sha256(name).equals(rpIdHash) || sha256(name + dot).equals(rpIdHash))
    ? good(true)
    : bad('passkey RP id does not belong to the origin');
}

/** The member that holds a new key. */
const OBJECT = 'attestationObject';

/** Converts a COSE key to a JWK, for the three algorithms in use: ES256, RS256, EdDSA. */
function jwkOf(cose: ReadonlyMap<number, unknown>): Outcome<Record<string, string>> {
  const field = (label: number): string => {
    const value = cose.get(label);
    return value instanceof Uint8Array ? base64url(value) : '';
  };
  const is = (kty: number, alg: number, crv?: number) =>
    cose.get(1) === kty && cose.get(3) === alg && (crv === undefined || cose.get(-1) === crv);
  if (is(2, -7, 1)) return good({ kty: 'EC', crv: 'P-256', x: field(-2), y: field(-3) });
  if (is(1, -8, 6)) return good({ kty: 'OKP', crv: 'Ed25519', x: field(-2) });
  if (is(3, -257)) return good({ kty: 'RSA', n: field(-1), e: field(-2) });
  return unreadable(OBJECT, 'passkey algorithm is not one of ES256, RS256 and EdDSA');
}

/** Parses an attestation object; undefined if it is malformed. A statement of the format `none` must be empty. */
function attested({ decodeAttestationObject, parseAuthenticatorData }: Library, text: string) {
  const bytes = fromBase64url(text);
  return attempt(() => {
    const object = decodeAttestationObject(Uint8Array.from(bytes ?? []));
    const format: unknown = object.get('fmt');
    if (typeof format !== 'string' || (format === 'none' && object.get('attStmt').size > 0)) return undefined;
    return parseAuthenticatorData(object.get('authData'));
  });
}

/** Parses a COSE key: a known algorithm and a point on its curve. */
function keyOf({ decodeCredentialPublicKey }: Library, cose: Uint8Array): Outcome<KeyObject> {
  const fields = attempt(() => decodeCredentialPublicKey(Uint8Array.from(cose)));
  if (!fields) return unreadable(OBJECT, 'passkey public key is malformed');
  const jwk = jwkOf(new Map<number, unknown>(fields as unknown as Iterable<[number, unknown]>));
  if (!jwk.ok) return jwk;
  const key = attempt(() => createPublicKey({ key: jwk.value, format: 'jwk' }));
  return key ? good(key) : unreadable(OBJECT, 'passkey public key is malformed');
}

/**
 * Checks a passkey registration against the platform's challenge (spec 4.5, 5.1 rule 2). Returns what later logins are
 * checked against: the COSE key, the counter, and the origin and RP id hash of the passkey. Attestation statements
 * other than `none` are accepted unverified; user verification is not requested.
 */
export async function register(input: {
  credentialId: string;
  clientDataJson: string;
  attestationObject: string;
  challenge: string;
}): Promise<Outcome<{ publicKey: string; counter: number; origin: string; rpIdHash: string }>> {
  const fields = clientDataOf(input.clientDataJson);
  if (!fields.ok) return fields;
  const webauthn = await library();
  const data = attested(webauthn, input.attestationObject);
  if (!data) return unreadable(OBJECT, 'passkey attestationObject is malformed');
  if (!data.credentialPublicKey) return unreadable(OBJECT, 'passkey attestation holds no public key');
  const key = keyOf(webauthn, data.credentialPublicKey);
  if (!key.ok) return key;
  const origin = originIn(fields.value, 'webauthn.create', input.challenge);
  if (!origin.ok) return origin;
  const bound = boundToOrigin(origin.value, data.rpIdHash);
  if (!bound.ok) return bound;
  if (!data.flags.up) return bad('passkey user presence bit is not set');
  if (!data.credentialID || base64url(data.credentialID) !== unpadded(input.credentialId))
    return bad('passkey credential id does not match the attested one');
  return good({
    publicKey: base64url(data.credentialPublicKey),
    counter: data.counter,
    origin: origin.value,
    rpIdHash: hex(data.rpIdHash),
  });
}

/** The data that an authenticator signed, parsed but not yet checked. */
interface Read {
  readonly fields: Record<string, unknown>;
  readonly bytes: Uint8Array;
  readonly data: ReturnType<Library['parseAuthenticatorData']>;
  readonly signature: Uint8Array;
}

/** Parses the parts of a passkey assertion; compares nothing. */
export async function readAssertion(input: {
  clientDataJson: string;
  authenticatorData: string;
  signature: string;
}): Promise<Outcome<Read>> {
  const fields = clientDataOf(input.clientDataJson);
  if (!fields.ok) return fields;
  const webauthn = await library();
  const bytes = Uint8Array.from(fromBase64url(input.authenticatorData) ?? []);
  const data = attempt(() => webauthn.parseAuthenticatorData(bytes));
  if (!data) return unreadable('authenticatorData', 'passkey authenticatorData is malformed');
  const signature = fromBase64url(input.signature);
  return signature
    ? good({ fields: fields.value, bytes, data, signature })
    : unreadable('signature', 'passkey signature is not base64url');
}

/**
 * Checks a passkey assertion against the registration and the issued challenge. The challenge is 64 hexadecimal digits:
 * the authenticator signs their text, not the 32 bytes that they spell (spec 5 rule 9). Returns the counter to store.
 */
export async function assert(input: {
  credentialId: string;
  clientDataJson: string;
  authenticatorData: string;
  signature: string;
  expected: {
    credentialId: string;
    publicKey: string;
    counter: number;
    origin: string;
    rpIdHash: string;
    challengeHex: string;
  };
}): Promise<Outcome<{ counter: number }>> {
  const { expected } = input;
  const read = await readAssertion(input);
  if (!read.ok) return read;
  const { fields, bytes, data, signature } = read.value;
  if (unpadded(input.credentialId) !== unpadded(expected.credentialId))
    return bad('passkey credential id is not the registered one');
  const challenge = base64url(Buffer.from(expected.challengeHex, 'utf8'));
  const origin = originIn(fields, 'webauthn.get', challenge);
  if (!origin.ok) return origin;
  if (origin.value !== expected.origin) return bad('passkey origin is not the one of the registration');
  if (hex(data.rpIdHash) !== expected.rpIdHash) return bad('passkey RP id is not the one of the registration');
  if (!data.flags.up) return bad('passkey user presence bit is not set');
  if (!signatureHolds(await library(), input, bytes, signature)) return bad('passkey signature does not verify');
  const used = data.counter > 0 || expected.counter > 0;
  if (used && data.counter <= expected.counter)
    return bad('passkey signature counter did not grow: the authenticator may be cloned');
  return good({ counter: data.counter });
}

/** Keys of recently used registrations, by their text: parsing one takes longer than verifying with it. */
const registered = new Map<string, KeyObject>();
const REGISTERED_LIMIT = 1000;

function registeredKey(webauthn: Library, publicKey: string): KeyObject | undefined {
  const known = registered.get(publicKey);
  if (known) return known;
  const key = keyOf(webauthn, fromBase64url(publicKey) ?? new Uint8Array());
  if (!key.ok) return undefined;
  if (registered.size >= REGISTERED_LIMIT) registered.clear();
  registered.set(publicKey, key.value);
  return key.value;
}

/** Verifies with Node: it parses DER strictly, and takes a tenth of the library's time. */
function signatureHolds(
  webauthn: Library,
  input: { clientDataJson: string; expected: { publicKey: string } },
  authenticatorData: Uint8Array,
  signature: Uint8Array,
): boolean {
  const clientDataBytes = fromBase64url(input.clientDataJson);
  const key = registeredKey(webauthn, input.expected.publicKey);
  if (!clientDataBytes || !key) return false;
  const algorithm = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return verify(algorithm, Buffer.concat([authenticatorData, sha256(clientDataBytes)]), key, signature);
}
