import { describe, expect, test } from 'vitest';
import { submitCustomer } from '../../../src/areas/customers/index.ts';
import { BALANCES } from '../../../src/ledger/ledger.ts';
import type { SoftwareAuthenticator } from '../../../src/testkit/index.ts';
import { crowd } from '../../kit/crowded.ts';
import { refusal } from '../../kit/sandbox.ts';
import { stampOf, walletKit } from '../../kit/wallet.ts';
import { BANK, CODE, EMIL, type EuKit, euKit, JOAN, NORA, ORIGIN } from '../sca/eu.ts';

const AUTHORIZED = ['PENDING', 'PENDING_AUTHORIZATION', 'OUTGOING_PAYMENT', 'PROCESSING', 'COMPLETED'];
const UNAUTHORIZED = ['PENDING', 'PENDING_AUTHORIZATION', 'FAILED'];
const realtime = (more: object = {}) => ({
  source: { sourceType: 'REALTIME_FUNDING', currency: 'EUR', customerId: NORA },
  ...more,
});
const statusOf = async (it: EuKit, { id }: { id: string }) => (await it.get(`/quotes/${id}`)).body.status;
/** Kinds of jobs that wait for a proof, or for the end of a quote. */
const waiting = async (it: EuKit): Promise<string[]> =>
  (await it.control('GET', '/jobs')).body.data
    .map(({ kind }: { kind: string }) => kind)
    .filter((kind: string) => kind.startsWith('sca.') || kind.startsWith('quote.'));
const held = (it: EuKit) => [...it.sandbox.world.rows(BALANCES).rows()].filter(({ held }) => held !== 0);

describe('a payment that its customer has to authorize', () => {
  test('a payment waits for a code at its execution, moves nothing, and is paid when the code comes', async () => {
    const it = await euKit();
    const account = await it.own(NORA);
    const created = await it.quote(NORA, BANK.nora);
    expect([created.status, created.body.status]).toEqual([201, 'PENDING']);
    const executed = await it.post(`/quotes/${created.body.id}/execute`);
    expect(executed.status).toBe(200);
    expect(executed.body).toEqual({
      ...created.body,
      status: 'PENDING_AUTHORIZATION',
      scaChallenge: {
        id: expect.stringMatching(/^ScaChallenge:/),
        expiresAt: '2026-01-05T09:05:00.000Z',
        factor: 'SMS_OTP',
        availableFactors: ['SMS_OTP'],
        purpose: 'PAYOUT',
      },
    });
    const [sent] = (await it.control('GET', '/codes')).body.data;
    expect(sent).toMatchObject({ to: '+46701740605', code: CODE, subject: created.body.id });
    expect([await it.balance(account), held(it)]).toEqual([500_000, []]);
    const told = it.events('OUTGOING_PAYMENT.PENDING_AUTHORIZATION');
    expect(told.map(({ data }) => [data.quoteId, data.status, 'scaChallenge' in data])).toEqual([
      [created.body.id, 'PENDING_AUTHORIZATION', false],
    ]);
    const paid = await it.authorize(created.body.id, { code: CODE, endUserIpAddress: '203.0.113.42' });
    expect([paid.status, paid.body]).toEqual([200, { ...created.body, status: 'PROCESSING' }]);
    expect(await it.balance(account)).toBe(490_000);
    await it.settle();
    expect(await statusOf(it, created.body)).toBe('COMPLETED');
    expect(it.story()).toEqual(AUTHORIZED);
  });

  test('a payment executes once: a second execution is refused with 409 while it waits, and after', async () => {
    const it = await euKit();
    const quote = await it.challenged();
    const again = await it.post(`/quotes/${quote.id}/execute`);
    expect(refusal(again)).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect(again.body.details.reason).toBe('AUTHORIZATION_PENDING');
    await it.authorize(quote.id, { code: CODE });
    expect((await it.post(`/quotes/${quote.id}/execute`)).body.details.reason).toBe('QUOTE_ALREADY_EXECUTED');
    expect(refusal(await it.authorize(quote.id, { code: CODE }))).toMatchObject({ status: 409, code: 'CONFLICT' });
  });

  test('an authorization is refused with 409 before the execution, and with 404 where there is no quote', async () => {
    const it = await euKit();
    const { body } = await it.quote(NORA, BANK.nora);
    expect(refusal(await it.authorize(body.id, { code: CODE }))).toMatchObject({ status: 409, code: 'CONFLICT' });
    for (const call of ['authorize', 'authorize/resend'])
      expect(refusal(await it.post(`/quotes/Quote:none/${call}`, { code: CODE }))).toMatchObject({
        status: 404,
        code: 'QUOTE_NOT_FOUND',
      });
  });

  test('a payment fails once with SCA_NOT_COMPLETED when nobody answers within five minutes, and nothing has moved', async () => {
    const it = await euKit();
    const account = await it.own(NORA);
    const quote = await it.challenged();
    await it.advance('PT4M59S');
    expect(await statusOf(it, quote)).toBe('PENDING_AUTHORIZATION');
    await it.advance('PT1S');
    const { body } = await it.get(`/transactions/${quote.transactionId}`);
    expect([body.status, body.failureReason, body.refund]).toEqual(['FAILED', 'SCA_NOT_COMPLETED', undefined]);
    await it.advance('P1D');
    expect(it.story()).toEqual(UNAUTHORIZED);
    expect(await it.balance(account)).toBe(500_000);
    expect(refusal(await it.authorize(quote.id, { code: CODE }))).toMatchObject({ status: 409, code: 'CONFLICT' });
    const shown = (await it.get(`/quotes/${quote.id}`)).body;
    expect([shown.status, shown.scaChallenge]).toEqual(['FAILED', undefined]);
  });

  test('a payment that was executed in time is paid after the end of its quote', async () => {
    const it = await euKit();
    const { id } = (await it.quote(NORA, BANK.nora)).body;
    await it.advance('PT4M30S');
    await it.post(`/quotes/${id}/execute`);
    await it.advance('PT2M');
    expect((await it.authorize(id, { code: CODE })).body.status).toBe('PROCESSING');
  });

  test('a payment asks for the conversion and for the payout, where the scenario says so and currencies differ', async () => {
    const it = await euKit({ platform: { sca: { challenges: 2 } } });
    const from = await it.own(NORA, 'USD');
    const source = { sourceType: 'ACCOUNT', accountId: from };
    const quote = await it.challenged(NORA, BANK.nora, { source });
    expect(quote.scaChallenge.purpose).toBe('CURRENCY_CONVERSION');
    await it.advance('PT4M');
    const next = (await it.authorize(quote.id, { code: CODE })).body;
    expect(next).toMatchObject({
      status: 'PENDING_AUTHORIZATION',
      scaChallenge: { purpose: 'PAYOUT', expiresAt: '2026-01-05T09:09:00.000Z' },
    });
    expect(next.scaChallenge.id).not.toBe(quote.scaChallenge.id);
    await it.advance('PT4M');
    expect(await it.balance(from)).toBe(200_000);
    expect((await it.authorize(quote.id, { code: CODE })).body.status).toBe('PROCESSING');
    await it.settle();
    expect(it.story()).toEqual(['PENDING', 'PENDING_AUTHORIZATION', ...AUTHORIZED.slice(1)]);
    expect((await it.challenged()).scaChallenge.purpose).toBe('PAYOUT');
  });

  test('a payment to an account within the platform asks for a transfer, and is credited when it is authorized', async () => {
    const it = await euKit();
    const [from, to] = [await it.own(NORA), await it.own(EMIL)];
    const quote = await it.challenged(NORA, to);
    expect(quote.scaChallenge.purpose).toBe('TRANSFER');
    await it.settle();
    expect(await it.balance(to)).toBe(500_000);
    await it.authorize(quote.id, { code: CODE });
    await it.settle();
    expect([await it.balance(from), await it.balance(to)]).toEqual([490_000, 510_000]);
  });

  test('a quote with immediatelyExecute is answered with 201 and its challenge', async () => {
    const it = await euKit();
    const answer = await it.quote(NORA, BANK.nora, { immediatelyExecute: true });
    expect([answer.status, answer.body.status]).toEqual([201, 'PENDING_AUTHORIZATION']);
    expect((await it.authorize(answer.body.id, { code: CODE })).body.status).toBe('PROCESSING');
  });

  test('an execution is answered with its first reply under the same key, and one challenge stands', async () => {
    const it = await euKit();
    const { id } = (await it.quote(NORA, BANK.nora)).body;
    const options = { headers: { 'idempotency-key': 'once' } };
    const first = await it.post(`/quotes/${id}/execute`, undefined, options);
    await it.authorize(id, { code: CODE });
    const again = await it.post(`/quotes/${id}/execute`, undefined, options);
    expect([again.status, again.text]).toEqual([200, first.text]);
  });

  test('an execution is refused when the money is not there, or when the day has had enough', async () => {
    const it = await euKit({ limits: { dailyVolume: { EUR: 15_000 } } });
    const large = (await it.quote(NORA, BANK.nora, { lockedCurrencyAmount: 500_001 })).body;
    expect(refusal(await it.post(`/quotes/${large.id}/execute`))).toMatchObject({
      status: 400,
      code: 'INSUFFICIENT_BALANCE',
    });
    const [first, second] = [await it.challenged(), await it.challenged()];
    await it.authorize(first.id, { code: CODE });
    const over = await it.authorize(second.id, { code: CODE });
    expect(refusal(over)).toMatchObject({ status: 429, code: 'DAILY_VOLUME_LIMIT_EXCEEDED' });
    const third = (await it.quote(NORA, BANK.nora)).body;
    expect((await it.post(`/quotes/${third.id}/execute`)).body.code).toBe('DAILY_VOLUME_LIMIT_EXCEEDED');
  });

  test('a payment whose money left in the meantime is refused with 400 and can be authorized again once there is more', async () => {
    const it = await euKit();
    const all = { lockedCurrencyAmount: 500_000 };
    const [one, two] = [await it.challenged(NORA, BANK.nora, all), await it.challenged(NORA, BANK.nora, all)];
    await it.authorize(one.id, { code: CODE });
    const short = await it.authorize(two.id, { code: CODE });
    expect(refusal(short)).toMatchObject({ status: 400, code: 'INSUFFICIENT_BALANCE' });
    await it.post(`/sandbox/internal-accounts/${await it.own(NORA)}/fund`, { amount: 500_000 });
    expect((await it.authorize(two.id, { code: CODE })).body.status).toBe('PROCESSING');
  });

  test('a payment is not decided by hand while it waits: nothing has moved', async () => {
    const it = await euKit();
    const { transactionId } = await it.challenged();
    for (const outcome of ['COMPLETED', 'FAILED', 'RETURNED']) {
      const { status, body } = await it.control('POST', `/transactions/${transactionId}/outcome`, { outcome });
      expect([status, body.code]).toEqual([409, 'CONFLICT']);
      expect(body.message).toBe(
        `transaction ${transactionId} waits for the challenge of its quote: authorize that, or let it expire`,
      );
    }
  });

  test('a payment of a customer who is under review again is not authorized; the deletion of that customer ends it in the same call (Y8)', async () => {
    const it = await euKit();
    const quote = await it.challenged();
    const { world } = it.sandbox;
    world.transact(() => submitCustomer(world, NORA));
    expect(refusal(await it.authorize(quote.id, { code: CODE }))).toMatchObject({
      status: 403,
      code: 'USER_NOT_READY',
    });
    expect(await waiting(it)).toEqual(['sca.challenge.expire']);
    await it.del(`/customers/${NORA}`);
    expect((await it.get(`/transactions/${quote.transactionId}`)).body).toMatchObject({
      status: 'FAILED',
      failureReason: 'SCA_NOT_COMPLETED',
    });
    expect(it.story()).toEqual(UNAUTHORIZED);
    expect(await waiting(it)).toEqual([]);
    expect(refusal(await it.authorize(quote.id, { code: CODE }))).toMatchObject({
      status: 404,
      code: 'USER_NOT_FOUND',
    });
    const resent = await it.post(`/quotes/${quote.id}/authorize/resend`);
    expect(refusal(resent)).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
    await it.advance('PT5M');
    expect(it.story()).toEqual(UNAUTHORIZED);
  });

  test('a payment to a customer who is deleted in the meantime fails in that call: nobody can be paid any more (Y8)', async () => {
    const it = await euKit();
    const quote = await it.challenged(NORA, await it.own(EMIL));
    await it.del(`/customers/${EMIL}`);
    expect(it.story()).toEqual(UNAUTHORIZED);
    expect((await it.authorize(quote.id, { code: CODE })).body.code).toBe('CONFLICT');
    expect(await waiting(it)).toEqual([]);
  });
});

test('a payment that waits for a passkey that was removed is authorized by the next one that is enrolled (Y10)', async () => {
  const it = await euKit();
  await it.passkey();
  const { id } = await it.challenged(NORA, BANK.nora, { scaFactor: 'PASSKEY' });
  const [, { credentialId }] = (await it.sca('GET', '/factors')).body.factors;
  expect((await it.sca('DELETE', `/factors/${encodeURIComponent(credentialId)}`)).status).toBe(204);
  const answer = async (device: SoftwareAuthenticator) => {
    const { scaChallenge } = (await it.get(`/quotes/${id}`)).body;
    const passkeyAssertion = device.get({ ...scaChallenge.passkeyAssertionOptions, allowCredentials: [] });
    return it.misauthorized(id, { passkeyAssertion, origin: ORIGIN });
  };
  const next = await it.passkey();
  expect((await answer(next)).body.status).toBe('PROCESSING');
});

describe('a payment that waits for a factor that its customer lost (reference 8)', () => {
  test('a payment by SMS takes no code, counts none and sends none, until there is a phone again', async () => {
    const it = await euKit();
    const from = await it.own(NORA);
    const { id } = await it.challenged();
    expect((await it.patch(`/customers/${NORA}`, { phoneNumber: null })).status).toBe(200);
    for (let i = 0; i < 4; i += 1) {
      const refused = await it.authorize(id, { code: CODE });
      expect(refusal(refused)).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
      expect(refused.body.details.reason).toBe('no verified phone receives codes');
      expect(refused.headers.get('x-should-retry')).toBeNull();
    }
    const resent = await it.post(`/quotes/${id}/authorize/resend`);
    expect(refusal(resent)).toMatchObject({ status: 409, code: 'CONFLICT' });
    const codes = async () => (await it.control('GET', '/codes')).body.data.map(({ to }: { to: string }) => to);
    expect(await codes()).toEqual(['+46701740605']);
    expect(await it.balance(from)).toBe(500_000);
    await it.patch(`/customers/${NORA}`, { phoneNumber: '+46701740699' });
    expect((await it.post(`/quotes/${id}/authorize/resend`)).status).toBe(204);
    expect((await codes()).sort()).toEqual(['+46701740605', '+46701740699']);
    expect((await it.authorize(id, { code: CODE })).body.status).toBe('PROCESSING');
  });

  test('a payment by passkey takes no assertion and counts none', async () => {
    const it = await euKit();
    await it.passkey();
    const { id } = await it.challenged(NORA, BANK.nora, { scaFactor: 'PASSKEY' });
    const [, { credentialId }] = (await it.sca('GET', '/factors')).body.factors;
    await it.sca('DELETE', `/factors/${encodeURIComponent(credentialId)}`);
    for (let i = 0; i < 4; i += 1) {
      const refused = await it.authorize(id, { passkeyAssertion: { any: 'passkey' }, origin: ORIGIN });
      expect([refusal(refused).status, refused.body.details.reason]).toEqual([400, 'no passkey is enrolled']);
    }
  });

  test('a payment fails when its time is over', async () => {
    const it = await euKit();
    const quote = await it.challenged();
    await it.patch(`/customers/${NORA}`, { phoneNumber: null });
    await it.advance('PT5M');
    const { body } = await it.get(`/transactions/${quote.transactionId}`);
    expect([body.status, body.failureReason]).toEqual(['FAILED', 'SCA_NOT_COMPLETED']);
  });
});

describe('a customer who is deleted (Y8)', () => {
  test('the deletion of a customer leaves no challenge, enrolment, reset, login or job open', async () => {
    const it = await euKit({ policies: { 'sca.liveness': 'hold' } });
    await it.login({}, EMIL);
    await it.sca('POST', '/login/start', { factor: 'SMS_OTP' }, EMIL);
    await it.sca('POST', '/factors', { type: 'TOTP' }, EMIL);
    await it.sca('POST', '/factors/reset', { factor: 'SMS_OTP' }, EMIL);
    await it.post(`/customers/external-accounts/${BANK.emil}/trust`);
    await it.challenged(EMIL, BANK.emil);
    await it.del(`/customers/${EMIL}`);
    expect(await waiting(it)).toEqual([]);
    const { tables } = (await it.control('GET', '/state')).body;
    const rows = (table: string) => tables.find(({ name }: { name: string }) => name === table).rows;
    const statuses = ['sca-challenges', 'sca-resets', 'sca-factors', 'sca-trust', 'transactions']
      .flatMap(rows)
      .map(({ status }) => status);
    const over = new Set(['EXPIRED', 'FAILED', 'LAPSED', 'PASSED', 'UNTRUSTED', 'TRUSTED', 'ACTIVE']);
    expect([...new Set(statuses)].sort()).toEqual([...over].sort());
    expect(rows('sca-logins')).toEqual([{ id: EMIL, failedAttempts: 0, suspended: false }]);
  });
});

describe('the factor of a payment', () => {
  test('the factor is named at execution, else at the quote, else it is the code by SMS', async () => {
    const it = await euKit();
    const factors = async (atQuote: object, atExecution?: object) => {
      const { id } = (await it.quote(EMIL, BANK.emil, atQuote)).body;
      const { scaChallenge } = (await it.post(`/quotes/${id}/execute`, atExecution)).body;
      return scaChallenge.factor;
    };
    expect(await factors({})).toBe('SMS_OTP');
    expect(await factors({ scaFactor: 'PASSKEY' })).toBe('PASSKEY');
    expect(await factors({ scaFactor: 'PASSKEY' }, { scaFactor: 'SMS_OTP' })).toBe('SMS_OTP');
    expect(await factors({}, { scaFactor: 'PASSKEY' })).toBe('PASSKEY');
  });

  test('an authenticator app, or a factor that is not enrolled, is refused with 400', async () => {
    const it = await euKit();
    const { id } = (await it.quote(NORA, BANK.nora)).body;
    for (const scaFactor of ['TOTP', 'PASSKEY'])
      expect(refusal(await it.post(`/quotes/${id}/execute`, { scaFactor }))).toEqual({
        status: 400,
        code: 'INVALID_INPUT',
        fields: ['scaFactor'],
      });
    const refused = await it.quote(NORA, BANK.nora, { scaFactor: 'TOTP' });
    expect(refusal(refused).fields).toEqual(['scaFactor']);
  });

  test('a factor is ignored, an authenticator app too, where nobody has to authenticate: another region, a trusted account (reference 9)', async () => {
    const it = await euKit();
    for (const [payer, bank] of [
      [JOAN, BANK.joan],
      [EMIL, BANK.emilTrusted],
    ] as const)
      for (const more of [{}, { immediatelyExecute: true }]) {
        const answer = await it.quote(payer, bank, { scaFactor: 'TOTP', ...more });
        expect(answer.status, answer.text).toBe(201);
        if (answer.body.status === 'PENDING')
          expect((await it.post(`/quotes/${answer.body.id}/execute`, { scaFactor: 'TOTP' })).status).toBe(200);
      }
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'EUR' };
    const pushed = async (customerId: string, bank: string) =>
      it.quote(customerId, bank, { source: { ...source, customerId }, scaFactor: 'TOTP' });
    expect((await pushed(JOAN, BANK.joan)).status).toBe(201);
    expect(refusal(await pushed(EMIL, BANK.emil)).fields).toEqual(['scaFactor']);
  });

  test('a passkey is the factor of a customer without a phone, and a customer without either cannot pay', async () => {
    const it = await euKit();
    await it.passkey();
    await it.patch(`/customers/${NORA}`, { phoneNumber: null });
    expect((await it.challenged()).scaChallenge.factor).toBe('PASSKEY');
    const [passkey] = (await it.sca('GET', '/factors')).body.factors;
    await it.sca('DELETE', `/factors/${passkey.credentialId}`);
    const { id } = (await it.quote(NORA, BANK.nora)).body;
    expect(refusal(await it.post(`/quotes/${id}/execute`)).fields).toEqual(['scaFactor']);
  });

  test('a passkey signs the challenge of its payment; an assertion for another one, or by another key, is refused', async () => {
    const it = await euKit();
    const device = await it.passkey();
    const quote = await it.challenged(NORA, BANK.nora, { scaFactor: 'PASSKEY' });
    expect(quote.scaChallenge).toMatchObject({ factor: 'PASSKEY', availableFactors: ['PASSKEY'] });
    expect(Object.keys(quote.scaChallenge)).not.toContain('passkeyAllowedOrigins');
    const options = quote.scaChallenge.passkeyAssertionOptions;
    const wrong = device.get(options, { wrongKey: true });
    expect((await it.misauthorized(quote.id, { passkeyAssertion: wrong, origin: ORIGIN })).status).toBe(400);
    for (const [proof, field] of [
      [{ code: CODE }, 'code'],
      [{}, 'passkeyAssertion'],
      [{ passkeyAssertion: device.get(options) }, 'origin'],
    ] as const)
      expect(refusal(await it.authorize(quote.id, proof)).fields).toEqual([field]);
    const proof = { passkeyAssertion: device.get(options), origin: ORIGIN };
    expect((await it.authorize(quote.id, proof)).body.status).toBe('PROCESSING');
    const second = await it.challenged(NORA, BANK.nora, { scaFactor: 'PASSKEY' });
    expect((await it.misauthorized(second.id, proof)).status).toBe(400);
  });

  test('of two equal assertions at the same time one authorizes, though the payment asks twice', async () => {
    const it = await euKit({ platform: { sca: { challenges: 2, origins: [ORIGIN] } } });
    const source = { sourceType: 'ACCOUNT', accountId: await it.own(EMIL, 'USD') };
    const quote = await it.challenged(EMIL, BANK.emil, { source, scaFactor: 'PASSKEY' });
    const proof = { passkeyAssertion: { any: 1 }, origin: ORIGIN };
    const both = await Promise.all([1, 2].map(() => it.misauthorized(quote.id, proof)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await statusOf(it, quote)).toBe('PENDING_AUTHORIZATION');
  });
});

describe('wrong answers to a payment', () => {
  test('wrong answers are refused with 400, the third with 429; then the right one is 429, too, and the payment fails at its end', async () => {
    const it = await euKit();
    const quote = await it.challenged();
    await it.advance('PT1M');
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await it.misauthorized(quote.id)).status);
    expect(statuses).toEqual([400, 400, 429]);
    const late = await it.authorize(quote.id, { code: CODE });
    expect(refusal(late)).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    expect(late.headers.get('retry-after')).toBe('240');
    expect(refusal(await it.post(`/quotes/${quote.id}/authorize/resend`)).status).toBe(409);
    await it.advance('PT4M');
    expect(it.story()).toEqual(UNAUTHORIZED);
  });

  test('wrong answers count towards the lock of the login, which refuses the right one with 423 while it lasts', async () => {
    const it = await euKit({ limits: { scaChallengeSeconds: 3600 } });
    const [one, two] = [await it.challenged(), await it.challenged()];
    for (const { id } of [one, one, one, two, two]) await it.misauthorized(id);
    const locked = await it.authorize(two.id, { code: CODE });
    expect(refusal(locked)).toMatchObject({ status: 423, code: 'ACCOUNT_LOCKED' });
    expect(locked.body.details).toMatchObject({ failedAttempts: 5, suspended: false });
    await it.advance('PT15M');
    expect((await it.authorize(two.id, { code: CODE })).body.status).toBe('PROCESSING');
  });

  test('answers in a wrong form count for nothing', async () => {
    const it = await euKit();
    const quote = await it.challenged();
    for (const proof of [{}, { code: CODE, passkeyAssertion: { any: 1 } }, { passkeyAssertion: { any: 1 } }])
      expect((await it.authorize(quote.id, proof)).status).toBe(400);
    expect((await it.authorize(quote.id, { code: CODE })).status).toBe(200);
  });
});

describe('where a session is required', () => {
  test('a payment without a login, or after it ended, is refused with 409 SCA_SESSION_REQUIRED', async () => {
    const it = await euKit({
      platform: { sca: { requireSession: true } },
      limits: { scaSessionSeconds: 60, scaChallengeSeconds: 3600 },
    });
    const quote = await it.challenged();
    const refused = async () => refusal(await it.authorize(quote.id, { code: CODE }));
    expect(await refused()).toMatchObject({ status: 409, code: 'SCA_SESSION_REQUIRED' });
    await it.login();
    await it.advance('PT1M');
    expect(await refused()).toMatchObject({ status: 409, code: 'SCA_SESSION_REQUIRED' });
    await it.login();
    await it.sca('POST', '/record-event', { eventType: 'RESET_PASSWORD_COMPLETED' });
    expect(await refused()).toMatchObject({ status: 409, code: 'SCA_SESSION_REQUIRED' });
    await it.login();
    expect((await it.authorize(quote.id, { code: CODE })).status).toBe(200);
  });
});

test.each([false, true])(
  'a payer who moves out of the region still answers for a payment that waits, and need not for another, session required: %s',
  async (requireSession) => {
    const it = await euKit({ platform: { sca: { requireSession } } });
    const address = (country: string) => ({ line1: '1 Weg', city: 'Bonn', postalCode: '53111', country });
    const { body: mia } = await it.post('/customers', {
      customerType: 'INDIVIDUAL',
      fullName: 'Mia Weber',
      birthDate: '1990-01-02',
      phoneNumber: '+4915112345679',
      address: address('DE'),
    });
    await it.advance('PT1M');
    const from = await it.own(mia.id);
    await it.post(`/sandbox/internal-accounts/${from}/fund`, { amount: 50_000 });
    const { accountInfo } = (await it.get(`/customers/external-accounts/${BANK.nora}`)).body;
    const bank = await it.post('/customers/external-accounts', { customerId: mia.id, currency: 'EUR', accountInfo });
    const quote = await it.challenged(mia.id, bank.body.id);
    const moved = await it.patch(`/customers/${mia.id}`, { customerType: 'INDIVIDUAL', address: address('US') });
    expect(moved.status).toBe(200);
    expect((await it.post(`/quotes/${quote.id}/execute`)).status).toBe(409);
    expect((await it.post(`/quotes/${quote.id}/authorize/resend`)).status).toBe(204);
    expect((await it.misauthorized(quote.id)).status).toBe(400);
    expect((await it.authorize(quote.id, { code: CODE })).status).toBe(200);
    const next = (await it.quote(mia.id, bank.body.id)).body;
    expect((await it.post(`/quotes/${next.id}/execute`)).body.status).toBe('PROCESSING');
    await it.settle();
    expect(await it.balance(from)).toBe(30_000);
    expect(refusal(await it.authorize(next.id, { code: CODE }))).toMatchObject({ status: 409, code: 'CONFLICT' });
  },
);

describe('a payment that is funded from outside', () => {
  test('a payment that is funded from outside is answered with 202 from the quote on, and says how to pay when it is authorized', async () => {
    const it = await euKit();
    const created = await it.quote(NORA, BANK.nora, realtime());
    expect([created.status, created.body.status]).toEqual([202, 'PENDING_AUTHORIZATION']);
    expect(Object.keys(created.body)).not.toContain('paymentInstructions');
    expect(it.story()).toEqual(['PENDING_AUTHORIZATION']);
    const fund = () => it.post('/sandbox/send', { quoteId: created.body.id, currencyCode: 'EUR' });
    expect(refusal(await fund())).toMatchObject({ status: 409, code: 'CONFLICT' });
    const authorized = await it.authorize(created.body.id, { code: CODE });
    expect([authorized.status, authorized.body.status]).toEqual([200, 'PENDING']);
    expect(authorized.body.paymentInstructions.length).toBeGreaterThan(0);
    expect((await fund()).status).toBe(200);
    await it.settle();
    expect(it.story()).toEqual(['PENDING_AUTHORIZATION', 'PENDING', 'OUTGOING_PAYMENT', 'PROCESSING', 'COMPLETED']);
  });

  test('a quote of a customer who authenticates says the same as any other quote', async () => {
    const it = await euKit();
    const created = (await it.quote(NORA, BANK.nora, realtime())).body;
    const { paymentInstructions } = (await it.authorize(created.id, { code: CODE })).body;
    const trusted = { source: { sourceType: 'REALTIME_FUNDING', currency: 'EUR', customerId: EMIL } };
    const other = await it.quote(EMIL, BANK.emilTrusted, trusted);
    expect(other.status).toBe(201);
    const kinds = (all: { accountOrWalletInfo: { accountType: string } }[]) =>
      all.map(({ accountOrWalletInfo }) => accountOrWalletInfo.accountType);
    expect(kinds(paymentInstructions)).toEqual(kinds(other.body.paymentInstructions));
  });

  test('a payment that is funded from outside fails with SCA_NOT_COMPLETED when its quote ends unauthorized, however long challenges last', async () => {
    const it = await euKit({ limits: { scaChallengeSeconds: 3600 } });
    const { body } = await it.quote(NORA, BANK.nora, realtime());
    expect(body.scaChallenge.expiresAt).toBe(body.expiresAt);
    await it.advance('PT5M');
    expect(await statusOf(it, body)).toBe('FAILED');
    await it.advance('PT1H');
    expect(it.story()).toEqual(['PENDING_AUTHORIZATION', 'FAILED']);
  });

  test('a payment by a bank account outside is challenged in the same way, where such money has to arrive first (profile grid)', async () => {
    const it = await euKit({}, { profile: 'grid' });
    const source = { sourceType: 'ACCOUNT', accountId: BANK.nora };
    const created = await it.quote(NORA, await it.own(NORA), { source });
    expect([created.status, created.body.status]).toEqual([202, 'PENDING_AUTHORIZATION']);
    expect(created.body.paymentInstructions).toBeUndefined();
    const { body } = await it.authorize(created.body.id, { code: CODE });
    expect(body).toMatchObject({
      status: 'PENDING',
      paymentInstructions: [{ accountOrWalletInfo: { accountType: 'EUR_ACCOUNT' } }],
    });
    expect((await it.post('/sandbox/send', { quoteId: created.body.id, currencyCode: 'EUR' })).status).toBe(200);
    await it.settle();
    expect(await statusOf(it, created.body)).toBe('COMPLETED');
  });

  test('a payment from a wallet that is deleted while it waits keeps its source: the proof is taken, and the funds complete it', async () => {
    const it = await euKit();
    const sent = {
      customerId: NORA,
      currency: 'USDC',
      accountInfo: { accountType: 'BASE_WALLET', address: '0x52908400098527886E0F7030069857D2E4169EE7' },
    };
    const wallet = (await it.post('/customers/external-accounts', sent)).body.id;
    const source = { sourceType: 'ACCOUNT', accountId: wallet };
    const created = await it.quote(NORA, await it.own(NORA), { source, lockedCurrencyAmount: 10_000_000 });
    expect([created.status, created.body.status]).toEqual([202, 'PENDING_AUTHORIZATION']);
    expect((await it.del(`/customers/external-accounts/${wallet}`)).status).toBe(204);
    const authorized = await it.authorize(created.body.id, { code: CODE });
    expect([authorized.status, authorized.body.status, authorized.body.source]).toEqual([200, 'PENDING', source]);
    expect(authorized.body.paymentInstructions).toMatchObject([
      { accountOrWalletInfo: { accountType: 'BASE_WALLET' } },
    ]);
    expect((await it.post('/sandbox/send', { quoteId: created.body.id, currencyCode: 'USDC' })).status).toBe(200);
    await it.settle();
    expect(await statusOf(it, created.body)).toBe('COMPLETED');
  });

  test('a payment that was authorized and never funded expires with its quote', async () => {
    const it = await euKit();
    const { body } = await it.quote(NORA, BANK.nora, realtime());
    await it.authorize(body.id, { code: CODE });
    await it.advance('PT5M');
    expect(it.story()).toEqual(['PENDING_AUTHORIZATION', 'EXPIRED']);
  });
});

describe('POST /quotes/{quoteId}/authorize/resend', () => {
  test('a resend sends the same code again, and the challenge ends when it would have ended', async () => {
    const it = await euKit();
    const quote = await it.challenged();
    await it.advance('PT4M');
    expect((await it.post(`/quotes/${quote.id}/authorize/resend`)).status).toBe(204);
    expect((await it.control('GET', '/codes')).body.data).toHaveLength(2);
    expect((await it.get(`/quotes/${quote.id}`)).body.scaChallenge).toEqual(quote.scaChallenge);
    await it.advance('PT1M');
    expect(await statusOf(it, quote)).toBe('FAILED');
    expect(refusal(await it.post(`/quotes/${quote.id}/authorize/resend`))).toMatchObject({ status: 409 });
  });

  test('a resend is refused with 409 for a passkey, and before execution', async () => {
    const it = await euKit();
    const { id } = await it.challenged(EMIL, BANK.emil, { scaFactor: 'PASSKEY' });
    const other = (await it.quote(EMIL, BANK.emil)).body;
    for (const quoteId of [id, other.id])
      expect(refusal(await it.post(`/quotes/${quoteId}/authorize/resend`))).toMatchObject({
        status: 409,
        code: 'CONFLICT',
      });
  });

  test('a fourth resend within a minute is refused with 429, and Retry-After says when the next may be', async () => {
    const it = await euKit();
    const { id } = await it.challenged();
    const resend = () => it.post(`/quotes/${id}/authorize/resend`);
    for (let i = 0; i < 3; i += 1) {
      expect((await resend()).status).toBe(204);
      await it.advance('PT10S');
    }
    const answer = await resend();
    expect(refusal(answer)).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    expect(answer.headers.get('retry-after')).toBe('30');
    await it.advance('PT30S');
    expect((await resend()).status).toBe(204);
  });
});

describe('a payment of the platform itself', () => {
  test('a payment of the platform is never challenged', async () => {
    const it = await euKit();
    const accountId = (await it.get('/platform/internal-accounts', { currency: 'EUR' })).body.data[0].id;
    const { body } = await it.quote(NORA, BANK.nora, { source: { sourceType: 'ACCOUNT', accountId } });
    expect((await it.post(`/quotes/${body.id}/execute`)).body.status).toBe('PROCESSING');
    expect(refusal(await it.authorize(body.id, { code: CODE }))).toMatchObject({ status: 409, code: 'CONFLICT' });
  });
});

describe.each(['spec', 'grid'] as const)('a payment from an embedded wallet, profile %s', (profile) => {
  test("a payment from an embedded wallet is signed by the wallet's owner first, then authorized", async () => {
    const it = await walletKit({ profile, scenario: ['sca', { platform: { sca: { regions: ['US', 'SE', 'DE'] } } }] });
    await it.post(`/sandbox/internal-accounts/${it.accountId}/fund`, { amount: 2_000_000 });
    const { key } = await it.login();
    const usd = (await it.get('/customers/internal-accounts', { customerId: it.customerId, currency: 'USD' })).body;
    const { body: quote } = await it.post('/quotes', {
      source: { sourceType: 'ACCOUNT', accountId: it.accountId },
      destination: { destinationType: 'ACCOUNT', accountId: usd.data[0].id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 1_000_000,
    });
    expect(quote.paymentInstructions).toHaveLength(1);
    const { payloadToSign } = quote.paymentInstructions[0].accountOrWalletInfo;
    const headers = { [it.host.profile.walletSignatureHeader]: await stampOf(key, payloadToSign) };
    const executed = await it.post(`/quotes/${quote.id}/execute`, {}, { headers });
    expect([executed.status, executed.body.status]).toEqual([200, 'PENDING_AUTHORIZATION']);
    const paid = await it.post(`/quotes/${quote.id}/authorize`, { code: CODE });
    expect([paid.status, paid.body.status]).toEqual([200, 'PROCESSING']);
  });
});

test('a payment that no balance can count is refused with 400 AMOUNT_OUT_OF_RANGE and still waits for its proof (reference 9)', async () => {
  const it = await euKit();
  const quote = await it.challenged();
  for (const currency of ['EUR', 'USD']) crowd(it.sandbox.world, currency);
  expect(refusal(await it.authorize(quote.id, { code: CODE }))).toMatchObject({
    status: 400,
    code: 'AMOUNT_OUT_OF_RANGE',
  });
  expect(await statusOf(it, quote)).toBe('PENDING_AUTHORIZATION');
});
