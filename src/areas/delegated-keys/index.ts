/**
 * Delegated keys: with one, the service signs on behalf of a wallet's owner for what a card spends.
 * Chosen where the specification is silent:
 * - An account that is not an embedded wallet, or does not pay for the card now, is 404 `REFERENCE_NOT_FOUND`; so is a
 *   card that is `CLOSED`, as its bindings are detached.
 * - The owner signs first for a signer with the new public key, then for its policies. Both signatures use the same
 *   session, which must be active both times. If several keys are requested in parallel, the first one granted counts:
 *   409 for the others.
 * - The private key is not stored: what a card pulls from a wallet is decided, not signed.
 * - Keys outlive sessions and credentials, which no longer matter to them. Deleting the wallet's customer revokes them.
 *   A key stays with its binding: it counts again when the account pays for the card again.
 * - The list is newest first; without a match it is empty, whether the account exists or not.
 */

import { area, on } from '../../declare/area.ts';
import { CUSTOMER_DELETED } from '../customers/index.ts';
import { DELEGATED_KEY } from './machine.ts';
import { routes } from './routes.ts';
import { DELEGATED_KEYS } from './row.ts';
import { revokeKeysOf } from './rules.ts';
import { seeds } from './seeds.ts';

const rule = (place: string, says: string) => ({ place, about: 'Delegated keys', says });

export const delegatedKeys = area('delegated-keys', {
  machines: [DELEGATED_KEY],
  tables: [DELEGATED_KEYS],
  operations: routes,
  seeds,
  rules: [
    rule(
      'reference: delegated keys, binding',
      'A delegated key is for a card and an embedded wallet that pays for it.',
    ),
    rule(
      'reference: delegated keys, states',
      'A delegated key is PENDING after the first signature and ACTIVE after the second; a funding source has one that is ACTIVE at most, and only that one is revoked.',
    ),
  ],
  reactions: [on(CUSTOMER_DELETED, (world, { id }) => revokeKeysOf(world, id))],
});
