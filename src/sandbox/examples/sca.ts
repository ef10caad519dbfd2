import type { Customer } from '../../areas/customers/index.ts';
import type { Facts, Match, Row } from './facts.ts';
import { ofSomebody } from './people.ts';
import { at, type Ingredients, type Recipe, type Recipes } from './recipe.ts';

/** A query about somebody whom strong customer authentication concerns, and what else the call takes. */
const sca =
  (
    more: (the: Facts, customerId: string) => Ingredients = () => ({}),
    fits?: (the: Facts) => (customer: Customer) => boolean,
  ): Recipe =>
  (the) => {
    const customerId = the.concerned(fits?.(the));
    return { ...more(the, customerId), query: { customerId } };
  };
const holding =
  (table: string, match: Match, maker: string, more: (row: Row) => Ingredients): Recipe =>
  (the) => {
    const row = the.row(table, maker, match, ofSomebody(the));
    return { ...more(row), query: { customerId: String(row['customerId'] ?? the.concerned()) } };
  };

/** An account whose trust is in a state, and the proof that a change of it waits for. */
const trust =
  (status: string, maker: string): Recipe =>
  (the) => {
    const row = the.row('sca-trust', maker, { status }, ofSomebody(the));
    const challenge = the.newest('sca-challenges', { kind: 'TRUST', subject: row.id, status: 'PENDING' });
    return {
      params: { externalAccountId: row.id },
      body: { challengeId: challenge?.id ?? '<challengeId>', code: '123456' },
    };
  };

/** Whether a row belongs to somebody whom strong customer authentication concerns. */
const isConcerned = (the: Facts, row: Row): boolean => {
  const id = row['customerId'];
  return id !== undefined && the.isConcerned(String(id));
};
/** Strong customer authentication. */
export const SCA: Recipes = {
  listScaFactors: sca(),
  startScaFactorEnrollment: sca(() => ({ body: { type: 'TOTP' } })),
  confirmScaFactorEnrollment: holding(
    'sca-factors',
    { type: 'TOTP', status: 'PENDING' },
    'startScaFactorEnrollment',
    (row) => ({
      body: { type: 'TOTP', secret: String(row['secret'] ?? '<secret>'), code: '123456' },
    }),
  ),
  deleteScaFactor: holding(
    'sca-factors',
    { type: 'PASSKEY', status: 'ACTIVE' },
    'confirmScaFactorEnrollment',
    (row) => ({ params: { credentialId: row.id } }),
  ),
  startScaLogin: sca(() => ({ body: { factor: 'SMS_OTP' } })),
  completeScaLogin: (the) => {
    const row = the.row(
      'sca-challenges',
      'startScaLogin',
      { kind: 'LOGIN', status: 'PENDING' },
      (one) => (one['factors'] as string[])[0] === 'SMS_OTP',
    );
    return {
      query: { customerId: String(row['customerId'] ?? the.concerned()) },
      body: { factor: 'SMS_OTP', challengeId: row.id, code: '123456', endUserIpAddress: '203.0.113.7' },
    };
  },
  recordSecurityEvent: sca(() => ({ body: { eventType: 'RESET_PASSWORD_COMPLETED' } })),
  startTwoFactorReset: sca(() => ({ body: { factor: 'SMS_OTP' } })),
  getTwoFactorResetStatus: holding('sca-resets', {}, 'startTwoFactorReset', (row) => ({ params: { resetId: row.id } })),
  completeTwoFactorReset: holding('sca-resets', { status: 'LIVENESS_PASSED' }, 'startTwoFactorReset', (row) => ({
    params: { resetId: row.id },
    body: { mobile: { countryCode: '+46', number: '701740606' } },
  })),
  startBeneficiaryTrust: (the) => {
    const row = the.row('external-accounts', 'createCustomerExternalAccount', { isDeleted: false }, (one) => {
      const status = the.newest('sca-trust', { id: one.id })?.['status'];
      return isConcerned(the, one) && (status === undefined || status === 'UNTRUSTED' || status === 'TRUST_PENDING');
    });
    return { params: { externalAccountId: row.id } };
  },
  confirmBeneficiaryTrust: trust('TRUST_PENDING', 'startBeneficiaryTrust'),
  startBeneficiaryUntrust: at('externalAccountId', (the) =>
    the.id('sca-trust', 'confirmBeneficiaryTrust', { status: 'TRUSTED' }),
  ),
  confirmBeneficiaryUntrust: trust('UNTRUST_PENDING', 'startBeneficiaryUntrust'),
};
