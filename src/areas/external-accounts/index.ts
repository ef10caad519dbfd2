/**
 * External accounts: where money goes when it leaves, and who is paid there.
 */
import type { FactGroup } from '../../kernel/facts.ts';
import { ExternalAccountShape } from './schema.ts';

export {
  cryptoNetworkOf,
  EXTERNAL_ACCOUNTS,
  type ExternalAccount,
  externalAccountOf,
  identifierOf,
  isWallet,
  payableAccount,
  railsOf,
  showExternalAccount,
  suffixOf,
  umaDepositAccountOf,
} from './rules.ts';
export { ACCOUNT_TYPES } from './types.ts';
export { ExternalAccountShape };

export const externalAccountFacts: readonly FactGroup[] = [
  {
    name: 'external-account-status',
    summary: 'The status of an external account changed',
    types: ['EXTERNAL_ACCOUNT.STATUS_UPDATED'],
    data: ExternalAccountShape,
  },
];
