import type * as z from 'zod';
import type { ErrorCode } from '../../kernel/errors.ts';
import type { Shape } from '../../kernel/lazy.ts';
import { type Ask, type Infer, type Operation, type Reply, reply } from '../../kernel/operation.ts';
import {
  aloneOf,
  answersOwn,
  beforehand,
  type Challenge,
  checkProof,
  issue,
  type Proof,
  proofOf,
  redeemable,
  spend,
} from './rules.ts';
import { AuthSignedRequestChallenge, type CredentialType, SignedRequestChallenge } from './schema.ts';

type AskOf<B extends Shape, P extends string> = Ask<Infer<B>, Record<never, never>, P>;
type PathParams<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParams<Rest> : never;

/** An operation that wants a wallet's signature (spec 5.4). */
export interface SignedDeclaration<P extends string, B extends Shape, W> {
  id: string;
  method: Operation['method'];
  path: P;
  tag: string;
  summary: string;
  description?: string;
  permission?: Operation['permission'];
  body?: B;
  bodyOptional?: boolean;
  replies: Record<number, Shape | null>;
  refuses?: readonly ErrorCode[];
  idempotency?: 'optional';
  /** Whether this call needs a signature at all; always, unless told. What needs none ignores the two headers. */
  when?: (ask: AskOf<B, PathParams<P>>) => boolean;
  /** Preconditions, the same on both calls. */
  first?: (ask: AskOf<B, PathParams<P>>) => void;
  /** Work that waits; it writes nothing. `challenge` is there on a retry only. */
  prepare?: (ask: AskOf<B, PathParams<P>>, challenge: Challenge | undefined) => Promise<W>;
  /** The credential type that the 202 names; without it the 202 has none. */
  type?: (ask: AskOf<B, PathParams<P>>) => CredentialType;
  payload: (ask: AskOf<B, PathParams<P>>, prepared: W) => string;
  /** The payload, when the client knows it before it calls: a signature over it alone, without Request-Id, will do. */
  beforehand?: (ask: AskOf<B, PathParams<P>>) => string;
  /** What the retry will want to know. */
  keep?: (ask: AskOf<B, PathParams<P>>, prepared: W) => Record<string, unknown>;
  /** State that must not change between the two calls, and the refusal if it did. */
  seen?: (ask: AskOf<B, PathParams<P>>) => string;
  changed?: () => never;
  /** Why this key may not sign, or nothing if it may. */
  refusal: (ask: AskOf<B, PathParams<P>>, publicKey: string, challenge: Challenge) => string | undefined;
  run: (ask: AskOf<B, PathParams<P>>, prepared: W, challenge: Challenge | undefined) => Reply;
}

/**
 * The signed-retry pattern as an operation (spec 5.4): the one place that knows the two headers, the 202, the body's
 * fingerprint, expiry and single use. A failed signature leaves the request id usable; a good one spends it.
 */
export function signed<const P extends string, B extends Shape = Shape<z.ZodUndefined>, W = undefined>(
  declared: SignedDeclaration<P, B, W>,
): Operation {
  type Typed = AskOf<B, PathParams<P>>;
  const { id } = declared;
  const needed = (ask: Typed): boolean => declared.when?.(ask) ?? true;

  /** The proof and its challenge, when this call is a retry; a call that needs no signature has none. */
  const retryOf = (ask: Typed): { proof: Proof; challenge: Challenge } | undefined => {
    const issued = ask.header('request-id');
    if (declared.when && !answersOwn(ask, id, issued) && !needed(ask)) return undefined;
    if (declared.beforehand && (issued === undefined || !ask.world.profile.rules.quoteChallenge)) {
      const proof = aloneOf(ask);
      if (proof) return { proof, challenge: beforehand(ask, id, declared.beforehand(ask)) };
    }
    const proof = proofOf(ask);
    return proof && { proof, challenge: redeemable(ask, id, proof) };
  };

  return {
    id,
    method: declared.method,
    path: declared.path,
    tag: declared.tag,
    summary: declared.summary,
    description: declared.description,
    permission: declared.permission ?? 'MANAGE',
    body: declared.body,
    bodyOptional: declared.bodyOptional,
    idempotency: declared.idempotency,
    signed: true,
    signedAlone: declared.beforehand !== undefined,
    replies: { ...declared.replies, 202: declared.type ? AuthSignedRequestChallenge : SignedRequestChallenge },
    refuses: [
      ...(declared.refuses ?? []),
      'WALLET_SIGNATURE_MISSING',
      'WALLET_SIGNATURE_MALFORMED',
      // A body that is not looked at cannot differ.
      ...(declared.body ? (['WALLET_SIGNATURE_BODY_MISMATCH'] as const) : []),
      'WALLET_SIGNATURE_INVALID',
      // A payload that is known beforehand can be signed without one.
      ...(declared.beforehand ? [] : (['REQUEST_ID_MISSING'] as const)),
    ],
    prepare: async (asked) => {
      const ask = asked as Typed;
      const retry = retryOf(ask);
      declared.first?.(ask);
      return declared.prepare?.(ask, retry?.challenge);
    },
    run: (asked, prepared) => {
      const ask = asked as Typed;
      const work = prepared as W;
      // Asked again, because `prepare` waited: of two equal retries sent together one comes too late.
      const retry = retryOf(ask);
      declared.first?.(ask);
      if (!retry && !needed(ask)) return declared.run(ask, work, undefined);
      if (!retry) {
        const payload = declared.payload(ask, work);
        const challenge = issue(ask, id, {
          payload,
          kept: declared.keep?.(ask, work) ?? {},
          seen: declared.seen?.(ask) ?? '',
        });
        return reply(202, {
          ...(declared.type ? { type: declared.type(ask) } : {}),
          payloadToSign: payload,
          requestId: challenge.id,
          expiresAt: new Date(challenge.expiresAt).toISOString(),
        });
      }
      const { proof, challenge } = retry;
      checkProof(ask, challenge, proof, (publicKey) => declared.refusal(ask, publicKey, challenge));
      if (declared.seen && declared.seen(ask) !== challenge.seen) declared.changed?.();
      if (challenge.id !== '') spend(ask.world, challenge);
      return declared.run(ask, work, challenge);
    },
  };
}
