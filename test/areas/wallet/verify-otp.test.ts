import { describe, expect, test } from 'vitest';
import { walletClient } from '../../crypto/clients.ts';
import { clientKey, proof, refused, stampOf, type WalletKit, walletKit } from '../../kit/wallet.ts';

const pathOf = (credential: string) => `/auth/credentials/${credential}/verify`;

/** Both one-time-code types, the SMS one added to the wallet first. */
const TYPES: ['EMAIL_OTP' | 'SMS_OTP', (it: WalletKit) => Promise<string>][] = [
  ['EMAIL_OTP', async (it) => it.emailOtp],
  [
    'SMS_OTP',
    async (it) => {
      const { key } = await it.login();
      return (await it.sign(key, 'POST', '/auth/credentials', { type: 'SMS_OTP', accountId: it.accountId })).body.id;
    },
  ],
];

describe.each(TYPES)('POST /auth/credentials/{id}/verify, %s (spec 5 rule 7)', (type, credentialOf) => {
  test('a login by code is answered with 202 and a token to sign, then with a session of the sealed key', async () => {
    const it = await walletKit();
    const credential = await credentialOf(it);
    const key = clientKey();
    const body = await it.sealedCode(key, '000000', credential);
    const first = await it.post(pathOf(credential), body);
    expect(first).toMatchObject({
      status: 202,
      body: { type, requestId: expect.stringMatching(/^Request:/), expiresAt: '2026-01-05T09:05:00.000Z' },
    });
    const second = await it.post(pathOf(credential), body, { headers: await proof(key, first) });
    expect(second.status).toBe(200);
    expect(second.body).toEqual({
      id: expect.stringMatching(/^Session:/),
      accountId: it.accountId,
      type,
      nickname: type === 'EMAIL_OTP' ? 'zoe@example.com' : '+12065550147',
      createdAt: '2026-01-05T09:00:00.000Z',
      updatedAt: '2026-01-05T09:00:00.000Z',
      expiresAt: '2026-01-05T09:15:00.000Z',
    });
    const privacy = await it.sign(key, 'PATCH', `/internal-accounts/${it.accountId}`, { privateEnabled: true });
    expect(privacy.status).toBe(200);
  });

  test('the token to sign of a login by code is a compact ES256 JWS with six claims and an expiry in milliseconds, an hour ahead', async () => {
    const it = await walletKit();
    const credential = await credentialOf(it);
    const key = clientKey();
    const first = await it.post(pathOf(credential), await it.sealedCode(key, '000000', credential));
    const [header, payload, signature] = (first.body.payloadToSign as string).split('.');
    const read = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());
    expect(read(header)).toEqual({ typ: 'JWT', alg: 'ES256' });
    expect(read(payload)).toEqual({
      id: expect.any(String),
      verification_type: type === 'EMAIL_OTP' ? 'OTP_TYPE_EMAIL' : 'OTP_TYPE_SMS',
      contact: type === 'EMAIL_OTP' ? 'zoe@example.com' : '+12065550147',
      organization_id: expect.any(String),
      public_key: key.compressed,
      exp: String(it.now() + 3_600_000),
    });
    expect(Buffer.from(signature as string, 'base64url')).toHaveLength(64);
  });

  test('a code other than 000000 is refused with 401 "Invalid OTP code" and leaves the right one usable (spec 5.1 rule 1)', async () => {
    const it = await walletKit();
    const credential = await credentialOf(it);
    const key = clientKey();
    for (const code of ['999999', '00000', '0000000', '', '000000 '])
      expect(refused(await it.post(pathOf(credential), await it.sealedCode(key, code, credential)))).toEqual([
        401,
        'UNAUTHORIZED',
        'Invalid OTP code',
      ]);
    expect((await it.login(key, credential)).session.type).toBe(type);
  });

  test('the refusal of a wrong code shows its reason in details and at the top of the body (spec 5.1 rule 5)', async () => {
    const it = await walletKit();
    const credential = await credentialOf(it);
    const { body } = await it.post(pathOf(credential), await it.sealedCode(clientKey(), '123456', credential));
    expect(body).toMatchObject({
      status: 401,
      code: 'UNAUTHORIZED',
      reason: 'Invalid OTP code',
      details: { reason: 'Invalid OTP code' },
    });
  });

  test('a code expires after five minutes, and is no longer pending once it was used', async () => {
    const it = await walletKit();
    const credential = await credentialOf(it);
    const key = clientKey();
    const body = await it.sealedCode(key, '000000', credential);
    await it.advance('PT4M59S');
    expect((await it.post(pathOf(credential), body)).status).toBe(202);
    await it.advance('PT1S');
    const gone = [401, 'UNAUTHORIZED', 'No pending OTP for this credential'];
    expect(refused(await it.post(pathOf(credential), body))).toEqual(gone);
    const again = await it.sealedCode(key, '000000', credential);
    expect((await it.sign(key, 'POST', pathOf(credential), again)).status).toBe(200);
    expect(refused(await it.post(pathOf(credential), again))).toEqual(gone);
  });

  test('a code that was accepted in time may be signed for until its challenge ends, although the code has expired (spec 8)', async () => {
    const it = await walletKit();
    const credential = await credentialOf(it);
    const key = clientKey();
    const body = await it.sealedCode(key, '000000', credential);
    await it.advance('PT4M59S');
    const first = await it.post(pathOf(credential), body);
    await it.advance('PT4M59S');
    expect((await it.post(pathOf(credential), body, { headers: await proof(key, first) })).status).toBe(200);
  });

  test('a code that was accepted may be signed for once, although a newer code was sent since then (reference wallet-auth 7)', async () => {
    const it = await walletKit();
    const credential = await credentialOf(it);
    const key = clientKey();
    const body = await it.sealedCode(key, '000000', credential);
    const [one, two] = [await it.post(pathOf(credential), body), await it.post(pathOf(credential), body)];
    const newer = await it.sealedCode(key, '000000', credential);
    // The older code itself is superseded: only what was accepted before goes on.
    expect((await it.post(pathOf(credential), body)).status).toBe(401);
    expect((await it.post(pathOf(credential), body, { headers: await proof(key, one) })).status).toBe(200);
    expect((await it.post(pathOf(credential), body, { headers: await proof(key, two) })).status).toBe(401);
    expect((await it.sign(key, 'POST', pathOf(credential), newer)).status).toBe(200);
  });

  test('a login ends every code that was accepted before', async () => {
    const it = await walletKit();
    const credential = await credentialOf(it);
    const key = clientKey();
    const body = await it.sealedCode(key, '000000', credential);
    const first = await it.post(pathOf(credential), body);
    await it.sealedCode(key, '000000', credential);
    await it.login(key, credential);
    expect((await it.post(pathOf(credential), body, { headers: await proof(key, first) })).status).toBe(401);
  });

  test('a code logs in once, even when it was accepted twice', async () => {
    const it = await walletKit();
    const credential = await credentialOf(it);
    const key = clientKey();
    const body = await it.sealedCode(key, '000000', credential);
    const [one, two] = [await it.post(pathOf(credential), body), await it.post(pathOf(credential), body)];
    expect([one.status, two.status]).toEqual([202, 202]);
    expect((await it.post(pathOf(credential), body, { headers: await proof(key, one) })).status).toBe(200);
    expect(refused(await it.post(pathOf(credential), body, { headers: await proof(key, two) }))[2]).toBe(
      'No pending OTP for this credential',
    );
  });
});

test('the wallet library verifies the token of a login with the key that /_emulator/wallet-key shows', async () => {
  // It reads the real clock, so that the world has to be ahead of it.
  const it = await walletKit({ now: '2090-01-01T00:00:00Z' });
  const key = clientKey();
  const first = await it.post(pathOf(it.emailOtp), await it.sealedCode(key));
  const claims = await walletClient.verifyOtpVerificationToken(first.body.payloadToSign, it.quorumPublicKey);
  expect(JSON.stringify(claims)).toContain(key.compressed);
});

test('a login by code is refused with "No pending OTP for this credential" before any challenge', async () => {
  const it = await walletKit();
  const foreign = await it.sealedCode(clientKey());
  const other = await it.post('/customers', { customerType: 'INDIVIDUAL', email: 'other@example.com' });
  const page = await it.get('/customers/internal-accounts', { customerId: other.body.id, type: 'EMBEDDED_WALLET' });
  const [credential] = (await it.get('/auth/credentials', { accountId: page.body.data[0].id })).body.data;
  expect(refused(await it.post(pathOf(credential.id), foreign))).toEqual([
    401,
    'UNAUTHORIZED',
    'No pending OTP for this credential',
  ]);
  await it.post(`/auth/credentials/${credential.id}/challenge`);
  expect(refused(await it.post(pathOf(credential.id), foreign))[2]).toBe('OTP bundle could not be decrypted');
});

describe('the sealed bundle of a login by code (reference 10.4)', () => {
  /** Seal any plaintext to the bundle's target, as a client without a wallet library would. */
  const sealed = (bundle: string, plaintext: string) => {
    const target = JSON.parse(Buffer.from(JSON.parse(bundle).data, 'hex').toString()).targetPublic;
    const text = walletClient.formatHpkeBuf(
      walletClient.hpkeEncrypt({
        plainTextBuf: new TextEncoder().encode(plaintext),
        targetKeyBuf: Uint8Array.from(Buffer.from(target, 'hex')),
      }),
    );
    return { type: 'EMAIL_OTP', encryptedOtpBundle: text };
  };
  const challenged = async (it: WalletKit): Promise<string> =>
    (await it.post(`/auth/credentials/${it.emailOtp}/challenge`)).body.otpEncryptionTargetBundle;

  test.each(['compressed', 'uncompressed'] as const)(
    'a bundle may seal a key that is %s, and its stamp is accepted in another form',
    async (form) => {
      const it = await walletKit();
      const key = clientKey();
      const body = sealed(await challenged(it), JSON.stringify({ public_key: key[form], otp_code: '000000' }));
      const first = await it.post(pathOf(it.emailOtp), body);
      const stamp = JSON.parse(Buffer.from(await stampOf(key, first.body.payloadToSign), 'base64url').toString());
      const value = Buffer.from(JSON.stringify({ ...stamp, publicKey: key.uncompressed.toUpperCase() })).toString(
        'base64',
      );
      const headers = { 'service-wallet-signature': value, 'request-id': first.body.requestId };
      expect((await it.post(pathOf(it.emailOtp), body, { headers })).status).toBe(200);
      const privacy = await it.sign(key, 'PATCH', `/internal-accounts/${it.accountId}`, { privateEnabled: true });
      expect(privacy.status).toBe(200);
    },
  );

  test('a bundle that does not hold a code and a key is refused with 401', async () => {
    const it = await walletKit();
    const { compressed } = clientKey();
    for (const contents of [
      'no json',
      '{}',
      JSON.stringify({ otp_code: 0, public_key: compressed }),
      JSON.stringify({ otp_code: '000000' }),
      JSON.stringify({ otp_code: '000000', public_key: `02${'ff'.repeat(32)}` }),
      JSON.stringify({ otpCode: '000000', publicKey: compressed }),
    ]) {
      const answer = await it.post(pathOf(it.emailOtp), sealed(await challenged(it), contents));
      expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHORIZED']);
      expect(answer.body.reason).toMatch(/^OTP bundle holds /);
    }
  });

  test('a bundle for an older challenge, or for another credential, is refused because it cannot be decrypted', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const older = await it.sealedCode(clientKey());
    const newer = await it.sealedCode(key);
    const closed = [401, 'UNAUTHORIZED', 'OTP bundle could not be decrypted'];
    expect(refused(await it.post(pathOf(it.emailOtp), older))).toEqual(closed);
    const sms = await it.sign(key, 'POST', '/auth/credentials', { type: 'SMS_OTP', accountId: it.accountId });
    expect(refused(await it.post(pathOf(sms.body.id), { ...newer, type: 'SMS_OTP' }))).toEqual(closed);
    expect((await it.post(pathOf(it.emailOtp), newer)).status).toBe(202);
  });

  test('a text that is not a bundle is refused with 400, which names encryptedOtpBundle', async () => {
    const it = await walletKit();
    const { encryptedOtpBundle } = await it.sealedCode(clientKey());
    const good = JSON.parse(encryptedOtpBundle);
    for (const bundle of [
      'no json',
      '[]',
      JSON.stringify({ ...good, encappedPublic: good.encappedPublic.slice(2) }),
      JSON.stringify({ ...good, ciphertext: 'zz' }),
      JSON.stringify({ encappedPublic: good.encappedPublic }),
    ]) {
      const answer = await it.post(pathOf(it.emailOtp), { type: 'EMAIL_OTP', encryptedOtpBundle: bundle });
      expect([answer.status, answer.body.code, answer.body.details.errors[0].field]).toEqual([
        400,
        'INVALID_INPUT',
        'encryptedOtpBundle',
      ]);
    }
    expect((await it.post(pathOf(it.emailOtp), { type: 'EMAIL_OTP', encryptedOtpBundle: good })).status).toBe(400);
  });
});

describe('further refusals of a login by code', () => {
  test('a login by code is refused when type is not that of the credential, and with REFERENCE_NOT_FOUND for an unknown credential', async () => {
    const it = await walletKit();
    const body = await it.sealedCode(clientKey());
    expect((await it.post(pathOf(it.emailOtp), { ...body, type: 'SMS_OTP' })).body.details.errors[0].field).toBe(
      'type',
    );
    const unknown = 'AuthMethod:00000000-0000-7000-8000-000000000000';
    expect((await it.post(pathOf(unknown), body)).body.code).toBe('REFERENCE_NOT_FOUND');
  });

  test('only the sealed key may sign the retry of a login by code: no session of the wallet and no other key', async () => {
    const it = await walletKit();
    const { key: old } = await it.login();
    const key = clientKey();
    const body = await it.sealedCode(key);
    const first = await it.post(pathOf(it.emailOtp), body);
    for (const signer of [old, clientKey()])
      expect(refused(await it.post(pathOf(it.emailOtp), body, { headers: await proof(signer, first) }))).toEqual([
        401,
        'WALLET_SIGNATURE_INVALID',
        'the key is not the one that was sealed with the code',
      ]);
    expect((await it.post(pathOf(it.emailOtp), body, { headers: await proof(key, first) })).status).toBe(200);
  });

  test('the retry of a login by code is refused as another body when it seals the same code again', async () => {
    const it = await walletKit();
    const key = clientKey();
    const challenge = await it.post(`/auth/credentials/${it.emailOtp}/challenge`);
    const seal = async () => ({
      type: 'EMAIL_OTP',
      encryptedOtpBundle: await walletClient.encryptOtpCodeToBundle(
        '000000',
        challenge.body.otpEncryptionTargetBundle,
        key.compressed,
        it.quorumPublicKey,
      ),
    });
    const first = await it.post(pathOf(it.emailOtp), await seal());
    expect(refused(await it.post(pathOf(it.emailOtp), await seal(), { headers: await proof(key, first) }))[1]).toBe(
      'WALLET_SIGNATURE_BODY_MISMATCH',
    );
  });

  test('the retry of a login by code with only one header, or a malformed stamp, is refused with the code of that fault', async () => {
    const it = await walletKit();
    const key = clientKey();
    const body = await it.sealedCode(key);
    const headers = await proof(key, await it.post(pathOf(it.emailOtp), body));
    const { 'request-id': id = '', 'service-wallet-signature': signature = '' } = headers;
    const answers = [
      await it.post(pathOf(it.emailOtp), body, { headers: { 'request-id': id } }),
      await it.post(pathOf(it.emailOtp), body, { headers: { 'service-wallet-signature': signature } }),
      await it.post(pathOf(it.emailOtp), body, { headers: { 'request-id': id, 'service-wallet-signature': '!' } }),
    ];
    expect(answers.map((answer) => answer.body.code)).toEqual([
      'WALLET_SIGNATURE_MISSING',
      'REQUEST_ID_MISSING',
      'WALLET_SIGNATURE_MALFORMED',
    ]);
  });

  test('a login by code with the literal signature gives the session to the sealed key (reference 8)', async () => {
    const it = await walletKit();
    const key = clientKey();
    const body = await it.sealedCode(key);
    const first = await it.post(pathOf(it.emailOtp), body);
    const headers = { 'service-wallet-signature': 'sandbox-valid-signature', 'request-id': first.body.requestId };
    expect((await it.post(pathOf(it.emailOtp), body, { headers })).status).toBe(200);
    const privacy = await it.sign(key, 'PATCH', `/internal-accounts/${it.accountId}`, { privateEnabled: true });
    expect(privacy.status).toBe(200);
  });

  test('a code expires after embeddedWalletConfig.expirationSeconds (reference 2.5)', async () => {
    const it = await walletKit();
    await it.patch('/config', { embeddedWalletConfig: { expirationSeconds: 30 } });
    const body = await it.sealedCode(clientKey());
    await it.advance('PT30S');
    expect(refused(await it.post(pathOf(it.emailOtp), body))[2]).toBe('No pending OTP for this credential');
  });
});
