/** What a test sends for an account type, and what the sandbox must make of it. Written by hand, from the contract. */
export interface Sample {
  currency: string;
  info: Record<string, unknown>;
  /** `paymentRails` of the reply. */
  rails?: string[];
  /** The last three characters of its primary identifier. */
  suffix: string;
}

const ADDRESS = { line1: '5 Quay St', city: 'Dubai', postalCode: '00000', country: 'AE' };
export const PERSON = { beneficiaryType: 'INDIVIDUAL', fullName: 'Nora Lind' };
export const FIRM = { beneficiaryType: 'BUSINESS', legalName: 'Lind Trading Ltd' };

const bank = ['BANK_TRANSFER'];
const purse = ['MOBILE_MONEY'];
const sepa = ['SEPA', 'SEPA_INSTANT'];
const sample = (
  currency: string,
  suffix: string,
  rails: string[] | undefined,
  accountType: string,
  details: Record<string, unknown>,
  beneficiary: Record<string, unknown> | null = PERSON,
): Sample => ({
  currency,
  suffix,
  ...(rails ? { rails } : {}),
  info: { accountType, ...details, ...(beneficiary ? { beneficiary } : {}) },
});
const withBic = (currency: string, more = {}) =>
  sample(currency, '321', bank, `${currency}_ACCOUNT`, {
    bankName: 'Example Bank',
    accountNumber: '7654321',
    swiftCode: 'ABCDEF2A',
    ...more,
  });
const mobile = (currency: string, phoneNumber: string, provider: string, more = {}) =>
  sample(currency, phoneNumber.slice(-3), purse, `${currency}_ACCOUNT`, { phoneNumber, provider, ...more });
const wallet = (currency: string, accountType: string, address: string) =>
  sample(currency, address.slice(-3), undefined, accountType, { address }, null);

const EVM = '0x52908400098527886E0F7030069857D2E4169EE7';
const TALLY = { accountNumber: '00112233', bankName: 'Example Bank' };
const PURSE = { phoneNumber: '+233201234567', bankName: 'Example Purse' };

/** One account of each type, and each further way in that a type has. */
export const SAMPLES: readonly Sample[] = [
  sample('AED', '456', bank, 'AED_ACCOUNT', { iban: 'AE070331234567890123456' }, { ...PERSON, address: ADDRESS }),
  sample('BDT', '233', bank, 'BDT_ACCOUNT', { ...TALLY, branchCode: '00012', swiftCode: 'BRAKBDDH' }),
  sample('BDT', '567', purse, 'BDT_ACCOUNT', PURSE),
  sample('BRL', '901', ['PIX'], 'BRL_ACCOUNT', { pixKey: '12345678901', pixKeyType: 'CPF', taxId: '12345678901' }),
  sample('BRL', 'ana', ['PIX'], 'BRL_ACCOUNT', {
    pixKey: 'ana@bank.example',
    pixKeyType: 'EMAIL',
    taxId: '12345678901',
  }),
  mobile('BWP', '+26771234567', 'ORANGE'),
  sample(
    'CAD',
    '567',
    bank,
    'CAD_ACCOUNT',
    { bankCode: '001', branchCode: '00012', accountNumber: '1234567' },
    {
      ...PERSON,
      registrationNumber: 'R-7',
    },
  ),
  sample('CNY', '233', bank, 'CNY_ACCOUNT', TALLY, FIRM),
  sample('CNY', '678', purse, 'CNY_ACCOUNT', { phoneNumber: '+8613812345678', bankName: 'AliPay' }),
  sample(
    'COP',
    '233',
    bank,
    'COP_ACCOUNT',
    { ...TALLY, bankAccountType: 'SAVINGS' },
    {
      ...PERSON,
      documentType: 'CC',
      documentNumber: '1020304050',
    },
  ),
  sample('COP', '567', purse, 'COP_ACCOUNT', PURSE),
  sample('DKK', '243', sepa, 'DKK_ACCOUNT', { iban: 'DK5000400040116243', swiftCode: 'DABADKKK' }),
  sample('EGP', '002', bank, 'EGP_ACCOUNT', { iban: 'EG380019000500000000263180002', bankName: 'Example Bank' }),
  sample('EGP', '567', purse, 'EGP_ACCOUNT', PURSE),
  sample(
    'EUR',
    '000',
    sepa,
    'EUR_ACCOUNT',
    { iban: 'DE89370400440532013000' },
    { ...PERSON, countryOfResidence: 'DE' },
  ),
  sample('GBP', '678', ['FASTER_PAYMENTS'], 'GBP_ACCOUNT', { sortCode: '040004', accountNumber: '12345678' }),
  sample('GHS', '233', bank, 'GHS_ACCOUNT', TALLY),
  sample('GHS', '567', purse, 'GHS_ACCOUNT', PURSE),
  sample(
    'GTQ',
    '233',
    bank,
    'GTQ_ACCOUNT',
    { ...TALLY, bankAccountType: 'CHECKING' },
    {
      ...PERSON,
      countryOfResidence: 'GT',
      phoneNumber: '+50212345678',
    },
  ),
  withBic('HKD'),
  sample('HTG', '567', purse, 'HTG_ACCOUNT', { phoneNumber: '+50931234567' }),
  withBic('IDR', { phoneNumber: '+6281234567890' }),
  sample('INR', 'sha', ['UPI'], 'INR_ACCOUNT', { vpa: 'asha@upi' }),
  sample('INR', '333', ['NEFT'], 'INR_ACCOUNT', { accountNumber: '000111222333', ifsc: 'HDFC0001234', rail: 'NEFT' }),
  sample('INR', '444', ['RTGS'], 'INR_ACCOUNT', { accountNumber: '000111222444', ifsc: 'HDFC0001234', rail: 'RTGS' }),
  sample(
    'JMD',
    '233',
    bank,
    'JMD_ACCOUNT',
    { ...TALLY, branchCode: '00012', bankAccountType: 'SAVINGS' },
    {
      ...PERSON,
      address: { ...ADDRESS, country: 'JM' },
      phoneNumber: '+18761234567',
    },
  ),
  mobile('KES', '+254712345678', 'M-PESA'),
  mobile('MWK', '+265991234567', 'AIRTEL'),
  sample('MXN', '678', ['SPEI'], 'MXN_ACCOUNT', { clabeNumber: '123456789012345678' }),
  withBic('MYR'),
  sample('NGN', '789', bank, 'NGN_ACCOUNT', { accountNumber: '0123456789', bankName: 'GTBank' }),
  sample('PHP', '678', bank, 'PHP_ACCOUNT', { accountNumber: '12345678', bankName: 'BDO Unibank' }),
  sample('PKR', '233', bank, 'PKR_ACCOUNT', { ...TALLY, iban: 'PK36SCBL0000001123456702' }),
  sample('PKR', '567', purse, 'PKR_ACCOUNT', PURSE),
  mobile('RWF', '+250781234567', 'MTN'),
  sample('SGD', '789', ['PAYNOW', 'FAST', 'BANK_TRANSFER'], 'SGD_ACCOUNT', {
    accountNumber: '0123456789',
    swiftCode: 'ABCDSGSG',
  }),
  sample('USD', '233', bank, 'SLV_ACCOUNT', { ...TALLY, bankAccountType: 'CHECKING' }),
  sample('USD', '678', purse, 'SLV_ACCOUNT', { phoneNumber: '+50312345678' }),
  sample('GBP', '233', ['SWIFT'], 'SWIFT_ACCOUNT', { ...TALLY, country: 'NG', swiftCode: 'ABCDNGLA' }),
  sample('BRL', '819', ['SWIFT'], 'SWIFT_ACCOUNT', {
    country: 'GB',
    swiftCode: 'NWBKGB2L',
    bankName: 'Example Bank',
    iban: 'GB29NWBK60161331926819',
  }),
  withBic('THB'),
  mobile('TZS', '+255712345678', 'VODACOM'),
  mobile('UGX', '+256712345678', 'MTN'),
  sample('USD', '789', ['ACH', 'WIRE', 'RTP', 'FEDNOW'], 'USD_ACCOUNT', {
    accountNumber: '123456789',
    routingNumber: '021000021',
    bankAccountType: 'SAVINGS',
    fiToFiInformation: '',
  }),
  withBic('VND'),
  mobile('XAF', '+237671234567', 'MTN', { region: 'CM' }),
  mobile('XOF', '+221771234567', 'Orange', { region: 'SN' }),
  sample('ZAR', '890', bank, 'ZAR_ACCOUNT', { accountNumber: '1234567890', bankName: 'Standard Bank' }),
  mobile('ZMW', '+260971234567', 'ZAMTEL'),
  wallet('USDC', 'BASE_WALLET', EVM),
  wallet('USDC', 'ETHEREUM_WALLET', EVM),
  wallet('USDT', 'ETHEREUM_WALLET', EVM),
  wallet('USDC', 'POLYGON_WALLET', EVM),
  wallet('USDT', 'PLASMA_WALLET', EVM),
  wallet('USDC', 'SOLANA_WALLET', '4Nd1m6Qkq7RfKuE5vQ9qP9Tn6H94Ueqb4xXHzsAbd8Wg'),
  wallet('USDT', 'TRON_WALLET', 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL'),
  wallet('USDB', 'SPARK_WALLET', 'spark1pgssyuuuhnrrdjswal5c3s3rafw9w3y5dd4cjy3duxlf7hjzkp0rqx6dj6mrhu'),
  sample('BTC', 'doe', undefined, 'LIGHTNING', { lightningAddress: 'john.doe@wallet.example' }, null),
  sample('BTC', 'hp5', undefined, 'LIGHTNING', { invoice: 'lnbc15u1p3xnhl2pp5jptserfk3zk4qy42hp5' }, null),
  sample('BTC', 'qw3', undefined, 'LIGHTNING', { bolt12: 'lno1pg257enxv4ezqcneype82um50ynhxgrwqw3' }, null),
];

export const request = ({ currency, info }: Sample) => ({ currency, accountInfo: info });
export const titled = SAMPLES.map(
  (one) => [`${one.info['accountType']} in ${one.currency}, ${one.suffix}`, one] as const,
);

/** A plain account to do things with. */
export const usd = (accountNumber = '123456789', more = {}) => ({
  currency: 'USD',
  accountInfo: { accountType: 'USD_ACCOUNT', accountNumber, routingNumber: '021000021', beneficiary: PERSON },
  ...more,
});
