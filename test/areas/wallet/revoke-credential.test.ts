import { describe, expect, test } from 'vitest';
import { Authenticator, clientKey, proof, refused, walletKit } from '../../kit/wallet.ts';

const pathOf = (id: string) => `/auth/credentials/${id}`;

/** A wallet with an OAUTH credential beside the one it was born with, and a session of each. */
async function ready() {
  const it = await walletKit();
  const { key: otpKey, session: otpSession } = await it.login();
  const oauth = await it.addOauth(otpKey);
  const { key: oauthKey, session: oauthSession } = await it.oauthLogin(oauth.id);
  const ids = async (path: string) =>
    (await it.get(path, { accountId: it.accountId })).body.data.map((row: { id: string }) => row.id);
  return { it, otpKey, otpSession, oauth, oauthKey, oauthSession, ids };
}

describe('DELETE /auth/credentials/{id}, 202 then 204 (spec 3.5, 4.5)', () => {
  test('a revoked credential ends with every session that it issued, also refreshed ones; other sessions stay', async () => {
    const { it, otpKey, otpSession, oauth, oauthKey, oauthSession, ids } = await ready();
    const client = clientKey();
    const refreshed = await it.sign(oauthKey, 'POST', `/auth/sessions/${oauthSession.id}/refresh`, {
      clientPublicKey: client.compressed,
    });
    expect(refreshed.status).toBe(201);
    const first = await it.del(pathOf(oauth.id));
    expect([first.status, first.body.type]).toEqual([202, 'OAUTH']);
    const last = await it.del(pathOf(oauth.id), { headers: await proof(otpKey, first) });
    expect([last.status, last.text]).toEqual([204, '']);
    expect(await ids('/auth/credentials')).toEqual([it.emailOtp]);
    expect(await ids('/auth/sessions')).toEqual([otpSession.id]);
    const privacy = `/internal-accounts/${it.accountId}`;
    for (const key of [oauthKey, client])
      expect(refused(await it.sign(key, 'PATCH', privacy, { privateEnabled: true }))[1]).toBe(
        'WALLET_SIGNATURE_INVALID',
      );
    expect((await it.sign(otpKey, 'PATCH', privacy, { privateEnabled: true })).status).toBe(200);
  });

  test('the first credential of a wallet can be revoked, and a login that is pending on it ends', async () => {
    const { it, oauthKey, ids, oauth } = await ready();
    const pending = await it.sealedCode(clientKey());
    expect((await it.sign(oauthKey, 'DELETE', pathOf(it.emailOtp))).status).toBe(204);
    expect(await ids('/auth/credentials')).toEqual([oauth.id]);
    expect((await it.post(`${pathOf(it.emailOtp)}/verify`, pending)).body.code).toBe('REFERENCE_NOT_FOUND');
  });

  test('a login whose code was accepted is refused with 404 after its credential is revoked', async () => {
    const { it, oauthKey } = await ready();
    const key = clientKey();
    const body = await it.sealedCode(key);
    const first = await it.post(`${pathOf(it.emailOtp)}/verify`, body);
    await it.sign(oauthKey, 'DELETE', pathOf(it.emailOtp));
    const answer = await it.post(`${pathOf(it.emailOtp)}/verify`, body, { headers: await proof(key, first) });
    expect(answer.status).toBe(404);
  });

  test('a passkey or an SMS_OTP credential is revoked like any other', async () => {
    const { it, otpKey, ids } = await ready();
    const passkey = await it.addPasskey(otpKey, new Authenticator());
    const sms = await it.sign(otpKey, 'POST', '/auth/credentials', { type: 'SMS_OTP', accountId: it.accountId });
    for (const [id, type] of [
      [passkey.id, 'PASSKEY'],
      [sms.body.id, 'SMS_OTP'],
    ]) {
      expect((await it.del(pathOf(id))).body.type).toBe(type);
      expect((await it.sign(otpKey, 'DELETE', pathOf(id))).status).toBe(204);
    }
    expect(await ids('/auth/credentials')).toHaveLength(2);
  });
});

describe('refusals of DELETE /auth/credentials/{id}', () => {
  test('a revocation of the last credential is refused with 400 on the first call (spec 4.5 rule 2, 7 rule 6)', async () => {
    const it = await walletKit();
    const answer = await it.del(pathOf(it.emailOtp));
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_INPUT']);
  });

  test('a revocation is refused with 400 on the retry when its credential has become the last in the meantime', async () => {
    const { it, otpKey, oauthKey, oauth } = await ready();
    const both = [await it.del(pathOf(oauth.id)), await it.del(pathOf(it.emailOtp))] as const;
    const late = await proof(oauthKey, both[1]);
    expect((await it.del(pathOf(oauth.id), { headers: await proof(otpKey, both[0]) })).status).toBe(204);
    expect((await it.del(pathOf(it.emailOtp), { headers: late })).status).toBe(400);
  });

  test('of two revocations that are sent together, each of the other credential, one succeeds', async () => {
    const { it, otpKey, oauthKey, oauth, ids } = await ready();
    const [one, two] = [await it.del(pathOf(oauth.id)), await it.del(pathOf(it.emailOtp))];
    const [a, b] = [await proof(otpKey, one), await proof(oauthKey, two)];
    const answers = await Promise.all([
      it.overlapping('DELETE', pathOf(oauth.id), undefined, { headers: a }),
      it.overlapping('DELETE', pathOf(it.emailOtp), undefined, { headers: b }),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([204, 400]);
    expect(await ids('/auth/credentials')).toHaveLength(1);
  });

  test('a revocation that a session of the same credential signs is refused with 401, and another session may still sign (spec 4.5 rule 1)', async () => {
    const { it, otpKey, oauthKey, oauth, oauthSession } = await ready();
    const client = clientKey();
    await it.sign(oauthKey, 'POST', `/auth/sessions/${oauthSession.id}/refresh`, {
      clientPublicKey: client.compressed,
    });
    const first = await it.del(pathOf(oauth.id));
    for (const key of [oauthKey, client])
      expect(refused(await it.del(pathOf(oauth.id), { headers: await proof(key, first) }))).toEqual([
        401,
        'WALLET_SIGNATURE_INVALID',
        'a credential is revoked by a session of another credential',
      ]);
    expect((await it.del(pathOf(oauth.id), { headers: await proof(otpKey, first) })).status).toBe(204);
  });

  test('a revocation is refused with 401 for an unknown key and for missing or malformed headers, and ignores a body (H4)', async () => {
    const { it, otpKey, oauth } = await ready();
    const first = await it.del(pathOf(oauth.id));
    const good = await proof(otpKey, first);
    const { 'request-id': id = '', 'service-wallet-signature': stamp = '' } = good;
    const codes = [
      await it.del(pathOf(oauth.id), { headers: await proof(clientKey(), first) }),
      await it.del(pathOf(oauth.id), { headers: { 'request-id': id } }),
      await it.del(pathOf(oauth.id), { headers: { 'service-wallet-signature': stamp } }),
      await it.del(pathOf(oauth.id), { headers: { 'request-id': id, 'service-wallet-signature': '{}' } }),
    ].map((answer) => answer.body.code);
    expect(codes).toEqual([
      'WALLET_SIGNATURE_INVALID',
      'WALLET_SIGNATURE_MISSING',
      'REQUEST_ID_MISSING',
      'WALLET_SIGNATURE_MALFORMED',
    ]);
    expect((await it.call('DELETE', pathOf(oauth.id), { all: true }, { headers: good })).status).toBe(204);
  });

  test('a replay of a completed revocation is refused because its Request-Id was used, not as an unknown credential', async () => {
    const { it, otpKey, oauth } = await ready();
    const headers = await proof(otpKey, await it.del(pathOf(oauth.id)));
    expect((await it.del(pathOf(oauth.id), { headers })).status).toBe(204);
    expect(refused(await it.del(pathOf(oauth.id), { headers }))[2]).toBe('Request-Id was used before');
    expect((await it.del(pathOf(oauth.id))).body.code).toBe('REFERENCE_NOT_FOUND');
  });
});
