import { fail } from '../../contract/errors.ts';
import { keyPairFrom } from '../../crypto/index.ts';
import { begin, lifecycle, move } from '../../engine/machine.ts';
import type { World } from '../../engine/world.ts';
import { type InternalAccount, ownedAccountOf, walletsOf } from '../accounts/index.ts';
import { bindDelegatedKey, cardOf, type FundingSource, fundingSourceOf, SOURCES } from '../cards/index.ts';
import { activity, keyMaterial, walletIds } from '../signing/index.ts';
import { DELEGATED_KEY } from './machine.ts';
import { DELEGATED_KEYS, type DelegatedKey } from './row.ts';

const KEYS = lifecycle(DELEGATED_KEYS, { state: 'status', machine: DELEGATED_KEY });

/** The purpose of a key: a wallet, and its binding to a card that it pays for. */
export interface Binding {
  readonly wallet: InternalAccount;
  readonly source: FundingSource;
}

/**
 * Returns the binding of a wallet to a card. 404 REFERENCE_NOT_FOUND if either is unknown, or the wallet does not pay
 * for the card; nothing pays for a `CLOSED` one any more.
 */
export function bindingOf(world: World, cardId: string, accountId: string): Binding {
  const card = cardOf(world, cardId);
  const wallet = ownedAccountOf(world, accountId);
  if (card.cardState === 'CLOSED')
    fail('REFERENCE_NOT_FOUND', `card ${cardId} is CLOSED: no account pays for it any more`, {
      why: { rule: 'reference: delegated keys, binding', expected: 'a card that is not CLOSED', seen: card.cardState },
    });
  const source = fundingSourceOf(world, card.id, wallet.id);
  if (!source || wallet.type !== 'EMBEDDED_WALLET')
    fail('REFERENCE_NOT_FOUND', `${accountId} is not an embedded wallet that pays for ${cardId}`, {
      why: { rule: 'reference: delegated keys, binding', expected: 'EMBEDDED_WALLET', seen: wallet.type },
    });
  return { wallet, source };
}

/** Refuses a second key while one is `ACTIVE`: 409 CONFLICT. */
export function checkNoneActive(world: World, { source }: Binding): void {
  const active = world
    .rows(DELEGATED_KEYS)
    .all('fundingSourceId', source.id)
    .find(({ status }) => status === 'ACTIVE');
  if (active)
    fail('CONFLICT', `${active.id} is ACTIVE for this funding source: revoke it first`, {
      details: { reason: 'DELEGATED_KEY_ACTIVE', delegatedKeyId: active.id },
      why: { rule: 'reference: delegated keys, states', seen: active.id },
    });
}

/**
 * Returns the public half of a new key pair, compressed; the private half is not stored, as nothing here signs with it.
 */
export const newPublicKey = (world: World, { source }: Binding): string =>
  keyPairFrom(keyMaterial(world, `delegated key ${source.id}`)).compressed;

/** Creates the key that the wallet's owner signed for; it may not sign yet. A scenario may pin the id. */
export function makeKey(
  world: World,
  { wallet, source }: Binding,
  publicKey: string,
  nickname: string,
  id = world.newId('DelegatedKey'),
): DelegatedKey {
  const now = world.clock.iso();
  return begin(world, KEYS, 'make', (status) => ({
    id,
    cardId: source.cardId,
    fundingSourceId: source.id,
    accountId: wallet.id,
    publicKey,
    nickname,
    status,
    createdAt: now,
    updatedAt: now,
  }));
}

/** Lets a key sign for the card. */
export function grantKey(world: World, { source }: Binding, key: DelegatedKey): DelegatedKey {
  const granted = move(world, KEYS, key, 'grant');
  bindDelegatedKey(world, source, granted.id);
  return granted;
}

/**
 * Revokes a key: the card cannot spend from the wallet any more. 400 INVALID_INPUT unless it is `ACTIVE` (reference 5).
 */
export function revokeKey(world: World, key: DelegatedKey): void {
  if (key.status !== 'ACTIVE')
    fail('INVALID_INPUT', `${key.id} is ${key.status}: only an ACTIVE key is revoked`, {
      why: { rule: 'reference: delegated keys, states', expected: 'ACTIVE', seen: key.status },
    });
  move(world, KEYS, key, 'revoke');
  const source = world.rows(SOURCES).get(key.fundingSourceId);
  if (source?.delegatedKeyId === key.id) bindDelegatedKey(world, source, undefined);
}

/** Revokes every key that signs for the wallets of a deleted customer. */
export function revokeKeysOf(world: World, customerId: string): void {
  for (const wallet of walletsOf(world, customerId))
    for (const key of world.rows(DELEGATED_KEYS).all('accountId', wallet.id))
      if (key.status === 'ACTIVE') revokeKey(world, key);
}

/** Returns the id of the signer that holds a key, within the wallet's organization. */
const signerOf = (publicKey: string): string => walletIds(publicKey).userId;

/** Returns what the owner signs first: to create a signer with this key and no rights. */
export const signerPayload = (world: World, { wallet, source }: Binding, publicKey: string): string =>
  activity(world, wallet.id, 'ACTIVITY_TYPE_CREATE_USERS_V3', {
    users: [
      {
        apiKeys: [{ apiKeyName: source.id, curveType: 'API_KEY_CURVE_P256', publicKey }],
        authenticators: [],
        oauthProviders: [],
        userName: source.cardId,
        userTags: [],
      },
    ],
  });

/** Returns what the owner signs next: that this signer may sign for the wallet, and revoke itself. */
export function policyPayload(world: World, { wallet }: Binding, { id, publicKey }: DelegatedKey): string {
  const consensus = `approvers.any(user, user.id == '${signerOf(publicKey)}')`;
  const policy = (policyName: string, condition: string) => ({
    condition,
    consensus,
    effect: 'EFFECT_ALLOW',
    notes: id,
    policyName,
  });
  return activity(world, wallet.id, 'ACTIVITY_TYPE_CREATE_POLICIES', {
    policies: [
      policy(`${id} signs`, "activity.type == 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'"),
      policy(`${id} ends`, "activity.type == 'ACTIVITY_TYPE_DELETE_USERS'"),
    ],
  });
}
