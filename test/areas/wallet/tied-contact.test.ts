import { describe, expect, test } from 'vitest';
import type { Session } from '../../../src/areas/sessions/row.ts';
import { SESSIONS } from '../../../src/areas/sessions/rules.ts';
import { sessionStory } from '../../../src/areas/sessions/story.ts';
import { clientKey, proof, refused, type WalletKit, walletKit } from '../../kit/wallet.ts';

const pathOf = (it: WalletKit) => `/customers/${it.customerId}`;
const nicknames = async (it: WalletKit): Promise<string[]> =>
  (await it.get('/auth/credentials', { accountId: it.accountId })).body.data.map(
    (credential: { type: string; nickname: string }) => `${credential.type} ${credential.nickname}`,
  );

async function withPhone() {
  const it = await walletKit();
  const { key } = await it.login();
  const sms = await it.sign(key, 'POST', '/auth/credentials', { type: 'SMS_OTP', accountId: it.accountId });
  return { it, key, sms: sms.body.id as string };
}

describe('PATCH /customers/{customerId}, a contact that credentials are tied to: 202 then 200 (spec 4.1)', () => {
  test.each([
    ['email', 'zoe.new@example.com', 'EMAIL_OTP'],
    ['phoneNumber', '+12065550199', 'SMS_OTP'],
  ])(
    'a signed change of %s changes customer and credential together, and the next code is sent to the new one',
    async (field, value, type) => {
      const { it, key, sms } = await withPhone();
      const before = (await it.get(pathOf(it))).body;
      const [emailBefore, smsBefore] = await nicknames(it);
      await it.advance('PT1M');
      const first = await it.patch(pathOf(it), { [field]: value });
      expect(first.status).toBe(202);
      expect(Object.keys(first.body).sort()).toEqual(['expiresAt', 'payloadToSign', 'requestId']);
      expect((await it.get(pathOf(it))).body).toEqual(before);
      expect(await nicknames(it)).toEqual([emailBefore, smsBefore]);
      const last = await it.patch(pathOf(it), { [field]: value }, { headers: await proof(key, first) });
      expect(last.status).toBe(200);
      expect(last.body).toEqual({ ...before, [field]: value, updatedAt: '2026-01-05T09:01:00.000Z' });
      const { data } = (await it.get('/auth/credentials', { accountId: it.accountId })).body;
      const linked = data.find((credential: { type: string }) => credential.type === type);
      expect(linked).toMatchObject({ nickname: value, updatedAt: '2026-01-05T09:01:00.000Z' });
      const other = data.find((credential: { type: string }) => credential.type !== type);
      expect(other.updatedAt).toBe('2026-01-05T09:00:00.000Z');
      const credential = type === 'SMS_OTP' ? sms : it.emailOtp;
      const { session } = await it.login(clientKey(), credential);
      expect(session.nickname).toBe(value);
      expect((await it.control('GET', '/codes')).body.data[0]).toMatchObject({ to: value, subject: credential });
    },
  );

  test.each([
    ['email', 'zoe.new@example.com', 'EMAIL_OTP'],
    ['phoneNumber', '+12065550199', 'SMS_OTP'],
  ])(
    "a change of %s changes the nickname of the credential's active sessions, and of no others (wallet-auth 2)",
    async (field, value, type) => {
      const { it, key, sms } = await withPhone();
      await it.login(clientKey(), sms);
      const sessions = async () => (await it.get('/auth/sessions', { accountId: it.accountId })).body.data;
      const before = await sessions();
      expect(before).toHaveLength(2);
      await it.advance('PT1M');
      await it.sign(key, 'PATCH', pathOf(it), { [field]: value });
      const after = await sessions();
      expect(after).toEqual(
        before.map((one: { type: string }) =>
          one.type === type ? { ...one, nickname: value, updatedAt: '2026-01-05T09:01:00.000Z' } : one,
        ),
      );
      const [email] = after.filter((one: { type: string }) => one.type === 'EMAIL_OTP');
      const refreshed = await it.sign(key, 'POST', `/auth/sessions/${email.id}/refresh`, {
        clientPublicKey: clientKey().compressed,
      });
      expect(refreshed.body).toMatchObject({ type: 'EMAIL_OTP', nickname: email.nickname });
    },
  );

  test('a session that has ended keeps its nickname when the email changes', async () => {
    const it = await walletKit();
    const { key, session } = await it.login();
    const { session: other } = await it.login(clientKey());
    await it.sign(key, 'DELETE', `/auth/sessions/${other.id}`);
    await it.advance('PT1M');
    await it.sign(key, 'PATCH', pathOf(it), { email: 'one@example.com' });
    const nickname = (id: string) => it.sandbox.world.rows(SESSIONS).get(id)?.nickname;
    expect([nickname(session.id), nickname(other.id)]).toEqual(['one@example.com', 'zoe@example.com']);
    const { world } = it.sandbox;
    const told = sessionStory(world.rows(SESSIONS).get(session.id) as Session, world);
    expect(told.map(({ at, what, detail }) => [at?.slice(11, 16), what, detail])).toEqual([
      ['09:00', 'Session issued', undefined],
      ['09:01', 'Nickname changed', 'one@example.com'],
      ['09:15', 'Session expires', undefined],
    ]);
  });

  test('other members of an update that has to be signed change with the contact, and not before', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const body = { email: 'zoe.new@example.com', fullName: 'Zoe Berg' };
    expect((await it.patch(pathOf(it), body)).status).toBe(202);
    expect((await it.get(pathOf(it))).body.fullName).toBe('Zoe Lindqvist');
    expect((await it.sign(key, 'PATCH', pathOf(it), body)).body).toMatchObject(body);
  });

  test('a session that was opened under an earlier email still signs', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    expect((await it.sign(key, 'PATCH', pathOf(it), { email: 'one@example.com' })).status).toBe(200);
    expect((await it.sign(key, 'PATCH', pathOf(it), { email: 'two@example.com' })).status).toBe(200);
    expect(await nicknames(it)).toEqual(['EMAIL_OTP two@example.com']);
  });
});

describe('PATCH /customers/{customerId}, changes that need no signature', () => {
  test('ordinary updates, the same email, and a phone without a credential need no signature and ignore its headers', async () => {
    const it = await walletKit();
    for (const body of [
      { fullName: 'Zoe Berg' },
      { email: 'zoe@example.com' },
      { phoneNumber: '+12065550100' },
      { nationality: 'SE' },
    ]) {
      expect((await it.patch(pathOf(it), body)).status).toBe(200);
      for (const headers of [
        { 'service-wallet-signature': 'x', 'request-id': 'Request:x' },
        { 'service-wallet-signature': 'x' },
      ])
        expect((await it.patch(pathOf(it), body, { headers })).status).toBe(200);
    }
  });

  test('a customer whose email credential was revoked changes the email without a signature', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const oauth = await it.addOauth(key);
    const { key: other } = await it.oauthLogin(oauth.id);
    await it.sign(other, 'DELETE', `/auth/credentials/${it.emailOtp}`);
    expect((await it.patch(pathOf(it), { email: 'free@example.com' })).status).toBe(200);
  });
});

describe('PATCH /customers/{customerId}, a tied contact: conflicts and refusals', () => {
  test('an update that changes both a tied email and a tied phone is refused with 400', async () => {
    const { it } = await withPhone();
    const answer = await it.patch(pathOf(it), { email: 'new@example.com', phoneNumber: '+12065550199' });
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_INPUT']);
  });

  test('an update with a new email and the unchanged phone, both tied, counts as one change (S6)', async () => {
    const { it, key } = await withPhone();
    const { phoneNumber } = (await it.get(pathOf(it))).body;
    const body = { email: 'zoe.new@example.com', phoneNumber };
    expect((await it.patch(pathOf(it), body)).status).toBe(202);
    expect((await it.sign(key, 'PATCH', pathOf(it), body)).body).toMatchObject(body);
  });

  test('the deletion of its owner frees an email for a change, and a new customer may have a taken email (S14)', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const taken = { customerType: 'INDIVIDUAL', email: 'taken@example.com' };
    const { id } = (await it.post('/customers', taken)).body;
    expect((await it.post('/customers', { ...taken, email: 'zoe@example.com' })).status).toBe(201);
    expect((await it.patch(pathOf(it), { email: taken.email })).body.code).toBe('EMAIL_OTP_EMAIL_ALREADY_EXISTS');
    await it.del(`/customers/${id}`);
    expect((await it.sign(key, 'PATCH', pathOf(it), { email: taken.email })).status).toBe(200);
    expect(await nicknames(it)).toEqual(['EMAIL_OTP taken@example.com']);
  });

  test.each([
    ['email', 'taken@example.com', 'EMAIL_OTP_EMAIL_ALREADY_EXISTS'],
    ['phoneNumber', '+12065550199', 'CONFLICT'],
  ])(
    'a change to the %s of another wallet is refused with 409 also for a customer without a credential (spec 7)',
    async (kind, taken, code) => {
      const it = await walletKit();
      const { key } = await it.login();
      await it.patch(pathOf(it), { phoneNumber: '+12065550199' });
      await it.sign(key, 'POST', '/auth/credentials', { accountId: it.accountId, type: 'SMS_OTP' });
      await it.post('/customers', { customerType: 'INDIVIDUAL', email: 'taken@example.com' });
      const { id } = (await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Bob Frei' })).body;
      const before = (await it.get(`/customers/${id}`)).body;
      expect((await it.patch(`/customers/${id}`, { [kind]: taken })).body).toMatchObject({ status: 409, code });
      expect((await it.get(`/customers/${id}`)).body).toEqual(before);
      expect((await it.patch(`/customers/${id}`, { email: 'free@example.com' })).status).toBe(200);
    },
  );

  test('a change to an email of another wallet, in any case, is refused with 409 on the first call and on the retry (spec 7)', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    await it.post('/customers', { customerType: 'INDIVIDUAL', email: 'taken@example.com' });
    for (const email of ['taken@example.com', 'Taken@Example.com'])
      expect((await it.patch(pathOf(it), { email })).body).toMatchObject({
        status: 409,
        code: 'EMAIL_OTP_EMAIL_ALREADY_EXISTS',
      });
    const headers = await proof(key, await it.patch(pathOf(it), { email: 'soon@example.com' }));
    await it.post('/customers', { customerType: 'INDIVIDUAL', email: 'soon@example.com' });
    const late = await it.patch(pathOf(it), { email: 'soon@example.com' }, { headers });
    expect([late.status, late.body.code]).toEqual([409, 'EMAIL_OTP_EMAIL_ALREADY_EXISTS']);
    expect(await nicknames(it)).toEqual(['EMAIL_OTP zoe@example.com']);
  });

  test('a change to a phone number of another wallet is refused with 409 CONFLICT', async () => {
    const { it } = await withPhone();
    const other = await it.post('/customers', { customerType: 'INDIVIDUAL', phoneNumber: '+12065550133' });
    const page = await it.get('/customers/internal-accounts', { customerId: other.body.id, type: 'EMBEDDED_WALLET' });
    await it.post('/auth/credentials', { type: 'SMS_OTP', accountId: page.body.data[0].id });
    const answer = await it.patch(pathOf(it), { phoneNumber: '+12065550133' });
    expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT']);
  });

  test('a change is refused with 409 EMAIL_OTP_CREDENTIAL_SET_CHANGED when its credential was replaced between the calls (spec 7)', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const oauth = await it.addOauth(key);
    const { key: other } = await it.oauthLogin(oauth.id);
    const email = 'new@example.com';
    const headers = await proof(other, await it.patch(pathOf(it), { email }));
    await it.sign(other, 'DELETE', `/auth/credentials/${it.emailOtp}`);
    await it.sign(other, 'POST', '/auth/credentials', { type: 'EMAIL_OTP', accountId: it.accountId });
    const answer = await it.patch(pathOf(it), { email }, { headers });
    expect([answer.status, answer.body.code]).toEqual([409, 'EMAIL_OTP_CREDENTIAL_SET_CHANGED']);
  });

  test('a change is refused with EMAIL_OTP_CREDENTIAL_SET_CHANGED when its credential was revoked or its email moved in the meantime', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const oauth = await it.addOauth(key);
    const { key: other } = await it.oauthLogin(oauth.id);
    const [one, two] = [
      await it.patch(pathOf(it), { email: 'one@example.com' }),
      await it.patch(pathOf(it), { email: 'two@example.com' }),
    ];
    const [first, second] = [await proof(other, one), await proof(other, two)];
    expect((await it.patch(pathOf(it), { email: 'one@example.com' }, { headers: first })).status).toBe(200);
    const moved = await it.patch(pathOf(it), { email: 'two@example.com' }, { headers: second });
    expect(moved.body.code).toBe('EMAIL_OTP_CREDENTIAL_SET_CHANGED');
    const third = await proof(other, await it.patch(pathOf(it), { email: 'two@example.com' }));
    await it.sign(other, 'DELETE', `/auth/credentials/${it.emailOtp}`);
    const gone = await it.patch(pathOf(it), { email: 'two@example.com' }, { headers: third });
    expect(gone.body.code).toBe('EMAIL_OTP_CREDENTIAL_SET_CHANGED');
  });

  test('a replay of an applied change of email is refused because its Request-Id was used, although it would change nothing', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const body = { email: 'new@example.com' };
    const headers = await proof(key, await it.patch(pathOf(it), body));
    expect((await it.patch(pathOf(it), body, { headers })).status).toBe(200);
    expect(refused(await it.patch(pathOf(it), body, { headers }))[2]).toBe('Request-Id was used before');
    expect((await it.patch(pathOf(it), body)).status).toBe(200);
  });

  test('a change of email is refused at the retry for another body, a missing header, an unknown key and a malformed stamp', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const body = { email: 'new@example.com' };
    const first = await it.patch(pathOf(it), body);
    const good = await proof(key, first);
    const { 'request-id': id = '', 'service-wallet-signature': stamp = '' } = good;
    const codes = [
      await it.patch(pathOf(it), { email: 'else@example.com' }, { headers: good }),
      await it.patch(pathOf(it), { ...body, fullName: 'Eve' }, { headers: good }),
      await it.patch(pathOf(it), body, { headers: { 'request-id': id } }),
      await it.patch(pathOf(it), body, { headers: { 'service-wallet-signature': stamp } }),
      await it.patch(pathOf(it), body, { headers: await proof(clientKey(), first) }),
      await it.patch(pathOf(it), body, { headers: { 'request-id': id, 'service-wallet-signature': 'x' } }),
    ].map((answer) => answer.body.code);
    expect(codes).toEqual([
      'WALLET_SIGNATURE_BODY_MISMATCH',
      'WALLET_SIGNATURE_BODY_MISMATCH',
      'WALLET_SIGNATURE_MISSING',
      'REQUEST_ID_MISSING',
      'WALLET_SIGNATURE_INVALID',
      'WALLET_SIGNATURE_MALFORMED',
    ]);
  });

  test('an update with a tied contact is refused on the first call for any other invalid member, before anyone signs', async () => {
    const it = await walletKit();
    const other = await it.post('/customers', { customerType: 'INDIVIDUAL', umaAddress: '$taken@pay.example' });
    expect(other.status).toBe(201);
    for (const [more, status, code] of [
      [{ birthDate: 'yesterday' }, 400, 'INVALID_INPUT'],
      [{ customerType: 'BUSINESS' }, 400, 'INVALID_INPUT'],
      [{ umaAddress: '$zoe@elsewhere.example' }, 400, 'INVALID_UMA_ADDRESS'],
      [{ currencies: ['EUR'] }, 400, 'INVALID_CURRENCY'],
      [{ umaAddress: '$taken@pay.example' }, 409, 'UMA_ADDRESS_EXISTS'],
    ] as const) {
      const answer = await it.patch(pathOf(it), { email: 'new@example.com', ...more });
      expect([answer.status, answer.body.code]).toEqual([status, code]);
    }
    const before = it.sandbox.world.snapshot().tables.filter(({ name }) => name !== 'challenges');
    expect((await it.patch(pathOf(it), { email: 'new@example.com' })).status).toBe(202);
    const after = it.sandbox.world.snapshot().tables.filter(({ name }) => name !== 'challenges');
    expect(after).toEqual(before);
  });
});
