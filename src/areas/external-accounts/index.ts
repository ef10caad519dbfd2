/**
 * External accounts: the destinations of money that leaves, and their beneficiaries.
 * Chosen where the specification is silent:
 * - Created `ACTIVE`; the policy `external-account.activate` opens bank accounts later, from `PENDING`, with an event.
 *   Creation itself emits none.
 * - An account that is unknown, deleted or of the other tree is `404 REFERENCE_NOT_FOUND`; an unknown or deleted
 *   customer is `404 USER_NOT_FOUND`. A deleted account can be registered again; the old record stays, hidden.
 * - One registration per owner, type, currency and identifier (with routing number and the like): else `409 CONFLICT`.
 *   Case matters in the base58 addresses of Solana and Tron; everywhere else it does not.
 * - What is sent is shown in full. Unknown members are ignored, `paymentRails` too: the members that are present
 *   determine the rails. The old discriminators of the public samples are refused.
 * - Check digits and checksums of addresses are not verified, and neither `provider` nor `bankName` must be in a
 *   directory (except for wallets in China): suffixes would be impossible otherwise. A missing bank name in Singapore
 *   is derived from the BIC.
 * - The beneficiary check runs for bank and mobile money accounts, never for wallets; `104` stays `PENDING`.
 * - Wallets must be proven only if the scenario says `platform.counterpartyRules`. Below 1000 EUR an unproven wallet
 *   can be paid. Challenges last 5 minutes (`limits.challengeSeconds`). A liveness check passes when the policy
 *   `external-account.liveness` says; its link leads nowhere. A bad signature is `400 INVALID_INPUT`, and the only
 *   refusal that leaves a trace (`onRefusal` of `fail`): the account is `UNVERIFIED`, as the contract requires.
 * - Trust is handled in `../sca`; a trusted account cannot be deleted (409 `BENEFICIARY_TRUSTED`).
 * - Not emulated: minimum beneficiary data by compliance, `UNDER_REVIEW` and `INACTIVE`.
 */

import { area, on } from '../../declare/area.ts';
import { CUSTOMER_DELETED } from '../customers/index.ts';
import { RULES } from './create.ts';
import { afterStatus } from './examples.ts';
import { jobs } from './jobs.ts';
import { EXTERNAL_ACCOUNT } from './machine.ts';
import { MAGIC } from './magic.ts';
import { CREATES, routes } from './routes.ts';
import { EXTERNAL_ACCOUNTS, endWorkOf } from './rules.ts';
import { ExternalAccountShape } from './schema.ts';

export { createExternalAccount, setCounterpartyRules, wrongInput } from './create.ts';
export {
  CUSTOMERS_KEY,
  cryptoNetworkOf,
  deleteExternalAccount,
  EXTERNAL_ACCOUNTS,
  externalAccountOf,
  externalAccountPage,
  isWallet,
  PLATFORM_KEY,
  payableAccount,
  railsOf,
  showExternalAccount,
  suffixOf,
  umaDepositAccountOf,
} from './rules.ts';
export { ExternalAccountCreate, ExternalAccountPage, PlatformExternalAccountQuery } from './schema.ts';
export { ACCOUNT_TYPES } from './types.ts';
export { CREATES as EXTERNAL_ACCOUNT_REFUSES, ExternalAccountShape };

export const externalAccounts = area('external-accounts', {
  machines: [EXTERNAL_ACCOUNT],
  magic: MAGIC,
  tables: [EXTERNAL_ACCOUNTS, RULES],
  operations: routes,
  jobs,
  events: [
    {
      name: 'external-account-status',
      summary: 'The status of an external account changed',
      types: ['EXTERNAL_ACCOUNT.STATUS_UPDATED'],
      data: ExternalAccountShape,
      after: { 'EXTERNAL_ACCOUNT.STATUS_UPDATED': afterStatus },
    },
  ],
  reactions: [on(CUSTOMER_DELETED, (world, { id }) => endWorkOf(world, id))],
});
export type { ExternalAccount } from './row.ts';
