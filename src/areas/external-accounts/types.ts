import { CURRENCIES } from '../../contract/money.ts';
import {
  ACCOUNT_NUMBER,
  type AccountType,
  BANK_NAME,
  BIC,
  choice,
  digits,
  type Field,
  IBAN,
  KIND,
  optional,
  type PayoutRoute,
  PHONE,
  PROVIDER,
  phone,
  required,
  text,
} from './fields.ts';
import { WALLET_TYPES } from './wallets.ts';

const BANK = ['BANK_TRANSFER'];
const MOBILE = ['MOBILE_MONEY'];
const SEPA = ['SEPA', 'SEPA_INSTANT'];

type Given = Omit<AccountType, 'accountType' | 'currencies' | 'identityFields' | 'beneficiary' | 'routes'> & {
  readonly routes: readonly string[] | readonly PayoutRoute[];
} & Partial<Pick<AccountType, 'currencies' | 'identityFields' | 'beneficiary'>>;

const waysOf = (given: readonly string[] | readonly PayoutRoute[]): readonly PayoutRoute[] =>
  given.every((route) => typeof route === 'string') ? [{ rails: given, needs: [] }] : (given as readonly PayoutRoute[]);

/** Returns a fiat type, named by its currency unless it lists the currencies that it holds. */
const fiat = (code: string, given: Given): AccountType => ({
  currencies: [code],
  identityFields: [],
  beneficiary: {},
  ...given,
  accountType: `${code}_ACCOUNT`,
  routes: waysOf(given.routes),
});

/** Returns a bank account with a number, a bank's name and its BIC. */
const withBic = (code: string, country: string, more: Readonly<Record<string, Field>> = {}): AccountType =>
  fiat(code, {
    country,
    routes: BANK,
    fields: { bankName: BANK_NAME, accountNumber: ACCOUNT_NUMBER, swiftCode: BIC, ...more },
    identifier: ['accountNumber'],
    identityFields: ['swiftCode'],
  });

/** Returns a phone number at a mobile money provider. */
const mobile = (
  code: string,
  country: string | undefined,
  number: Field,
  providers: readonly string[],
  region?: Field,
) =>
  fiat(code, {
    ...(country === undefined ? {} : { country }),
    routes: MOBILE,
    fields: {
      phoneNumber: number,
      provider: { ...PROVIDER, ...(providers[0] ? { example: providers[0], known: providers } : {}) },
      ...(region ? { region } : {}),
    },
    identifier: ['phoneNumber'],
    identityFields: ['provider'],
  });

/**
 * Returns a bank account or a phone number: the members given decide which (conditional requirements of the reference).
 */
const bankOrMobile = (
  code: string,
  country: string,
  more: Readonly<Record<string, Field>> = {},
  bank: Partial<PayoutRoute> = {},
  mobileMoney: Partial<PayoutRoute> = {},
): AccountType =>
  fiat(code, {
    country,
    routes: [
      { rails: BANK, needs: ['accountNumber'], ...bank },
      { rails: MOBILE, needs: ['phoneNumber'], ...mobileMoney },
    ],
    fields: { accountNumber: optional(ACCOUNT_NUMBER), bankName: BANK_NAME, phoneNumber: optional(PHONE), ...more },
    identifier: ['accountNumber', 'phoneNumber'],
    identityFields: ['bankName'],
  });

const DOCUMENT = {
  documentType: optional(choice('CC', 'CE', 'TI', 'NIT', 'PP')),
  documentNumber: optional(text(50, '1020304050')),
};

/** Bank and mobile money accounts, one record per type. */
const FIAT_TYPES: readonly AccountType[] = [
  fiat('AED', {
    country: 'AE',
    routes: BANK,
    fields: { iban: required(/^AE[0-9]{21}$/, 'AE070331234567890123456', 23, 23), swiftCode: optional(BIC) },
    identifier: ['iban'],
    beneficiary: { requires: ['address'] },
  }),
  bankOrMobile('BDT', 'BD', { branchCode: optional(digits(5)), swiftCode: optional(BIC) }),
  fiat('BRL', {
    country: 'BR',
    routes: ['PIX'],
    fields: {
      pixKey: text(77, '12345678901'),
      pixKeyType: choice('CPF', 'CNPJ', 'EMAIL', 'PHONE', 'RANDOM'),
      taxId: required(/^[0-9]{11,14}$/, '12345678901', 11, 14),
    },
    identifier: ['pixKey'],
  }),
  mobile('BWP', 'BW', PHONE, []),
  fiat('CAD', {
    country: 'CA',
    routes: BANK,
    fields: { bankCode: digits(3), branchCode: digits(5), accountNumber: digits(7, 12) },
    identifier: ['accountNumber'],
    identityFields: ['bankCode', 'branchCode'],
    beneficiary: { knows: { registrationNumber: optional(text(255, 'R-1')) } },
  }),
  bankOrMobile('CNY', 'CN', {}, { beneficiary: 'BUSINESS' }, { only: { bankName: ['AliPay', 'WechatPay'] } }),
  {
    ...bankOrMobile('COP', 'CO', { bankAccountType: optional(KIND) }, { needs: ['accountNumber', 'bankAccountType'] }),
    beneficiary: { knows: DOCUMENT },
  },
  fiat('DKK', {
    country: 'DK',
    routes: SEPA,
    fields: { iban: required(/^DK[0-9]{16}$/, 'DK5000400040116243', 18, 18), swiftCode: optional(BIC) },
    identifier: ['iban'],
  }),
  fiat('EGP', {
    country: 'EG',
    routes: [
      { rails: BANK, needs: ['iban'] },
      { rails: MOBILE, needs: ['phoneNumber'] },
    ],
    fields: {
      iban: optional(required(/^EG[0-9]{27}$/, 'EG380019000500000000263180002', 29, 29)),
      bankName: BANK_NAME,
      phoneNumber: optional(PHONE),
    },
    identifier: ['iban', 'phoneNumber'],
    identityFields: ['bankName'],
  }),
  fiat('EUR', {
    routes: SEPA,
    fields: { iban: IBAN, swiftCode: optional(BIC) },
    identifier: ['iban'],
    beneficiary: { residence: true },
  }),
  fiat('GBP', {
    country: 'GB',
    routes: ['FASTER_PAYMENTS'],
    fields: { sortCode: digits(6), accountNumber: digits(8) },
    identifier: ['accountNumber'],
    identityFields: ['sortCode'],
  }),
  bankOrMobile('GHS', 'GH'),
  fiat('GTQ', {
    country: 'GT',
    routes: BANK,
    fields: { accountNumber: ACCOUNT_NUMBER, bankAccountType: KIND, bankName: BANK_NAME },
    identifier: ['accountNumber'],
    identityFields: ['bankName'],
    beneficiary: { requires: ['countryOfResidence', 'phoneNumber'] },
  }),
  withBic('HKD', 'HK'),
  fiat('HTG', { country: 'HT', routes: MOBILE, fields: { phoneNumber: PHONE }, identifier: ['phoneNumber'] }),
  withBic('IDR', 'ID', { phoneNumber: phone('62', 9, 12) }),
  fiat('INR', {
    country: 'IN',
    routes: [
      { rails: ['UPI'], needs: ['vpa'] },
      { rails: ['NEFT'], needs: ['accountNumber', 'ifsc', 'rail'], only: { rail: ['NEFT'] } },
      { rails: ['RTGS'], needs: ['accountNumber', 'ifsc', 'rail'], only: { rail: ['RTGS'] } },
    ],
    fields: {
      vpa: optional(required(/^[a-zA-Z0-9.\-_]+@[a-zA-Z0-9]+$/, 'asha@upi', 3, 255)),
      accountNumber: optional(digits(9, 18)),
      ifsc: optional(required(/^[A-Z]{4}0[A-Z0-9]{6}$/, 'HDFC0001234', 11, 11)),
      rail: optional(text(32, 'NEFT')),
      bankName: optional(BANK_NAME),
    },
    identifier: ['vpa', 'accountNumber'],
    identityFields: ['ifsc'],
  }),
  fiat('JMD', {
    country: 'JM',
    routes: BANK,
    fields: { accountNumber: ACCOUNT_NUMBER, branchCode: digits(5), bankAccountType: KIND, bankName: BANK_NAME },
    identifier: ['accountNumber'],
    identityFields: ['branchCode', 'bankName'],
    beneficiary: { requires: ['address', 'phoneNumber'] },
  }),
  mobile('KES', 'KE', phone('254'), ['M-PESA']),
  mobile('MWK', 'MW', PHONE, ['AIRTEL', 'TNM']),
  fiat('MXN', { country: 'MX', routes: ['SPEI'], fields: { clabeNumber: digits(18) }, identifier: ['clabeNumber'] }),
  withBic('MYR', 'MY'),
  fiat('NGN', {
    country: 'NG',
    routes: BANK,
    fields: { accountNumber: digits(10), bankName: BANK_NAME },
    identifier: ['accountNumber'],
    identityFields: ['bankName'],
  }),
  fiat('PHP', {
    country: 'PH',
    routes: BANK,
    fields: { bankName: BANK_NAME, accountNumber: digits(8, 16) },
    identifier: ['accountNumber'],
    identityFields: ['bankName'],
  }),
  {
    ...bankOrMobile('PKR', 'PK', {
      iban: optional(required(/^PK[0-9]{2}[A-Z]{4}[0-9]{16}$/, 'PK36SCBL0000001123456702', 24, 24)),
    }),
    identifier: ['accountNumber', 'iban', 'phoneNumber'],
  },
  mobile('RWF', 'RW', phone('250'), ['MTN', 'AIRTEL']),
  fiat('SGD', {
    country: 'SG',
    routes: ['PAYNOW', 'FAST', 'BANK_TRANSFER'],
    fields: { bankName: optional(BANK_NAME), accountNumber: ACCOUNT_NUMBER, swiftCode: BIC },
    identifier: ['accountNumber'],
    identityFields: ['swiftCode'],
    resolves: [
      {
        member: 'bankName',
        from: 'swiftCode',
        length: 4,
        table: { DBSS: 'DBS Bank Ltd', OCBC: 'OCBC Bank', UOVB: 'United Overseas Bank' },
      },
    ],
  }),
  {
    ...bankOrMobile(
      'SLV',
      'SV',
      { bankName: optional(BANK_NAME), bankAccountType: optional(KIND) },
      { needs: ['accountNumber', 'bankAccountType'] },
    ),
    currencies: ['USD'],
  },
  fiat('SWIFT', {
    currencies: [...CURRENCIES.values()].filter((c) => c.kind === 'fiat').map((c) => c.code),
    routes: [
      { rails: ['SWIFT'], needs: ['accountNumber'] },
      { rails: ['SWIFT'], needs: ['iban'] },
    ],
    fields: {
      country: required(/^[A-Z]{2}$/, 'NG', 2, 2),
      swiftCode: BIC,
      bankName: BANK_NAME,
      accountNumber: optional(ACCOUNT_NUMBER),
      iban: optional(IBAN),
    },
    identifier: ['accountNumber', 'iban'],
    identityFields: ['country', 'swiftCode'],
  }),
  withBic('THB', 'TH'),
  mobile('TZS', 'TZ', phone('255'), ['AIRTEL', 'VODACOM']),
  mobile('UGX', 'UG', PHONE, ['MTN', 'AIRTEL']),
  fiat('USD', {
    country: 'US',
    routes: ['ACH', 'WIRE', 'RTP', 'FEDNOW'],
    fields: {
      accountNumber: ACCOUNT_NUMBER,
      routingNumber: digits(9),
      bankName: optional(text(140, 'Example Bank')),
      bankAccountType: optional(KIND),
      intermediaryBankName: optional(text(140, 'Example Correspondent')),
      intermediaryRoutingNumber: optional(digits(9)),
      fiToFiInformation: optional(text(210, '/ACC/ further credit', 0)),
    },
    identifier: ['accountNumber'],
    identityFields: ['routingNumber'],
  }),
  withBic('VND', 'VN'),
  mobile('XAF', undefined, PHONE, [], choice('CM', 'CG')),
  mobile('XOF', undefined, PHONE, [], choice('BJ', 'CI', 'SN', 'TG')),
  fiat('ZAR', {
    country: 'ZA',
    routes: BANK,
    fields: { accountNumber: digits(9, 13), bankName: BANK_NAME },
    identifier: ['accountNumber'],
    identityFields: ['bankName'],
  }),
  mobile('ZMW', 'ZM', phone('260'), ['TNM', 'AIRTEL', 'ZAMTEL', 'MTN']),
];

/** Every account type (46). */
export const ACCOUNT_TYPES: readonly AccountType[] = [...FIAT_TYPES, ...WALLET_TYPES];

const BY_NAME = new Map(ACCOUNT_TYPES.map((type) => [type.accountType, type]));

/** Returns the record of an account type. Throws for an unknown one, which the request's schema never lets through. */
export function typeOf(accountType: string): AccountType {
  const type = BY_NAME.get(accountType);
  if (!type) throw new Error(`no account type ${accountType}`);
  return type;
}
