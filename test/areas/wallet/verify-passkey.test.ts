import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Authenticator, clientKey, refused, type WalletKit, walletKit } from '../../kit/wallet.ts';

/** Zoe's wallet with a passkey on it. */
async function ready(authenticator = new Authenticator()) {
  const it = await walletKit();
  const { key } = await it.login();
  const passkey = await it.addPasskey(key, authenticator);
  return { it, key, authenticator, passkey };
}

/** Challenge, assertion with any part replaced, and what `/verify` answered. */
async function verify(
  it: WalletKit,
  credential: string,
  authenticator: Authenticator,
  replaced: Parameters<Authenticator['get']>[1] = {},
) {
  const { path, body, headers } = await it.asserted(credential, authenticator, clientKey(), 'uncompressed', replaced);
  return it.post(path, body, { headers });
}

describe('POST /auth/credentials/{id}/verify, PASSKEY, 200 (spec 5 rule 9)', () => {
  test('a login by passkey with an uncompressed key receives a sealed session key, which signs and is never listed', async () => {
    const { it, authenticator, passkey } = await ready();
    const { key, session } = await it.passkeyLogin(passkey.id, authenticator);
    expect(session).toEqual({
      id: expect.stringMatching(/^Session:/),
      accountId: it.accountId,
      type: 'PASSKEY',
      credentialId: authenticator.credentialId,
      nickname: 'Phone',
      createdAt: '2026-01-05T09:00:00.000Z',
      updatedAt: '2026-01-05T09:00:00.000Z',
      expiresAt: '2026-01-05T09:15:00.000Z',
      encryptedSessionSigningKey: expect.any(String),
    });
    const listed = (await it.get('/auth/sessions', { accountId: it.accountId })).text;
    expect(listed).toContain(session.id);
    expect(listed).not.toContain('encryptedSessionSigningKey');
    expect((await it.sign(key, 'DELETE', `/auth/sessions/${session.id}`)).status).toBe(204);
  });

  test('a login by passkey with a compressed key receives no sealed key, and that key signs (reference 9)', async () => {
    const { it, authenticator, passkey } = await ready();
    const { key, session } = await it.passkeyLogin(passkey.id, authenticator, 'compressed');
    expect(session).not.toHaveProperty('encryptedSessionSigningKey');
    const path = `/internal-accounts/${it.accountId}`;
    expect((await it.sign(key, 'PATCH', path, { privateEnabled: true })).status).toBe(200);
  });

  test('an uncompressed key of a login by passkey cannot sign: only the sealed session key can', async () => {
    const { it, authenticator, passkey } = await ready();
    const client = clientKey();
    const { path, body, headers } = await it.asserted(passkey.id, authenticator, client);
    expect((await it.post(path, body, { headers })).status).toBe(200);
    const answer = await it.sign(client, 'PATCH', `/internal-accounts/${it.accountId}`, { privateEnabled: true });
    expect(refused(answer)[1]).toBe('WALLET_SIGNATURE_INVALID');
  });

  test('every login by passkey seals another key', async () => {
    const { it, authenticator, passkey } = await ready();
    const keys = new Set<string>();
    for (let i = 0; i < 4; i += 1) keys.add((await it.passkeyLogin(passkey.id, authenticator)).key.privateKey);
    expect(keys.size).toBe(4);
  });

  test.each([
    ['RS256', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['EdDSA', () => generateKeyPairSync('ed25519')],
  ])('a passkey of type %s logs in like one of type ES256 (reference 10.9)', async (_name, keys) => {
    const { it, authenticator, passkey } = await ready(new Authenticator(keys()));
    expect((await it.passkeyLogin(passkey.id, authenticator)).session.type).toBe('PASSKEY');
  });

  test('a login by passkey accepts signatures with a high and with a low S', async () => {
    const { it, authenticator, passkey } = await ready();
    const half = BigInt('0x7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8');
    const seen = { high: 0, low: 0 };
    while (seen.high < 2 || seen.low < 2) {
      const { path, body, headers } = await it.asserted(passkey.id, authenticator, clientKey());
      const der = Buffer.from(body.assertion.signature, 'base64url');
      const s = BigInt(`0x${der.subarray(4 + (der[3] as number) + 2).toString('hex')}`);
      seen[s > half ? 'high' : 'low'] += 1;
      expect((await it.post(path, body, { headers })).status).toBe(200);
    }
  });

  test('a login by passkey accepts a counter that stays 0', async () => {
    const { it, authenticator, passkey } = await ready();
    for (let i = 0; i < 2; i += 1)
      expect((await verify(it, passkey.id, authenticator, { counter: 0 })).status).toBe(200);
  });

  test('a login by passkey accepts userHandle null and ignores a wallet signature header (reference 3.6)', async () => {
    const { it, authenticator, passkey } = await ready();
    const { path, body, headers } = await it.asserted(passkey.id, authenticator, clientKey());
    const answer = await it.post(
      path,
      { type: 'PASSKEY', assertion: { ...body.assertion, userHandle: null } },
      { headers: { ...headers, 'service-wallet-signature': 'a dummy' } },
    );
    expect(answer.status).toBe(200);
  });

  test('the literal passkey signature skips the WebAuthn checks but not the request id (spec 5.1 rule 2)', async () => {
    const { it, authenticator, passkey } = await ready();
    const { path, body, headers } = await it.asserted(passkey.id, authenticator, clientKey());
    const legacy = (credentialId: string) => ({
      type: 'PASSKEY',
      assertion: { ...body.assertion, credentialId, signature: 'sandbox-valid-passkey-signature' },
    });
    expect(refused(await it.post(path, legacy(body.assertion.credentialId)))[1]).toBe('REQUEST_ID_MISSING');
    expect((await it.post(path, legacy(new Authenticator().credentialId), { headers })).status).toBe(401);
    const answer = await it.post(path, legacy(body.assertion.credentialId), { headers });
    expect(answer.status).toBe(200);
    expect(answer.body.encryptedSessionSigningKey).toEqual(expect.any(String));
    expect((await it.post(path, legacy(body.assertion.credentialId), { headers })).status).toBe(401);
    const entries = (await it.control('GET', '/requests')).body.data;
    expect(entries[1].magic[0]).toContain('sandbox-valid-passkey-signature');
  });
});

describe('POST /auth/credentials/{id}/verify, PASSKEY, 401: the request id (spec 5 rules 5, 9)', () => {
  test('a login by passkey is refused with REQUEST_ID_MISSING without a request id, and with UNAUTHORIZED for an unknown one', async () => {
    const { it, authenticator, passkey } = await ready();
    const { path, body } = await it.asserted(passkey.id, authenticator, clientKey());
    expect(refused(await it.post(path, body))).toEqual([401, 'REQUEST_ID_MISSING', 'Request-Id is missing']);
    const headers = { 'request-id': 'Request:00000000-0000-7000-8000-000000000000' };
    expect(refused(await it.post(path, body, { headers }))).toEqual([
      401,
      'UNAUTHORIZED',
      'Request-Id is unknown, superseded or used',
    ]);
  });

  test('a request id of a passkey challenge counts once: of two equal assertions that are sent together, one succeeds', async () => {
    const { it, authenticator, passkey } = await ready();
    const { path, body, headers } = await it.asserted(passkey.id, authenticator, clientKey());
    const send = () => it.overlapping('POST', path, body, { headers });
    const answers = await Promise.all([send(), send()]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 401]);
    expect((await it.post(path, body, { headers })).status).toBe(401);
  });

  test('a newer passkey challenge supersedes the older one', async () => {
    const { it, authenticator, passkey } = await ready();
    const older = await it.asserted(passkey.id, authenticator, clientKey());
    const newer = await it.asserted(passkey.id, authenticator, clientKey());
    expect((await it.post(older.path, older.body, { headers: older.headers })).status).toBe(401);
    expect((await it.post(newer.path, newer.body, { headers: newer.headers })).status).toBe(200);
  });

  test('a passkey challenge expires after five minutes', async () => {
    const { it, authenticator, passkey } = await ready();
    const late = await it.asserted(passkey.id, authenticator, clientKey());
    await it.advance('PT5M');
    expect(refused(await it.post(late.path, late.body, { headers: late.headers }))[2]).toBe('Request-Id has expired');
    const intime = await it.asserted(passkey.id, authenticator, clientKey());
    await it.advance('PT4M59S');
    expect((await it.post(intime.path, intime.body, { headers: intime.headers })).status).toBe(200);
  });

  test('a login by passkey is refused with the request id of another credential or of a signed retry', async () => {
    const { it, key, authenticator, passkey } = await ready();
    const second = new Authenticator();
    const other = await it.addPasskey(key, second, 'Laptop');
    const mine = await it.asserted(passkey.id, authenticator, clientKey());
    const theirs = await it.asserted(other.id, second, clientKey());
    expect(refused(await it.post(mine.path, mine.body, { headers: theirs.headers }))[2]).toBe(
      'Request-Id belongs to another credential',
    );
    const signed = await it.del(`/auth/credentials/${other.id}`);
    const headers = { 'request-id': signed.body.requestId };
    expect((await it.post(mine.path, mine.body, { headers })).status).toBe(401);
    expect((await it.post(mine.path, mine.body, { headers: mine.headers })).status).toBe(200);
  });
});

describe('POST /auth/credentials/{id}/verify, PASSKEY, 401: the assertion (spec 5.1 rule 2)', () => {
  const id = new Authenticator().credentialId;
  test.each<[string, Parameters<Authenticator['get']>[1], string]>([
    ['another challenge', { challengeHex: 'ab'.repeat(32) }, 'passkey challenge does not match the issued one'],
    ['another origin', { origin: 'https://evil.example.org' }, 'passkey origin is not the one of the registration'],
    ['another RP id', { rpId: 'example.org' }, 'passkey RP id is not the one of the registration'],
    ['no user presence', { flags: 0x04 }, 'passkey user presence bit is not set'],
    ['another ceremony', { type: 'webauthn.create' }, 'passkey client data type is not webauthn.get'],
  ])('a passkey assertion with %s is refused with 401', async (_name, replaced, reason) => {
    const { it, authenticator, passkey } = await ready();
    expect(refused(await verify(it, passkey.id, authenticator, replaced))).toEqual([401, 'UNAUTHORIZED', reason]);
  });

  test('a passkey assertion over the 32 bytes of the challenge is refused: it has to sign the text of the hex', async () => {
    const { it, authenticator, passkey } = await ready();
    const { body } = await it.post(`/auth/credentials/${passkey.id}/challenge`, {
      clientPublicKey: clientKey().uncompressed,
    });
    expect(body.challenge).toMatch(/^[0-9a-f]{64}$/);
    const bytes = Buffer.from(body.challenge, 'hex').toString('base64url');
    const answer = await it.post(
      `/auth/credentials/${passkey.id}/verify`,
      { type: 'PASSKEY', assertion: authenticator.get(body.challenge, { challenge: bytes }) },
      { headers: { 'request-id': body.requestId } },
    );
    expect(refused(answer)[2]).toBe('passkey challenge does not match the issued one');
  });

  test('a passkey assertion with another credential id is refused although everything else is right', async () => {
    const { it, authenticator, passkey } = await ready();
    const { path, body, headers } = await it.asserted(passkey.id, authenticator, clientKey());
    const answer = await it.post(path, { ...body, assertion: { ...body.assertion, credentialId: id } }, { headers });
    expect(refused(answer)[2]).toBe('passkey credential id is not the registered one');
  });

  test('a passkey assertion that another key signed is refused', async () => {
    const { it, authenticator, passkey } = await ready();
    const { path, body, headers } = await it.asserted(passkey.id, new Authenticator(), clientKey());
    const answer = await it.post(
      path,
      { ...body, assertion: { ...body.assertion, credentialId: authenticator.credentialId } },
      { headers },
    );
    expect(refused(answer)[2]).toBe('passkey signature does not verify');
  });

  test('a passkey assertion whose counter does not grow is refused, and one that grows is accepted after it', async () => {
    const { it, authenticator, passkey } = await ready();
    expect((await verify(it, passkey.id, authenticator, { counter: 7 })).status).toBe(200);
    for (const counter of [7, 6, 0])
      expect(refused(await verify(it, passkey.id, authenticator, { counter }))[2]).toBe(
        'passkey signature counter did not grow: the authenticator may be cloned',
      );
    expect((await verify(it, passkey.id, authenticator, { counter: 8 })).status).toBe(200);
  });

  test('a login by a revoked passkey is refused with REFERENCE_NOT_FOUND', async () => {
    const { it, key, authenticator, passkey } = await ready();
    const { path, body, headers } = await it.asserted(passkey.id, authenticator, clientKey());
    await it.sign(key, 'DELETE', `/auth/credentials/${passkey.id}`);
    expect((await it.post(path, body, { headers })).body.code).toBe('REFERENCE_NOT_FOUND');
  });
});

describe('POST /auth/credentials/{id}/verify, PASSKEY, 400', () => {
  test('a login by passkey is refused with 400 for bytes that are not base64url, missing members, and a credential of another type', async () => {
    const { it, key, authenticator, passkey } = await ready();
    const { path, body, headers } = await it.asserted(passkey.id, authenticator, clientKey());
    const { signature: _, ...short } = body.assertion;
    for (const assertion of [{ ...body.assertion, authenticatorData: 'a b' }, short, undefined])
      expect((await it.post(path, { type: 'PASSKEY', assertion }, { headers })).body.code).toBe('INVALID_INPUT');
    const sealed = await it.sealedCode(key);
    expect((await it.post(path, sealed)).status).toBe(400);
    expect((await it.post(`/auth/credentials/${it.emailOtp}/verify`, body, { headers })).status).toBe(400);
  });
});
