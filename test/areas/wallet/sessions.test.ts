import { describe, expect, test } from 'vitest';
import { clientKey, type Form, proof, refused, sessionKeyOf, walletKit } from '../../kit/wallet.ts';

const pathOf = (id: string) => `/auth/sessions/${id}`;
const UNKNOWN = 'Session:00000000-0000-7000-8000-000000000000';

describe('POST /auth/sessions/{id}/refresh, 202 then 201 (spec 3.5, 4.6)', () => {
  test.each<Form>(['uncompressed', 'compressed'])(
    'a refresh with a key that is %s opens another session with another key, and the old one lasts until its end',
    async (form) => {
      const it = await walletKit();
      const { key, session } = await it.login();
      await it.advance('PT10M');
      const client = clientKey();
      const first = await it.post(`${pathOf(session.id)}/refresh`, { clientPublicKey: client[form] });
      expect(first.status).toBe(202);
      expect(Object.keys(first.body).sort()).toEqual(['expiresAt', 'payloadToSign', 'requestId']);
      const headers = await proof(key, first);
      const last = await it.post(`${pathOf(session.id)}/refresh`, { clientPublicKey: client[form] }, { headers });
      expect(last.status).toBe(201);
      expect(last.body).toEqual({
        id: expect.stringMatching(/^Session:/),
        accountId: it.accountId,
        type: 'EMAIL_OTP',
        nickname: 'zoe@example.com',
        createdAt: '2026-01-05T09:10:00.000Z',
        updatedAt: '2026-01-05T09:10:00.000Z',
        expiresAt: '2026-01-05T09:25:00.000Z',
        ...(form === 'uncompressed' ? { encryptedSessionSigningKey: expect.any(String) } : {}),
      });
      expect(last.body.id).not.toBe(session.id);
      // The old one signs until its own end, the new one beyond it.
      const fresh = sessionKeyOf(client, last.body);
      const privacy = `/internal-accounts/${it.accountId}`;
      expect((await it.sign(key, 'PATCH', privacy, { privateEnabled: true })).status).toBe(200);
      await it.advance('PT6M');
      expect((await it.sign(key, 'PATCH', privacy, { privateEnabled: true })).status).toBe(401);
      expect((await it.sign(fresh, 'PATCH', privacy, { privateEnabled: true })).status).toBe(200);
    },
  );

  test('a refreshed session can be refreshed by its own key', async () => {
    const it = await walletKit();
    let { key, session } = await it.login();
    for (const form of ['uncompressed', 'compressed', 'uncompressed'] as const) {
      await it.advance('PT14M');
      const client = clientKey();
      const body = { clientPublicKey: client[form] };
      session = (await it.sign(key, 'POST', `${pathOf(session.id)}/refresh`, body)).body;
      key = sessionKeyOf(client, session);
    }
    expect(session.expiresAt).toBe('2026-01-05T09:57:00.000Z');
    expect((await it.sign(key, 'DELETE', pathOf(session.id))).status).toBe(204);
  });

  test('a refresh delivers the sealed key once, and the key is never listed', async () => {
    const it = await walletKit();
    const { key, session } = await it.login();
    const body = { clientPublicKey: clientKey().uncompressed };
    const first = await it.post(`${pathOf(session.id)}/refresh`, body);
    const headers = await proof(key, first);
    const path = `${pathOf(session.id)}/refresh`;
    const { encryptedSessionSigningKey } = (await it.post(path, body, { headers })).body;
    expect(refused(await it.post(path, body, { headers }))[2]).toBe('Request-Id was used before');
    const listed = (await it.get('/auth/sessions', { accountId: it.accountId })).text;
    expect(listed).not.toContain(encryptedSessionSigningKey);
  });
});

describe('refusals of POST /auth/sessions/{id}/refresh', () => {
  test('a refresh that another session of the wallet signs is refused with 401', async () => {
    const it = await walletKit();
    const { key, session } = await it.login();
    const { key: other } = await it.login();
    const body = { clientPublicKey: clientKey().compressed };
    const first = await it.post(`${pathOf(session.id)}/refresh`, body);
    expect(
      refused(await it.post(`${pathOf(session.id)}/refresh`, body, { headers: await proof(other, first) })),
    ).toEqual([401, 'WALLET_SIGNATURE_INVALID', 'a refresh is signed by the session that it refreshes']);
    const good = await it.post(`${pathOf(session.id)}/refresh`, body, { headers: await proof(key, first) });
    expect(good.status).toBe(201);
  });

  test('a refresh with another key on the retry, or another form of the same key, is refused as another body (reference 9)', async () => {
    const it = await walletKit();
    const { key, session } = await it.login();
    const client = clientKey();
    const path = `${pathOf(session.id)}/refresh`;
    const first = await it.post(path, { clientPublicKey: client.uncompressed });
    const headers = await proof(key, first);
    for (const clientPublicKey of [client.compressed, clientKey().uncompressed])
      expect(refused(await it.post(path, { clientPublicKey }, { headers }))[1]).toBe('WALLET_SIGNATURE_BODY_MISMATCH');
  });

  test('a refresh of an expired or revoked session is refused with 401, and of an unknown one with 404 (S19)', async () => {
    const it = await walletKit();
    const { key, session } = await it.login();
    const body = { clientPublicKey: clientKey().compressed };
    await it.advance('PT14M59S');
    const first = await it.post(`${pathOf(session.id)}/refresh`, body);
    const headers = await proof(key, first);
    await it.advance('PT1S');
    const over = [401, 'UNAUTHORIZED', 'the session is no longer active'];
    expect(refused(await it.post(`${pathOf(session.id)}/refresh`, body, { headers }))).toEqual(over);
    expect(refused(await it.post(`${pathOf(session.id)}/refresh`, body))).toEqual(over);
    const { key: fresh, session: second } = await it.login();
    await it.sign(fresh, 'DELETE', pathOf(second.id));
    expect(refused(await it.post(`${pathOf(second.id)}/refresh`, body))).toEqual(over);
    expect((await it.post(`${pathOf(UNKNOWN)}/refresh`, body)).body.code).toBe('REFERENCE_NOT_FOUND');
  });

  test('a refresh of a session that is revoked between the two calls is refused with 401 (S19)', async () => {
    const it = await walletKit();
    const { key, session } = await it.login();
    const body = { clientPublicKey: clientKey().compressed };
    const first = await it.post(`${pathOf(session.id)}/refresh`, body);
    await it.sign(key, 'DELETE', pathOf(session.id));
    const answer = await it.post(`${pathOf(session.id)}/refresh`, body, { headers: await proof(key, first) });
    expect(refused(answer)).toEqual([401, 'UNAUTHORIZED', 'the session is no longer active']);
  });

  test('a refresh and every signature by the session of a revoked credential are refused with 401 (S19, spec 3.5)', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const oauth = await it.addOauth(key);
    const { key: gone, session } = await it.oauthLogin(oauth.id);
    await it.sign(key, 'DELETE', `/auth/credentials/${oauth.id}`);
    const body = { clientPublicKey: clientKey().uncompressed };
    expect(refused(await it.post(`${pathOf(session.id)}/refresh`, body))[0]).toBe(401);
    const calls = [
      ['POST', `/internal-accounts/${it.accountId}/export`, body],
      ['PATCH', `/internal-accounts/${it.accountId}`, { privateEnabled: true }],
      ['POST', '/auth/credentials', { type: 'SMS_OTP', accountId: it.accountId }],
      ['PATCH', `/customers/${it.customerId}`, { email: 'new@example.org' }],
    ] as const;
    for (const [method, path, sent] of calls)
      expect(refused(await it.sign(gone, method, path, sent))).toEqual([
        401,
        'WALLET_SIGNATURE_INVALID',
        'the session of this key was revoked',
      ]);
    expect((await it.get('/auth/sessions', { accountId: it.accountId })).body.data).toHaveLength(1);
  });

  test('a refresh is refused with INVALID_INPUT without a key that is a point on P-256', async () => {
    const it = await walletKit();
    const { session } = await it.login();
    for (const clientPublicKey of [undefined, '04', `02${'ff'.repeat(32)}`])
      expect((await it.post(`${pathOf(session.id)}/refresh`, { clientPublicKey })).body.code).toBe('INVALID_INPUT');
  });
});

describe('DELETE /auth/sessions/{id}, 202 then 204 (spec 3.5, 4.6)', () => {
  test('a session that revokes itself signs no more, and its credential can log in again', async () => {
    const it = await walletKit();
    const { key, session } = await it.login();
    const first = await it.del(pathOf(session.id));
    expect([first.status, first.body.type]).toEqual([202, 'EMAIL_OTP']);
    const last = await it.del(pathOf(session.id), { headers: await proof(key, first) });
    expect([last.status, last.text]).toEqual([204, '']);
    const answer = await it.sign(key, 'PATCH', `/internal-accounts/${it.accountId}`, { privateEnabled: true });
    expect(refused(answer)).toEqual([401, 'WALLET_SIGNATURE_INVALID', 'the session of this key was revoked']);
    expect((await it.login()).session.type).toBe('EMAIL_OTP');
  });

  test('a session can revoke another one of the wallet and stays; the 202 names the type of the revoked one', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const oauth = await it.addOauth(key);
    const { session } = await it.oauthLogin(oauth.id);
    const first = await it.del(pathOf(session.id));
    expect(first.body.type).toBe('OAUTH');
    expect((await it.del(pathOf(session.id), { headers: await proof(key, first) })).status).toBe(204);
    expect((await it.sign(key, 'DELETE', pathOf(session.id))).status).toBe(404);
    expect((await it.get('/auth/sessions', { accountId: it.accountId })).body.data).toHaveLength(1);
  });

  test('a key that has two sessions still signs after one of them is revoked', async () => {
    const it = await walletKit();
    const { key, session } = await it.login();
    await it.login(key);
    expect((await it.sign(key, 'DELETE', pathOf(session.id))).status).toBe(204);
    const privacy = await it.sign(key, 'PATCH', `/internal-accounts/${it.accountId}`, { privateEnabled: true });
    expect(privacy.status).toBe(200);
  });
});

describe('refusals of DELETE /auth/sessions/{id}', () => {
  test('a revocation of an unknown, expired or revoked session is refused with REFERENCE_NOT_FOUND', async () => {
    const it = await walletKit();
    const { session: old } = await it.login();
    await it.advance('PT15M');
    const { key, session } = await it.login();
    await it.sign(key, 'DELETE', pathOf(session.id));
    for (const id of [UNKNOWN, old.id, session.id, 'x'])
      expect((await it.del(pathOf(id))).body.code).toBe('REFERENCE_NOT_FOUND');
  });

  test('a revocation of a session ignores a body on the retry (H4)', async () => {
    const it = await walletKit();
    const { key, session } = await it.login();
    const headers = await proof(key, await it.del(pathOf(session.id)));
    const answer = await it.call('DELETE', pathOf(session.id), { all: true }, { headers });
    expect(answer.status).toBe(204);
  });

  test('a replay of a completed sign-out is refused because its Request-Id was used, not as an unknown session', async () => {
    const it = await walletKit();
    const { key, session } = await it.login();
    const headers = await proof(key, await it.del(pathOf(session.id)));
    expect((await it.del(pathOf(session.id), { headers })).status).toBe(204);
    expect(refused(await it.del(pathOf(session.id), { headers }))[2]).toBe('Request-Id was used before');
  });
});
