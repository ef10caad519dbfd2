import { describe, expect, test } from 'vitest';
import { kit, refusal } from '../../kit/sandbox.ts';
import { CODE, EMIL, type EuKit, euKit, NORA } from './eu.ts';

const HOLD = { policies: { 'sca.liveness': 'hold' } };
const start = (it: EuKit, factor = 'TOTP', of = EMIL) => it.sca('POST', '/factors/reset', { factor }, of);
const poll = async (it: EuKit, id: string, of = EMIL) =>
  (await it.sca('GET', `/factors/reset/${id}`, undefined, of)).body;
const complete = (it: EuKit, id: string, body?: object, of = EMIL) =>
  it.sca('POST', `/factors/reset/${id}/complete`, body, of);
/** Status, code and reason of a reset that is not completed. */
async function over(it: EuKit, id: string) {
  const { status, body } = await complete(it, id);
  return [status, body.code, body.details.reason];
}
const decide = (it: EuKit, id: string, outcome: string) =>
  it.control('POST', `/sca-resets/${id}/liveness`, { outcome });
const factors = async (it: EuKit, of = EMIL): Promise<string[]> =>
  (await it.sca('GET', '/factors', undefined, of)).body.factors.map(({ factor }: { factor: string }) => factor);

describe('the reset of a factor', () => {
  test('a reset has passed liveness by the first poll; its completion removes the factor, which can be enrolled again', async () => {
    const it = await euKit();
    const { status, body } = await start(it);
    expect([status, body]).toEqual([
      201,
      {
        resetId: expect.stringMatching(/^ScaReset:/),
        livenessAccessToken: expect.stringMatching(/^[0-9a-f]{32}$/),
        verificationLink: expect.stringContaining(body.livenessAccessToken),
        expiresAt: '2026-01-05T09:30:00.000Z',
      },
    ]);
    await it.settle();
    const shown = { factor: 'TOTP', expiresAt: body.expiresAt, enrollmentStatus: 'PENDING' };
    expect(await poll(it, body.resetId)).toEqual({ ...shown, status: 'LIVENESS_PASSED', completedAt: null });
    expect((await complete(it, body.resetId)).status).toBe(204);
    const completedAt = '2026-01-05T09:00:00.000Z';
    expect(await poll(it, body.resetId)).toEqual({ ...shown, status: 'COMPLETED', completedAt });
    expect(await factors(it)).toEqual(['SMS_OTP', 'PASSKEY']);
    const { secret } = (await it.sca('POST', '/factors', { type: 'TOTP' }, EMIL)).body;
    await it.sca('POST', '/factors/confirm', { type: 'TOTP', secret, code: CODE }, EMIL);
    expect((await poll(it, body.resetId)).enrollmentStatus).toBe('COMPLETED');
    // (Y3)
    expect(await over(it, body.resetId)).toEqual([409, 'CONFLICT', 'ALREADY_COMPLETED']);
  });

  test('a reset of a passkey makes room for another', async () => {
    const it = await euKit();
    const { resetId } = (await start(it, 'PASSKEY')).body;
    await it.settle();
    await complete(it, resetId);
    expect(await factors(it)).toEqual(['SMS_OTP', 'TOTP']);
    await it.passkey(EMIL);
    expect((await poll(it, resetId)).enrollmentStatus).toBe('COMPLETED');
  });

  test("a reset of the code by SMS takes a new number, which becomes the customer's, verified", async () => {
    const it = await euKit({ platform: { contactVerification: { FI: ['phone'], default: [] } } });
    const sent = { customerType: 'INDIVIDUAL', fullName: 'Aino Salo', region: 'FI', phoneNumber: '+358401234567' };
    const { id } = (await it.post('/customers', sent)).body;
    const { resetId } = (await start(it, 'SMS_OTP', id)).body;
    await it.settle();
    expect((await poll(it, resetId, id)).enrollmentStatus).toBeNull();
    expect(refusal(await complete(it, resetId, undefined, id)).fields).toEqual(['mobile']);
    const odd = { mobile: { countryCode: '358', number: '40' } };
    expect(refusal(await complete(it, resetId, odd, id)).fields).toEqual(['mobile.number']);
    const mobile = { countryCode: '+358', number: '409999999' };
    expect((await complete(it, resetId, { mobile }, id)).status).toBe(204);
    const { body } = await it.get(`/customers/${id}`);
    expect([body.phoneNumber, body.contactVerification]).toEqual(['+358409999999', { phone: 'VERIFIED' }]);
  });

  test('a reset of the code by SMS to the number of another SMS_OTP credential is refused with 409, and changes nothing (spec 7)', async () => {
    const person = (label: string, phoneNumber: string) => ({
      label,
      customerType: 'INDIVIDUAL',
      fullName: label,
      region: 'FI',
      phoneNumber,
      accounts: { USDB: 0 },
      credentials: [{ type: 'SMS_OTP' }],
    });
    const customers = [person('aino', '+358401234567'), person('eero', '+358409999999')];
    const it = await kit({ scenario: { platform: { sca: {}, currencies: [{ code: 'USDB' }] }, customers } });
    const of = async (fullName: string) =>
      (await it.get('/customers')).body.data.find((one: { fullName: string }) => one.fullName === fullName);
    const [aino, eero] = [await of('aino'), await of('eero')];
    const nickname = async ({ id }: { id: string }) => {
      const { data } = (await it.get('/customers/internal-accounts', { customerId: id, currency: 'USDB' })).body;
      return (await it.get('/auth/credentials', { accountId: data[0].id })).body.data.map(
        (one: { nickname: string }) => one.nickname,
      );
    };
    const sca = (path: string, body: object) =>
      it.call('POST', `/sca/factors/reset${path}`, body, { query: { customerId: aino.id } });
    const { resetId } = (await sca('', { factor: 'SMS_OTP' })).body;
    await it.settle();
    const mobile = (number: string) => ({ mobile: { countryCode: '+358', number } });
    const clash = await sca(`/${resetId}/complete`, mobile('409999999'));
    expect([refusal(clash).status, clash.body.code]).toEqual([409, 'CONFLICT']);
    expect((await it.patch(`/customers/${aino.id}`, { phoneNumber: eero.phoneNumber })).status).toBe(409);
    expect(await of('aino')).toEqual(aino);
    expect(await nickname(aino)).toEqual(['+358401234567']);
    await it.del(`/customers/${eero.id}`);
    expect((await sca(`/${resetId}/complete`, mobile('409999999'))).status).toBe(204);
    expect(await nickname(aino)).toEqual(['+358409999999']);
  });

  test('the completion of a reset is refused with 400 while liveness is not passed', async () => {
    const it = await euKit(HOLD);
    const { resetId } = (await start(it)).body;
    await it.settle();
    expect((await poll(it, resetId)).status).toBe('INITIATED');
    expect(await over(it, resetId)).toEqual([400, 'INVALID_INPUT', 'LIVENESS_NOT_PASSED']);
    expect((await decide(it, resetId, 'PENDING_REVIEW')).body).toMatchObject({ status: 'PENDING_REVIEW' });
    expect((await complete(it, resetId)).status).toBe(400);
    expect((await decide(it, resetId, 'LIVENESS_PASSED')).body).toMatchObject({ status: 'LIVENESS_PASSED' });
    expect((await complete(it, resetId)).status).toBe(204);
  });

  test('a reset is rejected by hand, at once or after a review, and is over then', async () => {
    const it = await euKit(HOLD);
    for (const outcomes of [['REJECTED'], ['PENDING_REVIEW', 'REJECTED']]) {
      const { resetId } = (await start(it)).body;
      for (const outcome of outcomes) expect((await decide(it, resetId, outcome)).status).toBe(200);
      expect((await poll(it, resetId)).status).toBe('REJECTED');
      expect((await decide(it, resetId, 'LIVENESS_PASSED')).status).toBe(409);
      // (Y3)
      expect(await over(it, resetId)).toEqual([400, 'INVALID_INPUT', 'REJECTED']);
      await it.advance('PT31M');
      expect((await poll(it, resetId)).status).toBe('REJECTED');
    }
    expect((await decide(it, 'ScaReset:none', 'REJECTED')).status).toBe(404);
  });

  test.each([
    ['INITIATED', []],
    ['PENDING_REVIEW', ['PENDING_REVIEW']],
    ['LIVENESS_PASSED', ['LIVENESS_PASSED']],
  ])('a reset that is %s expires after 30 minutes', async (_, outcomes) => {
    const it = await euKit(HOLD);
    const { resetId } = (await start(it)).body;
    for (const outcome of outcomes) await decide(it, resetId, outcome);
    await it.advance('PT30M');
    expect((await poll(it, resetId)).status).toBe('EXPIRED');
    // (Y3)
    expect(await over(it, resetId)).toEqual([400, 'INVALID_INPUT', 'EXPIRED']);
  });

  test('a policy lets the liveness of a reset pass later; a newer reset of the same factor ends the older one', async () => {
    const it = await euKit({ policies: { 'sca.liveness': 'after PT5M' } });
    const old = (await start(it)).body.resetId;
    const { resetId } = (await start(it)).body;
    const other = (await start(it, 'PASSKEY')).body.resetId;
    await it.advance('PT5M');
    const statuses = await Promise.all([old, resetId, other].map(async (id) => (await poll(it, id)).status));
    expect(statuses).toEqual(['EXPIRED', 'LIVENESS_PASSED', 'LIVENESS_PASSED']);
  });

  test("a reset is refused with 400 for a factor that is not enrolled, and with 404 when it is unknown or another customer's", async () => {
    const it = await euKit();
    expect(refusal(await start(it, 'TOTP', NORA)).fields).toEqual(['factor']);
    const { resetId } = (await start(it)).body;
    await it.settle();
    for (const [id, of] of [
      [resetId, NORA],
      ['ScaReset:none', EMIL],
    ]) {
      const read = await it.sca('GET', `/factors/reset/${id}`, undefined, of);
      expect(refusal(read)).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
      expect(refusal(await complete(it, String(id), {}, of))).toMatchObject({ status: 404 });
    }
  });

  test('a sixth reset within 24 hours is refused with 429, and Retry-After says when the first is a day old', async () => {
    const it = await euKit();
    for (let i = 0; i < 5; i += 1) {
      expect((await start(it, i % 2 ? 'TOTP' : 'SMS_OTP')).status).toBe(201);
      await it.advance('PT1H');
    }
    const answer = await start(it);
    expect(refusal(answer)).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    expect(answer.headers.get('retry-after')).toBe(String(19 * 3600));
    expect((await start(it, 'SMS_OTP', NORA)).status).toBe(201);
    await it.advance('PT19H');
    expect((await start(it)).status).toBe(201);
    expect((await start(it)).status).toBe(429);
  });
});

test('no job remains to decide the liveness of a reset that was decided by hand, or that is over', async () => {
  const it = await euKit(HOLD);
  const waiting = async (): Promise<number> =>
    (await it.control('GET', '/jobs')).body.data.filter(({ kind }: { kind: string }) => kind === 'sca.liveness').length;
  const outcomes = ['LIVENESS_PASSED', 'PENDING_REVIEW', 'REJECTED'];
  for (const outcome of outcomes) {
    const { resetId } = (await start(it)).body;
    expect(await waiting()).toBe(1);
    expect((await decide(it, resetId, outcome)).status).toBe(200);
    expect(await waiting()).toBe(0);
  }
  await start(it);
  await it.advance('PT30M');
  expect(await waiting()).toBe(0);
});
