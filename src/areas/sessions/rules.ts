import { fail } from '../../contract/errors.ts';
import { limit } from '../../contract/limit.ts';
import { keyPairFrom, normalise, sessionBundle } from '../../crypto/index.ts';
import { resource } from '../../engine/resource.ts';
import type { World } from '../../engine/world.ts';
import { keyMaterial } from '../signing/index.ts';
import type { Session } from './row.ts';
import { SessionRow } from './row.ts';
import { sessionPicture, sessionStory } from './story.ts';

export const SESSIONS = resource('sessions', {
  row: SessionRow,
  indexes: { account: (s) => s.accountId, credential: (s) => s.authMethodId },
  refers: {
    accountId: { of: (s) => s.accountId, in: ['accounts'], by: 'account' },
    // A revoked session may outlive its credential.
    authMethodId: {
      of: (s) => (s.revokedAt === undefined ? s.authMethodId : undefined),
      in: ['credentials'],
      by: 'credential',
    },
  },
  picture: sessionPicture,
  story: sessionStory,
  chapterOf: ['authMethodId'],
  titles: ['Wallet sessions', 'Wallet session', 'Keys that sign for a wallet for a while'],
  prefix: 'Session',
  columns: { Account: ['accountId', 'id'], Created: ['createdAt', 'time'], Expires: ['expiresAt', 'time'] },
});

/** The seconds that a session lasts (spec 8: 15 minutes by default). */
export const SESSION_SECONDS = limit('sessionSeconds', 900, 'Virtual seconds a wallet session lasts; 900');

const isActive = (world: World, session: Session): boolean =>
  session.revokedAt === undefined && world.clock.now() < session.expiresAt;

/** Returns the sessions of a wallet that may sign now, newest first. */
export const activeSessions = (world: World, accountId: string): Session[] =>
  world
    .rows(SESSIONS)
    .all('account', accountId)
    .filter((session) => isActive(world, session))
    .reverse();

/** Returns an active session. 404 REFERENCE_NOT_FOUND if it is unknown, revoked or expired. */
export function activeSession(world: World, id: string): Session {
  const session = world.rows(SESSIONS).get(id);
  if (!session || !isActive(world, session))
    return fail('REFERENCE_NOT_FOUND', `no active session ${id}`, { why: { rule: 'spec 4.6', seen: id } });
  return session;
}

/** Returns a session that was once issued, active or not; undefined if it never was or ended long ago. */
export const issuedSession = (world: World, id: string): Session | undefined => world.rows(SESSIONS).get(id);

export const sessionIsActive = isActive;

/** Returns why a key may not sign for any of these wallets: it must belong to an active session (spec 5.1 rule 4). */
export function refusalOf(
  world: World,
  accountIds: readonly string[],
  publicKey: string,
  allowed: (session: Session) => boolean = () => true,
  otherwise = 'this session may not sign this request',
): string | undefined {
  const sessions = accountIds.flatMap((id) => world.rows(SESSIONS).all('account', id));
  const holders = sessions.filter((session) => session.publicKey === publicKey);
  if (holders.length === 0) return 'the key is not that of a session of this wallet';
  const active = holders.filter((session) => isActive(world, session));
  if (active.length === 0)
    return holders.some((session) => session.revokedAt === undefined)
      ? 'the session of this key has expired'
      : 'the session of this key was revoked';
  return active.some(allowed) ? undefined : otherwise;
}

/** The key of a login: the session's public key, and the sealed private key unless the client holds it. */
export interface SessionKey {
  readonly publicKey: string;
  readonly sealed?: string | undefined;
}

/**
 * Returns the key of a new session. For an uncompressed `clientPublicKey`, makes a key pair and seals it to that key; a
 * compressed one is itself the session's key (reference 9). Asynchronous because of HPKE; writes nothing.
 */
export async function sessionKey(world: World, clientPublicKey: string, label: string): Promise<SessionKey> {
  const compressed = normalise(clientPublicKey);
  if (compressed === undefined) throw new Error('the key was checked before');
  if (clientPublicKey.length === 66) return { publicKey: compressed };
  const pair = keyPairFrom(keyMaterial(world, `session ${label}`));
  const ephemeral = keyPairFrom(keyMaterial(world, `session seal ${label}`));
  return { publicKey: pair.compressed, sealed: await sessionBundle(pair, clientPublicKey, ephemeral) };
}

/** The members that all sessions of a credential share. */
export type Issuer = Pick<Session, 'accountId' | 'authMethodId' | 'type' | 'nickname' | 'credentialId'>;

/** Virtual milliseconds after their expiry at which sessions are dropped: refreshing one is then 404, not 401. */
const FORGOTTEN_AFTER_MS = 24 * 3600 * 1000;

/** Opens a session for its full lifetime (spec 3.5). */
export function openSession(world: World, issuer: Issuer, publicKey: string): Session {
  for (const old of world.rows(SESSIONS).all('account', issuer.accountId))
    if (world.clock.now() - old.expiresAt > FORGOTTEN_AFTER_MS) world.rows(SESSIONS).remove(old.id);
  const now = world.clock.iso();
  return world.rows(SESSIONS).insert({
    id: world.newId('Session'),
    accountId: issuer.accountId,
    authMethodId: issuer.authMethodId,
    type: issuer.type,
    nickname: issuer.nickname,
    credentialId: issuer.credentialId,
    publicKey,
    createdAt: now,
    updatedAt: now,
    expiresAt: world.clock.now() + world.lasting(SESSION_SECONDS),
  });
}

/** Revokes a session: its key can no longer sign (spec 3.5). */
export function revokeSession(world: World, session: Session): void {
  if (session.revokedAt === undefined)
    world.rows(SESSIONS).put({ ...session, revokedAt: world.clock.iso(), updatedAt: world.clock.iso() });
}

/** Drops every session of a wallet whose owner no longer exists. */
export function forgetSessions(world: World, accountId: string): void {
  for (const session of world.rows(SESSIONS).all('account', accountId)) world.rows(SESSIONS).remove(session.id);
}

/** Revokes every session that a credential issued (spec 3.5). */
export function revokeSessionsOf(world: World, authMethodId: string): void {
  for (const session of world.rows(SESSIONS).all('credential', authMethodId)) revokeSession(world, session);
}

/** Gives the active sessions of a credential its new nickname; those that have ended keep the old one. */
export function renameSessionsOf(world: World, authMethodId: string, nickname: string): void {
  const updatedAt = world.clock.iso();
  for (const session of world.rows(SESSIONS).all('credential', authMethodId))
    if (isActive(world, session)) world.rows(SESSIONS).put({ ...session, nickname, updatedAt });
}

/** Returns a session as replies show it; the sealed key is only in the reply that delivers it (spec 2.5). */
export const showSession = (session: Session, sealed?: string) => ({
  id: session.id,
  accountId: session.accountId,
  type: session.type,
  credentialId: session.credentialId,
  nickname: session.nickname,
  createdAt: session.createdAt,
  updatedAt: session.updatedAt,
  expiresAt: new Date(session.expiresAt).toISOString(),
  encryptedSessionSigningKey: sealed,
});
