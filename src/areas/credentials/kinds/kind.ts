import type { Signer } from '../../../crypto/index.ts';
import type { Infer, OperationContext } from '../../../declare/operation.ts';
import type { World } from '../../../engine/world.ts';
import type { InternalAccount } from '../../accounts/index.ts';
import type { Issuer, SessionKey } from '../../sessions/index.ts';
import type { Challenge } from '../../signing/index.ts';
import type { Credential } from '../row.ts';
import type { Draft } from '../rules.ts';
import type { CredentialCreate, CredentialVerify } from '../schema.ts';

export type CreateBody = Infer<typeof CredentialCreate>;
export type VerifyBody = Infer<typeof CredentialVerify>;
export type VerifyAsk = OperationContext<VerifyBody>;

/** A login that is about to succeed: whose session it opens, with which key. */
export interface Login {
  readonly issuer: Issuer;
  readonly key: SessionKey;
  /** Writes what a new session implies: a counter, a used challenge. */
  readonly settle: () => void;
  /** Returns the text that the second call of a two-step login signs. */
  readonly token?: () => string;
}

/** The rules of a credential type, so that shared code never depends on a type's name. */
export interface Kind {
  /** Refuses a credential that the wallet already has (spec 7 rule 4). */
  readonly refuseDouble: (world: World, wallet: InternalAccount, body: CreateBody) => void;
  /** Checks the body that adds a credential; `retry` is the second call. May be asynchronous, writes nothing. */
  readonly draft: (world: World, wallet: InternalAccount, body: CreateBody, retry: boolean) => Draft | Promise<Draft>;
  /** Returns the payload that authorizes adding it. */
  readonly addPayload: (world: World, wallet: InternalAccount, body: CreateBody, draft: Draft) => string;
  /** Returns the payload that authorizes removing it. */
  readonly removePayload: (world: World, credential: Credential) => string;
  /** Returns what a new credential adds to the reply. */
  readonly added?: (world: World, credential: Credential, body: CreateBody, signer: Signer) => Record<string, unknown>;
  /** Handles `/challenge` (spec 4.5); returns what it adds to the credential in the reply. */
  readonly challenge: (
    world: World,
    credential: Credential,
    clientPublicKey: unknown,
    signer: Signer,
  ) => Record<string, unknown>;
  /** True if a login takes two calls, the second signed. */
  readonly twoStep: boolean;
  /** Checks a login. Asynchronous, writes nothing. */
  readonly login: (context: VerifyAsk, credential: Credential, challenge: Challenge | undefined) => Promise<Login>;
  /** For two-step logins: returns what the second call must know, including whose key may sign it. */
  readonly keep?: (context: VerifyAsk, credential: Credential, login: Login) => Challenge['kept'];
}

/** Returns what every session of a credential shares. */
export const issuerOf = (credential: Credential): Issuer => ({
  accountId: credential.accountId,
  authMethodId: credential.id,
  type: credential.type,
  nickname: credential.nickname,
  credentialId: credential.passkey?.credentialId,
});
