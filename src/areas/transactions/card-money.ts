import { money, powerOfTen } from '../../contract/money.ts';
import type { CardPayment } from './row-shape.ts';

const decimals = (code: string): number => money(0, code).currency.decimals;

/** Minor units of the paying account that one of the merchant's currency is: worth the same, with other decimals. */
export const perUnit = ({ currency, accountCurrency }: Pick<CardPayment, 'currency' | 'accountCurrency'>): number =>
  powerOfTen(decimals(accountCurrency) - decimals(currency));

/** What has been taken from the account and not given back, pulls that wait to be confirmed included, in its minor units. */
export const pulled = ({ pulls, released }: Pick<CardPayment, 'pulls' | 'released'>): number =>
  pulls.reduce((sum, { amount, status }) => (status === 'FAILED' ? sum : sum + amount), -released);
