import { base64url, hex, random, sha256, utf8 } from './bytes.ts';

/** An issuer's signing key, as a private JWK with its `alg` and `kid`. */
export interface OidcKey {
  privateJwk: { [member: string]: unknown };
  /** The public half, as an issuer publishes it. */
  jwks: { keys: { [member: string]: unknown }[] };
}

export interface OidcTokenOptions {
  iss?: string;
  aud?: string | string[];
  sub?: string;
  email?: string;
  /** Issued at, in seconds since 1970. Default: now. */
  iat?: number;
  /** Expires at, in seconds since 1970. Default: five minutes after `iat`. */
  exp?: number;
  nonce?: string;
  /** The client key that the token is bound to: sets `nonce` to the hash of exactly this text. */
  nonceFor?: string;
  /** The key for a real signature; without it the signature is a dummy, which the sandbox accepts. */
  key?: OidcKey;
  /** Any other claims; `undefined` leaves one out. */
  claims?: { [claim: string]: unknown };
}

/** Returns a new ES256 key of an issuer. */
export async function createOidcKey(kid: string = hex(random(8))): Promise<OidcKey> {
  const { exportJWK, generateKeyPair } = await import('jose');
  const pair = await generateKeyPair('ES256', { extractable: true });
  const named = { kid, alg: 'ES256', use: 'sig' };
  return {
    privateJwk: { ...(await exportJWK(pair.privateKey)), ...named },
    jwks: { keys: [{ ...(await exportJWK(pair.publicKey)), ...named }] },
  };
}

/** Returns an OIDC token as an issuer gives it to an app. Every login needs a fresh one. */
export async function mintOidcToken(options: OidcTokenOptions = {}): Promise<string> {
  const { iat = Math.floor(Date.now() / 1000), key, nonceFor } = options;
  const nonce = nonceFor === undefined ? options.nonce : hex(sha256(nonceFor));
  const payload = JSON.stringify({
    iss: options.iss ?? 'https://accounts.google.com',
    aud: options.aud ?? 'sandbox-emulator-testkit',
    sub: options.sub ?? 'user-1',
    email: options.email,
    iat,
    exp: options.exp ?? iat + 300,
    nonce,
    ...options.claims,
  });
  if (!key) {
    const header = JSON.stringify({ alg: 'RS256', typ: 'JWT' });
    return `${base64url(utf8(header))}.${base64url(utf8(payload))}.sandbox-signature`;
  }
  const { CompactSign, importJWK } = await import('jose');
  const { alg, kid } = key.privateJwk;
  const header = { alg: String(alg), typ: 'JWT', ...(typeof kid === 'string' && { kid }) };
  return new CompactSign(utf8(payload)).setProtectedHeader(header).sign(await importJWK(key.privateJwk));
}
