import { fail, failFields } from '../../contract/errors.ts';
import { moneyText } from '../../contract/money.ts';
import type { World } from '../../engine/world.ts';
import { balanceOf } from '../../ledger/ledger.ts';
import { accountOf, type InternalAccount } from '../accounts/index.ts';
import { type Customer, readyCustomer, requireCurrency, requireTerms } from '../customers/index.ts';
import { cryptoNetworkOf, type ExternalAccount, railsOf } from '../external-accounts/index.ts';
import { boundsOf, configuredCurrency } from '../platform/index.ts';
import { inside } from './money.ts';
import type { Side, Transaction } from './row-shape.ts';
import { ON_CHAIN_NETWORKS, type Rail } from './schema.ts';

/**
 * A customer who may move money now, in this currency where one is said; none for the platform itself. 404
 * `USER_NOT_FOUND` when deleted, 403 `USER_NOT_READY` unless approved (spec 3.1), 403 `END_USER_TERMS_NOT_ACCEPTED`, 400
 * `MISSING_MANDATORY_USER_INFO` when the currency asks for what is not known (spec 2.1 rule 1).
 */
export function customerAllowedToMoveMoney(
  world: World,
  customerId: string | undefined,
  currency?: string,
): Customer | undefined {
  if (customerId === undefined) return undefined;
  const customer = readyCustomer(world, customerId);
  requireTerms(world, customer);
  if (currency !== undefined) requireCurrency(world, customer, currency);
  return customer;
}

/** An internal account that is in use; 404 `REFERENCE_NOT_FOUND`, 400 `INVALID_INPUT` unless it is `ACTIVE`. */
export function usableAccount(world: World, id: string, field: string): InternalAccount {
  const account = accountOf(world, id);
  if (account.status !== 'ACTIVE')
    failFields([{ field, message: `is ${account.status}: only an ACTIVE account can send and receive` }]);
  return account;
}

/** 400 `INVALID_CURRENCY` for a currency whose payments of that direction the platform has switched off; returns its bounds. */
function enabled(
  world: World,
  currency: string,
  type: 'INCOMING' | 'OUTGOING',
): { min: number; max: number } | undefined {
  if (!configuredCurrency(world, currency)) return undefined;
  return (
    boundsOf(world, currency, type) ??
    fail('INVALID_CURRENCY', `${type} transactions in ${currency} are not enabled for this platform`)
  );
}

/** 400 `INVALID_CURRENCY` unless the platform receives payments in a currency, whatever the amount (reference 9.9). */
export const checkReceives = (world: World, currency: string): void => void enabled(world, currency, 'INCOMING');

/**
 * Refuses amounts of a currency that the platform does not move, where it has configured it: 400 `INVALID_CURRENCY` for a
 * direction that is not enabled, 400 `AMOUNT_OUT_OF_RANGE` outside its bounds.
 */
export function checkAmount(
  world: World,
  { amount, currency }: { amount: number; currency: string },
  type: 'INCOMING' | 'OUTGOING',
): void {
  const bounds = enabled(world, currency, type);
  if (!bounds) return;
  const { min, max } = bounds;
  if (amount < min || amount > max)
    fail(
      'AMOUNT_OUT_OF_RANGE',
      `${moneyText(amount, currency)} is not between ${moneyText(min, currency)} and ${moneyText(max, currency)}`,
      {
        details: { minAmount: min, maxAmount: max },
        why: { rule: 'supportedCurrencies minAmount and maxAmount', seen: moneyText(amount, currency) },
      },
    );
}

const INSTANT = [
  'SEPA_INSTANT',
  'RTP',
  'FEDNOW',
  'FASTER_PAYMENTS',
  'PIX',
  'SPEI',
  'UPI',
  'PAYNOW',
  'FAST',
  'INSTAPAY',
];

/**
 * The rail of a payout: the one requested, which must reach the account (400 `INVALID_INPUT`), else an instant one if
 * there is any. Wallets have none.
 */
export function railFor(account: ExternalAccount, wanted: Rail | undefined) {
  const rails = railsOf(account) as readonly Rail[];
  if (wanted !== undefined && !rails.includes(wanted))
    failFields([
      { field: 'destination.paymentRail', message: 'does not reach this account', constraint: { enum: rails } },
    ]);
  const rail = wanted ?? rails.find((name) => INSTANT.includes(name)) ?? rails[0];
  return { paymentRail: rail, railSelectionMode: rail && (wanted ? ('MANUAL' as const) : ('AUTO' as const)) };
}

/**
 * Refuses a payment whose account does not hold what leaves it, before somebody has to authorize it: 400
 * `INSUFFICIENT_BALANCE` (spec 5.1 rule 9). Nothing is held.
 */
export function checkFunds(world: World, { payer, sent: { amount, currency } }: Transaction): void {
  const { available } = balanceOf(world, payer);
  if (inside(payer) && available < amount)
    fail(
      'INSUFFICIENT_BALANCE',
      `${payer} holds ${moneyText(available, currency)}, less than ${moneyText(amount, currency)}`,
      {
        why: {
          rule: 'spec 5.1 (9)',
          expected: `at least ${moneyText(amount, currency)}`,
          seen: moneyText(available, currency),
        },
      },
    );
}

/** An external account as one end of a payment. */
export function externalSide(account: ExternalAccount): Side {
  const network = ON_CHAIN_NETWORKS.find((name) => name === cryptoNetworkOf(account));
  return { kind: 'ACCOUNT', accountId: account.id, currency: account.currency, network };
}
