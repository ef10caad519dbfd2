/**
 * Stablecoins: coins that the platform issues through a provider, and their mints and burns.
 * Chosen where the specification is silent:
 * - The provider's credentials are not stored. If they open one account only, its id is derived from `apiClientId`.
 * - A provider account can be linked again once its link is `INVALID` or `REVOKED`; a second `ACTIVE` link is 409. No
 *   call of the API ends a link: magic values and control decisions do.
 * - The environment is always `SANDBOX`. Name and symbol of a coin are its `providerTokenIdentifier`, its base currency
 *   is `USD`, and it has six decimals.
 * - A token is registered once, by either of its identifiers: else 409, unless the earlier registration was `REJECTED`
 *   or `FAILED`. A coin requests to be a currency as soon as it is `PROVISIONED`.
 * - Mints and burns need a coin that is `PROVISIONED` (409 before) and a link that is `ACTIVE` at that moment; the coin
 *   need not be a currency. Work under way continues whatever happens to the link.
 * - Reserved sources are 400. A mint goes to an `ACTIVE` wallet on the network of the coin, whatever its currency; or
 *   to an internal account in the coin's currency, while that is `ENABLED`: the ledger is credited, and the balance
 *   event emitted, with `COMPLETED`. A burn does not touch any internal account.
 * - Every customer whose account is involved must be allowed to move money when a mint or burn is requested (spec 3.1).
 *   Work under way continues. Sandbox funding is not a payment and needs no approval.
 * - Bank accounts must be in the base currency; the rail is not checked against the account's rails.
 * - An amount of zero is 400; leading zeros are dropped. Its size is limited only into internal accounts.
 * - `expiresAt` is present while funds are awaited, and stays on an operation that is `EXPIRED`. Later funds are 409.
 * - `failureReason` is `PROVIDER_FUNDING_FAILED` if a debit fails, else `PROVIDER_TRANSFER_FAILED`.
 * - An unavailable provider is 503, which is not stored for an idempotency key: the same request can be retried.
 */

import { area } from '../../declare/area.ts';
import { STABLECOINS } from './coins.ts';
import { decisions } from './decisions.ts';
import { jobs } from './jobs.ts';
import { ISSUANCE, OPERATION, PROVIDER_ACCOUNT, SERVICE } from './machine.ts';
import { MAGIC } from './magic.ts';
import { FUNDING_SECONDS, OPERATIONS } from './operations.ts';
import { PROVIDER_ACCOUNTS } from './provider-accounts.ts';
import { routes } from './routes.ts';
import { seeds } from './seeds.ts';

const rule = (place: string, says: string) => ({ place, about: 'Stablecoins', says });

export const stablecoins = area('stablecoins', {
  machines: [PROVIDER_ACCOUNT, ISSUANCE, SERVICE, OPERATION],
  magic: MAGIC,
  tables: [PROVIDER_ACCOUNTS, STABLECOINS, OPERATIONS],
  operations: routes,
  jobs,
  limits: [FUNDING_SECONDS],
  decisions,
  seeds,
  rules: [
    rule(
      'reference: stablecoins, accounts of mints and burns',
      'A mint goes to a wallet on the network of the coin, or to an internal account in its currency; debits and payouts are for bank accounts in its base currency.',
    ),
    rule(
      'reference: stablecoins, issuance',
      'A coin is reviewed and then provisioned; before that it can be rejected, or fail.',
    ),
    rule(
      'reference: stablecoins, mints and burns',
      'A coin is minted and burned once it is PROVISIONED. An operation waits for its funds or for the provider, is processed, and ends COMPLETED, FAILED or EXPIRED.',
    ),
    rule(
      'reference: stablecoins, one registration of a token',
      'A token that is registered cannot be registered again, unless the provider rejected it or could not provision it.',
    ),
    rule(
      'reference: stablecoins, provider accounts',
      'A provider account is linked with credentials that the provider takes, once; the link can become INVALID and REVOKED.',
    ),
    rule(
      'reference: stablecoins, reserved sources',
      'Internal accounts, and for mints balances at the provider, are reserved as sources.',
    ),
    rule(
      'reference: stablecoins, selection',
      'A coin is registered with the provider account that is named, else with the only one that is ACTIVE.',
    ),
    rule(
      'reference: stablecoins, use as a currency',
      'A provisioned coin is approved and enabled, and can be disabled and enabled again.',
    ),
    rule(
      'reference: stablecoins, whole cents',
      'Amounts are whole cents of the base currency: with six decimals, multiples of 10000.',
    ),
  ],
});
