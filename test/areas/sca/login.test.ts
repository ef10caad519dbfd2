import { describe, expect, test } from 'vitest';
import { SCA_LOGINS } from '../../../src/areas/sca/row.ts';
import { totpCode } from '../../../src/testkit/index.ts';
import { refusal } from '../../kit/sandbox.ts';
import { CODE, EMIL, type EuKit, euKit, NORA, ORIGIN, SECRET_BASE32 } from './eu.ts';

const IP = { endUserIpAddress: '203.0.113.42' };
const complete = (it: EuKit, sent: object, of = NORA) => it.counted('POST', '/login/complete', { ...IP, ...sent }, of);
const record = (it: EuKit, eventType = 'FAILED_LOGIN_ATTEMPT') => it.sca('POST', '/record-event', { eventType });
const appCode = (it: EuKit, steps = 0) => totpCode(SECRET_BASE32, { at: it.sandbox.world.clock.now(), steps });

describe('a login by SMS', () => {
  test('a login by SMS answers the challenge of its start within five minutes, and lasts 180 days', async () => {
    const it = await euKit();
    const { status, body } = await it.sca('POST', '/login/start', { factor: 'SMS_OTP' });
    expect([status, body]).toEqual([
      200,
      {
        factor: 'SMS_OTP',
        challengeId: expect.stringMatching(/^ScaChallenge:/),
        expiresAt: '2026-01-05T09:05:00.000Z',
      },
    ]);
    const [sent] = (await it.control('GET', '/codes')).body.data;
    expect(sent).toMatchObject({ channel: 'phone', to: '+46701740605', code: CODE, purpose: 'customer login' });
    const done = await complete(it, { factor: 'SMS_OTP', challengeId: body.challengeId, code: CODE });
    expect([done.status, done.body]).toEqual([
      200,
      { status: 'SUCCESS', sessionExpiresAt: '2026-07-04T09:00:00.000Z' },
    ]);
    const again = await complete(it, { factor: 'SMS_OTP', challengeId: body.challengeId, code: CODE });
    expect(again.status).toBe(400);
  });

  test('a login with a late, unknown, missing or replaced challenge is refused with 400 and does not count as failed', async () => {
    const it = await euKit();
    const start = async () => (await it.sca('POST', '/login/start', { factor: 'SMS_OTP' })).body.challengeId;
    const [old, challengeId] = [await start(), await start()];
    for (const id of [old, 'another', null])
      expect(
        (await it.sca('POST', '/login/complete', { ...IP, factor: 'SMS_OTP', challengeId: id, code: CODE })).status,
      ).toBe(400);
    await it.advance('PT5M');
    const late = await it.sca('POST', '/login/complete', { ...IP, factor: 'SMS_OTP', challengeId, code: CODE });
    expect(refusal(late)).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    expect((await record(it)).body.failedAttempts).toBe(1);
  });

  test.each([
    ['no proof', {}, ['code']],
    ['a code and an assertion', { code: CODE, passkeyAssertion: { any: 1 }, origin: ORIGIN }, ['passkeyAssertion']],
    ['an assertion', { passkeyAssertion: { any: 1 }, origin: ORIGIN }, ['passkeyAssertion']],
  ])('a login by SMS with %s is refused with 400, and does not count as failed', async (_, proof, fields) => {
    const it = await euKit();
    const { challengeId } = (await it.sca('POST', '/login/start', { factor: 'SMS_OTP' })).body;
    const answer = await it.sca('POST', '/login/complete', { ...IP, factor: 'SMS_OTP', challengeId, ...proof });
    expect(refusal(answer)).toEqual({ status: 400, code: 'INVALID_INPUT', fields });
  });

  test('a login by a factor that is not enrolled is refused with 400, at its start and at its end', async () => {
    const it = await euKit();
    for (const factor of ['TOTP', 'PASSKEY'])
      expect(refusal(await it.sca('POST', '/login/start', { factor }))).toEqual({
        status: 400,
        code: 'INVALID_INPUT',
        fields: ['factor'],
      });
    const answer = await it.sca('POST', '/login/complete', { ...IP, factor: 'TOTP', code: CODE });
    expect(refusal(answer).fields).toEqual(['factor']);
  });
});

describe('a login by authenticator app', () => {
  test('a login by authenticator app needs no challenge: its start shows only the factor', async () => {
    const it = await euKit();
    const start = await it.sca('POST', '/login/start', { factor: 'TOTP' }, EMIL);
    expect([start.status, start.body]).toEqual([200, { factor: 'TOTP' }]);
    expect((await complete(it, { factor: 'TOTP', code: CODE }, EMIL)).status).toBe(200);
  });

  test('a code of an authenticator app is valid once, one step before and after its own, on the virtual clock', async () => {
    const it = await euKit();
    const login = async (code: string) => (await complete(it, { factor: 'TOTP', code }, EMIL)).status;
    const [early, next, far] = [appCode(it, -1), appCode(it, 1), appCode(it, 2)];
    expect(await login(far)).toBe(400);
    expect(await login(early)).toBe(200);
    expect(await login(early)).toBe(400);
    expect(await login(next)).toBe(200);
    // An older step is void once a newer one was used.
    expect(await login(appCode(it))).toBe(400);
    await it.advance('PT1M');
    expect(await login(appCode(it))).toBe(200);
  });

  test('a code of an authenticator app in full-width or Arabic digits is refused with 400 and counts as failed', async () => {
    const it = await euKit();
    for (const code of ['１２３４５６', '١٢٣٤٥٦', '12345é', 'éééééé'])
      expect((await complete(it, { factor: 'TOTP', code }, EMIL)).status).toBe(400);
    expect(it.sandbox.world.rows(SCA_LOGINS).get(EMIL)?.failedAttempts).toBe(4);
    const { body } = await it.sca('POST', '/factors', { type: 'TOTP' });
    const sent = { type: 'TOTP', secret: body.secret, code: '１２３４５６' };
    expect((await it.counted('POST', '/factors/confirm', sent)).status).toBe(400);
  });

  test('one of two equal codes of an authenticator app, sent at the same time, is accepted', async () => {
    const it = await euKit();
    const code = appCode(it);
    const both = await Promise.all([1, 2].map(() => complete(it, { factor: 'TOTP', code }, EMIL)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test('a recovery code replaces the code of an authenticator app once, whatever its case', async () => {
    const it = await euKit();
    const { body } = await it.sca('POST', '/factors', { type: 'TOTP' });
    const sent = { type: 'TOTP', secret: body.secret, code: CODE };
    const [code] = (await it.sca('POST', '/factors/confirm', sent)).body.recoveryCodes;
    const login = async () => (await complete(it, { factor: 'TOTP', code: code.toLowerCase() })).status;
    expect([await login(), await login()]).toEqual([200, 400]);
  });
});

describe('a login by passkey', () => {
  test('a login by passkey verifies the assertion, and refuses one by another key, for another challenge or from another origin', async () => {
    const it = await euKit();
    const device = await it.passkey();
    const { body } = await it.sca('POST', '/login/start', { factor: 'PASSKEY' });
    expect(body).toMatchObject({
      factor: 'PASSKEY',
      allowedOrigins: [ORIGIN],
      relyingPartyId: 'app.example.org',
      passkeyOptions: { rpId: 'app.example.org', allowCredentials: [{ type: 'public-key', id: device.credentialId }] },
    });
    const login = (passkeyAssertion: object, origin = ORIGIN) =>
      complete(it, { factor: 'PASSKEY', passkeyAssertion, origin });
    expect((await login(device.get(body.passkeyOptions, { wrongKey: true }))).status).toBe(400);
    expect((await login(device.get(body.passkeyOptions, { challenge: 'no' }))).status).toBe(400);
    const from = 'https://other.example.org';
    expect(refusal(await login(device.get(body.passkeyOptions, { origin: from }), from)).fields).toEqual(['origin']);
    const made = device.get(body.passkeyOptions);
    expect((await login(made)).status).toBe(200);
    expect((await login(made)).status).toBe(400);
    const loginState = it.sandbox.world.rows(SCA_LOGINS).get(NORA);
    expect(loginState?.failedAttempts).toBe(2);
  });

  test.each([
    ['clientDataJSON', 'bm9wZQ'],
    ['authenticatorData', 'c2hvcnQ'],
    ['signature', '!'],
  ])(
    'a login with an assertion whose %s cannot be read is refused with 400 by its field, and does not count as failed (K4)',
    async (name, text) => {
      const it = await euKit();
      const device = await it.passkey();
      const { body } = await it.sca('POST', '/login/start', { factor: 'PASSKEY' });
      const made = device.get(body.passkeyOptions);
      const passkeyAssertion = { ...made, response: { ...made.response, [name]: text } };
      const sent = { ...IP, factor: 'PASSKEY', passkeyAssertion, origin: ORIGIN };
      const answer = await it.sca('POST', '/login/complete', sent);
      const field = `passkeyAssertion.response.${name}`;
      expect(refusal(answer)).toEqual({ status: 400, code: 'INVALID_INPUT', fields: [field] });
      expect(it.sandbox.world.rows(SCA_LOGINS).get(NORA)?.failedAttempts ?? 0).toBe(0);
      expect((await complete(it, { ...sent, passkeyAssertion: made })).status).toBe(200);
    },
  );

  test('an assertion that no browser makes is accepted unread, unless it is empty or names another challenge', async () => {
    const it = await euKit();
    await it.sca('POST', '/login/start', { factor: 'PASSKEY' }, EMIL);
    const login = (passkeyAssertion: object, origin?: string) =>
      complete(it, { factor: 'PASSKEY', passkeyAssertion, origin }, EMIL);
    expect(refusal(await login({ any: 1 })).fields).toEqual(['origin']);
    expect(refusal(await login({}, ORIGIN)).fields).toEqual(['passkeyAssertion']);
    expect((await login({ challenge: 'another' }, ORIGIN)).status).toBe(400);
    expect((await login({ any: 1 }, ORIGIN)).status).toBe(200);
  });

  test('one of two equal assertions of a passkey, sent at the same time, is accepted', async () => {
    const it = await euKit();
    await it.sca('POST', '/login/start', { factor: 'PASSKEY' }, EMIL);
    const sent = { factor: 'PASSKEY', passkeyAssertion: { any: 1 }, origin: ORIGIN };
    const both = await Promise.all([1, 2].map(() => complete(it, sent, EMIL)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('failed attempts', () => {
  test('failed logins add up and lock for 15 minutes, 30 minutes, an hour and a day; the ninth suspends', async () => {
    const it = await euKit();
    const free = { suspended: false, lockedUntil: null };
    for (let failedAttempts = 1; failedAttempts < 5; failedAttempts += 1)
      expect((await record(it)).body).toEqual({ eventType: 'FAILED_LOGIN_ATTEMPT', ...free, failedAttempts });
    const locks = [];
    for (const wait of ['PT15M', 'PT30M', 'PT1H', 'PT24H']) {
      const { body } = await record(it);
      locks.push([body.failedAttempts, Date.parse(body.lockedUntil) - it.sandbox.world.clock.now()]);
      const refused = await record(it);
      expect(refusal(refused)).toMatchObject({ status: 423, code: 'ACCOUNT_LOCKED' });
      expect(refused.body.details).toEqual({
        suspended: false,
        lockedUntil: body.lockedUntil,
        failedAttempts: body.failedAttempts,
      });
      await it.advance(wait);
    }
    expect(locks).toEqual([
      [5, 15 * 60_000],
      [6, 30 * 60_000],
      [7, 3_600_000],
      [8, 86_400_000],
    ]);
    expect((await record(it)).body).toMatchObject({ suspended: true, lockedUntil: null, failedAttempts: 9 });
    await it.advance('P30D');
    expect((await record(it)).body.details).toEqual({ suspended: true, lockedUntil: null, failedAttempts: 9 });
  });

  test('wrong codes of logins count, a right one clears nothing, and a locked login is refused with 423 despite a right code', async () => {
    const it = await euKit();
    for (let i = 0; i < 4; i += 1) expect((await it.login({ code: '000000' })).status).toBe(400);
    expect((await it.login()).status).toBe(200);
    expect((await it.login({ code: '000000' })).status).toBe(400);
    const { challengeId } = (await it.sca('POST', '/login/start', { factor: 'SMS_OTP' })).body;
    const locked = await it.sca('POST', '/login/complete', { ...IP, factor: 'SMS_OTP', challengeId, code: CODE });
    expect(refusal(locked)).toMatchObject({ status: 423, code: 'ACCOUNT_LOCKED' });
    await it.advance('PT15M');
    expect((await it.login()).status).toBe(200);
  });

  test('three wrong codes end a challenge: a fourth, right one is refused with 400 and does not count as failed', async () => {
    const it = await euKit();
    const { challengeId } = (await it.sca('POST', '/login/start', { factor: 'SMS_OTP' })).body;
    const login = (code: string) => complete(it, { factor: 'SMS_OTP', challengeId, code });
    for (let i = 0; i < 3; i += 1) expect((await login('000000')).status).toBe(400);
    expect((await login(CODE)).status).toBe(400);
    expect((await record(it)).body.failedAttempts).toBe(4);
  });

  test('a new password clears failed attempts, lock, suspension and session', async () => {
    const it = await euKit();
    await it.login();
    for (const wait of ['PT0S', 'PT0S', 'PT0S', 'PT0S', 'PT15M', 'PT30M', 'PT1H', 'PT24H', 'PT0S']) {
      await record(it);
      if (wait !== 'PT0S') await it.advance(wait);
    }
    const { body } = await record(it, 'RESET_PASSWORD_COMPLETED');
    const cleared = { suspended: false, lockedUntil: null, failedAttempts: 0 };
    expect(body).toEqual({ eventType: 'RESET_PASSWORD_COMPLETED', ...cleared });
    expect(it.sandbox.world.rows(SCA_LOGINS).get(NORA)).toEqual({ id: NORA, failedAttempts: 0, suspended: false });
    expect((await it.login()).status).toBe(200);
  });

  test('a new password for a customer who never logged in changes nothing', async () => {
    const it = await euKit();
    expect((await record(it, 'RESET_PASSWORD_COMPLETED')).body.failedAttempts).toBe(0);
    expect(it.sandbox.world.rows(SCA_LOGINS).size).toBe(0);
  });

  test('an event of another type than those of a login is refused with 400', async () => {
    const it = await euKit();
    expect(refusal(await record(it, 'LOGIN')).fields).toEqual(['eventType']);
  });
});
