import { generateKeyPairSync } from 'node:crypto';
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assert, register } from '../../src/crypto/index.ts';
import { assertion, coseOf, type Registration, registration, sha256, text } from './authenticator.ts';
import { ASSERTION, COSE_KEY, LOGIN_CHALLENGE, REGISTRATION } from './vectors.ts';

const pairs = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  EdDSA: generateKeyPairSync('ed25519'),
};
const es256 = pairs.ES256;
const cose = coseOf(es256.publicKey);
const ORIGIN = 'https://app.example.org';
const rpIdHash = sha256('app.example.org').toString('hex');
const publicKey = Buffer.from(COSE_KEY, 'hex').toString('base64url');

const registered = async (options: Partial<Registration> = {}) => {
  const outcome = await register(registration({ cose, ...options }));
  return outcome.ok ? 'accepted' : outcome.reason;
};
/** Registers a key and asserts with it; both may have parts replaced. */
async function loggedIn(changes: Parameters<typeof assertion>[1] = {}, expected: object = {}, pair = es256) {
  const known = await register(registration({ cose: coseOf(pair.publicKey) }));
  if (!known.ok) return known.reason;
  const outcome = await assert({
    ...assertion(pair.privateKey, changes),
    expected: { ...known.value, credentialId: text(sha256('id')), challengeHex: 'ab'.repeat(32), ...expected },
  });
  return outcome.ok ? outcome.value.counter : outcome.reason;
}
const KNOWN = {
  credentialId: REGISTRATION.credentialId,
  publicKey,
  counter: 0,
  origin: ORIGIN,
  rpIdHash,
  challengeHex: LOGIN_CHALLENGE,
};

describe('passkey registration (spec 5.1 rule 2)', () => {
  test('the published passkey registration is accepted, and a common server library agrees', async () => {
    expect(await register(REGISTRATION)).toEqual({
      ok: true,
      value: { publicKey, counter: 0, origin: ORIGIN, rpIdHash },
    });
    const verified = await verifyRegistrationResponse({
      response: {
        id: REGISTRATION.credentialId,
        rawId: REGISTRATION.credentialId,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: REGISTRATION.clientDataJson,
          attestationObject: REGISTRATION.attestationObject,
        },
      },
      expectedChallenge: REGISTRATION.challenge,
      expectedOrigin: ORIGIN,
      expectedRPID: 'app.example.org',
      requireUserVerification: false,
    });
    expect(Buffer.from(verified.registrationInfo?.credential.publicKey ?? []).toString('hex')).toBe(COSE_KEY);
  });

  test.each(['ES256', 'RS256', 'EdDSA'] as const)('passkeys with %s keys are accepted, and log in', async (alg) => {
    expect(await registered({ cose: coseOf(pairs[alg].publicKey) })).toBe('accepted');
    expect(await loggedIn({}, {}, pairs[alg] as typeof es256)).toBe(0);
    expect(await loggedIn({}, {}, { ...es256, publicKey: pairs[alg].publicKey })).toBe(
      alg === 'ES256' ? 0 : 'passkey signature does not verify',
    );
  });

  test('the challenge of a passkey registration is compared as text, without its padding, and need not be base64url', async () => {
    const input = registration({ cose });
    expect((await register({ ...input, challenge: `${input.challenge}=` })).ok).toBe(true);
    const odd = 'this challenge has 45 characters, that is odd';
    expect((await register({ ...registration({ cose, challenge: odd }), challenge: odd })).ok).toBe(true);
    expect(await registered({ challenge: 'another' })).toBe('passkey challenge does not match the issued one');
  });

  test.each([
    ['https://app.example.org', 'app.example.org'],
    ['https://app.example.org', 'example.org'],
    ['https://app.example.org:8443', 'app.example.org'],
    ['https://app.example.org.', 'app.example.org'],
    ['https://app.example.org.', 'app.example.org.'],
    ['https://app.example.org.', 'example.org'],
    ['http://localhost:3000', 'localhost'],
    ['https://localhost', 'localhost'],
    ['android:apk-key-hash:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU', 'anything.example'],
  ])('a passkey of the origin %s may use the RP id %s', async (origin, rpId) => {
    expect(await registered({ origin, rpId })).toBe('accepted');
  });

  test.each([
    ['https://app.example.org', 'org', 'passkey RP id does not belong to the origin'],
    ['https://app.example.org.', 'org.', 'passkey RP id does not belong to the origin'],
    ['https://app.example.org', 'app.example.org.', 'passkey RP id does not belong to the origin'],
    ['https://app.example.org', 'other.example.org', 'passkey RP id does not belong to the origin'],
    ['https://example.org', 'app.example.org', 'passkey RP id does not belong to the origin'],
    ['https://evilexample.org', 'example.org', 'passkey RP id does not belong to the origin'],
    ['https://app.example.org/', 'app.example.org', 'passkey origin is not a web or app origin'],
    ['app.example.org', 'app.example.org', 'passkey origin is not a web or app origin'],
    ['null', 'app.example.org', 'passkey origin is not a web or app origin'],
    ['file://', 'app.example.org', 'passkey origin is not a web or app origin'],
  ])('a passkey of the origin %s may not use the RP id %s', async (origin, rpId, reason) => {
    expect(await registered({ origin, rpId })).toBe(reason);
  });

  test('a passkey registration is accepted with any other attestation format, unchecked and even unknown', async () => {
    const attStmt = new Map([['sig', new Uint8Array(8)]]);
    expect(await registered({ fmt: 'packed', attStmt })).toBe('accepted');
    expect(await registered({ fmt: 'compound', attStmt })).toBe('accepted');
    expect(await registered({ attStmt })).toBe('passkey attestationObject is malformed');
  });

  test('a passkey registration needs user presence, not user verification', async () => {
    expect(await registered({ flags: 0x41 })).toBe('accepted');
    expect(await registered({ flags: 0x44 })).toBe('passkey user presence bit is not set');
  });

  test('a passkey registration that fails any other check is refused with the reason of that check', async () => {
    expect(await registered({ type: 'webauthn.get' })).toBe('passkey client data type is not webauthn.create');
    expect(await registered({ id: sha256('other') })).toBe('passkey credential id does not match the attested one');
    expect(await registered({ tail: Buffer.from([0]) })).toBe('passkey attestationObject is malformed');
    const es384 = new Map(cose).set(3, -35);
    expect(await registered({ cose: es384 })).toBe('passkey algorithm is not one of ES256, RS256 and EdDSA');
    const offCurve = new Map(cose).set(-2, Buffer.alloc(32, 1));
    expect(await registered({ cose: offCurve })).toBe('passkey public key is malformed');
    const input = registration({ cose });
    const why = async (change: object) => {
      const outcome = await register({ ...input, ...change });
      return outcome.ok ? 'accepted' : outcome.reason;
    };
    for (const clientDataJson of [
      '',
      '!',
      text(Buffer.from('[]')),
      text(Buffer.from('nope')),
      text(Buffer.from([255])),
    ])
      expect(await why({ clientDataJson })).toBe('passkey clientDataJson is not base64url JSON');
    for (const attestationObject of ['', '!', 'AAAA', text(Buffer.from([0xa0])), input.attestationObject.slice(0, 100)])
      expect(await why({ attestationObject })).toBe('passkey attestationObject is malformed');
    const noOrigin = text(Buffer.from(JSON.stringify({ type: 'webauthn.create', challenge: input.challenge })));
    expect(await why({ clientDataJson: noOrigin })).toBe('passkey origin is missing');
  });
});

describe('passkey assertion (spec 5 rule 9)', () => {
  test('the published passkey assertion is accepted with its high S, and a common server library agrees', async () => {
    expect(await assert({ ...ASSERTION, expected: KNOWN })).toEqual({ ok: true, value: { counter: 1 } });
    const verified = await verifyAuthenticationResponse({
      response: {
        id: ASSERTION.credentialId,
        rawId: ASSERTION.credentialId,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: ASSERTION.clientDataJson,
          authenticatorData: ASSERTION.authenticatorData,
          signature: ASSERTION.signature,
        },
      },
      expectedChallenge: Buffer.from(LOGIN_CHALLENGE).toString('base64url'),
      expectedOrigin: ORIGIN,
      expectedRPID: 'app.example.org',
      credential: { id: ASSERTION.credentialId, publicKey: Uint8Array.from(Buffer.from(COSE_KEY, 'hex')), counter: 0 },
      requireUserVerification: false,
    });
    expect(verified.verified).toBe(true);
  });

  test('the challenge of a passkey assertion is the text of the digits, not the bytes that they spell', async () => {
    const ofBytes = text(Buffer.from('ab'.repeat(32), 'hex'));
    expect(await loggedIn({ challenge: ofBytes })).toBe('passkey challenge does not match the issued one');
    expect(await loggedIn({ challengeHex: 'AB'.repeat(32) })).toBe('passkey challenge does not match the issued one');
  });

  test.each([
    [0, 0, 0],
    [0, 1, 1],
    [5, 6, 6],
    [5, 5, 'passkey signature counter did not grow: the authenticator may be cloned'],
    [5, 4, 'passkey signature counter did not grow: the authenticator may be cloned'],
    [5, 0, 'passkey signature counter did not grow: the authenticator may be cloned'],
  ])('the counter of a passkey is checked when it goes from %i to %i', async (stored, received, expected) => {
    expect(await loggedIn({ counter: received }, { counter: stored })).toBe(expected);
  });

  test('a passkey assertion that fails any other check is refused with the reason of that check', async () => {
    expect(await loggedIn({ type: 'webauthn.create' })).toBe('passkey client data type is not webauthn.get');
    expect(await loggedIn({ origin: 'https://evil.example' })).toBe(
      'passkey origin is not the one of the registration',
    );
    expect(await loggedIn({ rpId: 'example.org' })).toBe('passkey RP id is not the one of the registration');
    expect(await loggedIn({ flags: 0x04 })).toBe('passkey user presence bit is not set');
    expect(await loggedIn({}, { credentialId: 'other' })).toBe('passkey credential id is not the registered one');
    const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(await loggedIn({}, {}, { ...foreign, publicKey: es256.publicKey })).toBe(
      'passkey signature does not verify',
    );
    const cut = await assert({ ...ASSERTION, authenticatorData: 'AAAA', expected: KNOWN });
    expect(cut).toEqual({
      ok: false,
      reason: 'passkey authenticatorData is malformed',
      unread: 'authenticatorData',
    });
  });

  test('a passkey assertion with any bit flipped in client data, authenticator data or signature is refused', async () => {
    const parts = ['clientDataJson', 'authenticatorData', 'signature'] as const;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...parts), fc.nat(), fc.nat(7), async (name, place, bit) => {
        const bytes = Buffer.from(ASSERTION[name], 'base64url');
        const at = place % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
        const outcome = await assert({ ...ASSERTION, [name]: text(bytes), expected: KNOWN });
        expect(outcome.ok, `${name} ${at}.${bit}`).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test('a passkey assertion with any change of its signature is refused: a bit, a last character of the same bytes, an added byte', async () => {
    const bytes = Buffer.from(ASSERTION.signature, 'base64url');
    for (const at of bytes.keys())
      for (const bit of [0, 3, 7]) {
        const copy = Buffer.from(bytes);
        copy[at] = (copy[at] ?? 0) ^ (1 << bit);
        const outcome = await assert({ ...ASSERTION, signature: text(copy), expected: KNOWN });
        expect(outcome.ok, `${at}.${bit}`).toBe(false);
      }
    const last = `${ASSERTION.signature.slice(0, -1)}5`;
    expect(Buffer.from(last, 'base64url')).toEqual(bytes);
    expect((await assert({ ...ASSERTION, signature: last, expected: KNOWN })).ok).toBe(false);
    expect(
      (await assert({ ...ASSERTION, signature: text(Buffer.concat([bytes, Buffer.alloc(1)])), expected: KNOWN })).ok,
    ).toBe(false);
  });
});
