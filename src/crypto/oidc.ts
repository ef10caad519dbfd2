import { createHash } from 'node:crypto';
import type { JSONWebKeySet } from 'jose';
import { bad, good, type Outcome } from './outcome.ts';
import { fromBase64url, jsonObject } from './text.ts';

/** The claims of an OIDC token that the service reads; times are in seconds since 1970. */
export interface OidcClaims {
  iss: string;
  aud: string;
  sub: string;
  iat: number;
  exp: number;
  nonce?: string;
  email?: string;
}

/** The only failed claim that leads to 400 instead of 401. */
export const UNSUPPORTED_ISSUER = 'OIDC token issuer (iss) is not supported';

const MALFORMED = 'OIDC token is not a JWT of three base64url parts';
/** The maximum age of a token, and the maximum clock skew, in milliseconds (spec 5.1 rule 3). */
const MAX_AGE_MS = 60_000;
const SKEW_MS = 5_000;

/** Parses the claims of a compact JWT. The signature may be a dummy but must be present. */
export function parseOidc(token: string): Outcome<Record<string, unknown>> {
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return bad(MALFORMED);
  const [head, body] = token.split('.');
  const header = jsonObject(fromBase64url(head));
  if (!header) return bad('OIDC token header is not a JSON object');
  if (header['b64'] === false) return bad('OIDC token header has b64 false, which no JWT may have (RFC 7797, 7)');
  const claims = jsonObject(fromBase64url(body));
  return claims ? good(claims) : bad('OIDC token payload is not a JSON object');
}

const filled = (value: unknown): value is string => typeof value === 'string' && value !== '';
const finite = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/**
 * Checks the claims of a token against the time (spec 5.1 rule 3). `fresh: false` skips the age: a signed retry repeats
 * the token of the first call minutes later.
 */
export function checkOidc(
  claims: Record<string, unknown>,
  nowMs: number,
  options: { issuers: readonly string[]; fresh: boolean },
): Outcome<OidcClaims> {
  const { iss, sub, iat, exp, nonce, email } = claims;
  const audience = claims['aud'];
  const aud: unknown = Array.isArray(audience) && audience.length === 1 ? audience[0] : audience;
  if (!filled(iss) || !options.issuers.includes(iss)) return bad(UNSUPPORTED_ISSUER);
  if (!filled(aud)) return bad('OIDC token audience (aud) is not one non-empty string');
  if (!filled(sub)) return bad('OIDC token subject (sub) is not a non-empty string');
  if (!finite(iat)) return bad('OIDC token issue time (iat) is not a number');
  if (options.fresh && iat * 1000 < nowMs - MAX_AGE_MS - SKEW_MS)
    return bad('OIDC token issue time (iat) is more than 60 seconds ago');
  if (options.fresh && iat * 1000 > nowMs + SKEW_MS) return bad('OIDC token issue time (iat) is in the future');
  if (!finite(exp)) return bad('OIDC token expiry (exp) is not a number');
  if (exp * 1000 <= nowMs) return bad('OIDC token has expired (exp)');
  return good({
    iss,
    aud,
    sub,
    iat,
    exp,
    ...(typeof nonce === 'string' && { nonce }),
    ...(typeof email === 'string' && { email }),
  });
}

/**
 * Returns the nonce that binds a token to a client key: SHA-256 of the key's text exactly as sent, not of its bytes.
 */
export const nonceFor = (clientPublicKey: string): string =>
  createHash('sha256').update(clientPublicKey, 'utf8').digest('hex');

const isKeySet = (value: unknown): value is JSONWebKeySet =>
  typeof value === 'object' &&
  value !== null &&
  'keys' in value &&
  Array.isArray(value.keys) &&
  value.keys.every((key) => typeof key === 'object' && key !== null);

const UNVERIFIED = 'OIDC token signature does not verify';
/** The signature algorithms that issuers use. Node's version decides which others exist. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

/**
 * Returns whether a key's name of its issuer means one. In it, `{tenantid}` stands for any text without a slash, and
 * `https://` may be left out, as Google does.
 */
function means(name: string, iss: string | undefined): boolean {
  const plain = name.replace(/^https:\/\//, '');
  const parts = plain.split(/\{[^{}]*\}/).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return iss !== undefined && new RegExp(`^(?:https://)?${parts.join('[^/]+')}$`).test(iss);
}

/** Returns the keys of a set that may sign for an issuer: one that names its `issuer` signs for no other. */
const keysOf = ({ keys }: JSONWebKeySet, iss: string | undefined): JSONWebKeySet => ({
  keys: keys.filter((key) => {
    const { issuer } = key as { readonly issuer?: unknown };
    return issuer === undefined || (typeof issuer === 'string' && means(issuer, iss));
  }),
});

/** Verifies the signature of a token against a JSON Web Key Set with the keys of all issuers; reads no claims. */
export async function verifyOidcSignature(token: string, jwks: unknown, issuer?: string): Promise<Outcome<true>> {
  if (jwks === undefined)
    return bad('no JSON Web Key Set of the issuers is configured: platform.oidcJwks of the scenario');
  if (!isKeySet(jwks)) return bad('the configured JSON Web Key Set is malformed');
  // The library ignores the last, meaningless bits; here no two texts may pass for one signature.
  if (!fromBase64url(token.slice(token.lastIndexOf('.') + 1))) return bad(UNVERIFIED);
  const { compactVerify, createLocalJWKSet, errors } = await import('jose');
  try {
    await compactVerify(token, createLocalJWKSet(keysOf(jwks, issuer)), { algorithms: ALGORITHMS });
    return good(true);
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey)
      return bad('OIDC token is signed with a key the issuer does not publish');
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) return bad(UNVERIFIED);
    // The token names no key, so try every key that fits.
    for await (const key of error) {
      const verified = await compactVerify(token, key, { algorithms: ALGORITHMS }).catch(() => undefined);
      if (verified) return good(true);
    }
    return bad(UNVERIFIED);
  }
}
