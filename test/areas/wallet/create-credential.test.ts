import { describe, expect, test } from 'vitest';
import {
  Authenticator,
  claims,
  clientKey,
  nonceOf,
  proof,
  refused,
  stampOf,
  token,
  type WalletKit,
  walletKit,
} from '../../kit/wallet.ts';

const PATH = '/auth/credentials';

/** A customer with a wallet of their own. */
async function walletOf(it: WalletKit, more: object = {}) {
  const { body: customer } = await it.post('/customers', { customerType: 'INDIVIDUAL', ...more });
  const page = await it.get('/customers/internal-accounts', { customerId: customer.id, type: 'EMBEDDED_WALLET' });
  return { customerId: customer.id as string, accountId: page.body.data[0].id as string };
}

const types = async (it: WalletKit, accountId: string): Promise<string[]> =>
  (await it.get(PATH, { accountId })).body.data.map((credential: { type: string }) => credential.type);

const oauth = (it: WalletKit, accountId: string, more: Record<string, unknown> = {}) => ({
  type: 'OAUTH',
  accountId,
  oidcToken: token(claims(it.now(), more)),
});
const passkey = (accountId: string, authenticator = new Authenticator(), nickname: unknown = 'Phone') => ({
  type: 'PASSKEY',
  accountId,
  nickname,
  ...authenticator.create(),
});

describe('POST /auth/credentials, 202 then 201 (spec 4.5)', () => {
  const SHOWN = {
    id: expect.stringMatching(/^AuthMethod:/),
    createdAt: '2026-01-05T09:00:00.000Z',
    updatedAt: '2026-01-05T09:00:00.000Z',
  };

  test("a new SMS_OTP credential has the customer's number as its nickname and its bundle in the 201, and logs in", async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const body = { type: 'SMS_OTP', accountId: it.accountId };
    const first = await it.post(PATH, body);
    expect([first.status, first.body.type]).toEqual([202, 'SMS_OTP']);
    const added = await it.post(PATH, body, { headers: await proof(key, first) });
    expect(added.status).toBe(201);
    expect(added.body).toEqual({
      ...SHOWN,
      accountId: it.accountId,
      type: 'SMS_OTP',
      nickname: '+12065550147',
      otpEncryptionTargetBundle: expect.stringContaining('"version":"v1.0.0"'),
    });
    const [code] = (await it.control('GET', '/codes')).body.data;
    expect(code).toMatchObject({ channel: 'phone', to: '+12065550147', code: '000000', subject: added.body.id });
    expect((await it.login(clientKey(), added.body.id)).session.type).toBe('SMS_OTP');
  });

  test('an EMAIL_OTP credential can be added again after it was revoked', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const added = await it.addOauth(key);
    const other = await it.oauthLogin(added.id);
    expect((await it.sign(other.key, 'DELETE', `${PATH}/${it.emailOtp}`)).status).toBe(204);
    const again = await it.sign(other.key, 'POST', PATH, { type: 'EMAIL_OTP', accountId: it.accountId });
    expect(again.body).toMatchObject({ type: 'EMAIL_OTP', nickname: 'zoe@example.com' });
    expect(again.body.otpEncryptionTargetBundle).toEqual(expect.any(String));
    expect((await it.login(clientKey(), again.body.id)).session.type).toBe('EMAIL_OTP');
  });

  test('a new OAUTH credential has the email claim as its nickname, or the subject where there is no email', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const first = await it.sign(key, 'POST', PATH, oauth(it, it.accountId));
    expect(first).toMatchObject({ status: 201, body: { type: 'OAUTH', nickname: 'zoe.oidc@example.org' } });
    expect(first.body).not.toHaveProperty('otpEncryptionTargetBundle');
    const second = await it.addOauth(key, { iss: 'https://appleid.apple.com', sub: 'apple-1', email: undefined });
    expect(second).toMatchObject({ type: 'OAUTH', nickname: 'apple-1' });
  });

  test('a new PASSKEY credential shows the WebAuthn id and the trimmed nickname, and a wallet may have several (spec 8)', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const authenticator = new Authenticator();
    const added = await it.sign(key, 'POST', PATH, passkey(it.accountId, authenticator, "  Zoë's phone (2)  "));
    expect(added.status).toBe(201);
    expect(added.body).toEqual({
      ...SHOWN,
      accountId: it.accountId,
      type: 'PASSKEY',
      credentialId: authenticator.credentialId,
      nickname: "Zoë's phone (2)",
    });
    await it.addPasskey(key, new Authenticator(), 'Laptop');
    expect(await types(it, it.accountId)).toEqual(['EMAIL_OTP', 'PASSKEY', 'PASSKEY']);
  });

  test("a passkey's credential id with padding equals the one without", async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const authenticator = new Authenticator();
    const body = passkey(it.accountId, authenticator);
    body.attestation.credentialId += '=';
    const added = await it.sign(key, 'POST', PATH, body);
    expect(added.body.credentialId).toBe(authenticator.credentialId);
    expect((await it.passkeyLogin(added.body.id, authenticator)).session.type).toBe('PASSKEY');
  });

  test('a session of any credential of the wallet may sign for a new credential', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const added = await it.addOauth(key);
    const { key: other } = await it.oauthLogin(added.id, 'compressed');
    expect((await it.sign(other, 'POST', PATH, { type: 'SMS_OTP', accountId: it.accountId })).status).toBe(201);
  });

  test('the retry for a new OAUTH credential is taken when its token has aged, but not after its exp (reference 3.2)', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const late = oauth(it, it.accountId);
    const first = await it.post(PATH, late);
    await it.advance('PT4M');
    expect((await it.post(PATH, late)).status).toBe(401);
    expect((await it.post(PATH, late, { headers: await proof(key, first) })).status).toBe(201);
    const short = oauth(it, it.accountId, { sub: 'user-2', exp: it.now() / 1000 + 30 });
    const second = await it.post(PATH, short);
    await it.advance('PT30S');
    expect(refused(await it.post(PATH, short, { headers: await proof(key, second) }))[2]).toBe(
      'OIDC token has expired (exp)',
    );
  });
});

describe('POST /auth/credentials, 201 at once for a wallet without credentials (spec 4.5)', () => {
  test.each([
    ['OAUTH', (it: WalletKit, accountId: string) => oauth(it, accountId)],
    ['PASSKEY', (_it: WalletKit, accountId: string) => passkey(accountId)],
    ['SMS_OTP', (_it: WalletKit, accountId: string) => ({ type: 'SMS_OTP', accountId })],
  ])(
    'a first credential of type %s is added with 201 at once, and the second has to be signed for',
    async (type, bodyOf) => {
      const it = await walletKit();
      const { accountId } = await walletOf(it, { phoneNumber: '+12065550111' });
      expect(await types(it, accountId)).toEqual([]);
      const added = await it.post(PATH, bodyOf(it, accountId));
      expect([added.status, added.body.type]).toEqual([201, type]);
      // The second one is signed for, as on every other wallet.
      expect((await it.post(PATH, oauth(it, accountId, { sub: 'user-9' }))).status).toBe(202);
    },
  );

  test('a first credential ignores the headers of a signature', async () => {
    const it = await walletKit();
    const { accountId } = await walletOf(it);
    const headers = { 'service-wallet-signature': 'x', 'request-id': 'Request:x' };
    expect((await it.post(PATH, oauth(it, accountId), { headers })).status).toBe(201);
  });

  test('of two first credentials that are sent together, one needs a signature', async () => {
    const it = await walletKit();
    const { accountId } = await walletOf(it);
    const send = (sub: string) => it.overlapping('POST', PATH, oauth(it, accountId, { sub }));
    const statuses = (await Promise.all([send('a'), send('b')])).map((answer) => answer.status);
    expect(statuses.sort()).toEqual([201, 202]);
  });
});

describe('POST /auth/credentials, 400', () => {
  test('a second one-time-code credential of a type is refused with its own code, on the first call and on the retry (spec 7 rule 4)', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const sms = { type: 'SMS_OTP', accountId: it.accountId };
    expect((await it.post(PATH, { ...sms, type: 'EMAIL_OTP' })).body.code).toBe('EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS');
    const [one, two] = [await it.post(PATH, sms), await it.post(PATH, sms)];
    expect((await it.post(PATH, sms, { headers: await proof(key, one) })).status).toBe(201);
    const answer = await it.post(PATH, sms, { headers: await proof(key, two) });
    expect([answer.status, answer.body.code]).toEqual([400, 'SMS_OTP_CREDENTIAL_ALREADY_EXISTS']);
  });

  test('a passkey whose WebAuthn id the wallet already has is refused with 400, and another wallet may add it', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const authenticator = new Authenticator();
    await it.addPasskey(key, authenticator);
    const answer = await it.post(PATH, passkey(it.accountId, authenticator, 'Again'));
    expect([answer.status, answer.body.code]).toEqual([400, 'PASSKEY_CREDENTIAL_ALREADY_EXISTS']);
    const other = await walletOf(it);
    expect((await it.post(PATH, passkey(other.accountId, authenticator))).status).toBe(201);
  });

  test('a second OAUTH credential for the same issuer, audience and subject is refused with INVALID_INPUT (spec 8)', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    await it.addOauth(key);
    for (const more of [{}, { aud: ['app-1'] }, { email: 'else@example.org' }])
      expect((await it.post(PATH, oauth(it, it.accountId, more))).body.code).toBe('INVALID_INPUT');
    expect((await it.post(PATH, oauth(it, it.accountId, { aud: 'app-2' }))).status).toBe(202);
  });

  test('a one-time-code credential without phone or email is refused with 400 MISSING_MANDATORY_USER_INFO (reference 2.4)', async () => {
    const it = await walletKit();
    const { accountId } = await walletOf(it);
    for (const [type, field] of [
      ['SMS_OTP', 'phoneNumber'],
      ['EMAIL_OTP', 'email'],
    ]) {
      const answer = await it.post(PATH, { type, accountId });
      expect([answer.status, answer.body.code, answer.body.details.errors[0].field]).toEqual([
        400,
        'MISSING_MANDATORY_USER_INFO',
        field,
      ]);
    }
  });

  test('a first SMS_OTP credential uses a phone number that the customer received later', async () => {
    const it = await walletKit();
    const { accountId, customerId } = await walletOf(it);
    expect((await it.patch(`/customers/${customerId}`, { phoneNumber: '+12065550122' })).status).toBe(200);
    const added = await it.post(PATH, { type: 'SMS_OTP', accountId });
    expect(added.body).toMatchObject({ type: 'SMS_OTP', nickname: '+12065550122' });
  });

  test('a passkey nickname has 1 to 100 letters, digits, spaces and a few marks after trimming, or is refused with 400 (reference 2.4)', async () => {
    const it = await walletKit();
    for (const nickname of ['', '   ', 'a/b', 'tab\there', 'x'.repeat(101), '<b>', '🙂', 7, null]) {
      const answer = await it.post(PATH, passkey(it.accountId, new Authenticator(), nickname));
      expect([answer.status, answer.body.details.errors[0].field]).toEqual([400, 'nickname']);
    }
    for (const nickname of ['x', 'x'.repeat(100), 'Ключ 日本 ٣', "a.b_c-d'e(f)", ` ${'y'.repeat(100)} `])
      expect((await it.post(PATH, passkey(it.accountId, new Authenticator(), nickname))).status).toBe(202);
  });

  test('a passkey with an unknown transport is refused with 400, and one with none or an empty list is taken', async () => {
    const it = await walletKit();
    const body = passkey(it.accountId);
    const withTransports = (transports: unknown) => ({ ...body, attestation: { ...body.attestation, transports } });
    expect((await it.post(PATH, withTransports(['radio']))).status).toBe(400);
    for (const transports of [[], ['usb', 'nfc', 'ble', 'internal', 'hybrid'], undefined])
      expect((await it.post(PATH, withTransports(transports))).status).toBe(202);
  });

  test('a malformed OAUTH token or an unsupported issuer is refused with INVALID_INPUT before its claims are checked (spec 5.1 rule 5)', async () => {
    const it = await walletKit();
    const stale = { iat: 0, exp: 0 };
    for (const oidcToken of [
      'x',
      'a.b.c',
      'sandbox-valid-oidc-token',
      token({ ...claims(it.now(), stale), iss: 'https://nobody.example.org' }),
      token({ ...claims(it.now()), iss: undefined }),
      `${token(claims(it.now()))}.x`,
    ]) {
      const answer = await it.post(PATH, { type: 'OAUTH', accountId: it.accountId, oidcToken });
      expect([answer.status, answer.body.code, answer.body.details.errors[0].field]).toEqual([
        400,
        'INVALID_INPUT',
        'oidcToken',
      ]);
    }
  });

  test('a new credential with an unknown type, no type or no account is refused with INVALID_INPUT', async () => {
    const it = await walletKit();
    for (const body of [
      { type: 'PASSWORD', accountId: it.accountId },
      { accountId: it.accountId },
      { type: 'SMS_OTP' },
    ])
      expect((await it.post(PATH, body)).body.code).toBe('INVALID_INPUT');
  });
});

describe('POST /auth/credentials, 401 with the failed check (spec 5.1 rules 2, 3, 5)', () => {
  const SECONDS = Date.parse('2026-01-05T09:00:00Z') / 1000;
  test.each<[string, Record<string, unknown>, string]>([
    ['no audience', { aud: undefined }, 'OIDC token audience (aud) is not one non-empty string'],
    ['an empty audience', { aud: '' }, 'OIDC token audience (aud) is not one non-empty string'],
    ['two audiences', { aud: ['a', 'b'] }, 'OIDC token audience (aud) is not one non-empty string'],
    ['an empty subject', { sub: '' }, 'OIDC token subject (sub) is not a non-empty string'],
    ['a subject that is a number', { sub: 7 }, 'OIDC token subject (sub) is not a non-empty string'],
    ['no issue time', { iat: undefined }, 'OIDC token issue time (iat) is not a number'],
    ['an issue time 66 seconds ago', { iat: SECONDS - 66 }, 'OIDC token issue time (iat) is more than 60 seconds ago'],
    ['an issue time 6 seconds ahead', { iat: SECONDS + 6 }, 'OIDC token issue time (iat) is in the future'],
    ['an expiry that is text', { exp: '9999999999' }, 'OIDC token expiry (exp) is not a number'],
    ['an expiry that has passed', { exp: SECONDS }, 'OIDC token has expired (exp)'],
  ])('a new OAUTH credential is refused with 401 for a token with %s', async (_name, more, reason) => {
    const it = await walletKit();
    expect(refused(await it.post(PATH, oauth(it, it.accountId, more)))).toEqual([401, 'UNAUTHORIZED', reason]);
  });

  test('a new OAUTH credential needs no nonce in its token, and accepts one (reference 10.10)', async () => {
    const it = await walletKit();
    expect((await it.post(PATH, oauth(it, it.accountId, { nonce: nonceOf('x') }))).status).toBe(202);
  });

  test.each<[string, Parameters<Authenticator['create']>[0], string]>([
    ['another ceremony', { type: 'webauthn.get' }, 'passkey client data type is not webauthn.create'],
    ['an RP id of another site', { rpId: 'evil.example' }, 'passkey RP id does not belong to the origin'],
    ['no user presence', { flags: 0x44 }, 'passkey user presence bit is not set'],
    ['another attested id', { id: Buffer.alloc(32, 7) }, 'passkey credential id does not match the attested one'],
  ])('a new PASSKEY credential is refused with 401 for an attestation with %s', async (_name, replaced, reason) => {
    const it = await walletKit();
    const body = { ...passkey(it.accountId), ...new Authenticator().create(replaced) };
    expect(refused(await it.post(PATH, body))).toEqual([401, 'UNAUTHORIZED', reason]);
  });

  test('a new PASSKEY credential is refused for another challenge than the browser signed', async () => {
    const it = await walletKit();
    const answer = await it.post(PATH, { ...passkey(it.accountId), challenge: 'another' });
    expect(refused(answer)[2]).toBe('passkey challenge does not match the issued one');
  });

  test('a new SMS_OTP credential is refused with 401 at the retry when the phone number changed after the first call', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const body = { type: 'SMS_OTP', accountId: it.accountId };
    const headers = await proof(key, await it.post(PATH, body));
    expect((await it.patch(`/customers/${it.customerId}`, { phoneNumber: '+12065550100' })).status).toBe(200);
    expect(refused(await it.post(PATH, body, { headers }))).toEqual([
      401,
      'WALLET_SIGNATURE_BODY_MISMATCH',
      'the contact changed after payloadToSign was issued',
    ]);
    expect((await it.sign(key, 'POST', PATH, body)).body.nickname).toBe('+12065550100');
  });

  test('a new credential is refused at the retry, each fault with its own code, unless a session of the wallet signs this payload', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const body = { type: 'SMS_OTP', accountId: it.accountId };
    const first = await it.post(PATH, body);
    const id = { 'request-id': first.body.requestId };
    const codes = [
      await it.post(PATH, body, { headers: id }),
      await it.post(PATH, body, { headers: { 'service-wallet-signature': await stampOf(key, 'x') } }),
      await it.post(PATH, body, { headers: { ...id, 'service-wallet-signature': 'x' } }),
      await it.post(PATH, body, { headers: { ...id, 'service-wallet-signature': await stampOf(key, 'x') } }),
      await it.post(PATH, { ...body, type: 'OAUTH' }, { headers: await proof(key, first) }),
      await it.post(PATH, oauth(it, it.accountId), { headers: await proof(key, first) }),
      await it.post(PATH, body, { headers: await proof(clientKey(), first) }),
    ].map((answer) => answer.body.code);
    expect(codes).toEqual([
      'WALLET_SIGNATURE_MISSING',
      'REQUEST_ID_MISSING',
      'WALLET_SIGNATURE_MALFORMED',
      'WALLET_SIGNATURE_INVALID',
      'INVALID_INPUT',
      'WALLET_SIGNATURE_BODY_MISMATCH',
      'WALLET_SIGNATURE_INVALID',
    ]);
  });
});

test('a new credential is refused with 404 for an account that is unknown or no wallet', async () => {
  const it = await walletKit();
  const [usd] = (await it.get('/customers/internal-accounts', { type: 'INTERNAL_FIAT' })).body.data;
  for (const accountId of ['InternalAccount:00000000-0000-7000-8000-000000000000', usd.id, 'x']) {
    const answer = await it.post(PATH, { type: 'EMAIL_OTP', accountId });
    expect([answer.status, answer.body.code]).toEqual([404, 'REFERENCE_NOT_FOUND']);
  }
});
