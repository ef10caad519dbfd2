import { fail } from '../../kernel/errors.ts';
import { operation, reply } from '../../kernel/operation.ts';
import type { World } from '../../kernel/world.ts';
import { AccountQuery, AuthSession, openSession, refusalOf, revokeSessionsOf, showSession } from '../sessions/index.ts';
import { signed } from '../signing/index.ts';
import { KINDS } from './kinds/index.ts';
import { countChallenge } from './limit.ts';
import {
  addCredential,
  CREDENTIALS,
  credentialOf,
  credentialsOf,
  sameType,
  showCredential,
  signedFor,
  touch,
  walletOf,
} from './rules.ts';
import {
  AuthMethodResponse,
  ChallengeResponse,
  CredentialChallenge,
  CredentialCreate,
  CredentialList,
  CredentialVerify,
} from './schema.ts';

const tag = 'Embedded Wallet Auth';

/** The last credential of a wallet stays (spec 4.5 rule 2). */
function removable(world: World, id: string): void {
  const credential = credentialOf(world, id);
  if (credentialsOf(world, credential.accountId).length === 1)
    fail('INVALID_INPUT', 'the last credential of a wallet cannot be revoked', {
      why: { rule: 'spec 4.5 (2), 7 (6)' },
    });
}

export const routes = [
  operation({
    id: 'listAuthCredentials',
    method: 'GET',
    path: '/auth/credentials',
    tag,
    summary: 'List the credentials of a wallet',
    query: AccountQuery,
    replies: { 200: CredentialList },
    run: ({ world, query }) => reply(200, { data: credentialsOf(world, query.accountId).map(showCredential) }),
  }),
  signed({
    id: 'createAuthCredential',
    method: 'POST',
    path: '/auth/credentials',
    tag,
    summary: 'Add a credential to a wallet',
    description: 'A wallet that has a credential asks for the signature of one of its sessions first.',
    body: CredentialCreate,
    replies: { 201: AuthMethodResponse },
    refuses: [
      'REFERENCE_NOT_FOUND',
      'MISSING_MANDATORY_USER_INFO',
      'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS',
      'SMS_OTP_CREDENTIAL_ALREADY_EXISTS',
      'PASSKEY_CREDENTIAL_ALREADY_EXISTS',
    ],
    when: ({ world, body }) => credentialsOf(world, body.accountId).length > 0,
    first: ({ world, body }) => KINDS[body.type].refuseDouble(world, walletOf(world, body.accountId), body),
    prepare: async ({ world, body }, challenge) =>
      KINDS[body.type].draft(world, walletOf(world, body.accountId), body, challenge !== undefined),
    type: ({ body }) => body.type,
    payload: ({ world, body }, draft) =>
      KINDS[body.type].addPayload(world, walletOf(world, body.accountId), body, draft),
    keep: (_ask, { nickname }) => ({ nickname }),
    refusal: ({ world, body }, publicKey) => refusalOf(world, [body.accountId], publicKey),
    run: ({ world, body }, draft, challenge) => {
      signedFor(challenge, draft);
      const credential = addCredential(world, body.accountId, draft);
      return reply(201, { ...showCredential(credential), ...KINDS[body.type].added?.(world, credential, body) });
    },
  }),
  operation({
    id: 'challengeAuthCredential',
    method: 'POST',
    path: '/auth/credentials/{id}/challenge',
    tag,
    summary: 'Begin a login: send a code, or get the challenge for a passkey',
    body: CredentialChallenge,
    bodyOptional: true,
    replies: { 200: ChallengeResponse },
    refuses: ['REFERENCE_NOT_FOUND', 'RATE_LIMITED'],
    run: ({ world, params, body }) => {
      const credential = credentialOf(world, params.id);
      const more = KINDS[credential.type].challenge(world, credential, body.clientPublicKey ?? undefined);
      countChallenge(world, credential.id);
      return reply(200, { ...showCredential(touch(world, credential)), ...more });
    },
  }),
  signed({
    id: 'verifyAuthCredential',
    method: 'POST',
    path: '/auth/credentials/{id}/verify',
    tag,
    summary: 'Log in: a session for a code, a token or an assertion',
    body: CredentialVerify,
    replies: { 200: AuthSession },
    refuses: ['REFERENCE_NOT_FOUND'],
    when: ({ body }) => KINDS[body.type].twoStep,
    first: ({ world, params, body }) => sameType(credentialOf(world, params.id), body.type),
    prepare: async (ask, challenge) => {
      const credential = credentialOf(ask.world, ask.params.id);
      return KINDS[credential.type].login(ask, credential, challenge);
    },
    type: ({ body }) => body.type,
    payload: (ask, login) => KINDS[ask.body.type].token?.(ask, credentialOf(ask.world, ask.params.id), login) ?? '',
    keep: (ask, login) => KINDS[ask.body.type].keep?.(ask, credentialOf(ask.world, ask.params.id), login) ?? {},
    refusal: (_ask, publicKey, { kept }) =>
      publicKey === kept['publicKey'] ? undefined : 'the key is not the one that was sealed with the code',
    run: ({ world }, { issuer, key, settle }) => {
      settle();
      return reply(200, showSession(openSession(world, issuer, key.publicKey), key.sealed));
    },
  }),
  signed({
    id: 'revokeAuthCredential',
    method: 'DELETE',
    path: '/auth/credentials/{id}',
    tag,
    summary: 'Revoke a credential and every session it issued',
    replies: { 204: null },
    refuses: ['REFERENCE_NOT_FOUND'],
    first: ({ world, params }) => removable(world, params.id),
    type: ({ world, params }) => credentialOf(world, params.id).type,
    payload: ({ world, params }) => {
      const credential = credentialOf(world, params.id);
      return KINDS[credential.type].removePayload(world, credential);
    },
    refusal: ({ world, params }, publicKey) =>
      refusalOf(
        world,
        [credentialOf(world, params.id).accountId],
        publicKey,
        (session) => session.authMethodId !== params.id,
        'a credential is revoked by a session of another credential',
      ),
    run: ({ world, params }) => {
      revokeSessionsOf(world, params.id);
      world.rows(CREDENTIALS).remove(params.id);
      return reply(204);
    },
  }),
];
