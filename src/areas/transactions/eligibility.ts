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
 * Returns a customer who may move money now, in a currency if one is named; undefined for the platform itself. 404
 * USER_NOT_FOUND if deleted, 403 USER_NOT_READY unless approved (spec 3.1), 403 END_USER_TERMS_NOT_ACCEPTED, 400
 * MISSING_MANDATORY_USER_INFO if the customer lacks a field that the currency requires (spec 2.1 rule 1).
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

/** Returns an internal account that can be used. 404 REFERENCE_NOT_FOUND, 400 INVALID_INPUT unless it is `ACTIVE`. */
export function usableAccount(world: World, id: string, field: string): InternalAccount {
  const account = accountOf(world, id);
  if (account.status !== 'ACTIVE')
    failFields([{ field, message: `is ${account.status}: only an ACTIVE account can send and receive` }]);
  return account;
}

/**
 * Returns the bounds of a currency in a direction. 400 INVALID_CURRENCY if the platform has disabled that direction.
 */
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

/**
 * Refuses a currency in which the platform does not receive payments, whatever the amount: 400 INVALID_CURRENCY
 * (reference 9.9).
 */
export const checkReceives = (world: World, currency: string): void => void enabled(world, currency, 'INCOMING');

/**
 * Refuses an amount that the platform does not move in a currency it has configured: 400 INVALID_CURRENCY for a
 * disabled direction, 400 AMOUNT_OUT_OF_RANGE outside the bounds.
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
 * Returns the rail of a payout: the requested one, which must reach the account (400 INVALID_INPUT), else an instant
 * one if possible. Wallets have none.
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
 * Refuses a payment whose account does not hold the amount, before anyone has to authorize it: 400 INSUFFICIENT_BALANCE
 * (spec 5.1 rule 9). Nothing is held.
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

/** Returns an external account as one end of a payment. */
export function externalSide(account: ExternalAccount): Side {
  const network = ON_CHAIN_NETWORKS.find((name) => name === cryptoNetworkOf(account));
  return { kind: 'ACCOUNT', accountId: account.id, currency: account.currency, network };
}
