import type { ExternalAccount } from './row.ts';
import { typeOf } from './types.ts';

type Named = Pick<ExternalAccount, 'accountInfo' | 'currency'>;

/** The number of final characters by which people recognise a number. */
const LAST = 4;

const memberOf = (value: unknown, name: string): string | undefined => {
  const member: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof member === 'string' && member !== '' ? member : undefined;
};

/** Returns the name of the beneficiary, if the account has one. */
export function beneficiaryName({ accountInfo }: Named): string | undefined {
  const beneficiary: unknown = Reflect.get(accountInfo, 'beneficiary');
  return memberOf(beneficiary, 'fullName') ?? memberOf(beneficiary, 'legalName');
}

/**
 * Returns the bank, country or currency, and the end of the number: `DE… 3000`. For an email address, only the domain
 * is shown.
 */
export function numberEnd({ accountInfo, currency }: Named): string {
  const { accountType } = accountInfo;
  const known = typeOf(accountType).identifier.find((name) => memberOf(accountInfo, name) !== undefined);
  const number = (known && memberOf(accountInfo, known)) ?? '';
  const isWallet = accountType.endsWith('_WALLET');
  const words = accountType.replaceAll('_', ' ').toLowerCase();
  const place = isWallet
    ? words.charAt(0).toUpperCase() + words.slice(1)
    : known === 'iban'
      ? number.slice(0, 2)
      : (memberOf(accountInfo, 'bankName') ?? currency);
  if (number === '') return place;
  return number.includes('@') ? `…${number.slice(number.indexOf('@'))}` : `${place}… ${number.slice(-LAST)}`;
}

/** Returns the name by which people know an external account: `Ada Keller, DE… 3000`. */
export const accountName = (account: Named): string =>
  [beneficiaryName(account), numberEnd(account)].filter((part) => part !== undefined).join(', ');
