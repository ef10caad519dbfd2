import { fail } from '../../contract/errors.ts';
import { a, ahead, sample, wallet } from '../../declare/example.ts';
import { type Infer, type OperationContext, operationsOf, reply } from '../../declare/operation.ts';
import type { World } from '../../engine/world.ts';
import { activity, unauthorized, walletIds, walletSignature } from '../signing/index.ts';
import type { Session } from './row.ts';
import {
  activeSession,
  activeSessions,
  issuedSession,
  openSession,
  refusalOf,
  revokeSession,
  sessionIsActive,
  sessionKey,
  showSession,
} from './rules.ts';
import { AccountQuery, AuthSession, SessionList, SessionRefresh } from './schema.ts';

const operation = operationsOf('Embedded Wallet Auth');
const OPEN_SESSION = a('sessions', { revokedAt: undefined, expiresAt: ahead }, 'verifyAuthCredential');

/** Returns the session to refresh. 404 if it was never issued, 401 if it expired or was revoked (reference 3.7). */
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
    endpoint: 'GET /auth/sessions',
    summary: 'List the active sessions of a wallet',
    query: AccountQuery,
    example: { query: { accountId: wallet } },
    replies: { 200: SessionList },
    read: ({ world, query }) =>
      reply(200, { data: activeSessions(world, query.accountId).map((session) => showSession(session)) }),
  }),
  operation({
    id: 'refreshAuthSession',
    endpoint: 'POST /auth/sessions/{id}/refresh',
    summary: 'Get a new session from an active one',
    body: SessionRefresh,
    example: { params: { id: OPEN_SESSION }, body: { clientPublicKey: sample('clientKey') } },
    replies: { 201: AuthSession },
    refuses: ['REFERENCE_NOT_FOUND'],
    authorize: walletSignature({
      payload: ({ world, body }: OperationContext<Infer<typeof SessionRefresh>>, { accountId }: Session) =>
        activity(world, accountId, 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2', {
          targetPublicKey: body.clientPublicKey,
        }),
      rejectKey: ({ world }, session, publicKey) =>
        refusalOf(
          world,
          [session.accountId],
          publicKey,
          ({ id }) => id === session.id,
          'a refresh is signed by the session that it refreshes',
        ),
    }),
    load: ({ world, params }) => refreshable(world, params.id),
    wait: ({ world, body }, _session, { challenge }) =>
      challenge && sessionKey(world, body.clientPublicKey, challenge.id),
    write: ({ world }, session, key) => {
      if (!key) throw new Error('a retry has a key');
      return reply(201, showSession(openSession(world, session, key.publicKey), key.sealed));
    },
  }),
  operation({
    id: 'revokeAuthSession',
    endpoint: 'DELETE /auth/sessions/{id}',
    summary: 'Revoke a session; it may revoke itself',
    example: { params: { id: OPEN_SESSION } },
    replies: { 204: null },
    refuses: ['REFERENCE_NOT_FOUND'],
    authorize: walletSignature({
      bodyless: true,
      type: (_ask, { type }) => type,
      payload: ({ world }: OperationContext, { accountId, id }: Session) =>
        activity(world, accountId, 'ACTIVITY_TYPE_DELETE_API_KEYS', {
          apiKeyIds: [id],
          userId: walletIds(accountId).userId,
        }),
      rejectKey: ({ world }, { accountId }, publicKey) => refusalOf(world, [accountId], publicKey),
    }),
    load: ({ world, params }) => activeSession(world, params.id),
    write: ({ world }, session) => {
      revokeSession(world, session);
      return reply(204);
    },
  }),
];
