import { createHash, type KeyObject, sign } from 'node:crypto';

type Cbor = number | string | Uint8Array | Map<number | string, Cbor>;

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

/** Enough CBOR for an attestation object. */
export function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])]);
}

export const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest();
export const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

/** The COSE form of a Node key: EC P-256, RSA or Ed25519. */
export function coseOf(publicKey: KeyObject): Map<number, Cbor> {
  const jwk = publicKey.export({ format: 'jwk' });
  const field = (value: string | undefined) => Buffer.from(value ?? '', 'base64url');
  if (jwk.kty === 'EC')
    return new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, field(jwk.x)],
      [-3, field(jwk.y)],
    ]);
  if (jwk.kty === 'OKP')
    return new Map<number, Cbor>([
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, field(jwk.x)],
    ]);
  return new Map<number, Cbor>([
    [1, 3],
    [3, -257],
    [-1, field(jwk.n)],
    [-2, field(jwk.e)],
  ]);
}

export interface Registration {
  cose: Map<number, Cbor>;
  origin?: string;
  rpId?: string;
  flags?: number;
  counter?: number;
  fmt?: string;
  attStmt?: Map<string, Cbor>;
  id?: Buffer;
  challenge?: string;
  type?: string;
  tail?: Buffer;
}

/** What `navigator.credentials.create` would answer, with any part replaced. */
export function registration(options: Registration) {
  const { origin = 'https://app.example.org', rpId = 'app.example.org', id = sha256('id') } = options;
  const { challenge = text(sha256('challenge')), type = 'webauthn.create' } = options;
  const authData = Buffer.concat([
    sha256(rpId),
    Buffer.from([options.flags ?? 0x45, 0, 0, 0, options.counter ?? 0]),
    Buffer.alloc(16),
    Buffer.from([id.length >> 8, id.length & 255]),
    id,
    cbor(options.cose),
    options.tail ?? Buffer.alloc(0),
  ]);
  const object = new Map<string, Cbor>([
    ['fmt', options.fmt ?? 'none'],
    ['attStmt', options.attStmt ?? new Map()],
    ['authData', authData],
  ]);
  return {
    credentialId: text(sha256('id')),
    clientDataJson: text(Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))),
    attestationObject: text(cbor(object)),
    challenge: text(sha256('challenge')),
  };
}

/** What `navigator.credentials.get` would answer, with any part replaced. */
export function assertion(
  privateKey: KeyObject,
  options: {
    challengeHex?: string;
    challenge?: string;
    type?: string;
    origin?: string;
    rpId?: string;
    flags?: number;
    counter?: number;
  } = {},
) {
  const { challengeHex = 'ab'.repeat(32), type = 'webauthn.get' } = options;
  const { origin = 'https://app.example.org', rpId = 'app.example.org' } = options;
  const challenge = options.challenge ?? text(Buffer.from(challengeHex));
  const clientData = Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authData = Buffer.concat([sha256(rpId), Buffer.from([options.flags ?? 0x01, 0, 0, 0, options.counter ?? 0])]);
  const algorithm = privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return {
    credentialId: text(sha256('id')),
    clientDataJson: text(clientData),
    authenticatorData: text(authData),
    signature: text(sign(algorithm, Buffer.concat([authData, sha256(clientData)]), privateKey)),
  };
}
