import type { ExternalAccount } from './row.ts';
import { typeOf } from './types.ts';

type Named = Pick<ExternalAccount, 'accountInfo' | 'currency'>;

/** Characters at the end by which people know a number. */
const LAST = 4;

const memberOf = (value: unknown, name: string): string | undefined => {
  const member: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof member === 'string' && member !== '' ? member : undefined;
};

/** Returns who is paid there, where the account says it. */
export function beneficiaryName({ accountInfo }: Named): string | undefined {
  const beneficiary: unknown = Reflect.get(accountInfo, 'beneficiary');
  return memberOf(beneficiary, 'fullName') ?? memberOf(beneficiary, 'legalName');
}

/** Returns the bank, country or currency, and the end of the number: `DE… 3000`. Of an address by email only its domain is left. */
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

/** An account elsewhere as people call it: `Ada Keller, DE… 3000`. */
export const accountName = (account: Named): string =>
  [beneficiaryName(account), numberEnd(account)].filter((part) => part !== undefined).join(', ');
