import { describe, expect, test } from 'vitest';
import { type Answer, refusal } from '../../kit/sandbox.ts';
import { BANK, CODE, EMIL, type EuKit, euKit, NORA, ORIGIN } from './eu.ts';

const path = (account: string, what: string) => `/customers/external-accounts/${account}/${what}`;
const ask = (it: EuKit, what = 'trust', account = BANK.nora) => it.post(path(account, what));
const confirm = (it: EuKit, sent: object, what = 'trust', account = BANK.nora) =>
  it.overlapping('POST', path(account, `${what}/confirm`), sent);
const remove = (it: EuKit, account = BANK.nora) => it.del(`/customers/external-accounts/${account}`);

/** Asks for a change and confirms it by SMS. */
async function changed(it: EuKit, what: string, account = BANK.nora) {
  const { scaChallenge } = (await ask(it, what, account)).body;
  return it.post(path(account, `${what}/confirm`), { challengeId: scaChallenge.id, code: CODE });
}
const statusOfPayment = async (it: EuKit, customer = NORA, account = BANK.nora) => {
  const { id } = (await it.quote(customer, account)).body;
  return (await it.post(`/quotes/${id}/execute`)).body.status;
};

/** Status, code and reason of a refusal. */
const over = ({ status, body }: Answer) => [status, body.code, body.details?.reason];

describe('ended challenges of trust (Y2, reference 10)', () => {
  test.each(['trust', 'untrust'])(
    'an ended challenge of %s is refused with 400 and the reason, whatever the account is by now',
    async (what) => {
      const it = await euKit();
      const account = what === 'trust' ? BANK.emil : BANK.emilTrusted;
      const said = async (id: string, of = what) =>
        over(await confirm(it, { challengeId: id, code: CODE }, of, account));
      const late = (await ask(it, what, account)).body.scaChallenge.id;
      await it.advance('PT5M');
      const replaced = (await ask(it, what, account)).body.scaChallenge.id;
      const right = (await ask(it, what, account)).body.scaChallenge.id;
      const other = what === 'trust' ? 'untrust' : 'trust';
      expect(await said(right, other)).toEqual([409, 'CONFLICT', undefined]);
      expect((await confirm(it, { challengeId: right, code: CODE }, what, account)).status).toBe(200);
      for (const which of [what, other]) {
        expect(await said(late, which)).toEqual([400, 'INVALID_INPUT', 'EXPIRED']);
        expect(await said(replaced, which)).toEqual([400, 'INVALID_INPUT', 'REPLACED']);
        expect(await said(right, which)).toEqual([400, 'INVALID_INPUT', 'ALREADY_ANSWERED']);
      }
      // Nothing is asked: a challenge of another account, or none, is not a proof of anything.
      expect(await said('ScaChallenge:none')).toEqual([409, 'CONFLICT', undefined]);
    },
  );

  test('a challenge of trust that was answered wrongly too often is refused with the reason TOO_MANY_ATTEMPTS', async () => {
    const it = await euKit();
    const { id } = (await ask(it)).body.scaChallenge;
    for (let i = 0; i < 3; i += 1) await confirm(it, { challengeId: id, code: '000000' });
    expect(over(await confirm(it, { challengeId: id, code: CODE }))).toEqual([
      400,
      'INVALID_INPUT',
      'TOO_MANY_ATTEMPTS',
    ]);
  });

  test('trust of a trusted account and untrust of one that is not are refused with 409 and the reason', async () => {
    const it = await euKit();
    expect(over(await ask(it, 'untrust'))).toEqual([409, 'CONFLICT', 'NOT_TRUSTED']);
    expect((await ask(it, 'untrust')).body.message).toBe(`external account ${BANK.nora} is not trusted`);
    expect(over(await ask(it, 'trust', BANK.emilTrusted))).toEqual([409, 'CONFLICT', 'ALREADY_TRUSTED']);
    expect((await ask(it, 'trust', BANK.emilTrusted)).body.message).toBe(
      `external account ${BANK.emilTrusted} is trusted already`,
    );
    await ask(it);
    expect(over(await ask(it, 'untrust'))).toEqual([409, 'CONFLICT', 'NOT_TRUSTED']);
  });
});

describe('other ended challenges (Y2)', () => {
  test('an ended challenge of a login is refused with 400 and the reason', async () => {
    const it = await euKit();
    const start = async () => (await it.sca('POST', '/login/start', { factor: 'SMS_OTP' })).body.challengeId;
    const done = async (challengeId: string) =>
      over(
        await it.sca('POST', '/login/complete', {
          factor: 'SMS_OTP',
          challengeId,
          endUserIpAddress: '203.0.113.42',
          code: CODE,
        }),
      );
    const late = await start();
    await it.advance('PT5M');
    expect(await done(late)).toEqual([400, 'INVALID_INPUT', 'EXPIRED']);
    const [replaced, right] = [await start(), await start()];
    expect(await done(replaced)).toEqual([400, 'INVALID_INPUT', 'REPLACED']);
    expect((await done(right))[0]).toBe(200);
    expect(await done(right)).toEqual([400, 'INVALID_INPUT', 'ALREADY_ANSWERED']);
    expect(await done('ScaChallenge:none')).toEqual([400, 'INVALID_INPUT', undefined]);
  });

  test('an ended challenge of an enrolment is refused with 400 and the reason', async () => {
    const it = await euKit();
    const done = async (secret: string) =>
      over(await it.sca('POST', '/factors/confirm', { type: 'TOTP', secret, code: CODE }));
    expect(await done('0'.repeat(40))).toEqual([400, 'INVALID_INPUT', undefined]);
    const start = async () => (await it.sca('POST', '/factors', { type: 'TOTP' })).body.secret;
    const late = await start();
    await it.advance('PT5M');
    expect(await done(late)).toEqual([400, 'INVALID_INPUT', 'EXPIRED']);
    const right = await start();
    expect((await done(right))[0]).toBe(200);
    expect(await done(right)).toEqual([400, 'INVALID_INPUT', 'ALREADY_ANSWERED']);
  });
});

describe('trust in an account', () => {
  test('a trusted account is paid without a challenge and cannot be deleted, from the confirmation of trust to that of untrust', async () => {
    const it = await euKit();
    const start = await ask(it);
    expect([start.status, start.body]).toEqual([
      200,
      {
        scaChallenge: {
          id: expect.stringMatching(/^ScaChallenge:/),
          expiresAt: '2026-01-05T09:05:00.000Z',
          factor: 'SMS_OTP',
          availableFactors: ['SMS_OTP'],
        },
      },
    ]);
    // What is only asked for changes nothing.
    expect(await statusOfPayment(it)).toBe('PENDING_AUTHORIZATION');
    const done = await confirm(it, { challengeId: start.body.scaChallenge.id, code: CODE });
    expect([done.status, done.body]).toEqual([200, { trusted: true }]);
    expect(await statusOfPayment(it)).toBe('PROCESSING');
    expect(refusal(await remove(it))).toMatchObject({ status: 409, code: 'BENEFICIARY_TRUSTED' });
    const ended = await changed(it, 'untrust');
    expect([ended.status, ended.body]).toEqual([200, { trusted: false }]);
    expect(await statusOfPayment(it)).toBe('PENDING_AUTHORIZATION');
    expect((await remove(it)).status).toBe(204);
    expect(it.events().filter(({ type }) => !type.includes('PAYMENT') && !type.includes('BALANCE'))).toEqual([]);
  });

  test('the trust in an account holds while untrust is only requested, and after that request lapsed', async () => {
    const it = await euKit();
    await changed(it, 'trust');
    await ask(it, 'untrust');
    expect((await remove(it)).status).toBe(409);
    expect(await statusOfPayment(it)).toBe('PROCESSING');
    await it.advance('PT5M');
    expect((await confirm(it, { code: CODE }, 'untrust')).status).toBe(409);
    expect((await remove(it)).status).toBe(409);
  });

  test('a request for trust that nobody confirms within five minutes lapses, and the account can be deleted', async () => {
    const it = await euKit();
    const { scaChallenge } = (await ask(it)).body;
    await it.advance('PT5M');
    const late = await it.post(path(BANK.nora, 'trust/confirm'), { challengeId: scaChallenge.id, code: CODE });
    expect(over(late)).toEqual([400, 'INVALID_INPUT', 'EXPIRED']);
    expect((await remove(it)).status).toBe(204);
  });

  test('trust of a trusted account and untrust of another are refused with 409; a repeated request replaces the challenge', async () => {
    const it = await euKit();
    expect(refusal(await ask(it, 'untrust'))).toMatchObject({ status: 409, code: 'CONFLICT' });
    for (const what of ['trust', 'untrust']) {
      const first = (await ask(it, what)).body.scaChallenge.id;
      const second = (await ask(it, what)).body.scaChallenge.id;
      expect((await confirm(it, { challengeId: first, code: CODE }, what)).status).toBe(400);
      expect((await confirm(it, { challengeId: second, code: CODE }, what)).status).toBe(200);
      expect(refusal(await ask(it, what))).toMatchObject({ status: 409, code: 'CONFLICT' });
    }
  });

  test('a wrong code for trust is refused with 400 and does not lock the login; after three the challenge accepts no right one', async () => {
    const it = await euKit();
    const { scaChallenge } = (await ask(it)).body;
    for (let i = 0; i < 3; i += 1)
      expect((await confirm(it, { challengeId: scaChallenge.id, code: '000000' })).status).toBe(400);
    const right = await it.post(path(BANK.nora, 'trust/confirm'), { challengeId: scaChallenge.id, code: CODE });
    expect(refusal(right)).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    const { body } = await it.sca('POST', '/record-event', { eventType: 'FAILED_LOGIN_ATTEMPT' });
    expect(body.failedAttempts).toBe(1);
    expect((await changed(it, 'trust')).status).toBe(200);
  });

  test('a code for trust is refused without the challengeId, and for the other change', async () => {
    const it = await euKit();
    const { scaChallenge } = (await ask(it)).body;
    expect((await confirm(it, { code: CODE })).status).toBe(400);
    expect((await confirm(it, { challengeId: scaChallenge.id, code: CODE }, 'untrust')).status).toBe(409);
  });

  test('a customer with a passkey confirms trust with it, or with the code by SMS', async () => {
    const it = await euKit();
    const device = await it.passkey();
    const { scaChallenge } = (await ask(it)).body;
    expect(scaChallenge).toMatchObject({
      factor: 'PASSKEY',
      availableFactors: ['PASSKEY', 'SMS_OTP'],
      passkeyAllowedOrigins: [ORIGIN],
    });
    const passkeyAssertion = device.get(scaChallenge.passkeyAssertionOptions);
    const sent = { challengeId: scaChallenge.id, passkeyAssertion, origin: ORIGIN };
    expect((await confirm(it, sent)).body).toEqual({ trusted: true });
    expect((await changed(it, 'untrust')).body).toEqual({ trusted: false });
  });

  test('a challenge of trust whose phone was lost is confirmed by the passkey that is left, and a code is refused with 400', async () => {
    const it = await euKit();
    const device = await it.passkey();
    const { scaChallenge } = (await ask(it)).body;
    const challengeId = scaChallenge.id;
    await it.patch(`/customers/${NORA}`, { phoneNumber: null });
    for (let i = 0; i < 4; i += 1) {
      const refused = await it.post(`/customers/external-accounts/${BANK.nora}/trust/confirm`, {
        challengeId,
        code: CODE,
      });
      expect([refused.status, refused.body.details.reason]).toEqual([400, 'no verified phone receives codes']);
    }
    const passkeyAssertion = device.get(scaChallenge.passkeyAssertionOptions);
    expect((await confirm(it, { challengeId, passkeyAssertion, origin: ORIGIN })).body).toEqual({ trusted: true });
  });

  test('trust prevents no deletion of an account once its customer is deleted, or lives where no challenge is required', async () => {
    const it = await euKit();
    expect((await it.del(`/customers/${EMIL}`)).status).toBe(200);
    expect((await ask(it, 'untrust', BANK.emilTrusted)).status).toBe(404);
    expect((await remove(it, BANK.emilTrusted)).status).toBe(204);

    const address = (country: string) => ({ address: { line1: 'High Street 1', postalCode: '1000', country } });
    const sent = { customerType: 'INDIVIDUAL', fullName: 'Ida Berg', phoneNumber: '+4540123456', ...address('DK') };
    const { id } = (await it.post('/customers', sent)).body;
    const { accountInfo, currency } = (await it.get(`/customers/external-accounts/${BANK.nora}`)).body;
    const bank = (await it.post('/customers/external-accounts', { customerId: id, currency, accountInfo })).body.id;
    expect((await changed(it, 'trust', bank)).body).toEqual({ trusted: true });
    expect((await remove(it, bank)).body.code).toBe('BENEFICIARY_TRUSTED');
    expect((await it.patch(`/customers/${id}`, address('US'))).status).toBe(200);
    expect((await ask(it, 'untrust', bank)).body.code).toBe('CONFLICT');
    expect((await remove(it, bank)).status).toBe(204);
  });

  test('an agent who deletes a trusted account of the customer is refused with 409, too', async () => {
    const it = await euKit();
    const policy = {
      permissions: ['MANAGE_EXTERNAL_ACCOUNTS'],
      defaultExecutionMode: 'AUTO',
      spendingLimits: { currency: 'EUR', perTransactionLimit: 0 },
    };
    const { deviceCode } = (await it.post('/agents', { name: 'Clerk', customerId: EMIL, policy })).body;
    const { accessToken } = (await it.post(`/agents/device-codes/${deviceCode.code}/redeem`, undefined, { as: null }))
      .body;
    const gone = (account: string) =>
      it.del(`/agents/me/external-accounts/${account}`, {
        as: null,
        headers: { authorization: `Bearer ${accessToken}` },
      });
    expect(refusal(await gone(BANK.emilTrusted))).toMatchObject({ status: 409, code: 'BENEFICIARY_TRUSTED' });
    expect((await gone(BANK.emil)).status).toBe(204);
  });

  test('a request for trust by a customer with neither phone nor passkey is refused with 400', async () => {
    const it = await euKit();
    const { id } = (await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ida Berg', region: 'SE' }))
      .body;
    const account = (await it.get(`/customers/external-accounts/${BANK.nora}`)).body;
    const { accountInfo, currency } = account;
    const bank = (await it.post('/customers/external-accounts', { customerId: id, currency, accountInfo })).body;
    for (const what of ['trust', 'untrust'])
      expect(refusal(await ask(it, what, bank.id))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  });

  test('a scenario can make an account trusted from the start', async () => {
    const it = await euKit();
    expect(await statusOfPayment(it, EMIL, BANK.emilTrusted)).toBe('PROCESSING');
    expect(await statusOfPayment(it, EMIL, BANK.emil)).toBe('PENDING_AUTHORIZATION');
    expect((await remove(it, BANK.emilTrusted)).body.code).toBe('BENEFICIARY_TRUSTED');
  });
});
