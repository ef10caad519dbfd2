import { money, powerOfTen } from '../../contract/money.ts';
import type { CardPayment } from './row-shape.ts';

const decimals = (code: string): number => money(0, code).currency.decimals;

/**
 * Returns the minor units of the paying account per minor unit of the merchant's currency: equal in value, with other
 * decimals.
 */
export const perUnit = ({ currency, accountCurrency }: Pick<CardPayment, 'currency' | 'accountCurrency'>): number =>
  powerOfTen(decimals(accountCurrency) - decimals(currency));

/**
 * Returns what was taken from the account and not given back, in its minor units, including pulls that wait for
 * confirmation.
 */
export const pulled = ({ pulls }: Pick<CardPayment, 'pulls'>): number =>
  pulls.reduce((sum, { amount, stage }) => (stage === 'FAILED' ? sum : sum + amount), 0);

/**
 * Returns what the merchant's returns gave back to the account, in its minor units: never more than the account paid.
 * The service gets back what it bore itself.
 */
export const credited = (t: Pick<CardPayment, 'pulls' | 'refunded' | 'currency' | 'accountCurrency'>): number =>
  Math.min(t.refunded * perUnit(t), pulled(t));
