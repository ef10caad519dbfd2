import { describe, expect, test } from 'vitest';
import { accountName } from '../../../src/areas/external-accounts/name.ts';
import { ACCOUNT_TYPES } from '../../../src/areas/external-accounts/types.ts';

const called = (accountType: string, info: object, currency = 'EUR') =>
  accountName({ accountInfo: { accountType, ...info }, currency } as never);
const ADA = { beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada Keller' } };

describe('the name of an external account (W10)', () => {
  test.each([
    ['EUR_ACCOUNT', { ...ADA, iban: 'DE89370400440532013000' }, 'Ada Keller, DE… 3000'],
    ['USD_ACCOUNT', { ...ADA, accountNumber: '123456789501' }, 'Ada Keller, USD… 9501'],
    ['USD_ACCOUNT', { ...ADA, accountNumber: '123456789501', bankName: 'First Bank' }, 'Ada Keller, First Bank… 9501'],
    ['BRL_ACCOUNT', { ...ADA, pixKey: 'ada@example.com' }, 'Ada Keller, …@example.com'],
    ['EUR_ACCOUNT', { beneficiary: { legalName: 'North Pier' }, iban: 'FR7612' }, 'North Pier, FR… 7612'],
    ['SPARK_WALLET', { address: 'spark1qqqqabcd' }, 'Spark wallet… abcd'],
    ['USD_ACCOUNT', ADA, 'Ada Keller, USD'],
  ])('an external account of type %s with %j is called %s', (accountType, info, name) => {
    expect(called(accountType, info, accountType.startsWith('EUR') ? 'EUR' : accountType.slice(0, 3))).toBe(name);
  });

  test.each(ACCOUNT_TYPES.map(({ accountType, identifier }) => [accountType, identifier] as const))(
    'an external account of type %s is never called by its whole number',
    (accountType, identifier) => {
      const number = '4111222233334444';
      for (const name of identifier) {
        const text = called(accountType, { ...ADA, [name]: number });
        expect(text).toMatch(/^Ada Keller, \S.*… 4444$/);
        expect(text).not.toContain(number.slice(4));
      }
    },
  );
});
