import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { claims, clientKey, nonceOf, refused, token, type WalletKit, walletKit } from '../../kit/wallet.ts';

async function ready() {
  const it = await walletKit();
  const { key } = await it.login();
  const oauth = await it.addOauth(key);
  return { it, key, oauth, path: `/auth/credentials/${oauth.id}/verify` };
}

/** A login with any claim replaced. */
const body = (it: WalletKit, more: Record<string, unknown> = {}, clientPublicKey = clientKey().uncompressed) => ({
  type: 'OAUTH',
  oidcToken: token(claims(it.now(), { nonce: nonceOf(clientPublicKey), ...more })),
  clientPublicKey,
});

describe('POST /auth/credentials/{id}/verify, OAUTH, 200 (spec 5 rule 8)', () => {
  test('a login by a fresh OAUTH token opens a session in one call, and an uncompressed key receives a sealed key that signs', async () => {
    const { it, oauth } = await ready();
    const { key, session } = await it.oauthLogin(oauth.id);
    expect(session).toEqual({
      id: expect.stringMatching(/^Session:/),
      accountId: it.accountId,
      type: 'OAUTH',
      nickname: 'zoe.oidc@example.org',
      createdAt: '2026-01-05T09:00:00.000Z',
      updatedAt: '2026-01-05T09:00:00.000Z',
      expiresAt: '2026-01-05T09:15:00.000Z',
      encryptedSessionSigningKey: expect.any(String),
    });
    expect((await it.sign(key, 'DELETE', `/auth/sessions/${session.id}`)).status).toBe(204);
  });

  test('a login by an OAUTH token with a compressed key receives no sealed key, and that key signs', async () => {
    const { it, oauth } = await ready();
    const { key, session } = await it.oauthLogin(oauth.id, 'compressed');
    expect(session).not.toHaveProperty('encryptedSessionSigningKey');
    expect((await it.sign(key, 'DELETE', `/auth/sessions/${session.id}`)).status).toBe(204);
  });

  test('a login accepts an OAUTH token with one audience in a list, an age of 60 seconds, and clocks 5 seconds apart (spec 5.1 rule 3)', async () => {
    const { it, oauth } = await ready();
    const now = Math.floor(it.now() / 1000);
    for (const more of [{ aud: ['app-1'] }, { iat: now - 60 }, { iat: now - 65 }, { iat: now + 5 }, { exp: now + 1 }])
      expect((await it.oauthLogin(oauth.id, 'uncompressed', more)).session.type).toBe('OAUTH');
  });

  test('a login by an OAUTH token ignores the headers of a signature (reference 3.5)', async () => {
    const { it, path } = await ready();
    const headers = { 'service-wallet-signature': 'x', 'request-id': 'Request:unknown' };
    expect((await it.post(path, body(it), { headers })).status).toBe(200);
    expect((await it.post(path, body(it), { headers: { 'request-id': 'Request:x' } })).status).toBe(200);
  });

  test('the same OAUTH token opens another session with another key each time, also in calls at the same time', async () => {
    const { it, path } = await ready();
    const client = clientKey();
    const sent = body(it, {}, client.uncompressed);
    const send = () => it.overlapping('POST', path, sent);
    const answers = [...(await Promise.all([send(), send(), send()])), await it.post(path, sent)];
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(4);
    expect(new Set(answers.map((answer) => answer.body.encryptedSessionSigningKey)).size).toBe(4);
  });
});

describe('POST /auth/credentials/{id}/verify, OAUTH, 401 with the failed check (spec 5.1 rules 3, 5)', () => {
  const SECONDS = Date.parse('2026-01-05T09:00:00Z') / 1000;
  test.each<[string, Record<string, unknown>, string]>([
    ['another supported issuer', { iss: 'https://appleid.apple.com' }, 'OIDC iss does not match the credential'],
    ['another spelling of the issuer', { iss: 'accounts.google.com' }, 'OIDC iss does not match the credential'],
    ['another audience', { aud: 'app-2' }, 'OIDC aud does not match the credential'],
    ['two audiences', { aud: ['app-1', 'app-2'] }, 'OIDC token audience (aud) is not one non-empty string'],
    ['another subject', { sub: 'user-2' }, 'OIDC sub does not match the credential'],
    ['an issue time 66 seconds ago', { iat: SECONDS - 66 }, 'OIDC token issue time (iat) is more than 60 seconds ago'],
    ['an issue time 6 seconds ahead', { iat: SECONDS + 6 }, 'OIDC token issue time (iat) is in the future'],
    ['an issue time that is text', { iat: String(SECONDS) }, 'OIDC token issue time (iat) is not a number'],
    ['an expiry that has passed', { exp: SECONDS }, 'OIDC token has expired (exp)'],
    ['no expiry', { exp: undefined }, 'OIDC token expiry (exp) is not a number'],
    ['no nonce', { nonce: undefined }, 'OIDC nonce does not match clientPublicKey'],
    ['a nonce that is a number', { nonce: 1 }, 'OIDC nonce does not match clientPublicKey'],
  ])('a login by an OAUTH token with %s is refused with 401', async (_name, more, reason) => {
    const { it, path } = await ready();
    expect(refused(await it.post(path, body(it, more)))).toEqual([401, 'UNAUTHORIZED', reason]);
  });

  test('an OAUTH nonce has to be the hash of the key as sent: no other form, case or encoding of key or hash is accepted', async () => {
    const { it, path } = await ready();
    const { uncompressed, compressed } = clientKey();
    for (const nonce of [
      nonceOf(compressed),
      nonceOf(uncompressed.toUpperCase()),
      nonceOf(Buffer.from(uncompressed, 'hex').toString('latin1')),
      nonceOf(uncompressed).toUpperCase(),
      `${nonceOf(uncompressed)} `,
    ])
      expect(refused(await it.post(path, body(it, { nonce }, uncompressed)))[2]).toBe(
        'OIDC nonce does not match clientPublicKey',
      );
    const upper = `04${uncompressed.slice(2).toUpperCase()}`;
    expect((await it.post(path, body(it, {}, upper))).status).toBe(200);
  });

  test('an OAUTH token ages by the virtual clock', async () => {
    const { it, path } = await ready();
    const sent = body(it);
    await it.advance('PT1M5S');
    expect((await it.post(path, sent)).status).toBe(200);
    await it.advance('PT1S');
    expect(refused(await it.post(path, sent))[2]).toBe('OIDC token issue time (iat) is more than 60 seconds ago');
  });
});

describe('POST /auth/credentials/{id}/verify, OAUTH, 400 and 404', () => {
  test('a login by a malformed OAUTH token or key, an unsupported issuer, or the old literal is refused with 400 (spec 5.1 rules 3, 5)', async () => {
    const { it, path } = await ready();
    const good = body(it);
    const [head, payload] = good.oidcToken.split('.');
    for (const oidcToken of [
      'sandbox-valid-oidc-token',
      `${head}.${payload}`,
      `${head}.${payload}.`,
      `${head}.!.x`,
      `.${payload}.x`,
      token(claims(it.now(), { iss: 'https://issuer.example.org' })),
      token([]),
    ]) {
      const answer = await it.post(path, { ...good, oidcToken });
      expect([answer.status, answer.body.code, answer.body.details.errors[0].field]).toEqual([
        400,
        'INVALID_INPUT',
        'oidcToken',
      ]);
    }
    for (const clientPublicKey of ['', '04', `04${'0'.repeat(128)}`, `05${'1'.repeat(64)}`, undefined])
      expect((await it.post(path, { ...good, clientPublicKey })).body.code).toBe('INVALID_INPUT');
  });

  test('a login by an OAUTH token is refused with 400 for a credential of another type, and with 404 for an unknown one', async () => {
    const { it } = await ready();
    const unknown = 'AuthMethod:00000000-0000-7000-8000-000000000000';
    expect((await it.post(`/auth/credentials/${it.emailOtp}/verify`, body(it))).status).toBe(400);
    expect((await it.post(`/auth/credentials/${unknown}/verify`, body(it))).body.code).toBe('REFERENCE_NOT_FOUND');
  });
});

describe('platform.verifyOidcSignatures (spec 5 rule 8)', () => {
  async function signed(alg: 'ES256' | 'RS256' = 'ES256') {
    const { publicKey, privateKey } = await generateKeyPair(alg);
    const oidcJwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg }] };
    const it = await walletKit({ scenario: ['wallet', { platform: { verifyOidcSignatures: true, oidcJwks } }] });
    const { key } = await it.login();
    const mint = (payload: object, by = privateKey, kid = 'one') =>
      new SignJWT({ ...payload }).setProtectedHeader({ alg, kid }).sign(by);
    const create = (oidcToken: string) => ({ type: 'OAUTH', accountId: it.accountId, oidcToken });
    return { it, key, mint, create, alg };
  }

  test.each(['ES256', 'RS256'] as const)('an OAUTH token that a published %s key signed is accepted', async (alg) => {
    const { it, key, mint, create } = await signed(alg);
    const added = await it.sign(key, 'POST', '/auth/credentials', create(await mint(claims(it.now()))));
    expect(added.status).toBe(201);
    const client = clientKey();
    const oidcToken = await mint(claims(it.now(), { nonce: nonceOf(client.uncompressed) }));
    const path = `/auth/credentials/${added.body.id}/verify`;
    const answer = await it.post(path, { type: 'OAUTH', oidcToken, clientPublicKey: client.uncompressed });
    expect(answer.status).toBe(200);
  });

  test('an OAUTH token that the key of another issuer signed is refused with 401', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const oidcJwks = {
      keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', issuer: 'https://accounts.google.com' }],
    };
    const it = await walletKit({ scenario: ['wallet', { platform: { verifyOidcSignatures: true, oidcJwks } }] });
    const { key } = await it.login();
    const create = async (iss: string) => {
      const oidcToken = await new SignJWT({ ...claims(it.now()), iss })
        .setProtectedHeader({ alg: 'ES256' })
        .sign(privateKey);
      return it.sign(key, 'POST', '/auth/credentials', { type: 'OAUTH', accountId: it.accountId, oidcToken });
    };
    expect((await create('https://appleid.apple.com')).status).toBe(401);
    expect((await create('https://accounts.google.com')).status).toBe(201);
  });

  test('an OAUTH token with an unknown key or key id, a dummy signature or alg none is refused with 401, on create and on verify', async () => {
    const { it, key, mint, create } = await signed();
    const added = await it.sign(key, 'POST', '/auth/credentials', create(await mint(claims(it.now()))));
    const clientPublicKey = clientKey().uncompressed;
    const stranger = (await generateKeyPair('ES256')).privateKey;
    const content = claims(it.now(), { sub: 'user-9', nonce: nonceOf(clientPublicKey) });
    const none = token(content, { alg: 'none' });
    for (const oidcToken of [
      await mint(content, stranger),
      await mint(content, stranger, 'two'),
      token(content, { alg: 'ES256', kid: 'one' }),
      none,
      `${none.split('.').slice(0, 2).join('.')}.AA`,
    ]) {
      const answers = [
        await it.post('/auth/credentials', create(oidcToken)),
        await it.post(`/auth/credentials/${added.body.id}/verify`, { type: 'OAUTH', oidcToken, clientPublicKey }),
      ];
      for (const answer of answers) {
        expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHORIZED']);
        expect(answer.body.reason).toMatch(/^OIDC token (signature does not verify|is signed with a key)/);
      }
    }
  });

  test('a scenario adds supported OIDC issuers', async () => {
    const it = await walletKit({ scenario: ['wallet', { platform: { oidcIssuers: ['https://login.example.org'] } }] });
    const { key } = await it.login();
    const added = await it.addOauth(key, { iss: 'https://login.example.org', email: undefined });
    expect(added).toMatchObject({ type: 'OAUTH', nickname: 'user-1' });
    expect((await it.oauthLogin(added.id, 'compressed', { iss: 'https://login.example.org' })).session.type).toBe(
      'OAUTH',
    );
  });
});
