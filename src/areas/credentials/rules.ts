import { createHash } from 'node:crypto';
import { fail, failFields } from '../../contract/errors.ts';
import { type KeyPair, keyPairFrom } from '../../crypto/index.ts';
import { resource, rowOr404 } from '../../engine/resource.ts';
import type { World } from '../../engine/world.ts';
import { type InternalAccount, ownedAccountOf } from '../accounts/index.ts';
import { type Challenge, type CredentialType, unauthorized } from '../signing/index.ts';
import type { Credential } from './row.ts';
import { CredentialRow } from './row.ts';

export const CREDENTIALS = resource('credentials', {
  row: CredentialRow,
  indexes: {
    account: (c) => c.accountId,
    contact: (c) => (c.type === 'EMAIL_OTP' || c.type === 'SMS_OTP' ? c.nickname.toLowerCase() : undefined),
  },
  refers: { accountId: { of: (c) => c.accountId, in: ['accounts'], by: 'account' } },
  titles: ['Wallet credentials', 'Wallet credential', 'Ways to log in to an embedded wallet'],
  prefix: 'AuthMethod',
  label: (c) => c.nickname,
  view: (row) => showCredential(row),
  picture: (c) => ({
    may: [{ what: 'Log in to the wallet', ok: true, because: c.type.replaceAll('_', ' ').toLowerCase() }],
  }),
  story: (c) => [{ at: c.createdAt, what: 'Registered', detail: c.nickname }],
  chapterOf: ['accountId'],
  made: 'createAuthCredential',
  columns: { Type: 'type', Account: ['accountId', 'id'], Created: ['createdAt', 'time'] },
});

/** Returns the wallet account with an id. 404 REFERENCE_NOT_FOUND if there is none, or it is not a wallet. */
export function walletOf(world: World, accountId: string): InternalAccount {
  const account = ownedAccountOf(world, accountId);
  if (account.type !== 'EMBEDDED_WALLET')
    fail('REFERENCE_NOT_FOUND', `${accountId} is not an embedded wallet`, {
      why: { rule: 'spec 4.5', seen: account.type },
    });
  return account;
}

export const credentialsOf = (world: World, accountId: string): Credential[] =>
  world.rows(CREDENTIALS).all('account', accountId);

/** Returns one credential. 404 REFERENCE_NOT_FOUND. */
export const credentialOf = rowOr404(CREDENTIALS, 'REFERENCE_NOT_FOUND', 'credential');

/** Returns every credential of this type with this contact, on any wallet of the platform. */
export const linkedTo = (world: World, type: 'EMAIL_OTP' | 'SMS_OTP', contact: string): Credential[] =>
  world
    .rows(CREDENTIALS)
    .all('contact', contact.toLowerCase())
    .filter((credential) => credential.type === type);

/** A credential to be added, before it has an id. */
export type Draft = Pick<Credential, 'type' | 'nickname' | 'passkey' | 'oauth'>;

export function addCredential(world: World, accountId: string, draft: Draft): Credential {
  const now = world.clock.iso();
  const id = world.newId('AuthMethod');
  const { type, nickname, ...proof } = draft;
  // Most have no more than a contact, and are allocated without room for more.
  const row: Credential =
    type === 'EMAIL_OTP' || type === 'SMS_OTP'
      ? { id, accountId, type, nickname, createdAt: now, updatedAt: now }
      : { id, accountId, type, nickname, ...proof, createdAt: now, updatedAt: now };
  return world.rows(CREDENTIALS).insert(row);
}

/**
 * Refuses a credential that differs from what was signed for: 401, as the contact may have changed between the calls.
 */
export function signedFor(challenge: Challenge | undefined, draft: Draft): void {
  if (challenge && challenge.kept['nickname'] !== draft.nickname)
    unauthorized('the contact changed after payloadToSign was issued', 'WALLET_SIGNATURE_BODY_MISMATCH');
}

/** Gives a new wallet a one-time-code credential for its owner's email, if there is one (spec 5 rule 6). */
export function createDefaultCredential(world: World, accountId: string, email: string | undefined): void {
  if (email !== undefined) addCredential(world, accountId, { type: 'EMAIL_OTP', nickname: email });
}

/** Changes a credential, and its `updatedAt`. */
export const updateCredential = (world: World, credential: Credential, change: Partial<Credential> = {}): Credential =>
  world.rows(CREDENTIALS).put({ ...credential, ...change, updatedAt: world.clock.iso() });

export const showCredential = (c: Credential) => ({
  id: c.id,
  accountId: c.accountId,
  type: c.type,
  credentialId: c.passkey?.credentialId,
  nickname: c.nickname,
  createdAt: c.createdAt,
  updatedAt: c.updatedAt,
});

/** Refuses a body whose type is not the credential's: 400. */
export function sameType(credential: Credential, type: CredentialType): void {
  if (credential.type !== type)
    failFields([
      { field: 'type', message: `this credential is ${credential.type}`, constraint: { enum: [credential.type] } },
    ]);
}

const quorums = new WeakMap<World, KeyPair>();

/** Returns the key of the wallet backend, which signs target bundles and verification tokens. */
export function walletBackendKey(world: World): KeyPair {
  let key = quorums.get(world);
  if (!key) {
    key = keyPairFrom(createHash('sha256').update(`sandbox-emulator quorum key ${world.keySeed}`).digest());
    quorums.set(world, key);
  }
  return key;
}
