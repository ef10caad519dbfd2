/**
 * Internal accounts and their balances.
 * Chosen where the specification is silent: the platform has one account per configured currency and no embedded
 * wallet; a currency configured later opens the missing accounts of every customer; an unknown account is `404
 * REFERENCE_NOT_FOUND`; funding instructions are derived from the account's id.
 */

import { area, on } from '../../declare/area.ts';
import { addedCurrencies, CONFIG_CHANGED } from '../platform/index.ts';
import { routes } from './routes.ts';
import { ACCOUNTS, INTERNAL_ACCOUNT, openAccounts } from './rules.ts';
import { CustomerAccountQuery, InternalAccountPage, InternalAccountShape } from './schema.ts';

export { fundingInstructions, fundingRoutes, PaymentInstructions, RAIL_NAMES, sparkInvoice } from './instructions.ts';
export {
  ACCOUNTS,
  accountOf,
  accountsOf,
  changeWallet,
  customerAccountPage,
  fund,
  openAccount,
  openAccounts,
  ownedAccountOf,
  showAccount,
  tellBalance,
  walletsOf,
} from './rules.ts';
export { CustomerAccountQuery, InternalAccountPage, InternalAccountShape };

export const accounts = area('accounts', {
  machines: [INTERNAL_ACCOUNT],
  tables: [ACCOUNTS],
  operations: routes,
  events: [
    {
      name: 'internal-account-status',
      summary: 'The balance of an internal account changed',
      types: ['INTERNAL_ACCOUNT.BALANCE_UPDATED'],
      data: InternalAccountShape,
      after: { 'INTERNAL_ACCOUNT.BALANCE_UPDATED': ['sandboxFundInternalAccount'] },
    },
  ],
  reactions: [
    on(CONFIG_CHANGED, (world, before, after) => addedCurrencies(before, after).length > 0 && openAccounts(world)),
  ],
});
export type { InternalAccount, WalletContact } from './row.ts';
