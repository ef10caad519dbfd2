import { describe, expect, test } from 'vitest';
import { SCA_FACTORS } from '../../../src/areas/sca/row.ts';
import { SoftwareAuthenticator, totpCode } from '../../../src/testkit/index.ts';
import { refusal } from '../../kit/sandbox.ts';
import { CODE, EMIL, type EuKit, euKit, NORA, ORIGIN } from './eu.ts';

const statuses = (it: EuKit, customerId: string) =>
  it.sandbox.world
    .rows(SCA_FACTORS)
    .all('customerId', customerId)
    .map(({ type, status }) => `${type} ${status}`);
const now = (it: EuKit) => it.sandbox.world.clock.now();

/** Begins and finishes the enrolment of an app, with its own code. */
async function enrolled(it: EuKit) {
  const { body } = await it.sca('POST', '/factors', { type: 'TOTP' });
  const code = totpCode(body.totpUri, { at: now(it) });
  const answer = await it.sca('POST', '/factors/confirm', { type: 'TOTP', secret: body.secret, code });
  return { start: body, answer };
}

describe('GET /sca/factors, 200', () => {
  test('the list of factors has the code by SMS and whatever was enrolled, and only a passkey has an id', async () => {
    const it = await euKit();
    expect((await it.sca('GET', '/factors')).body).toEqual({ factors: [{ factor: 'SMS_OTP', name: 'Code by SMS' }] });
    const { body } = await it.sca('GET', '/factors', undefined, EMIL);
    expect(body.factors).toEqual([
      { factor: 'SMS_OTP', name: 'Code by SMS' },
      { factor: 'TOTP', name: 'Authenticator app' },
      { factor: 'PASSKEY', name: 'Passkey', credentialId: expect.stringMatching(/^ScaFactor:/) },
    ]);
  });

  test('a phone that is not yet verified is not a factor', async () => {
    const it = await euKit({ platform: { contactVerification: { FI: ['phone'], default: [] } } });
    const sent = { customerType: 'INDIVIDUAL', fullName: 'Aino Salo', region: 'FI', phoneNumber: '+358401234567' };
    const { id } = (await it.post('/customers', sent)).body;
    const factors = async () => (await it.sca('GET', '/factors', undefined, id)).body.factors.length;
    expect(await factors()).toBe(0);
    await it.post(`/customers/${id}/verify-phone/confirm`, { code: CODE });
    expect(await factors()).toBe(1);
  });
});

describe('POST /sca/factors and /confirm with an authenticator app', () => {
  test('an authenticator app is confirmed by its own code; eight recovery codes are shown once and kept as digests', async () => {
    const it = await euKit();
    const { start, answer } = await enrolled(it);
    expect(start).toMatchObject({ type: 'TOTP', secret: expect.stringMatching(/^[0-9a-f]{40}$/) });
    const uri = new URL(start.totpUri);
    expect([uri.protocol, uri.host, uri.searchParams.get('secret'), uri.searchParams.get('issuer')]).toEqual([
      'otpauth:',
      'totp',
      start.secretBase32Encoded,
      'pay.example',
    ]);
    expect(answer.status).toBe(200);
    expect(answer.body.recoveryCodes).toHaveLength(8);
    for (const code of answer.body.recoveryCodes) expect(code).toMatch(/^[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}$/);
    const kept = JSON.stringify(it.sandbox.world.snapshot());
    expect(answer.body.recoveryCodes.filter((code: string) => kept.includes(code))).toEqual([]);
    expect(statuses(it, NORA)).toEqual(['TOTP ACTIVE']);
  });

  test('an authenticator app is confirmed by the sandbox code as well', async () => {
    const it = await euKit();
    const { body } = await it.sca('POST', '/factors', { type: 'TOTP' });
    const sent = { type: 'TOTP', secret: body.secret, code: CODE };
    expect((await it.sca('POST', '/factors/confirm', sent)).status).toBe(200);
  });

  test('a wrong code of an enrolment is refused with 400 and counted; after three, the enrolment has to begin again', async () => {
    const it = await euKit();
    const { body } = await it.sca('POST', '/factors', { type: 'TOTP' });
    const code = totpCode(body.totpUri, { at: now(it) });
    const wrong = { type: 'TOTP', secret: body.secret, code: code === '000000' ? '000001' : '000000' };
    for (let i = 0; i < 3; i += 1)
      expect((await it.counted('POST', '/factors/confirm', wrong)).body).toMatchObject({ status: 400 });
    const late = await it.sca('POST', '/factors/confirm', { ...wrong, code });
    expect(refusal(late)).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    expect((await enrolled(it)).answer.status).toBe(200);
    expect(statuses(it, NORA)).toEqual(['TOTP LAPSED', 'TOTP ACTIVE']);
  });

  test('a confirmation with the secret of another enrolment, or before any enrolment, is refused with 400', async () => {
    const it = await euKit();
    const sent = { type: 'TOTP', secret: 'ab', code: CODE };
    expect(refusal(await it.sca('POST', '/factors/confirm', sent)).status).toBe(400);
    await it.sca('POST', '/factors', { type: 'TOTP' });
    expect(refusal(await it.sca('POST', '/factors/confirm', sent)).fields).toEqual(['secret']);
  });

  test('an enrolment that nobody confirms lapses after five minutes, and its secret is forgotten', async () => {
    const it = await euKit();
    const { body } = await it.sca('POST', '/factors', { type: 'TOTP' });
    await it.advance('PT5M');
    expect(statuses(it, NORA)).toEqual(['TOTP LAPSED']);
    expect(JSON.stringify(it.sandbox.world.rows(SCA_FACTORS).all('customerId', NORA))).not.toContain(body.secret);
    const answer = await it.sca('POST', '/factors/confirm', { type: 'TOTP', secret: body.secret, code: CODE });
    expect(answer.status).toBe(400);
  });

  test('a second authenticator app replaces the first when it is confirmed, not before', async () => {
    const it = await euKit();
    const { start } = await enrolled(it);
    const next = await it.sca('POST', '/factors', { type: 'TOTP' });
    expect(statuses(it, NORA)).toEqual(['TOTP ACTIVE', 'TOTP PENDING']);
    const login = (code: string) =>
      it.counted('POST', '/login/complete', { factor: 'TOTP', endUserIpAddress: '203.0.113.42', code });
    expect((await login(totpCode(start.totpUri, { at: now(it), steps: 1 }))).status).toBe(200);
    await it.sca('POST', '/factors/confirm', { type: 'TOTP', secret: next.body.secret, code: CODE });
    expect(statuses(it, NORA)).toEqual(['TOTP REMOVED', 'TOTP ACTIVE']);
    await it.advance('PT2M');
    expect((await login(totpCode(start.totpUri, { at: now(it) }))).status).toBe(400);
    expect((await login(totpCode(next.body.totpUri, { at: now(it) }))).status).toBe(200);
  });

  test('an enrolment of SMS_OTP is refused with 400', async () => {
    const it = await euKit();
    const answer = await it.sca('POST', '/factors', { type: 'SMS_OTP' });
    expect(refusal(answer)).toEqual({ status: 400, code: 'INVALID_INPUT', fields: ['type'] });
  });
});

describe('POST /sca/factors and /confirm with a passkey', () => {
  const start = async (it: EuKit) => (await it.sca('POST', '/factors', { type: 'PASSKEY' })).body;
  const confirm = (it: EuKit, credential: object, origin = ORIGIN) =>
    it.counted('POST', '/factors/confirm', { type: 'PASSKEY', origin, credential });

  test('a credential is refused with 400 when another enrolment replaced its own while it was verified', async () => {
    const it = await euKit();
    const device = new SoftwareAuthenticator({ origin: ORIGIN });
    const credential = device.create((await start(it)).options);
    const [late, next] = await Promise.all([
      confirm(it, credential),
      it.counted('POST', '/factors', { type: 'PASSKEY' }),
    ]);
    expect([late.status, next.status]).toEqual([400, 200]);
    expect(statuses(it, NORA)).toEqual(['PASSKEY LAPSED', 'PASSKEY PENDING']);
    expect((await confirm(it, device.create(next.body.options))).status).toBe(200);
  });

  test('a credential that a device makes of the options is verified and kept, and the factor is shown with its id', async () => {
    const it = await euKit();
    const options = await start(it);
    expect(options).toMatchObject({
      type: 'PASSKEY',
      allowedOrigins: [ORIGIN],
      relyingPartyId: 'app.example.org',
      options: { rp: { id: 'app.example.org' }, attestation: 'none' },
    });
    const answer = await confirm(it, new SoftwareAuthenticator({ origin: ORIGIN }).create(options.options));
    expect(answer.status).toBe(200);
    const { factors } = (await it.sca('GET', '/factors')).body;
    expect(answer.body).toEqual({ type: 'PASSKEY', factor: factors[1] });
  });

  test.each([
    ['for another challenge', { challenge: 'bm90IGl0' }],
    ['of an absent user', { userPresent: false }],
    ['of another relying party', { rpId: 'example.org' }],
    ['of another origin', { origin: 'https://other.example.org' }],
  ])('a credential %s is refused with 400', async (_, faults) => {
    const it = await euKit();
    const { options } = await start(it);
    const credential = new SoftwareAuthenticator({ origin: ORIGIN }).create(options, faults);
    expect(refusal(await confirm(it, credential))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    expect(statuses(it, NORA)).toEqual(['PASSKEY PENDING']);
  });

  test.each([
    ['clientDataJSON', 'bm9wZQ'],
    ['attestationObject', 'bm9wZQ'],
  ])(
    'a credential whose %s cannot be read is refused with 400 by its field, and counts for nothing (K4)',
    async (name, text) => {
      const it = await euKit();
      const { options } = await start(it);
      const credential = new SoftwareAuthenticator({ origin: ORIGIN }).create(options);
      const spoilt = { ...credential, response: { ...credential.response, [name]: text } };
      const sent = { type: 'PASSKEY', origin: ORIGIN, credential: spoilt };
      const answer = await it.sca('POST', '/factors/confirm', sent);
      expect(refusal(answer)).toEqual({ status: 400, code: 'INVALID_INPUT', fields: [`credential.response.${name}`] });
      expect((await confirm(it, credential)).status).toBe(200);
    },
  );

  test('a credential that no browser makes is accepted unread, unless it is empty or names another challenge', async () => {
    const it = await euKit();
    const { options } = await start(it);
    expect(refusal(await confirm(it, {})).fields).toEqual(['credential']);
    expect(refusal(await confirm(it, { any: 1 }, 'https://other.example')).fields).toEqual(['origin']);
    expect((await confirm(it, { challenge: 'another' })).status).toBe(400);
    expect((await confirm(it, { challenge: options.challenge, id: 'mine' })).status).toBe(200);
  });

  test('a second passkey is refused with 409 PASSKEY_ALREADY_ENROLLED, when its enrolment begins and when it ends', async () => {
    const it = await euKit();
    await start(it);
    await it.passkey();
    const again = await it.sca('POST', '/factors', { type: 'PASSKEY' });
    expect(refusal(again)).toMatchObject({ status: 409, code: 'PASSKEY_ALREADY_ENROLLED' });
    const sent = { type: 'PASSKEY', origin: ORIGIN, credential: { any: 1 } };
    const confirmed = await it.sca('POST', '/factors/confirm', sent);
    expect(refusal(confirmed)).toMatchObject({ status: 409, code: 'PASSKEY_ALREADY_ENROLLED' });
  });
});

describe('DELETE /sca/factors/{credentialId}', () => {
  test('a passkey is deleted, and another can be enrolled; a second deletion is refused with 404', async () => {
    const it = await euKit();
    await it.passkey();
    const { credentialId } = (await it.sca('GET', '/factors')).body.factors[1];
    expect((await it.sca('DELETE', `/factors/${credentialId}`)).status).toBe(204);
    expect(refusal(await it.sca('DELETE', `/factors/${credentialId}`))).toMatchObject({
      status: 404,
      code: 'REFERENCE_NOT_FOUND',
    });
    await it.passkey();
    expect(statuses(it, NORA)).toEqual(['PASSKEY REMOVED', 'PASSKEY ACTIVE']);
  });

  test("the deletion of another customer's passkey is refused with 404", async () => {
    const it = await euKit();
    const { credentialId } = (await it.sca('GET', '/factors', undefined, EMIL)).body.factors[2];
    expect((await it.sca('DELETE', `/factors/${credentialId}`)).status).toBe(404);
  });
});

describe('the secrets of factors', () => {
  test('the request log holds no secret, recovery code or liveness token', async () => {
    const it = await euKit();
    const { start, answer } = await enrolled(it);
    await it.sca('POST', '/factors/reset', { factor: 'TOTP' });
    const hidden = [start.secret, start.secretBase32Encoded, ...answer.body.recoveryCodes];
    const { body } = await it.control('GET', '/requests?limit=100');
    const texts = await Promise.all(
      body.data.map(async ({ id }: { id: string }) => (await it.control('GET', `/requests/${id}`)).text),
    );
    for (const text of [JSON.stringify(body), ...texts]) expect(hidden.filter((one) => text.includes(one))).toEqual([]);
    const liveness = texts.filter((text) => text.includes('livenessAccessToken'));
    expect(liveness.filter((text) => /livenessAccessToken[^,]*[0-9a-f]{32}/.test(text))).toEqual([]);
  });
});
