import type { SampleName } from '../declare/example.ts';

/** Returns a German IBAN for an account number; its check digits are those of ISO 7064. */
function iban(account: string): string {
  const bban = `37040044${account}`;
  const check = 98n - (BigInt(`${bban}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${bban}`;
}

type Bank = (n: string, end?: string) => Readonly<Record<string, unknown>>;

/** Bank accounts by their currency, a new one for each three digits; their endings have no meaning unless given. */
export const BANKS: Readonly<Record<string, Bank>> = {
  USD: (n, end = '789') => ({
    accountType: 'USD_ACCOUNT',
    accountNumber: `000123${n}${end}`,
    routingNumber: '021000021',
  }),
  EUR: (n, end = '789') => ({ accountType: 'EUR_ACCOUNT', iban: iban(`0532${n}${end}`) }),
  GBP: (n, end = '678') => ({ accountType: 'GBP_ACCOUNT', sortCode: '040004', accountNumber: `12${n}${end}` }),
  MXN: (n, end = '678') => ({ accountType: 'MXN_ACCOUNT', clabeNumber: `123456789012${n}${end}` }),
  INR: (n, end = 'sha') => ({ accountType: 'INR_ACCOUNT', vpa: `a${n}${end}@upi` }),
  NGN: (n, end = '789') => ({ accountType: 'NGN_ACCOUNT', accountNumber: `0123${n}${end}`, bankName: 'GTBank' }),
  PHP: (n, end = '678') => ({ accountType: 'PHP_ACCOUNT', accountNumber: `12${n}${end}`, bankName: 'BDO Unibank' }),
  KES: (n) => ({ accountType: 'KES_ACCOUNT', phoneNumber: `+254712345${n}`, provider: 'M-PESA' }),
  BRL: (n, end = '901') => ({
    accountType: 'BRL_ACCOUNT',
    pixKey: `12345${n}${end}`,
    pixKeyType: 'CPF',
    taxId: '12345678901',
  }),
};

/** The beneficiary of a bank account, with every member that a bank may require. */
export const BENEFICIARY = {
  beneficiaryType: 'INDIVIDUAL',
  fullName: 'Nora Lind',
  birthDate: '1988-03-14',
  nationality: 'US',
  countryOfResidence: 'US',
};

/** Wallet addresses by the asset that they hold. */
export const ADDRESSES: Readonly<Record<string, readonly object[]>> = {
  USDC: [
    { accountType: 'BASE_WALLET', address: '0x52908400098527886E0F7030069857D2E4169EE7' },
    { accountType: 'SOLANA_WALLET', address: '4Nd1m6Qkq7RfKuE5vQ9qP9Tn6H94Ueqb4xXHzsAbd8Wg' },
  ],
  USDB: [
    {
      accountType: 'SPARK_WALLET',
      address: 'spark1pgssyuuuhnrrdjswal5c3s3rafw9w3y5dd4cjy3duxlf7hjzkp0rqx6dj6mrhu',
    },
  ],
  BTC: [{ accountType: 'LIGHTNING', lightningAddress: 'john.doe@wallet.example' }],
};

/** Wallet addresses whose ownership can be proven, and the proof. */
export const WALLET = { accountType: 'BASE_WALLET', address: '0x52908400098527886E0F7030069857D2E4169EE7' };

const ADDRESS = { line1: '8 Elm Ct', city: 'Tacoma', state: 'WA', postalCode: '98402', country: 'US' };

/** An identification number that nobody has: no social security number begins with 9. */
const MADE_UP_ID = '987-65-4320';
const MADE_UP_TAX_ID = '81-5550199';
/** Returns whether a secret is one that the samples made up. */
export const isMadeUp = (secret: string): boolean => secret === MADE_UP_ID || secret === MADE_UP_TAX_ID;

/** A person with every member that a review requires. */
const PERSON = {
  customerType: 'INDIVIDUAL',
  fullName: 'Ada Keller',
  birthDate: '1990-01-02',
  nationality: 'US',
  idType: 'SSN',
  identifier: MADE_UP_ID,
  address: ADDRESS,
};

/** A business with every member that a review requires. */
const FIRM = {
  customerType: 'BUSINESS',
  address: ADDRESS,
  businessInfo: {
    legalName: 'North Pier Trading LLC',
    country: 'US',
    taxId: MADE_UP_TAX_ID,
    registrationNumber: 'HRB 555',
    incorporatedOn: '2019-04-30',
    entityType: 'LLC',
    countriesOfOperation: ['US'],
    businessType: 'WHOLESALE_TRADE',
    purposeOfAccount: 'SUPPLIER_PAYMENTS',
    sourceOfFunds: 'sales',
    expectedMonthlyTransactionCount: 'COUNT_UNDER_10',
    expectedMonthlyTransactionVolume: 'VOLUME_UNDER_10K',
  },
};

/** A beneficial owner of a business, who also controls it. */
const OWNER = {
  roles: ['UBO', 'CONTROL_PERSON'],
  ownershipPercentage: 60,
  personalInfo: {
    firstName: 'Mara',
    lastName: 'Novak',
    birthDate: '1978-06-15',
    nationality: 'US',
    address: ADDRESS,
    idType: 'SSN',
    identifier: MADE_UP_ID,
  },
};

/** The shortest file that begins as a PDF does. */
const SCAN = { name: 'passport.pdf', type: 'application/pdf', text: '%PDF-1.7\n' };

/** Returns a file of customers with one row, a new one for each number. */
const customersCsv = (n: number | string) => ({
  name: 'customers.csv',
  type: 'text/csv',
  text: [
    'umaAddress,platformCustomerId,customerType,fullName,birthDate,email,addressLine1,city,state,postalCode,country',
    `,import-${n},INDIVIDUAL,Ida Berg,1990-01-02,ida-${n}@example.com,1 Elm St,Tacoma,WA,98402,US`,
  ].join('\n'),
});

/** A client's public key, compressed and not: the generator of P-256, whose private key, 1, is public knowledge. */
const X = '6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296';
const Y = '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5';
export const CLIENT_KEY = `04${X}${Y}`;

const MERCHANT = { descriptor: 'NORTH PIER CAFE', mcc: '5812', country: 'US' };

/** The samples that examples name; the number makes one unique where that matters. */
export const SAMPLES: Readonly<Record<SampleName, (n: number | string) => unknown>> = {
  address: () => ADDRESS,
  person: () => PERSON,
  firm: () => FIRM,
  unknownFirm: () => ({ customerType: 'BUSINESS', businessInfo: { legalName: FIRM.businessInfo.legalName } }),
  // The emulator decides nothing about this one by itself.
  waitingFirm: () => ({ ...FIRM, businessInfo: { ...FIRM.businessInfo, registrationNumber: 'HRB 001' } }),
  rejectedFirm: () => ({ ...FIRM, businessInfo: { ...FIRM.businessInfo, registrationNumber: 'HRB 002' } }),
  owner: () => OWNER,
  scan: () => SCAN,
  'customers.csv': customersCsv,
  wallet: () => WALLET,
  clientKey: () => CLIENT_KEY,
  merchant: () => MERCHANT,
};

/** Returns a pattern with the number in place of `{n}`, and its last four digits in place of `{nnnn}`. */
export const filled = (pattern: string, n: number, more = ''): string =>
  pattern.replaceAll('{n}', `${n}${more}`).replaceAll('{nnnn}', String(n % 10_000).padStart(4, '0'));
