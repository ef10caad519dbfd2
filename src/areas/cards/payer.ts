import type { World } from '../../engine/world.ts';
import { accountOf, type InternalAccount } from '../accounts/index.ts';
import { fundingSourceOf } from './funding.ts';
import type { Decline } from './magic.ts';

/** A code for a decline, and a sentence about it. */
export type Reason = readonly [Decline, string];

/** Returns why an account cannot take part in a card payment now; undefined if it can. */
export const inactive = ({ id, status }: InternalAccount): Reason | undefined =>
  status === 'ACTIVE' ? undefined : ['ACCOUNT_NOT_ACTIVE', `${id} is ${status}`];

/**
 * Returns why nobody can sign for an account that pays for a card; undefined if someone can. A wallet needs an active
 * delegated key (reference 5).
 */
export function unsigned(
  world: World,
  cardId: string,
  { id, type, ownerDeleted }: InternalAccount,
): Reason | undefined {
  if (type !== 'EMBEDDED_WALLET') return undefined;
  const key = ownerDeleted ? undefined : fundingSourceOf(world, cardId, id)?.delegatedKeyId;
  return key === undefined
    ? ['NO_DELEGATED_KEY', `${id} is a wallet without an active delegated key for this card`]
    : undefined;
}

/**
 * Returns why an account may not pay for a card now, whatever its balance. Each pull checks again, as keys and accounts
 * can end.
 */
export function unpayable(world: World, cardId: string, accountId: string): Reason | undefined {
  const account = accountOf(world, accountId);
  return inactive(account) ?? unsigned(world, cardId, account);
}
