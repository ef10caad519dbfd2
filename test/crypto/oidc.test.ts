import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { CompactSign, exportJWK, generateKeyPair } from 'jose';
import { describe, expect, test } from 'vitest';
import { checkOidc, nonceFor, parseOidc, UNSUPPORTED_ISSUER, verifyOidcSignature } from '../../src/crypto/index.ts';
import { client, NONCES, NOW, OIDC_TOKEN } from './vectors.ts';

const issuers = ['https://accounts.google.com', 'accounts.google.com', 'https://appleid.apple.com'];
const seconds = NOW / 1000;
const claims = { iss: issuers[0], aud: 'app', sub: 'user-1', iat: seconds, exp: seconds + 300 };
const outcome = (change: object, fresh = true, at = NOW) => checkOidc({ ...claims, ...change }, at, { issuers, fresh });
const reason = (change: object, fresh = true) => {
  const checked = outcome(change, fresh);
  return checked.ok ? 'accepted' : checked.reason;
};
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('the shape of an OIDC token (spec 5.1 rule 3)', () => {
  test('the published OIDC token is parsed, and is valid at its own time', () => {
    const parsed = parseOidc(OIDC_TOKEN);
    expect(parsed).toMatchObject({ ok: true, value: { sub: 'kat-user-1', nonce: NONCES.uncompressed } });
    if (!parsed.ok) return;
    expect(checkOidc(parsed.value, NOW, { issuers, fresh: true })).toEqual({
      ok: true,
      value: {
        iss: 'https://accounts.google.com',
        aud: 'kat-oauth-client',
        sub: 'kat-user-1',
        iat: 1767225600,
        exp: 1767225900,
        nonce: NONCES.uncompressed,
        email: 'zoe@example.org',
      },
    });
  });

  test.each([
    '',
    'sandbox-valid-oidc-token',
    'a.b',
    'a.b.c.d',
    `${part({})}.${part({})}.`,
    `.${part({})}.x`,
    `${part({})}.${part([])}.x`,
    `${part('x')}.${part({})}.x`,
    `${part({})}.${part(null)}.x`,
    `${part({})}.not json.x`,
    `${part({})}.${Buffer.from('{').toString('base64url')}.x`,
    `${part({})}.${Buffer.from([0x22, 0xff, 0x22]).toString('base64url')}.x`,
    `${part({})}.${part({})}A.x`,
    `Bearer ${OIDC_TOKEN}`,
    `${OIDC_TOKEN}\n`,
    `${part({ alg: 'RS256', b64: false, crit: ['b64'] })}.${part({})}.x`,
  ])('an OIDC token is refused as malformed: %.40j', (token) => {
    expect(parseOidc(token).ok).toBe(false);
  });
});

describe('the claims of an OIDC token', () => {
  test('the audience of an OIDC token may be a list of one', () => {
    expect(outcome({ aud: ['app'] })).toMatchObject({ ok: true, value: { aud: 'app' } });
  });

  test.each<readonly [object, string]>([
    [{ iss: 'https://issuer.example' }, UNSUPPORTED_ISSUER],
    [{ iss: undefined }, UNSUPPORTED_ISSUER],
    [{ iss: [issuers[0]] }, UNSUPPORTED_ISSUER],
    ...[undefined, '', [], ['a', 'b'], [''], [1], 1].map(
      (aud) => [{ aud }, 'OIDC token audience (aud) is not one non-empty string'] as const,
    ),
    ...[undefined, '', 7].map((sub) => [{ sub }, 'OIDC token subject (sub) is not a non-empty string'] as const),
    ...[undefined, String(seconds), null].map(
      (iat) => [{ iat }, 'OIDC token issue time (iat) is not a number'] as const,
    ),
    ...[undefined, String(seconds + 9)].map((exp) => [{ exp }, 'OIDC token expiry (exp) is not a number'] as const),
  ])('an OIDC token with the claim %j is refused', (change, expected) => {
    expect(reason(change)).toBe(expected);
    expect(reason(change, false)).toBe(expected);
  });

  test('an OIDC token may be 60 seconds old, with a clock difference of 5 seconds either way', () => {
    const old = 'OIDC token issue time (iat) is more than 60 seconds ago';
    const future = 'OIDC token issue time (iat) is in the future';
    expect([-65, 5].map((age) => reason({ iat: seconds + age }))).toEqual(['accepted', 'accepted']);
    expect([-66, 6].map((age) => reason({ iat: seconds + age }))).toEqual([old, future]);
  });

  test('a signed retry repeats its OIDC token: the expiry is checked again, the age is not', () => {
    expect(reason({ iat: seconds - 290 }, false)).toBe('accepted');
    expect(reason({ exp: seconds }, false)).toBe('OIDC token has expired (exp)');
  });

  test('an OIDC token expires at exp, to the millisecond', () => {
    expect(outcome({}, false, NOW + 299_999).ok).toBe(true);
    expect(outcome({}, false, NOW + 300_000)).toEqual({ ok: false, reason: 'OIDC token has expired (exp)' });
  });
});

describe('the nonce of an OIDC token', () => {
  test('the nonce of an OIDC token is the hash of the public key as text: form and case matter, the bytes do not', () => {
    expect(nonceFor(client.uncompressed)).toBe(NONCES.uncompressed);
    expect(nonceFor(client.compressed)).toBe(NONCES.compressed);
    expect(nonceFor(client.uncompressed.toUpperCase())).toBe(NONCES.ofUpperCase);
    expect(createHash('sha256').update(Buffer.from(client.uncompressed, 'hex')).digest('hex')).toBe(NONCES.ofBytes);
    expect(nonceFor(client.uncompressed)).not.toBe(NONCES.ofBytes);
  });
});

describe('the signature of an OIDC token, when the scenario asks for it', async () => {
  const keys = {
    RS256: await generateKeyPair('RS256'),
    ES256: await generateKeyPair('ES256'),
    EdDSA: await generateKeyPair('EdDSA'),
  };
  const signed = (alg: keyof typeof keys, header: object = {}) =>
    new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg, ...header })
      .sign(keys[alg].privateKey);
  const jwk = async (alg: keyof typeof keys, extra: object = {}) => ({
    ...(await exportJWK(keys[alg].publicKey)),
    alg,
    ...extra,
  });

  test.each(['RS256', 'ES256', 'EdDSA'] as const)(
    'an OIDC token that is signed with a published %s key verifies',
    async (alg) => {
      const jwks = { keys: [await jwk('RS256'), await jwk('ES256'), await jwk('EdDSA')] };
      expect(await verifyOidcSignature(await signed(alg), jwks)).toEqual({ ok: true, value: true });
    },
  );

  test.each([
    ['https://id.example.org', true],
    ['https://accounts.google.com', false],
    ['id.example.org', true],
    ['https://{tenantid}.example.org', true],
    ['https://id.example.org/{tenantid}/v2.0', false],
    ['https://id.example.or.', false],
    [['https://id.example.org'], false],
    ['', false],
    [undefined, true],
  ])('a key whose issuer is %j signs for https://id.example.org: %s', async (issuer, signs) => {
    const jwks = { keys: [await jwk('RS256', { issuer })] };
    expect((await verifyOidcSignature(await signed('RS256'), jwks, 'https://id.example.org')).ok).toBe(signs);
  });

  test('an OIDC token without a key id is checked with every fitting key', async () => {
    const other = await exportJWK((await generateKeyPair('RS256')).publicKey);
    const jwks = { keys: [{ ...other, kid: 'a' }, await jwk('RS256', { kid: 'b' })] };
    expect((await verifyOidcSignature(await signed('RS256'), jwks)).ok).toBe(true);
    const strangers = {
      keys: [
        { ...other, kid: 'a' },
        { ...other, kid: 'b' },
      ],
    };
    expect(await verifyOidcSignature(await signed('RS256'), strangers)).toEqual({
      ok: false,
      reason: 'OIDC token signature does not verify',
    });
  });

  test('an OIDC token with a dummy signature, an unknown or foreign key, no algorithm or no key set is refused with its own reason', async () => {
    const jwks = { keys: [await jwk('RS256', { kid: 'b' })] };
    const why = async (token: string, set: unknown = jwks) => {
      const verified = await verifyOidcSignature(token, set);
      return verified.ok ? 'accepted' : verified.reason;
    };
    expect(await why(OIDC_TOKEN)).toBe('OIDC token signature does not verify');
    const unpublished = 'OIDC token is signed with a key the issuer does not publish';
    expect(await why(await signed('RS256', { kid: 'c' }))).toBe(unpublished);
    expect(await why(await signed('ES256'))).toBe(unpublished);
    expect(await why(`${part({ alg: 'none' })}.${part(claims)}.x`)).toBe('OIDC token signature does not verify');
    expect(await why(`${part({})}.${part(claims)}.x`)).toBe('OIDC token signature does not verify');
    const none = 'no JSON Web Key Set of the issuers is configured: platform.oidcJwks of the scenario';
    expect((await verifyOidcSignature(OIDC_TOKEN, undefined)) as object).toEqual({ ok: false, reason: none });
    for (const set of ['x', null, {}, { keys: 'x' }, 7])
      expect(await why(OIDC_TOKEN, set)).toBe('the configured JSON Web Key Set is malformed');
  });

  test('an OIDC token with any character replaced is refused', async () => {
    const token = await signed('ES256');
    const jwks = { keys: [await jwk('ES256')] };
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom(...'ABCDabcd0189-_'), async (at, letter) => {
        fc.pre(token[at] !== letter);
        const changed = token.slice(0, at) + letter + token.slice(at + 1);
        fc.pre(
          Buffer.from(changed.slice(-86), 'base64url').compare(Buffer.from(token.slice(-86), 'base64url')) !== 0 ||
            at < token.length - 86,
        );
        expect((await verifyOidcSignature(changed, jwks)).ok).toBe(false);
      }),
      { numRuns: 200 },
    );
  });
});
