import { fail } from '../../kernel/errors.ts';
import { operation, reply } from '../../kernel/operation.ts';
import type { World } from '../../kernel/world.ts';
import { activity, signed, unauthorized, walletIds } from '../signing/index.ts';
import {
  activeSession,
  activeSessions,
  issuedSession,
  openSession,
  refusalOf,
  revokeSession,
  type Session,
  sessionIsActive,
  sessionKey,
  showSession,
} from './rules.ts';
import { AccountQuery, AuthSession, SessionList, SessionRefresh } from './schema.ts';

const tag = 'Embedded Wallet Auth';

/** The session to refresh: never issued is 404, run out or revoked is 401 (reference 3.7). */
function refreshable(world: World, id: string): Session {
  const session =
    issuedSession(world, id) ??
    fail('REFERENCE_NOT_FOUND', `no session ${id}`, { why: { rule: 'spec 4.6', seen: id } });
  if (!sessionIsActive(world, session)) unauthorized('the session is no longer active');
  return session;
}

export const routes = [
  operation({
    id: 'listAuthSessions',
    method: 'GET',
    path: '/auth/sessions',
    tag,
    summary: 'List the active sessions of a wallet',
    query: AccountQuery,
    replies: { 200: SessionList },
    run: ({ world, query }) =>
      reply(200, { data: activeSessions(world, query.accountId).map((session) => showSession(session)) }),
  }),
  signed({
    id: 'refreshAuthSession',
    method: 'POST',
    path: '/auth/sessions/{id}/refresh',
    tag,
    summary: 'Get a new session from an active one',
    body: SessionRefresh,
    replies: { 201: AuthSession },
    refuses: ['REFERENCE_NOT_FOUND'],
    first: ({ world, params }) => {
      refreshable(world, params.id);
    },
    prepare: async ({ world, body }, challenge) =>
      challenge ? sessionKey(world, body.clientPublicKey, challenge.id) : undefined,
    payload: ({ world, params, body }) =>
      activity(world, refreshable(world, params.id).accountId, 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2', {
        targetPublicKey: body.clientPublicKey,
      }),
    refusal: ({ world, params }, publicKey) => {
      const session = refreshable(world, params.id);
      return refusalOf(
        world,
        [session.accountId],
        publicKey,
        ({ id }) => id === session.id,
        'a refresh is signed by the session that it refreshes',
      );
    },
    run: ({ world, params }, key) => {
      if (!key) throw new Error('a retry has a key');
      const opened = openSession(world, refreshable(world, params.id), key.publicKey);
      return reply(201, showSession(opened, key.sealed));
    },
  }),
  signed({
    id: 'revokeAuthSession',
    method: 'DELETE',
    path: '/auth/sessions/{id}',
    tag,
    summary: 'Revoke a session; it may revoke itself',
    replies: { 204: null },
    refuses: ['REFERENCE_NOT_FOUND'],
    first: ({ world, params }) => {
      activeSession(world, params.id);
    },
    type: ({ world, params }) => activeSession(world, params.id).type,
    payload: ({ world, params }) => {
      const { accountId, id } = activeSession(world, params.id);
      return activity(world, accountId, 'ACTIVITY_TYPE_DELETE_API_KEYS', {
        apiKeyIds: [id],
        userId: walletIds(accountId).userId,
      });
    },
    refusal: ({ world, params }, publicKey) => refusalOf(world, [activeSession(world, params.id).accountId], publicKey),
    run: ({ world, params }) => {
      revokeSession(world, params.id);
      return reply(204);
    },
  }),
];
