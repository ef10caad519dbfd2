import { fail } from '../../contract/errors.ts';
import { loadSigner, type Signer } from '../../crypto/index.ts';
import { a, type Fits, merged, not, oneOf, wallet } from '../../declare/example.ts';
import { type OperationContext, operationsOf, reply } from '../../declare/operation.ts';
import type { World } from '../../engine/world.ts';
import type { InternalAccount } from '../accounts/index.ts';
import { AccountQuery, AuthSession, openSession, refusalOf, revokeSessionsOf, showSession } from '../sessions/index.ts';
import { walletSignature } from '../signing/index.ts';
import { KINDS } from './kinds/index.ts';
import type { CreateBody, Login, VerifyBody } from './kinds/kind.ts';
import { loginExample } from './kinds/otp.ts';
import { countChallenge } from './limit.ts';
import type { Credential } from './row.ts';
import {
  addCredential,
  CREDENTIALS,
  credentialOf,
  credentialsOf,
  type Draft,
  sameType,
  showCredential,
  signedFor,
  updateCredential,
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

/** The draft of a credential, and the signer of the code that is sent to it. */
interface Prepared {
  readonly draft: Draft;
  readonly signer: Signer;
}

const operation = operationsOf('Embedded Wallet Auth');

const GOOGLE = { iss: 'https://accounts.google.com', aud: 'app-1' };
const isNotAlone: Fits = ({ id, accountId }, the) =>
  the.newest('credentials', { accountId, id: not(id) }) !== undefined;

/** Refuses to remove the last credential of a wallet: 400 INVALID_INPUT (spec 4.5 rule 2). */
function removable(world: World, { accountId }: Credential): void {
  if (credentialsOf(world, accountId).length === 1)
    fail('INVALID_INPUT', 'the last credential of a wallet cannot be revoked', {
      why: { rule: 'spec 4.5 (2), 7 (6)' },
    });
}

export const routes = [
  operation({
    id: 'listAuthCredentials',
    endpoint: 'GET /auth/credentials',
    summary: 'List the credentials of a wallet',
    query: AccountQuery,
    example: { query: { accountId: wallet } },
    replies: { 200: CredentialList },
    read: ({ world, query }) => reply(200, { data: credentialsOf(world, query.accountId).map(showCredential) }),
  }),
  operation({
    id: 'createAuthCredential',
    endpoint: 'POST /auth/credentials',
    summary: 'Add a credential to a wallet',
    description: 'A wallet that has a credential asks for the signature of one of its sessions first.',
    body: CredentialCreate,
    example: (the) => ({
      body: merged(
        { type: 'OAUTH', accountId: wallet },
        oneOf(
          { oidcToken: the.idToken({ ...GOOGLE, sub: the.text('user-{n}', 'credentials') }) },
          { type: 'SMS_OTP' },
          { type: 'EMAIL_OTP' },
        ),
      ),
    }),
    replies: { 201: AuthMethodResponse },
    refuses: [
      'REFERENCE_NOT_FOUND',
      'MISSING_MANDATORY_USER_INFO',
      'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS',
      'SMS_OTP_CREDENTIAL_ALREADY_EXISTS',
      'PASSKEY_CREDENTIAL_ALREADY_EXISTS',
    ],
    authorize: walletSignature({
      when: ({ world, body }) => credentialsOf(world, body.accountId).length > 0,
      type: ({ body }) => body.type,
      payload: ({ world, body }: OperationContext<CreateBody>, wallet: InternalAccount, { draft }: Prepared) =>
        KINDS[body.type].addPayload(world, wallet, body, draft),
      stash: (_ask, _wallet, { draft: { nickname } }) => ({ nickname }),
      rejectKey: ({ world }, { id }, publicKey) => refusalOf(world, [id], publicKey),
    }),
    load: ({ world, body }) => walletOf(world, body.accountId),
    check: ({ world, body }, wallet) => KINDS[body.type].refuseDouble(world, wallet, body),
    wait: async ({ world, body }, wallet, { challenge }) => ({
      draft: await KINDS[body.type].draft(world, wallet, body, challenge !== undefined),
      signer: await loadSigner(),
    }),
    write: ({ world, body }, _wallet, { draft, signer }, { challenge }) => {
      signedFor(challenge, draft);
      const credential = addCredential(world, body.accountId, draft);
      return reply(201, {
        ...showCredential(credential),
        ...KINDS[body.type].added?.(world, credential, body, signer),
      });
    },
  }),
  operation({
    id: 'challengeAuthCredential',
    endpoint: 'POST /auth/credentials/{id}/challenge',
    summary: 'Begin a login: send a code, or get the challenge for a passkey',
    body: CredentialChallenge,
    bodyOptional: true,
    example: { params: { id: a('credentials', { type: 'EMAIL_OTP' }, 'createAuthCredential') }, body: {} },
    replies: { 200: ChallengeResponse },
    refuses: ['REFERENCE_NOT_FOUND', 'RATE_LIMITED'],
    load: ({ world, params }) => credentialOf(world, params.id),
    wait: loadSigner,
    write: ({ world, body }, credential, signer) => {
      const more = KINDS[credential.type].challenge(world, credential, body.clientPublicKey, signer);
      countChallenge(world, credential.id);
      return reply(200, { ...showCredential(updateCredential(world, credential)), ...more });
    },
  }),
  operation({
    id: 'verifyAuthCredential',
    endpoint: 'POST /auth/credentials/{id}/verify',
    summary: 'Log in: a session for a code, a token or an assertion',
    body: CredentialVerify,
    example: (the) => {
      const { id, oauth = GOOGLE } = the.row('credentials', { type: 'OAUTH' }, 'createAuthCredential');
      const clientPublicKey = the.sample('clientKey') as string;
      return {
        params: { id },
        body: { type: 'OAUTH', oidcToken: the.idToken(oauth as object, clientPublicKey), clientPublicKey },
        vary: [{ body: { type: 'EMAIL_OTP', encryptedOtpBundle: '{}' } }],
      };
    },
    exampleNow: loginExample,
    replies: { 200: AuthSession },
    refuses: ['REFERENCE_NOT_FOUND'],
    authorize: walletSignature({
      when: ({ body }) => KINDS[body.type].twoStep,
      type: ({ body }) => body.type,
      payload: (_context: OperationContext<VerifyBody>, _credential: Credential, { token }: Login) => token?.() ?? '',
      stash: (context, credential, login) => KINDS[credential.type].keep?.(context, credential, login) ?? {},
      rejectKey: (_ask, _credential, publicKey, { kept }) =>
        publicKey === kept['publicKey'] ? undefined : 'the key is not the one that was sealed with the code',
    }),
    load: ({ world, params }) => credentialOf(world, params.id),
    check: ({ body }, credential) => sameType(credential, body.type),
    wait: (context, credential, { challenge }) => KINDS[credential.type].login(context, credential, challenge),
    write: ({ world }, _credential, { issuer, key, settle }) => {
      settle();
      return reply(200, showSession(openSession(world, issuer, key.publicKey), key.sealed));
    },
  }),
  operation({
    id: 'revokeAuthCredential',
    endpoint: 'DELETE /auth/credentials/{id}',
    summary: 'Revoke a credential and every session it issued',
    example: { params: { id: a('credentials', {}, 'createAuthCredential', { fits: isNotAlone }) } },
    replies: { 204: null },
    refuses: ['INVALID_INPUT', 'REFERENCE_NOT_FOUND'],
    authorize: walletSignature({
      bodyless: true,
      type: (_ask, { type }) => type,
      payload: ({ world }: OperationContext, credential: Credential) =>
        KINDS[credential.type].removePayload(world, credential),
      rejectKey: ({ world }, { id, accountId }, publicKey) =>
        refusalOf(
          world,
          [accountId],
          publicKey,
          (session) => session.authMethodId !== id,
          'a credential is revoked by a session of another credential',
        ),
    }),
    load: ({ world, params }) => credentialOf(world, params.id),
    check: ({ world }, credential) => removable(world, credential),
    write: ({ world }, { id }) => {
      revokeSessionsOf(world, id);
      world.rows(CREDENTIALS).remove(id);
      return reply(204);
    },
  }),
];
