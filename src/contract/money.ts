import * as z from 'zod';
import { fail } from './errors.ts';
import { lazy, named } from './lazy.ts';

/** A currency as replies show it (spec 2.7). */
export interface Currency {
  readonly code: string;
  readonly name: string;
  readonly symbol: string;
  /** The number of decimal digits in minor units: 2 for cents. */
  readonly decimals: number;
  readonly kind: 'fiat' | 'crypto' | 'wallet';
  /** The units that one US dollar buys, at the fixed sandbox rate. */
  readonly perUsd: number;
}

const fiat = (code: string, name: string, symbol: string, perUsd: number, decimals = 2): Currency => ({
  code,
  name,
  symbol,
  decimals,
  kind: 'fiat',
  perUsd,
});

/** Every currency of the service. `USDB` is the currency of embedded wallets. */
export const CURRENCIES: ReadonlyMap<string, Currency> = new Map(
  [
    fiat('USD', 'United States Dollar', '$', 1),
    fiat('EUR', 'Euro', '€', 0.92),
    fiat('GBP', 'British Pound', '£', 0.79),
    fiat('BRL', 'Brazilian Real', 'R$', 5.4),
    fiat('MXN', 'Mexican Peso', '$', 17.9),
    fiat('INR', 'Indian Rupee', '₹', 83.3),
    fiat('DKK', 'Danish Krone', 'kr', 6.87),
    fiat('NGN', 'Nigerian Naira', '₦', 1500),
    fiat('CAD', 'Canadian Dollar', '$', 1.37),
    fiat('PHP', 'Philippine Peso', '₱', 58),
    fiat('SGD', 'Singapore Dollar', '$', 1.35),
    fiat('HKD', 'Hong Kong Dollar', '$', 7.8),
    fiat('IDR', 'Indonesian Rupiah', 'Rp', 15_800),
    fiat('MYR', 'Malaysian Ringgit', 'RM', 4.7),
    fiat('THB', 'Thai Baht', '฿', 36),
    fiat('VND', 'Vietnamese Dong', '₫', 25_400, 0),
    fiat('CNY', 'Chinese Yuan', '¥', 7.25),
    fiat('AED', 'UAE Dirham', 'AED', 3.67),
    fiat('BDT', 'Bangladeshi Taka', '৳', 120),
    fiat('PKR', 'Pakistani Rupee', '₨', 281),
    fiat('EGP', 'Egyptian Pound', 'E£', 49),
    fiat('GHS', 'Ghanaian Cedi', '₵', 12),
    fiat('COP', 'Colombian Peso', '$', 4100),
    fiat('GTQ', 'Guatemalan Quetzal', 'Q', 7.7),
    fiat('JMD', 'Jamaican Dollar', '$', 158),
    fiat('HTG', 'Haitian Gourde', 'G', 131),
    fiat('ZAR', 'South African Rand', 'R', 18.5),
    fiat('KES', 'Kenyan Shilling', 'KSh', 129),
    fiat('RWF', 'Rwandan Franc', 'FRw', 1300, 0),
    fiat('TZS', 'Tanzanian Shilling', 'TSh', 2600),
    fiat('UGX', 'Ugandan Shilling', 'USh', 3800, 0),
    fiat('ZMW', 'Zambian Kwacha', 'K', 26),
    fiat('MWK', 'Malawian Kwacha', 'MK', 1730),
    fiat('BWP', 'Botswana Pula', 'P', 13.6),
    fiat('XOF', 'West African CFA Franc', 'CFA', 605, 0),
    fiat('XAF', 'Central African CFA Franc', 'FCFA', 605, 0),
    fiat('ARS', 'Argentine Peso', '$', 1200),
    { ...fiat('BTC', 'Bitcoin', '₿', 1 / 120_048, 8), kind: 'crypto' as const },
    { ...fiat('USDC', 'USD Coin', 'USDC', 1, 6), kind: 'crypto' as const },
    { ...fiat('USDT', 'Tether', 'USDT', 1, 6), kind: 'crypto' as const },
    { ...fiat('USDB', 'USDB', '$', 1, 6), kind: 'wallet' as const },
  ].map((currency) => [currency.code, currency]),
);

/** Returns the currency of a code; 400 `INVALID_CURRENCY` for an unknown one, with the `field` in which it arrived. */
export const knownCurrency = (code: string, field = 'currency'): Currency =>
  CURRENCIES.get(code) ??
  fail('INVALID_CURRENCY', `${field}: ${code} is not a currency of this service`, {
    details: { errors: [{ field, message: 'not a currency of this service' }] },
    why: { rule: 'spec 7, status 400', seen: code },
  });

/** The schema of a currency code that the service supports. */
export const KnownCurrency = lazy(() => z.enum([...CURRENCIES.keys()] as [string, ...string[]]));

/** An amount in minor units with its currency (spec 2.7). */
export interface CurrencyAmount {
  amount: number;
  currency: { code: string; name: string; symbol: string; decimals: number };
}

const WIRE = new Map(
  [...CURRENCIES.values()].map(({ code, name, symbol, decimals }) => [code, { code, name, symbol, decimals }]),
);

/** Returns a whole power of ten, parsed from its decimal digits: the last bit of `**` differs between engines. */
export function powerOfTen(exponent: number): number {
  let power = POWERS.get(exponent);
  if (power === undefined) POWERS.set(exponent, (power = Number(`1e${exponent}`)));
  return power;
}
const POWERS = new Map<number, number>();

/** Returns `amount` minor units of a currency as replies show them. */
export function money(amount: number, code: string): CurrencyAmount {
  return { amount, currency: WIRE.get(code) ?? { code, name: code, symbol: code, decimals: 2 } };
}

/** Number formats by their number of decimals: creating one costs far more than using it. */
const FORMATS = new Map<number, Intl.NumberFormat>();

function formatOf(decimals: number): Intl.NumberFormat {
  let format = FORMATS.get(decimals);
  if (format) return format;
  const digits = { minimumFractionDigits: Math.min(decimals, 2), maximumFractionDigits: decimals };
  FORMATS.set(decimals, (format = new Intl.NumberFormat('en-US', digits)));
  return format;
}

/** Returns `amount` minor units of a currency as people write them: 658500 EUR is `6,585.00 EUR`. */
export function moneyText(amount: number, code: string): string {
  const decimals = CURRENCIES.get(code)?.decimals ?? 0;
  return `${formatOf(decimals).format(amount / powerOfTen(decimals))} ${code}`;
}

export const CurrencyShape = named('Currency', () =>
  z
    .strictObject({
      code: z.string().describe('ISO 4217 code, or the ticker of a crypto asset'),
      name: z.string(),
      symbol: z.string(),
      decimals: z.int().min(0).describe('Digits after the decimal point of one unit'),
    })
    .partial(),
);

export const CurrencyAmountShape = named('CurrencyAmount', () =>
  z.strictObject({
    amount: z.int().describe('In the smallest unit of the currency'),
    currency: CurrencyShape(),
  }),
);
