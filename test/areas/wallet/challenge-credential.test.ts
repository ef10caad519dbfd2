import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Authenticator, clientKey, walletKit } from '../../kit/wallet.ts';

const pathOf = (credential: string) => `/auth/credentials/${credential}/challenge`;
const limit = (challengesPerMinute: number) => ({ scenario: ['wallet', { limits: { challengesPerMinute } }] });

async function withAll() {
  const it = await walletKit();
  const { key } = await it.login();
  const authenticator = new Authenticator();
  const passkey = (await it.addPasskey(key, authenticator)).id as string;
  const oauth = (await it.addOauth(key)).id as string;
  const sms = (await it.sign(key, 'POST', '/auth/credentials', { type: 'SMS_OTP', accountId: it.accountId })).body;
  return { it, key, authenticator, passkey, oauth, sms: sms.id as string };
}

describe('POST /auth/credentials/{id}/challenge, one-time codes, 200 (spec 4.5)', () => {
  test('a one-time-code challenge shows the credential with its bundle and nothing else, sends the code and moves updatedAt', async () => {
    const { it, sms } = await withAll();
    await it.advance('PT10S');
    for (const [id, type, nickname, channel] of [
      [it.emailOtp, 'EMAIL_OTP', 'zoe@example.com', 'email'],
      [sms, 'SMS_OTP', '+12065550147', 'phone'],
    ]) {
      const answer = await it.post(pathOf(id as string));
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        id,
        accountId: it.accountId,
        type,
        nickname,
        otpEncryptionTargetBundle: expect.any(String),
        createdAt: '2026-01-05T09:00:00.000Z',
        updatedAt: '2026-01-05T09:00:10.000Z',
      });
      const [code] = (await it.control('GET', '/codes')).body.data;
      expect(code).toMatchObject({ channel, to: nickname, code: '000000', subject: id });
    }
  });

  test('the bundle of a challenge is signed over its data by the key that /_emulator/wallet-key shows (reference 10.3)', async () => {
    const it = await walletKit();
    const { body } = await it.post(pathOf(it.emailOtp), {});
    const bundle = JSON.parse(body.otpEncryptionTargetBundle);
    expect(Object.keys(bundle)).toEqual(['version', 'data', 'dataSignature', 'enclaveQuorumPublic']);
    expect(bundle.version).toBe('v1.0.0');
    expect(bundle.enclaveQuorumPublic).toBe(it.quorumPublicKey);
    const data = Buffer.from(bundle.data, 'hex');
    expect(JSON.parse(data.toString()).targetPublic).toMatch(/^04[0-9a-f]{128}$/);
    const spki = Buffer.from(`3059301306072a8648ce3d020106082a8648ce3d030107034200${it.quorumPublicKey}`, 'hex');
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    expect(verify('sha256', data, key, Buffer.from(bundle.dataSignature, 'hex'))).toBe(true);
  });

  test('every one-time-code challenge has its own target key', async () => {
    const it = await walletKit();
    const data = async () => JSON.parse((await it.post(pathOf(it.emailOtp))).body.otpEncryptionTargetBundle).data;
    expect(new Set([await data(), await data(), await data()]).size).toBe(3);
  });

  test.each([
    ['no body', undefined],
    ['an empty object', {}],
    ['unknown members', { anything: 1 }],
    ['a malformed key', { clientPublicKey: 'abc' }],
    ['a key that is not text', { clientPublicKey: 5 }],
    ['a key that is not a point', { clientPublicKey: `02${'ff'.repeat(32)}` }],
  ])('a one-time-code challenge with %s is answered with 200', async (_name, body) => {
    const it = await walletKit();
    expect((await it.post(pathOf(it.emailOtp), body)).status).toBe(200);
  });
});

describe('POST /auth/credentials/{id}/challenge, PASSKEY, 200 (spec 2.6)', () => {
  test.each(['compressed', 'uncompressed'] as const)(
    'a passkey challenge for a key that is %s has 64 hex digits, a request id and an expiry',
    async (form) => {
      const { it, passkey, authenticator } = await withAll();
      const answer = await it.post(pathOf(passkey), { clientPublicKey: clientKey()[form] });
      expect(answer.body).toEqual({
        id: passkey,
        accountId: it.accountId,
        type: 'PASSKEY',
        credentialId: authenticator.credentialId,
        nickname: 'Phone',
        challenge: expect.stringMatching(/^[0-9a-f]{64}$/),
        requestId: expect.stringMatching(/^Request:/),
        expiresAt: '2026-01-05T09:05:00.000Z',
        createdAt: '2026-01-05T09:00:00.000Z',
        updatedAt: '2026-01-05T09:00:00.000Z',
      });
    },
  );

  test('two passkey challenges at the same moment for the same key differ', async () => {
    const { it, passkey } = await withAll();
    const clientPublicKey = clientKey().uncompressed;
    const challenge = async () => (await it.post(pathOf(passkey), { clientPublicKey })).body.challenge;
    expect(await challenge()).not.toBe(await challenge());
  });

  test('limits.challengeSeconds replaces the five minutes of a passkey challenge', async () => {
    const it = await walletKit({ scenario: ['wallet', { limits: { challengeSeconds: 20 } }] });
    const { key } = await it.login();
    const { id } = await it.addPasskey(key, new Authenticator());
    const { body } = await it.post(pathOf(id), { clientPublicKey: clientKey().compressed });
    expect(body.expiresAt).toBe('2026-01-05T09:00:20.000Z');
  });
});

describe('POST /auth/credentials/{id}/challenge, 400 and 404', () => {
  test('a passkey challenge is refused with 400 without a clientPublicKey that is a point on P-256', async () => {
    const { it, passkey } = await withAll();
    const { compressed, uncompressed } = clientKey();
    for (const clientPublicKey of [
      undefined,
      '',
      null,
      compressed.slice(2),
      `${compressed}00`,
      `04${compressed.slice(2)}`,
      `02${'ff'.repeat(32)}`,
      `04${'00'.repeat(64)}`,
      `06${uncompressed.slice(2)}`,
      `${uncompressed.slice(0, -1)}g`,
    ]) {
      const answer = await it.post(pathOf(passkey), { clientPublicKey });
      expect([answer.status, answer.body.code, answer.body.details.errors[0].field]).toEqual([
        400,
        'INVALID_INPUT',
        'clientPublicKey',
      ]);
    }
    expect((await it.post(pathOf(passkey))).status).toBe(400);
    expect((await it.post(pathOf(passkey), { clientPublicKey: compressed.toUpperCase() })).status).toBe(200);
  });

  test('a challenge of an OAUTH credential is refused with INVALID_INPUT (spec 4.5 rule 3)', async () => {
    const { it, oauth } = await withAll();
    expect((await it.post(pathOf(oauth))).body.code).toBe('INVALID_INPUT');
  });

  test('a challenge of an unknown or revoked credential is refused with REFERENCE_NOT_FOUND', async () => {
    const { it, key, sms } = await withAll();
    await it.sign(key, 'DELETE', `/auth/credentials/${sms}`);
    for (const id of [sms, 'AuthMethod:00000000-0000-7000-8000-000000000000', 'x'])
      expect((await it.post(pathOf(id))).body.code).toBe('REFERENCE_NOT_FOUND');
  });
});

describe('POST /auth/credentials/{id}/challenge, 429 (spec 8)', () => {
  test('a challenge above the limit per virtual minute is refused with 429, and Retry-After shows the exact seconds to wait', async () => {
    const it = await walletKit(limit(3));
    await it.post(pathOf(it.emailOtp));
    await it.advance('PT20S');
    await it.post(pathOf(it.emailOtp));
    await it.post(pathOf(it.emailOtp));
    const answer = await it.post(pathOf(it.emailOtp));
    expect(answer.status).toBe(429);
    expect(answer.body).toMatchObject({ status: 429, code: 'RATE_LIMITED', message: expect.any(String) });
    expect(answer.headers.get('retry-after')).toBe('40');
    await it.advance('PT39.5S');
    expect((await it.post(pathOf(it.emailOtp))).headers.get('retry-after')).toBe('1');
    await it.advance('PT0.5S');
    expect((await it.post(pathOf(it.emailOtp))).status).toBe(200);
    expect((await it.post(pathOf(it.emailOtp))).headers.get('retry-after')).toBe('20');
  });

  test('a challenge that is refused with 429 does not supersede the code that was sent before', async () => {
    const it = await walletKit(limit(1));
    const key = clientKey();
    const body = await it.sealedCode(key);
    expect((await it.post(pathOf(it.emailOtp))).status).toBe(429);
    expect((await it.sign(key, 'POST', `/auth/credentials/${it.emailOtp}/verify`, body)).status).toBe(200);
  });

  test('the limit of challenges counts per credential, and does not count malformed calls', async () => {
    const it = await walletKit(limit(2));
    const { key } = await it.login();
    const { id } = await it.addPasskey(key, new Authenticator());
    const clientPublicKey = clientKey().compressed;
    for (let i = 0; i < 4; i += 1) expect((await it.post(pathOf(id), {})).status).toBe(400);
    expect((await it.post(pathOf(id), { clientPublicKey })).status).toBe(200);
    expect((await it.post(pathOf(it.emailOtp))).status).toBe(200);
    expect((await it.post(pathOf(it.emailOtp))).status).toBe(429);
    expect((await it.post(pathOf(id), { clientPublicKey })).status).toBe(200);
    expect((await it.post(pathOf(id), { clientPublicKey })).status).toBe(429);
  });

  test('the limit of challenges is 20 per minute unless the scenario sets another, and 0 turns it off', async () => {
    const standard = await walletKit();
    const statuses = [];
    for (let i = 0; i < 21; i += 1) statuses.push((await standard.post(pathOf(standard.emailOtp))).status);
    expect([statuses.indexOf(429), statuses.length]).toEqual([20, 21]);
    const off = await walletKit(limit(0));
    for (let i = 0; i < 30; i += 1) expect((await off.post(pathOf(off.emailOtp))).status).toBe(200);
  });
});
