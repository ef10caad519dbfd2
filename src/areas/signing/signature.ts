import type { ErrorCode } from '../../contract/errors.ts';
import {
  type Authorizer,
  type AuthorizerOffer,
  type OperationContext,
  type Reply,
  reply,
} from '../../declare/operation.ts';
import {
  answersOwn,
  type Challenge,
  challengeOf,
  checkProof,
  createChallenge,
  detachedSignature,
  findPendingChallenge,
  knownChallenge,
  type Proof,
  readProofHeaders,
  spend,
} from './rules.ts';
import { AuthSignedRequestChallenge, type CredentialType, SignedRequestChallenge } from './schema.ts';

/** The signature that an operation requires of a wallet. */
export interface WalletSignature<A, L, W> {
  /** Returns whether this call needs a signature; by default always. A call that needs none ignores the two headers. */
  readonly when?: (context: A) => boolean;
  /** Set if the call has no body that could differ from that of the first call. */
  readonly bodyless?: true;
  /** The number of challenges to sign, one after another; one by default. */
  readonly legs?: number;
  /** Returns the credential type that the 202 names; without this, the 202 names none. */
  readonly type?: (context: A, loaded: L) => CredentialType;
  /** Returns the text to sign; `stashed` is what `stash` returned for this challenge. */
  readonly payload: (context: A, loaded: L, waited: W, stashed: Challenge['kept']) => string;
  /**
   * Returns a payload that the client knows before it calls: a signature over it alone is enough, without Request-Id.
   */
  readonly knownPayload?: (context: A) => string;
  /**
   * Returns the data that the retry needs; may write. `before` is the challenge that was just signed, with the key
   * `signer`.
   */
  readonly stash?: (
    context: A,
    loaded: L,
    waited: W,
    before: Challenge | undefined,
    signer: string | undefined,
  ) => Challenge['kept'];
  /** Returns state that must not change between the two calls; `onStateChanged` refuses if it did. */
  readonly stateFingerprint?: (context: A, loaded: L) => string;
  readonly onStateChanged?: () => never;
  /** Returns why this key may not sign; undefined if it may. */
  readonly rejectKey: (context: A, loaded: L, publicKey: string, challenge: Challenge) => string | undefined;
}

/** The evidence of a call: whether it needs a signature, and on a retry the proof and the challenge that it answers. */
export interface SignatureEvidence {
  readonly needed: boolean;
  readonly proof?: Proof;
  readonly challenge?: Challenge;
}

const NOT_NEEDED: SignatureEvidence = { needed: false };
const FIRST_CALL: SignatureEvidence = { needed: true };

const REFUSES: readonly ErrorCode[] = [
  'WALLET_SIGNATURE_MISSING',
  'WALLET_SIGNATURE_MALFORMED',
  'WALLET_SIGNATURE_BODY_MISMATCH',
  'WALLET_SIGNATURE_INVALID',
  'REQUEST_ID_MISSING',
];

/**
 * Returns the authorizer for the signed-retry pattern (spec 5.4). Only this function knows the two headers, the 202,
 * the body's fingerprint, expiry, legs and single use. A failed signature leaves the request id usable; a good one
 * spends it.
 */
export function walletSignature<A extends OperationContext, L, W>(
  declared: WalletSignature<A, L, W>,
): Authorizer<A, L, W, SignatureEvidence> {
  const { when, knownPayload, legs = 1 } = declared;
  const replies = { 202: declared.type ? AuthSignedRequestChallenge : SignedRequestChallenge };
  // An ignored body cannot differ; a payload known beforehand can be signed without a request id.
  const absent = [declared.bodyless && 'WALLET_SIGNATURE_BODY_MISMATCH', knownPayload && 'REQUEST_ID_MISSING'];
  const refuses = REFUSES.filter((code) => !absent.includes(code));

  const challenge = (context: A, loaded: L, waited: W, before?: Challenge, signer?: string): { challenge: Reply } => {
    const kept = declared.stash?.(context, loaded, waited, before, signer) ?? {};
    const payload = declared.payload(context, loaded, waited, kept);
    const issued = createChallenge(context, {
      payload,
      kept,
      seen: declared.stateFingerprint?.(context, loaded) ?? '',
      leg: before && (before.leg ?? 1) + 1,
    });
    return {
      challenge: reply(202, {
        ...(declared.type ? { type: declared.type(context, loaded) } : {}),
        payloadToSign: payload,
        requestId: issued.id,
        expiresAt: new Date(issued.expiresAt).toISOString(),
      }),
    };
  };

  return {
    replies,
    refuses,
    offeredIn: ({ walletSignatureHeader: name, rules }): AuthorizerOffer => {
      if (knownPayload && !rules.quoteChallenge)
        return {
          headers: [{ name, description: 'Over the payload that the client knows already' }],
          replies: {},
          // There is no first call whose body could differ.
          refuses: refuses.filter((code) => code !== 'WALLET_SIGNATURE_BODY_MISMATCH'),
        };
      const description = 'On the signed retry';
      return { headers: [name, 'Request-Id'].map((each) => ({ name: each, description })), replies, refuses };
    },
    read: (context) => {
      const requestId = context.header('request-id');
      const found = challengeOf(context, requestId);
      if (when && !answersOwn(context, found) && !when(context)) return NOT_NEEDED;
      if (knownPayload && (requestId === undefined || !context.world.profile.rules.quoteChallenge)) {
        const proof = detachedSignature(context);
        if (proof) return { needed: true, proof, challenge: knownChallenge(context, knownPayload(context)) };
      }
      const proof = readProofHeaders(context);
      if (!proof) return FIRST_CALL;
      return { needed: true, proof, challenge: findPendingChallenge(context, found, proof.requestId) };
    },
    decide: (context, { needed, proof, challenge: answered }, loaded, waited) => {
      if (!needed) return {};
      if (!proof || !answered) return challenge(context, loaded, waited);
      const refusal = (publicKey: string) => declared.rejectKey(context, loaded, publicKey, answered);
      const signer = checkProof(context, answered, proof, refusal);
      if (declared.stateFingerprint && declared.stateFingerprint(context, loaded) !== answered.seen)
        declared.onStateChanged?.();
      const settle = () => spend(context.world, answered);
      if ((answered.leg ?? 1) >= legs) return { settle };
      settle();
      return challenge(context, loaded, waited, answered, signer);
    },
  };
}
