import { createHash } from 'node:crypto';
import * as z from 'zod';
import { named } from '../../contract/lazy.ts';
import { Text } from '../../contract/shapes.ts';

/** Digits and letters that look random but are always the same for one account. */
class Sample {
  readonly #bytes: Buffer;
  #at = 0;
  constructor(seed: string) {
    this.#bytes = createHash('sha256').update(seed).digest();
  }
  pick(alphabet: string, length: number): string {
    let out = '';
    for (let i = 0; i < length; i += 1) {
      out += alphabet[(this.#bytes[this.#at % 32] as number) % alphabet.length];
      this.#at += 1;
    }
    return out;
  }
  digits(length: number): string {
    return `${1 + Number(this.pick('012345678', 1))}${this.pick('0123456789', length - 1)}`;
  }
  hex(length: number): string {
    return this.pick('0123456789abcdef', length);
  }
  base58(length: number): string {
    return this.pick('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', length);
  }
  bech32(length: number): string {
    return this.pick('qpzry9x8gf2tvdw0s3jn54khce6mua7l', length);
  }
  /** Returns an IBAN with valid check digits. */
  iban(country: string, bban: string): string {
    const digits = `${bban}${country}00`.replace(/[A-Z]/g, (c) => String(c.charCodeAt(0) - 55));
    return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${bban}`;
  }
}

/** One member of an account's details: how to make a plausible value, and whether the contract requires it. */
interface Field {
  readonly make: ((s: Sample, account: Funded) => string) | undefined;
  readonly required: boolean;
  readonly values?: readonly string[];
}
const must = (make: NonNullable<Field['make']>): Field => ({ make, required: true });
const may = (make?: Field['make']): Field => ({ make, required: false });
const oneOf = (values: readonly string[], shown?: string): Field => ({
  make: shown ? () => shown : undefined,
  required: false,
  values,
});
const choice = (values: readonly string[]): Field => ({ make: () => values[0] as string, required: true, values });

/** A way to send money to an account of one kind: the account type, its rails, and its members. */
interface Instruction {
  readonly accountType: string;
  readonly rails?: readonly string[];
  readonly reference?: 'required' | 'optional';
  readonly fields: Readonly<Record<string, Field>>;
}

const bank = (name: string) => may(() => name);
const bankName = (name: string) => must(() => name);
const number = (length: number) => must((s) => s.digits(length));
const numberMay = (length: number) => may((s) => s.digits(length));
const phone = (prefix: string, length = 9) => must((s) => `+${prefix}${s.digits(length)}`);
const bic = (code: string) => must(() => code);
const KIND = ['CHECKING', 'SAVINGS'];
const TRANSFER = ['BANK_TRANSFER'];
const MOBILE = ['MOBILE_MONEY'];
const BOTH = [...TRANSFER, ...MOBILE];

const fiat = (
  code: string,
  rails: readonly string[] | undefined,
  fields: Instruction['fields'],
  reference: Instruction['reference'] | 'none' = 'required',
): Instruction => ({
  accountType: `${code}_ACCOUNT`,
  ...(rails ? { rails } : {}),
  ...(rails && reference !== 'none' ? { reference } : {}),
  fields,
});

const mobile = (code: string, prefix: string, provider: string, more: Instruction['fields'] = {}): Instruction =>
  fiat(code, MOBILE, { phoneNumber: phone(prefix), provider: must(() => provider), ...more });

/** Returns a bank account with a number of `length` digits, named by the bank's name and its BIC. */
const withBic = (code: string, place: string, length: number, swift: string, more: Instruction['fields'] = {}) =>
  fiat(code, TRANSFER, {
    bankName: bankName(`Sandbox Bank ${place}`),
    accountNumber: number(length),
    swiftCode: bic(swift),
    ...more,
  });

const wallet = (network: string, assets: readonly string[], address: (s: Sample) => string): Instruction => ({
  accountType: `${network}_WALLET`,
  fields: { address: must(address), assetType: oneOf(assets, assets[0]) },
});
const evm = (s: Sample) => `0x${s.hex(40)}`;

/** Funding instructions by account type (reference: payment instructions). */
const TYPES: readonly Instruction[] = [
  fiat('USD', ['ACH', 'WIRE', 'RTP', 'FEDNOW'], {
    accountNumber: number(12),
    routingNumber: must(() => '101019644'),
    bankName: bank('Sandbox Trust Bank'),
    bankAccountType: oneOf(KIND, 'CHECKING'),
    intermediaryBankName: may(),
    intermediaryRoutingNumber: may(),
    fiToFiInformation: may(),
    bankAddress: may(() => '1 Sandbox Plaza, Kansas City, MO 64105, US'),
  }),
  fiat('EUR', ['SEPA', 'SEPA_INSTANT'], {
    iban: must((s) => s.iban('DE', `50010517${s.digits(10)}`)),
    swiftCode: may(() => 'SBXADEFFXXX'),
  }),
  fiat('GBP', ['FASTER_PAYMENTS'], { sortCode: must(() => '040004'), accountNumber: number(8) }),
  fiat('BRL', undefined, {
    qrCode: must(
      (s) => `00020126580014br.gov.bcb.pix0136${s.hex(32)}5204000053039865802BR6304${s.hex(4).toUpperCase()}`,
    ),
  }),
  fiat('MXN', ['SPEI'], { clabeNumber: must((s) => `646180${s.digits(12)}`) }),
  fiat(
    'INR',
    ['UPI', 'NEFT', 'RTGS'],
    {
      vpa: may((s) => `fund.${s.hex(8)}@sandbox`),
      accountNumber: numberMay(14),
      ifsc: may(() => 'SBXA0000001'),
      rail: may(),
      bankName: bank('Sandbox Bank of India'),
    },
    'none',
  ),
  fiat('DKK', ['SEPA', 'SEPA_INSTANT'], {
    iban: must((s) => s.iban('DK', `0040${s.digits(10)}`)),
    swiftCode: may(() => 'SBXADKKKXXX'),
  }),
  fiat('NGN', TRANSFER, { accountNumber: number(10), bankName: bankName('Sandbox Bank Nigeria') }),
  fiat('CAD', TRANSFER, { bankCode: must(() => '001'), branchCode: must(() => '00011'), accountNumber: number(9) }),
  fiat('PHP', TRANSFER, { bankName: bankName('Sandbox Bank Philippines'), accountNumber: number(12) }),
  fiat('SGD', ['PAYNOW', 'FAST', 'BANK_TRANSFER'], {
    bankName: bank('Sandbox Bank Singapore'),
    accountNumber: number(10),
    swiftCode: bic('SBXASGSGXXX'),
  }),
  withBic('HKD', 'Hong Kong', 12, 'SBXAHKHHXXX'),
  withBic('IDR', 'Indonesia', 10, 'SBXAIDJAXXX', { phoneNumber: phone('62', 10) }),
  withBic('MYR', 'Malaysia', 12, 'SBXAMYKLXXX'),
  withBic('THB', 'Thailand', 10, 'SBXATHBKXXX'),
  withBic('VND', 'Vietnam', 12, 'SBXAVNVXXXX'),
  fiat('CNY', BOTH, { accountNumber: numberMay(16), bankName: bankName('Sandbox Bank China'), phoneNumber: may() }),
  fiat('AED', TRANSFER, { iban: must((s) => s.iban('AE', `033${s.digits(16)}`)), swiftCode: may(() => 'SBXAAEADXXX') }),
  fiat('BDT', BOTH, {
    accountNumber: numberMay(13),
    bankName: bankName('Sandbox Bank Bangladesh'),
    branchCode: may(() => '00125'),
    swiftCode: may(),
    phoneNumber: may(),
  }),
  fiat('PKR', BOTH, {
    bankName: bankName('Sandbox Bank Pakistan'),
    accountNumber: numberMay(14),
    iban: may(),
    phoneNumber: may(),
  }),
  fiat('EGP', BOTH, {
    iban: may((s) => s.iban('EG', `0019000500${s.digits(15)}`)),
    bankName: bankName('Sandbox Bank Egypt'),
    phoneNumber: may(),
  }),
  fiat('GHS', BOTH, { accountNumber: numberMay(13), bankName: bankName('Sandbox Bank Ghana'), phoneNumber: may() }),
  fiat('COP', undefined, { paymentUrl: must((s) => `https://pay.sandbox.example/cop/${s.hex(16)}`) }),
  fiat('GTQ', TRANSFER, {
    accountNumber: number(12),
    bankAccountType: choice(KIND),
    bankName: bankName('Sandbox Bank Guatemala'),
  }),
  fiat('JMD', TRANSFER, {
    accountNumber: number(10),
    branchCode: must(() => '00125'),
    bankAccountType: choice(KIND),
    bankName: bankName('Sandbox Bank Jamaica'),
  }),
  fiat('HTG', MOBILE, { phoneNumber: phone('509', 8) }),
  fiat('ZAR', TRANSFER, { accountNumber: number(11), bankName: bankName('Sandbox Bank South Africa') }),
  mobile('KES', '254', 'M-PESA'),
  mobile('RWF', '250', 'MTN'),
  mobile('TZS', '255', 'AIRTEL'),
  mobile('UGX', '256', 'MTN'),
  mobile('ZMW', '260', 'MTN'),
  mobile('MWK', '265', 'AIRTEL'),
  mobile('BWP', '267', 'ORANGE'),
  mobile('XOF', '221', 'ORANGE', { region: choice(['SN', 'BJ', 'CI', 'TG']) }),
  mobile('XAF', '237', 'MTN', { region: choice(['CM', 'CG']) }),
  fiat('ARS', undefined, { accountNumber: number(22) }),
  fiat('SLV', BOTH, {
    bankName: bank('Sandbox Bank El Salvador'),
    accountNumber: numberMay(12),
    bankAccountType: oneOf(KIND),
    phoneNumber: may(),
  }),
  fiat(
    'SWIFT',
    ['SWIFT'],
    {
      country: must(() => 'US'),
      swiftCode: bic('SBXAUS33XXX'),
      bankName: bankName('Sandbox Trust Bank'),
      accountNumber: numberMay(12),
      iban: may(),
      accountHolderName: must(() => 'Sandbox Platform'),
      bankAddress: may(),
    },
    'optional',
  ),
  {
    accountType: 'SPARK_WALLET',
    fields: { address: must((s) => `spark1${s.bech32(60)}`), assetType: must((_, a) => a.currency), invoice: may() },
  },
  { accountType: 'LIGHTNING', fields: { invoice: must((s) => `lnbcrt1${s.bech32(90)}`) } },
  {
    accountType: 'BITCOIN_L1',
    fields: { address: must((s) => `bcrt1q${s.bech32(38)}`), network: oneOf(['BITCOIN'], 'BITCOIN') },
  },
  wallet('SOLANA', ['USDC', 'USDT'], (s) => s.base58(44)),
  wallet('BASE', ['USDC'], evm),
  wallet('POLYGON', ['USDC'], evm),
  wallet('ETHEREUM', ['USDC', 'USDT'], evm),
  wallet('TRON', ['USDT'], (s) => `T${s.base58(33)}`),
  wallet('PLASMA', ['USDT'], evm),
  { accountType: 'EMBEDDED_WALLET', fields: { payloadToSign: must(() => '{}') } },
];

const BY_TYPE = new Map(TYPES.map((type) => [type.accountType, type]));

/** The ways to send money, by the account's currency; any other fiat currency has one, its own account type. */
const WAYS_IN: Readonly<Record<string, readonly string[]>> = {
  BTC: ['SPARK_WALLET', 'LIGHTNING'],
  USDC: ['SOLANA_WALLET', 'BASE_WALLET', 'POLYGON_WALLET', 'ETHEREUM_WALLET'],
  USDT: ['TRON_WALLET', 'ETHEREUM_WALLET', 'PLASMA_WALLET'],
  USDB: [],
};

/** More ways for a quote that names the network; an account in the currency shows none of them. */
const WAYS_BY_NETWORK: Readonly<Record<string, readonly string[]>> = {
  BTC: ['BITCOIN_L1'],
  USDB: ['SPARK_WALLET'],
};

export const RAIL_NAMES = [
  'ACH',
  'ACH_COLOMBIA',
  'BANK_TRANSFER',
  'BRE_B',
  'CIPS',
  'FAST',
  'FASTER_PAYMENTS',
  'FEDNOW',
  'INSTAPAY',
  'MOBILE_MONEY',
  'NEFT',
  'PAYNOW',
  'PESONET',
  'PIX',
  'RTGS',
  'RTP',
  'SEPA',
  'SEPA_INSTANT',
  'SPEI',
  'SWIFT',
  'UNIONPAY',
  'UPI',
  'WIRE',
] as const;

const WAY_OF_NETWORK: Readonly<Record<string, string>> = { BITCOIN: 'BITCOIN_L1', LIGHTNING: 'LIGHTNING' };

/** Returns the ways to send a currency, over one network if it is named; empty if there is none. */
export function fundingRoutes(currency: string, network?: string): readonly string[] {
  const all = WAYS_IN[currency] ?? [`${currency}_ACCOUNT`];
  if (network === undefined) return all.filter((way) => BY_TYPE.has(way));
  const way = WAY_OF_NETWORK[network] ?? `${network}_WALLET`;
  const assets = BY_TYPE.get(way)?.fields['assetType']?.values;
  const known = [...all, ...(WAYS_BY_NETWORK[currency] ?? [])].includes(way) || assets?.includes(currency);
  return known ? [way] : [];
}

/** The account or quote that receives the money. */
interface Funded {
  readonly id: string;
  readonly currency: string;
  readonly customerId?: string | undefined;
}

/** Returns payment instructions for an account or a quote, derived from its id, so they take no memory. */
export function fundingInstructions(account: Funded, ways?: readonly string[]): ReturnType<typeof instructionsFor> {
  return ways ? instructionsFor(account, ways) : usualInstructions(account);
}

/**
 * The number of accounts whose instructions are cached: every payment from an account shows its balance, and so needs
 * them.
 */
const MOST_REMEMBERED = 200;
const remembered = new Map<string, { readonly of: Funded; readonly made: ReturnType<typeof instructionsFor> }>();

function usualInstructions({ id, currency, customerId }: Funded) {
  const known = remembered.get(id);
  if (known && known.of.currency === currency && known.of.customerId === customerId) return known.made;
  const of = { id, currency, customerId };
  const made = instructionsFor(of, fundingRoutes(currency));
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(id, { of, made });
  return made;
}

function instructionsFor(account: Funded, ways: readonly string[]) {
  const sample = new Sample(account.id);
  return ways.map((way) => {
    const type = BY_TYPE.get(way) as Instruction;
    const info: { accountType: string; [member: string]: unknown } = { accountType: type.accountType };
    for (const [name, field] of Object.entries(type.fields)) if (field.make) info[name] = field.make(sample, account);
    if (way.endsWith('_WALLET') && account.currency === 'USDT') info['assetType'] = 'USDT';
    if (type.rails) info['paymentRails'] = type.rails;
    if (type.reference) info['reference'] = `FUND-${sample.pick('ABCDEFGHJKMNPQRSTUVWXYZ23456789', 8)}`;
    const notes = type.reference
      ? 'Put the reference in the payment memo, or the money cannot be assigned.'
      : undefined;
    return {
      accountOrWalletInfo: info,
      ...(notes ? { instructionsNotes: notes } : {}),
      isPlatformAccount: account.customerId === undefined,
    };
  });
}

/** Returns the invoice for paying a quote from outside, instead of from its wallet. */
export function sparkInvoice(quote: Funded) {
  const invoice = `sparkrt1${new Sample(`${quote.id} invoice`).bech32(120)}`;
  return fundingInstructions(quote, ['SPARK_WALLET']).map(({ accountOrWalletInfo, ...rest }) => ({
    ...rest,
    accountOrWalletInfo: { ...accountOrWalletInfo, invoice },
  }));
}

const infoShape = (type: Instruction) => {
  const shape: Record<string, z.ZodType> = { accountType: z.literal(type.accountType) };
  for (const [name, field] of Object.entries(type.fields)) {
    const base = field.values ? z.enum(field.values as [string, ...string[]]) : Text();
    shape[name] = field.required ? base : base.optional();
  }
  if (type.rails) shape['paymentRails'] = z.array(z.enum(type.rails as [string, ...string[]]));
  if (type.reference) shape['reference'] = type.reference === 'required' ? Text() : Text().optional();
  const name = type.accountType.toLowerCase().replace(/(^|_)(\w)/g, (_, __, c: string) => c.toUpperCase());
  return z.strictObject(shape).meta({ id: `Payment${name}Info` });
};

/** The schema of the instructions for sending money to an account. */
export const PaymentInstructions = named('PaymentInstructions', () =>
  z.strictObject({
    accountOrWalletInfo: z.discriminatedUnion(
      'accountType',
      TYPES.map(infoShape) as unknown as [z.ZodObject<{ accountType: z.ZodLiteral<string> }>],
    ),
    instructionsNotes: z.string().optional(),
    isPlatformAccount: z.boolean().optional(),
  }),
);
