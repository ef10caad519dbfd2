import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  assert,
  checkOidc,
  exportBundle,
  keyPairFrom,
  loadSigner,
  nonceFor,
  openOtp,
  parseOidc,
  parseOtpBundle,
  parseStamp,
  register,
  sessionBundle,
  targetBundle,
  verifyDer,
  verifyOidcSignature,
} from '../../src/crypto/index.ts';
import {
  type CeremonyFaults,
  createClientKey,
  createOidcKey,
  mintOidcToken,
  openSessionKey,
  openWalletExport,
  SoftwareAuthenticator,
  sealOtp,
  stamp,
  verifyWebhook,
} from '../../src/testkit/index.ts';
import {
  client,
  MNEMONIC,
  organizationId,
  PAYLOAD,
  PUBLISHED_SESSION,
  quorum,
  SESSION_BUNDLE,
  STAMP,
  session,
  TOKEN,
  TOKEN_STAMP,
  target,
  userId,
  WEBHOOK,
} from '../crypto/vectors.ts';

const signer = await loadSigner();
const bundle = targetBundle(signer, quorum, { targetPublic: target.uncompressed, organizationId, userId });
const clientKey = createClientKey('kat/client');

describe('client keys', () => {
  test('a client key is always the same for the same seed, and another each time without one', () => {
    expect(clientKey).toEqual({
      privateKey: client.scalar,
      compressed: client.compressed,
      uncompressed: client.uncompressed,
    });
    expect(createClientKey().privateKey).not.toBe(createClientKey().privateKey);
  });

  test('a client key from any 32 bytes is the key that the service makes of them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (seed) => {
        const { scalar: privateKey, ...points } = keyPairFrom(seed);
        expect(createClientKey(seed)).toEqual({ privateKey, ...points });
      }),
      { numRuns: 30, examples: [[new Uint8Array(32)], [new Uint8Array(32).fill(255)]] },
    );
  });
});

describe('stamps', () => {
  test('the testkit makes the published stamps', () => {
    expect(stamp(createClientKey('kat/session'), PAYLOAD)).toBe(STAMP);
    expect(stamp(clientKey, TOKEN)).toBe(TOKEN_STAMP);
  });

  test('the service reads and verifies a stamp of any payload', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (payload) => {
        const parsed = parseStamp(stamp(clientKey, payload));
        expect(parsed).toMatchObject({ ok: true, value: { publicKey: client.compressed } });
        if (parsed.ok) expect(verifyDer(client.compressed, Buffer.from(payload), parsed.value.signature)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});

describe('one-time codes', () => {
  test.each(['compressed', 'uncompressed'] as const)(
    'the service opens a one-time code that was sealed with the %s key',
    async (form) => {
      const parsed = parseOtpBundle(await sealOtp(bundle, '123456', clientKey[form], quorum.uncompressed));
      expect(parsed.ok && (await openOtp(target, parsed.value))).toEqual({
        ok: true,
        value: { code: '123456', publicKey: client.compressed },
      });
    },
  );

  test('a one-time code is not sealed to a bundle that another key signed, nor to a text that is not a bundle', async () => {
    await expect(sealOtp(bundle, '000000', client.compressed, client.uncompressed)).rejects.toThrow('quorum');
    await expect(sealOtp('{}', '000000', client.compressed)).rejects.toThrow('data');
  });
});

describe('sealed keys and exports', () => {
  test('the published session keys open with their client keys', async () => {
    expect((await openSessionKey(SESSION_BUNDLE, clientKey)).privateKey).toBe(session.scalar);
    const recipient = createClientKey(Buffer.from(PUBLISHED_SESSION.recipient, 'hex'));
    expect((await openSessionKey(PUBLISHED_SESSION.bundle, recipient)).privateKey).toBe(PUBLISHED_SESSION.scalar);
  });

  test('any session key opens for its client key, and for no other', async () => {
    for (let i = 1; i <= 10; i += 1) {
      const key = keyPairFrom(Buffer.alloc(32, i));
      const sealed = await sessionBundle(key, clientKey.uncompressed, keyPairFrom(Buffer.alloc(32, i + 100)));
      expect(await openSessionKey(sealed, clientKey)).toMatchObject({ compressed: key.compressed });
      await expect(openSessionKey(sealed, createClientKey('other'))).rejects.toThrow();
    }
  });

  test('a wallet export opens unsigned and signed, but not for another organization or unsigned where a signature is due', async () => {
    const oneTime = keyPairFrom(Buffer.alloc(32, 9));
    const unsigned = await exportBundle(MNEMONIC, clientKey.uncompressed, organizationId, oneTime);
    const signed = await exportBundle(MNEMONIC, clientKey.uncompressed, organizationId, oneTime, {
      by: quorum,
      signer,
    });
    const quorumPublicKey = quorum.uncompressed;
    expect(await openWalletExport(unsigned, clientKey)).toBe(MNEMONIC);
    expect(await openWalletExport(signed, clientKey, { organizationId, quorumPublicKey })).toBe(MNEMONIC);
    await expect(openWalletExport(unsigned, clientKey, { quorumPublicKey })).rejects.toThrow('quorum');
    await expect(openWalletExport(signed, clientKey, { organizationId: userId })).rejects.toThrow('organization');
  });
});

describe('the software authenticator', () => {
  const challengeHex = 'c0'.repeat(32);
  const made = (options: ConstructorParameters<typeof SoftwareAuthenticator>[0] = {}) =>
    new SoftwareAuthenticator({ seed: 'one', ...options });

  async function registered(authenticator: SoftwareAuthenticator, faults: CeremonyFaults = {}) {
    const outcome = await register({ ...authenticator.register('Y2hhbGxlbmdl', faults), challenge: 'Y2hhbGxlbmdl' });
    return outcome.ok ? outcome.value : outcome.reason;
  }
  async function loggedIn(authenticator: SoftwareAuthenticator, faults: CeremonyFaults = {}, counter = 0) {
    const known = await registered(authenticator);
    if (typeof known === 'string') return known;
    const { credentialId } = authenticator;
    const expected = { ...known, counter, credentialId, challengeHex };
    const outcome = await assert({ ...authenticator.assert(challengeHex, faults), expected });
    return outcome.ok ? outcome.value.counter : outcome.reason;
  }

  test('a software authenticator registers and logs in with any user verification, origin, parent domain or app', async () => {
    for (const options of [
      {},
      { userVerified: false },
      { rpId: 'example.org' },
      { origin: 'http://localhost:5173' },
      { origin: 'android:apk-key-hash:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU', rpId: 'example.org' },
    ])
      expect(await loggedIn(made(options))).toBe(1);
  });

  test('a software authenticator counts its logins, unless it has no counter', async () => {
    const counting = made({ counter: 7 });
    expect(await registered(counting)).toMatchObject({ counter: 7 });
    expect([await loggedIn(counting, {}, 7), await loggedIn(counting, {}, 8)]).toEqual([8, 9]);
    const without = made({ counter: null });
    expect([await loggedIn(without), await loggedIn(without)]).toEqual([0, 0]);
  });

  test('a clone of a software authenticator is refused, because its counter falls behind', async () => {
    const original = made();
    const clone = original.clone();
    expect([await loggedIn(original, {}, 0), await loggedIn(original, {}, 1)]).toEqual([1, 2]);
    expect(await loggedIn(clone, {}, 2)).toBe(
      'passkey signature counter did not grow: the authenticator may be cloned',
    );
  });

  test.each([
    [{ origin: 'https://evil.example' }, 'passkey RP id does not belong to the origin'],
    [{ rpId: 'evil.example' }, 'passkey RP id does not belong to the origin'],
    [{ challenge: 'other' }, 'passkey challenge does not match the issued one'],
    [{ userPresent: false }, 'passkey user presence bit is not set'],
    [{ credentialId: 'AAAA' }, 'passkey credential id does not match the attested one'],
  ])('a passkey registration with %j is refused', async (faults, reason) => {
    expect(await registered(made(), faults)).toBe(reason);
  });

  test.each([
    [{ origin: 'https://evil.example' }, 'passkey origin is not the one of the registration'],
    [{ rpId: 'evil.example' }, 'passkey RP id is not the one of the registration'],
    [{ challenge: 'other' }, 'passkey challenge does not match the issued one'],
    [{ userPresent: false }, 'passkey user presence bit is not set'],
    [{ credentialId: 'AAAA' }, 'passkey credential id is not the registered one'],
    [{ wrongKey: true }, 'passkey signature does not verify'],
  ])('a passkey login with %j is refused', async (faults, reason) => {
    expect(await loggedIn(made(), faults)).toBe(reason);
  });
});

describe('OIDC tokens', () => {
  const options = { issuers: ['https://accounts.google.com'], fresh: true };

  test('an OIDC token of the testkit is fresh, bound to the client key, and takes any claim', async () => {
    const parsed = parseOidc(
      await mintOidcToken({ nonceFor: clientKey.uncompressed, sub: 'zoe', claims: { hd: 'x' } }),
    );
    expect(parsed).toMatchObject({ ok: true, value: { hd: 'x', nonce: nonceFor(client.uncompressed) } });
    if (parsed.ok)
      expect(checkOidc(parsed.value, Date.now(), options)).toMatchObject({ ok: true, value: { sub: 'zoe' } });
  });

  test('an OIDC token of the testkit is signed by an issuer when a key is given', async () => {
    const [key, other] = [await createOidcKey(), await createOidcKey()];
    const token = await mintOidcToken({ key });
    expect(parseOidc(token).ok).toBe(true);
    expect((await verifyOidcSignature(token, key.jwks)).ok).toBe(true);
    expect((await verifyOidcSignature(token, other.jwks)).ok).toBe(false);
    expect((await verifyOidcSignature(await mintOidcToken(), key.jwks)).ok).toBe(false);
  });
});

describe('webhook signatures', () => {
  const { publicKey, header, body } = WEBHOOK;
  test('verifyWebhook accepts the published signature, as JSON or bare, with escaped newlines in the key, as text or bytes', () => {
    expect(verifyWebhook(publicKey, header, body)).toBe(true);
    expect(verifyWebhook(publicKey, JSON.parse(header).s, body)).toBe(true);
    expect(verifyWebhook(publicKey.replaceAll('\n', '\\n'), header, Buffer.from(body))).toBe(true);
  });

  test('verifyWebhook refuses another body, another version, another key, and no signature', () => {
    expect(verifyWebhook(publicKey, header, `${body} `)).toBe(false);
    expect(verifyWebhook(publicKey, header.replace('"1"', '"2"'), body)).toBe(false);
    for (const wrong of ['', '{}', '{', 'null', '{"v":"1","s":7}'])
      expect(verifyWebhook(publicKey, wrong, body)).toBe(false);
    expect(verifyWebhook('no key', header, body)).toBe(false);
  });
});
