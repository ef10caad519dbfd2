import { failFields } from '../../contract/errors.ts';
import { CURRENCIES } from '../../contract/money.ts';
import type { World } from '../../engine/world.ts';
import { accountOf } from '../accounts/index.ts';
import { cryptoNetworkOf, type ExternalAccount, isWallet, payableAccount } from '../external-accounts/index.ts';
import { customerAllowedToMoveMoney, MAX_AMOUNT } from '../transactions/index.ts';
import { currencyOf } from './coins.ts';
import type { Stablecoin } from './row.ts';

const RULE = 'reference: stablecoins, accounts of mints and burns';

/** Returns whether an id is that of an internal account; any other is of an external account. */
export const isInternal = (id: string): boolean => id.startsWith('InternalAccount:');

/**
 * Returns an external account whose owner may move money. Refuses as `payableAccount` and `customerAllowedToMoveMoney`
 * do.
 */
function accountElsewhere(world: World, id: string): ExternalAccount {
  const account = payableAccount(world, id);
  customerAllowedToMoveMoney(world, account.customerId, account.currency);
  return account;
}

/**
 * Returns a bank account to debit or pay in the base currency of a coin. Refuses as `accountElsewhere` does; 400
 * INVALID_INPUT for a wallet or another currency.
 */
export function bankAccount(world: World, { baseCurrency }: Stablecoin, id: string, field: string): ExternalAccount {
  const account = accountElsewhere(world, id);
  if (isWallet(account) || account.currency !== baseCurrency)
    failFields([{ field, message: `must be a bank account in ${baseCurrency}` }], 'INVALID_INPUT', RULE);
  return account;
}

/**
 * Refuses a mint's destination unless it is a wallet on the coin's network, or an internal account in its currency.
 * Refuses as `accountElsewhere` does; 404 REFERENCE_NOT_FOUND for an internal account, and as
 * `customerAllowedToMoveMoney` does for its owner; 400 INVALID_INPUT for an account that cannot hold the coin.
 */
export function checkMintDestination(world: World, coin: Stablecoin, id: string, amount: string): void {
  const field = 'destination.accountId';
  if (!isInternal(id)) {
    if (cryptoNetworkOf(accountElsewhere(world, id)) !== coin.network)
      failFields([{ field, message: `must be a wallet on ${coin.network}` }], 'INVALID_INPUT', RULE);
    return;
  }
  const account = accountOf(world, id);
  customerAllowedToMoveMoney(world, account.customerId, account.currency);
  const currency = CURRENCIES.get(currencyOf(coin) ?? '');
  if (account.status !== 'ACTIVE' || account.currency !== currency?.code || currency.decimals !== coin.decimals)
    failFields(
      [{ field, message: 'must be an ACTIVE account in the currency of the coin, which has to be ENABLED' }],
      'INVALID_INPUT',
      RULE,
    );
  if (BigInt(amount) > BigInt(MAX_AMOUNT))
    failFields([{ field: 'amount', message: `at most ${MAX_AMOUNT} into an internal account` }], 'INVALID_INPUT', RULE);
}
