import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type ErrorCode, fail, type Why } from '../../contract/errors.ts';
import { limit } from '../../contract/limit.ts';
import { IdOf, Instant } from '../../contract/shapes.ts';
import { magicName } from '../../contract/suffix.ts';
import { LEGACY_STAMP, parseStamp, sha256, verifyDer } from '../../crypto/index.ts';
import { type OperationContext, ownerOf } from '../../declare/operation.ts';
import { secret } from '../../engine/secrets.ts';
import { lazyRow, type RowOf, table } from '../../engine/table.ts';
import type { World } from '../../engine/world.ts';
import { canonical, fingerprint } from './canonical.ts';
import { differing, signedInstead, stepsTo } from './diagnosis.ts';

const ChallengeRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('Request'),
    operation: z.string(),
    path: z.string(),
    /** The principal that it was issued to; undefined for tokens of the platform, which share theirs. */
    principal: z.string().optional(),
    /** The number among the operation's challenges; undefined for the first. */
    leg: z.int().min(2).optional(),
    /** The canonical body, which the retry must repeat. */
    body: secret(z.string()),
    payload: z.string(),
    /** Data that the operation stores for its retry. */
    kept: z.record(z.string(), z.string()),
    /** A fingerprint of the state, which must not change before the retry. */
    seen: z.string(),
    expiresAt: Instant(),
    spent: z.boolean(),
  }),
);

/** A first call that waits for its signature (spec 2.6, 5.4). */
export type Challenge = RowOf<typeof ChallengeRow>;

export const CHALLENGES = table('challenges', { row: ChallengeRow });

/** The most challenges that are remembered; the oldest are dropped, spent or not, and then count as unknown. */
const REMEMBERED = 10_000;
/** The seconds from a challenge to the deadline of its retry (spec 8: typically 5 minutes). */
export const CHALLENGE_SECONDS = limit('challengeSeconds', 300, 'Virtual seconds to answer a challenge; 300');

/** The two headers of a retry. */
export interface Proof {
  readonly requestId: string;
  readonly signature: string;
}

/** Refuses with 401 and a `reason` that names the failed check (spec 5.1 rule 5). */
export function unauthorized(
  reason: string,
  code: ErrorCode = 'UNAUTHORIZED',
  seen?: unknown,
  more: Omit<Why, 'rule' | 'seen'> = {},
): never {
  return fail(code, reason, { details: { reason }, why: { rule: 'spec 5 (3-5), 7 status 401', seen, ...more } });
}

/**
 * Returns the proof of a retry, which has both headers; undefined for a first call, which has neither. 401
 * WALLET_SIGNATURE_MISSING or REQUEST_ID_MISSING if one is missing (spec 7).
 */
export function readProofHeaders(context: OperationContext): Proof | undefined {
  const signature = context.header(context.world.profile.walletSignatureHeader.toLowerCase());
  const requestId = context.header('request-id');
  if (signature === undefined && requestId === undefined) return undefined;
  if (signature === undefined)
    return unauthorized(`${context.world.profile.walletSignatureHeader} is missing`, 'WALLET_SIGNATURE_MISSING');
  if (requestId === undefined) return unauthorized('Request-Id is missing', 'REQUEST_ID_MISSING');
  return { signature, requestId };
}

/**
 * Returns a signature over a payload known before the call, without a request id. If there is none, the profile
 * decides: a challenge follows, or 401 WALLET_SIGNATURE_MISSING.
 */
export function detachedSignature(context: OperationContext): Proof | undefined {
  const { walletSignatureHeader, rules } = context.world.profile;
  const signature = context.header(walletSignatureHeader.toLowerCase());
  if (signature !== undefined) return { signature, requestId: '' };
  if (rules.quoteChallenge) return undefined;
  return unauthorized(`${walletSignatureHeader} is missing`, 'WALLET_SIGNATURE_MISSING');
}

/** Returns the challenge that a `Request-Id` names, if it was issued to this principal. */
export function challengeOf(context: OperationContext, requestId: string | undefined): Challenge | undefined {
  const challenge = requestId === undefined ? undefined : context.world.rows(CHALLENGES).get(requestId);
  return challenge?.principal === ownerOf(context.principal) ? challenge : undefined;
}

/** Returns a challenge that this call may answer. 401 if it is unknown, of another call, spent or expired. */
export function findPendingChallenge(
  context: OperationContext,
  challenge: Challenge | undefined,
  requestId: string,
): Challenge {
  if (!challenge) return unauthorized('Request-Id is unknown', 'UNAUTHORIZED', requestId);
  if (challenge.operation !== context.operation || challenge.path !== context.path)
    return unauthorized(
      'Request-Id belongs to another request',
      'UNAUTHORIZED',
      `${challenge.operation} ${challenge.path}`,
    );
  if (challenge.spent) return unauthorized('Request-Id was used before');
  if (context.world.clock.now() >= challenge.expiresAt) return unauthorized('Request-Id has expired');
  return challenge;
}

const fingerprints = new WeakMap<OperationContext, string>();

/** Returns the fingerprint of a call's body, made once: each step of a signed retry needs it. */
function bodyOf(context: OperationContext): string {
  const known = fingerprints.get(context);
  if (known !== undefined) return known;
  const made = fingerprint(context.text);
  fingerprints.set(context, made);
  return made;
}

/** Returns whether a call is the retry of a challenge of its own: headers left over from another call do not count. */
export const answersOwn = (context: OperationContext, challenge: Challenge | undefined): boolean =>
  challenge?.operation === context.operation && challenge.path === context.path && challenge.body === bodyOf(context);

/** Issues a challenge for this call. */
export function createChallenge(
  context: OperationContext,
  content: Pick<Challenge, 'payload' | 'kept' | 'seen' | 'leg'>,
): Challenge {
  const { world } = context;
  const challenges = world.rows(CHALLENGES);
  if (challenges.size >= REMEMBERED) challenges.remove((challenges.first() as Challenge).id);
  const { leg, ...rest } = content;
  const principal = ownerOf(context.principal);
  return challenges.insert({
    id: world.newId('Request'),
    operation: context.operation,
    path: context.path,
    ...(principal === undefined ? {} : { principal }),
    ...(leg === undefined ? {} : { leg }),
    body: bodyOf(context),
    ...rest,
    expiresAt: world.clock.now() + world.lasting(CHALLENGE_SECONDS),
    spent: false,
  });
}

/**
 * Returns a stand-in challenge for a payload that the client already knew: it has no id, was never issued, and is not
 * stored.
 */
export const knownChallenge = (context: OperationContext, payload: string): Challenge => ({
  id: '',
  operation: context.operation,
  path: context.path,
  body: bodyOf(context),
  payload,
  kept: {},
  seen: '',
  expiresAt: Number.POSITIVE_INFINITY,
  spent: false,
});

/**
 * Checks the signature of a retry: its form, the repeated body, the exact payload, and the owner of the key. `refusal`
 * returns why a key may not sign, or undefined. The sandbox's legacy literal skips only key and signature. Returns the
 * key that signed; undefined for the literal. 401.
 */
export function checkProof(
  context: OperationContext,
  challenge: Challenge,
  proof: Proof,
  refusal: (publicKey: string) => string | undefined,
): string | undefined {
  const legacy = proof.signature === LEGACY_STAMP;
  const stamp = legacy ? undefined : parseStamp(proof.signature);
  if (stamp && !stamp.ok)
    unauthorized(stamp.reason, 'WALLET_SIGNATURE_MALFORMED', undefined, { steps: stepsTo(0, stamp.reason) });
  const body = bodyOf(context);
  if (body !== challenge.body)
    unauthorized('the body differs from that of the first call', 'WALLET_SIGNATURE_BODY_MISMATCH', undefined, {
      expected: 'the members of the first call',
      steps: stepsTo(1, `differs in: ${differing(challenge.body, body)}`),
    });
  if (!stamp?.ok) {
    context.world.magic(
      `the legacy wallet signature ${LEGACY_STAMP} was accepted without a check`,
      magicName('wallet signature', LEGACY_STAMP),
    );
    return undefined;
  }
  const { publicKey, signature } = stamp.value;
  if (!verifyDer(publicKey, Buffer.from(challenge.payload, 'utf8'), signature))
    unauthorized('the signature does not verify over payloadToSign', 'WALLET_SIGNATURE_INVALID', publicKey, {
      expected: challenge.payload,
      steps: stepsTo(2, signedInstead(publicKey, signature, challenge.payload, context.text)),
    });
  const reason = refusal(publicKey);
  if (reason)
    unauthorized(reason, 'WALLET_SIGNATURE_INVALID', publicKey, {
      expected: 'a session key of this wallet',
      steps: stepsTo(3, reason),
    });
  return publicKey;
}

/** Marks a challenge as spent, if it was issued. */
export const spend = (world: World, challenge: Challenge): void => {
  if (challenge.id !== '') world.rows(CHALLENGES).put({ ...challenge, spent: true });
};

/** Returns the ids of a wallet's sub-organization and its contents: opaque, stable, one set per wallet account. */
export const walletIds = (accountId: string) => {
  const id = (kind: string): string => {
    const hex = sha256(`${kind} ${accountId}`);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
  // Computed on demand: most calls need one of them.
  return {
    get organizationId() {
      return id('organization');
    },
    get userId() {
      return id('user');
    },
    get walletId() {
      return id('wallet');
    },
  };
};

/** Returns a payload to sign: an activity of the wallet backend, with keys sorted at every level and no spaces. */
export const activity = (world: World, accountId: string, type: string, parameters: Record<string, unknown>): string =>
  canonical({
    organizationId: walletIds(accountId).organizationId,
    parameters,
    timestampMs: String(world.clock.now()),
    type,
  });

/** Returns the payload of a quote: the only activity whose members have an order of their own (reference 5). */
export const transactionActivity = (world: World, accountId: string, unsignedTransaction: string): string => {
  const { organizationId, walletId } = walletIds(accountId);
  const signWith = `sp1${walletId.replaceAll('-', '')}`;
  return JSON.stringify({
    type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
    timestampMs: String(world.clock.now()),
    organizationId,
    parameters: { signWith, unsignedTransaction, type: 'TRANSACTION_TYPE_SPARK' },
    generateAppProofs: true,
  });
};

/**
 * Returns 32 bytes of key material that cannot be guessed without the seed and never repeat. They depend on the
 * position of the id stream, which every success moves. Unlike a draw, this leaves no trace if the call is refused.
 */
export const keyMaterial = (world: World, label: string): Uint8Array =>
  createHash('sha256').update(`key material ${world.ids.seed} ${world.ids.mark().drawn} ${label}`).digest();
