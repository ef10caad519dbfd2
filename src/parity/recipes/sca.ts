import type { Builder, Recipe, Recipes, Thing } from '../builder.ts';
import { type Json, ref, unique } from '../plan.ts';
import { external, funded } from './accounts.ts';

const CODES = ['123456', '123456', '123456', '999999'];

/** Somebody of the European Economic Area, who authenticates strongly where the platform asks for it. */
const european = (b: Builder): Thing =>
  b.some('european', () => {
    const n = b.number();
    const body = {
      customerType: 'INDIVIDUAL',
      fullName: 'Nora Lind',
      birthDate: '1990-03-25',
      region: 'SE',
      email: unique(`nora${n}.`).concat('@example.com'),
      phoneNumber: `+4670174${String(1000 + n).slice(0, 4)}`,
    };
    return b.keep('european', b.call('createCustomer', { body }));
  });
const whose = (b: Builder) => ({ query: { customerId: european(b).id } });

/** An authenticator app, enrolled or nearly so. */
function enrol(b: Builder): void {
  const details = whose(b);
  const started = b.call('startScaFactorEnrollment', { ...details, body: { type: 'TOTP' } });
  const body = { type: 'TOTP', secret: ref(started, 'secret'), code: b.of(CODES) };
  b.call('confirmScaFactorEnrollment', { ...details, body });
}

function logIn(b: Builder): void {
  const details = whose(b);
  const factor = b.of(['SMS_OTP', 'SMS_OTP', 'TOTP']);
  const started = b.call('startScaLogin', { ...details, body: { factor } });
  const challenge = b.once(5) ? {} : { challengeId: ref(started, 'challengeId') };
  const body = { factor, endUserIpAddress: '203.0.113.7', code: b.of(CODES), ...challenge };
  b.call('completeScaLogin', { ...details, body });
}

const newReset = (b: Builder): Thing => {
  const details = whose(b);
  const call = b.call('startTwoFactorReset', { ...details, body: { factor: 'SMS_OTP' } });
  return b.keep('reset', call, { customer: details.query.customerId }, 'resetId');
};
const reset = (b: Builder): Thing => b.some('reset', () => newReset(b));

/** A quote that waits for its payer. */
const waiting = (b: Builder): Thing =>
  b.some('waiting', () => {
    const who = european(b);
    const quote = b.call('createQuote', {
      body: {
        source: { sourceType: 'ACCOUNT', accountId: funded(b, 'EUR', who).id },
        destination: { destinationType: 'ACCOUNT', accountId: external(b, 'EUR', who).id },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 2500,
      },
    });
    const params = { quoteId: ref(quote) };
    b.call('executeQuote', { params, body: b.of<Json>([{ scaFactor: 'SMS_OTP' }, {}]) });
    return b.keep('waiting', quote);
  });

const account = (b: Builder) => ({ params: { externalAccountId: external(b, 'EUR', european(b)).id } });
const confirm =
  (start: string, end: string): Recipe =>
  (b) => {
    const details = account(b);
    const started = b.call(start, details);
    const challenge = b.once(4) ? {} : { challengeId: ref(started, 'scaChallenge.challengeId') };
    b.call(end, { ...details, body: { code: b.of(CODES), ...challenge } });
  };

export const SCA: Recipes = {
  listScaFactors: (b) => void b.call('listScaFactors', whose(b)),
  startScaFactorEnrollment: (b) =>
    void b.call('startScaFactorEnrollment', { ...whose(b), body: { type: b.of(['TOTP', 'PASSKEY']) } }),
  confirmScaFactorEnrollment: enrol,
  deleteScaFactor: (b) => {
    enrol(b);
    const details = whose(b);
    const listed = b.call('listScaFactors', details);
    const params = { credentialId: ref(listed, 'factors.1.credentialId') };
    b.call('deleteScaFactor', { ...details, params });
  },
  startScaLogin: (b) =>
    void b.call('startScaLogin', { ...whose(b), body: { factor: b.of(['SMS_OTP', 'TOTP', 'PASSKEY']) } }),
  completeScaLogin: logIn,
  recordSecurityEvent: (b) => {
    const body = { eventType: b.of(['RESET_PASSWORD_COMPLETED', 'FAILED_LOGIN_ATTEMPT']) };
    b.call('recordSecurityEvent', { ...whose(b), body });
  },
  startTwoFactorReset: (b) => void newReset(b),
  getTwoFactorResetStatus: (b) => {
    const { id, customer } = reset(b);
    b.call('getTwoFactorResetStatus', { params: { resetId: id }, query: { customerId: customer ?? '' } });
  },
  completeTwoFactorReset: (b) => {
    const { id, customer } = reset(b);
    if (b.once(2)) b.pause('1m');
    const body = { mobile: { countryCode: '+46', number: '701740999' } };
    b.call('completeTwoFactorReset', { params: { resetId: id }, query: { customerId: customer ?? '' }, body });
  },
  startBeneficiaryTrust: (b) => void b.call('startBeneficiaryTrust', account(b)),
  startBeneficiaryUntrust: (b) => {
    if (b.below(2) === 0) confirm('startBeneficiaryTrust', 'confirmBeneficiaryTrust')(b);
    b.call('startBeneficiaryUntrust', account(b));
  },
  confirmBeneficiaryTrust: confirm('startBeneficiaryTrust', 'confirmBeneficiaryTrust'),
  confirmBeneficiaryUntrust: (b) => {
    if (b.below(2) === 0) confirm('startBeneficiaryTrust', 'confirmBeneficiaryTrust')(b);
    confirm('startBeneficiaryUntrust', 'confirmBeneficiaryUntrust')(b);
  },
  authorizeQuote: (b) =>
    void b.call('authorizeQuote', { params: { quoteId: waiting(b).id }, body: { code: b.of(CODES) } }),
  resendQuoteScaCode: (b) => void b.call('resendQuoteScaCode', { params: { quoteId: waiting(b).id } }),
};
