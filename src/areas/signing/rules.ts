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
    /** The principal that it was made for; the tokens of the platform share theirs and have none here. */
    principal: z.string().optional(),
    /** The number among the operation's challenges; the first has none. */
    leg: z.int().min(2).optional(),
    /** The body, canonical: the retry must say the same. */
    body: secret(z.string()),
    payload: z.string(),
    /** Data that the operation keeps for its retry. */
    kept: secret(z.record(z.string(), z.string())),
    /** The state that must not have changed by then. */
    seen: z.string(),
    expiresAt: Instant(),
    spent: z.boolean(),
  }),
);

/** A first call that waits for its signature (spec 2.6, 5.4). */
export type Challenge = RowOf<typeof ChallengeRow>;

export const CHALLENGES = table('challenges', { row: ChallengeRow });

/** Challenges that are remembered; the oldest go, spent or not, and then count as unknown. */
const REMEMBERED = 10_000;
/** Seconds from a challenge to the end of its retry (spec 8: typically 5 minutes). */
export const CHALLENGE_SECONDS = limit('challengeSeconds', 300, 'Virtual seconds to answer a challenge; 300');

/** The two headers of a retry. */
export interface Proof {
  readonly requestId: string;
  readonly signature: string;
}

/** Refuse 401 with a `reason` that names the check (spec 5.1 rule 5). */
export function unauthorized(
  reason: string,
  code: ErrorCode = 'UNAUTHORIZED',
  seen?: unknown,
  more: Omit<Why, 'rule' | 'seen'> = {},
): never {
  return fail(code, reason, { details: { reason }, why: { rule: 'spec 5 (3-5), 7 status 401', seen, ...more } });
}

/**
 * The proof of a retry: both headers, or neither on a first call. 401 `WALLET_SIGNATURE_MISSING` or
 * `REQUEST_ID_MISSING` when one is absent (spec 7).
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
 * A signature over what the client knew before it called, without a request id. A client that sends none may ask for a
 * challenge, or is refused 401 `WALLET_SIGNATURE_MISSING`, as the profile says.
 */
export function detachedSignature(context: OperationContext): Proof | undefined {
  const { walletSignatureHeader, rules } = context.world.profile;
  const signature = context.header(walletSignatureHeader.toLowerCase());
  if (signature !== undefined) return { signature, requestId: '' };
  if (rules.quoteChallenge) return undefined;
  return unauthorized(`${walletSignatureHeader} is missing`, 'WALLET_SIGNATURE_MISSING');
}

/** The challenge that a `Request-Id` names, if it was made for this principal. */
export function challengeOf(context: OperationContext, requestId: string | undefined): Challenge | undefined {
  const challenge = requestId === undefined ? undefined : context.world.rows(CHALLENGES).get(requestId);
  return challenge?.principal === ownerOf(context.principal) ? challenge : undefined;
}

/** A challenge that may be answered by this call: 401 when it is unknown, of another call, spent or late. */
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

/** The fingerprint of the body of a call, made once: each step of a signed retry asks for it. */
function bodyOf(context: OperationContext): string {
  const known = fingerprints.get(context);
  if (known !== undefined) return known;
  const made = fingerprint(context.text);
  fingerprints.set(context, made);
  return made;
}

/** Returns whether a call is the retry of a challenge of its own: left-over headers of another call mean nothing to it. */
export const answersOwn = (context: OperationContext, challenge: Challenge | undefined): boolean =>
  challenge?.operation === context.operation && challenge.path === context.path && challenge.body === bodyOf(context);

/** Issue a challenge for this call. */
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
    expiresAt: world.clock.now() + world.limit(CHALLENGE_SECONDS) * 1000,
    spent: false,
  });
}

/** A challenge that was never issued, for a payload that the client knew already: it has no id and is not kept. */
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
 * Check the signature of a retry: its form, the body it stands for, the exact payload, and whose key it is.
 * `refusal` says why a key may not sign, or nothing. The legacy literal of the sandbox skips key and signature only.
 * Returns the key that signed; none for the literal.
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

/** Use a challenge up, if it was issued. */
export const spend = (world: World, challenge: Challenge): void => {
  if (challenge.id !== '') world.rows(CHALLENGES).put({ ...challenge, spent: true });
};

/** The wallet's sub-organization and what it holds: opaque, stable, one set a wallet account. */
export const walletIds = (accountId: string) => {
  const id = (kind: string): string => {
    const hex = sha256(`${kind} ${accountId}`);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
  // Made when they are requested: most calls need one of them.
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

/** A payload to sign: the backend's activity, keys sorted at every level, no spaces. */
export const activity = (world: World, accountId: string, type: string, parameters: Record<string, unknown>): string =>
  canonical({
    organizationId: walletIds(accountId).organizationId,
    parameters,
    timestampMs: String(world.clock.now()),
    type,
  });

/** The payload of a quote: the one activity whose members stand in an order of their own (reference 5). */
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
 * 32 bytes of key material that cannot be guessed without the seed and that are never drawn twice: they follow the
 * position of the id stream, which every success moves. Unlike a draw, this leaves no trace if the call is refused.
 */
export const keyMaterial = (world: World, label: string): Uint8Array =>
  createHash('sha256').update(`key material ${world.ids.seed} ${world.ids.mark().drawn} ${label}`).digest();
