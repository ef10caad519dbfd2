import { describe, expect, test } from 'vitest';
import { Authenticator, clientKey, walletKit } from '../../kit/wallet.ts';

describe.each(['/auth/credentials', '/auth/sessions'])('GET %s: accountId (reference 3.1)', (path) => {
  test('a list of an unknown but well-formed accountId is empty', async () => {
    const it = await walletKit();
    await it.login();
    const accountId = 'InternalAccount:00000000-0000-7000-8000-000000000000';
    expect(await it.get(path, { accountId })).toMatchObject({ status: 200, body: { data: [] } });
  });

  test('a list with a missing or malformed accountId is refused with 400', async () => {
    const it = await walletKit();
    const malformed = ['', 'x', it.customerId, it.accountId.replace('InternalAccount:', ''), `${it.accountId}0`];
    for (const query of [undefined, ...malformed.map((accountId) => ({ accountId }))]) {
      const answer = await it.get(path, query);
      expect([answer.status, answer.body.code, answer.body.details.errors[0].field]).toEqual([
        400,
        'INVALID_INPUT',
        'accountId',
      ]);
    }
  });

  test('a list of an account that is not a wallet is empty', async () => {
    const it = await walletKit();
    const [usd] = (await it.get('/customers/internal-accounts', { type: 'INTERNAL_FIAT' })).body.data;
    expect((await it.get(path, { accountId: usd.id })).body).toEqual({ data: [] });
  });
});

describe('GET /auth/credentials (spec 2.4, 4.5)', () => {
  test('a new wallet has one EMAIL_OTP credential, tied to the email of its owner (spec 5 rule 6)', async () => {
    const it = await walletKit();
    const { body } = await it.get('/auth/credentials', { accountId: it.accountId });
    expect(body).toEqual({
      data: [
        {
          id: it.emailOtp,
          accountId: it.accountId,
          type: 'EMAIL_OTP',
          nickname: 'zoe@example.com',
          createdAt: '2026-01-05T09:00:00.000Z',
          updatedAt: '2026-01-05T09:00:00.000Z',
        },
      ],
    });
  });

  test('GET /auth/credentials shows all credentials on one page, oldest first, without bundle or challenge; only passkeys have credentialId', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const authenticators = Array.from({ length: 25 }, () => new Authenticator());
    for (const authenticator of authenticators) await it.addPasskey(key, authenticator);
    await it.addOauth(key);
    const { data } = (await it.get('/auth/credentials', { accountId: it.accountId })).body;
    const ids = data.map((credential: { credentialId?: string }) => credential.credentialId);
    expect(ids).toEqual([undefined, ...authenticators.map(({ credentialId }) => credentialId), undefined]);
    const members = new Set(data.flatMap((credential: object) => Object.keys(credential)));
    expect([...members].sort()).toEqual([
      'accountId',
      'createdAt',
      'credentialId',
      'id',
      'nickname',
      'type',
      'updatedAt',
    ]);
  });
});

describe('GET /auth/sessions (spec 2.5, 4.6)', () => {
  const list = async (it: Awaited<ReturnType<typeof walletKit>>) =>
    (await it.get('/auth/sessions', { accountId: it.accountId })).body.data.map((s: { id: string }) => s.id);

  test('GET /auth/sessions shows active sessions, newest first; each lasts 15 minutes to the millisecond (spec 8)', async () => {
    const it = await walletKit();
    const first = (await it.login()).session.id;
    await it.advance('PT5M');
    const second = (await it.login()).session.id;
    expect(await list(it)).toEqual([second, first]);
    await it.advance('PT9M59.999S');
    expect(await list(it)).toEqual([second, first]);
    await it.advance('PT0.001S');
    expect(await list(it)).toEqual([second]);
    await it.advance('PT5M');
    expect(await list(it)).toEqual([]);
  });

  test('limits.sessionSeconds replaces the 15 minutes of a session', async () => {
    const it = await walletKit({ scenario: ['wallet', { limits: { sessionSeconds: 60 } }] });
    expect((await it.login()).session.expiresAt).toBe('2026-01-05T09:01:00.000Z');
    await it.advance('PT1M');
    expect(await list(it)).toEqual([]);
  });

  test('GET /auth/sessions never shows a sealed key, not even right after its delivery', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const { id } = await it.addOauth(key);
    const { session } = await it.oauthLogin(id);
    const answer = await it.get('/auth/sessions', { accountId: it.accountId });
    const { encryptedSessionSigningKey, ...shown } = session;
    expect(answer.body.data[0]).toEqual(shown);
    expect(answer.text).not.toContain(encryptedSessionSigningKey);
  });

  test('GET /auth/sessions shows no session of another wallet', async () => {
    const it = await walletKit();
    await it.login(clientKey());
    const other = await it.post('/customers', { customerType: 'INDIVIDUAL', email: 'other@example.com' });
    const page = await it.get('/customers/internal-accounts', { customerId: other.body.id, type: 'EMBEDDED_WALLET' });
    expect((await it.get('/auth/sessions', { accountId: page.body.data[0].id })).body.data).toEqual([]);
  });
});
