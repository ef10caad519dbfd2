import * as z from 'zod';
import { fail } from '../../contract/errors.ts';
import { limit } from '../../contract/limit.ts';
import { begin, lifecycle, move } from '../../engine/machine.ts';
import type { Hook, World } from '../../engine/world.ts';
import { sendCode } from '../codes/index.ts';
import { type Customer, customerOf } from '../customers/index.ts';
import { activeFactor } from './factor-rows.ts';
import { countFailure } from './logins.ts';
import { CHALLENGE } from './machine.ts';
import { SCA_CODE } from './magic.ts';
import { rulesOf } from './policy.ts';
import { type Challenge, type FactorRow, SCA_CHALLENGES } from './row.ts';
import type { Factor } from './schema.ts';

/** The virtual seconds for answering a challenge. */
export const CHALLENGE_SECONDS = limit(
  'scaChallengeSeconds',
  300,
  'Virtual seconds to answer a challenge of strong customer authentication; 300',
);
export const MOST_MISSES = limit(
  'scaWrongAnswers',
  3,
  'Wrong answers after which a challenge of strong customer authentication takes no more; 3',
  () => z.int().min(1),
);
export const MOST_RESENT = limit(
  'scaResendsPerMinute',
  3,
  'Times a minute that the code of a challenge is sent again; 3',
  () => z.int().min(1),
);
const MINUTE_MS = 60_000;

const CHALLENGES = lifecycle(SCA_CHALLENGES, { state: 'status', machine: CHALLENGE });

/** Called when a challenge ended unanswered. */
export const CHALLENGE_EXPIRED: Hook<[Challenge]> = { name: 'sca challenge expired' };

const isOpen = ({ status }: Challenge): boolean => status === 'PENDING' || status === 'EXHAUSTED';

/** Returns the open challenge about a subject, if there is one; for a login, the one for this factor. */
export const openChallenge = (world: World, subject: string, factor?: Factor): Challenge | undefined =>
  world
    .rows(SCA_CHALLENGES)
    .all('subject', subject)
    .find((one) => isOpen(one) && (factor === undefined || one.factors[0] === factor));

/** Returns the number of correctly answered challenges about a subject. */
export const passedChallenges = (world: World, subject: string): number =>
  world
    .rows(SCA_CHALLENGES)
    .all('subject', subject)
    .filter(({ status }) => status === 'PASSED').length;

/** The differences between the kinds of challenge. */
const KINDS: Readonly<
  Record<
    Challenge['kind'],
    {
      readonly sentFor: string;
      /** True if wrong answers count towards the lock of the login (reference 8.2). */
      readonly counts: boolean;
      /** True if wrong answers are limited: the last one is 429, as is every later answer until the challenge ends. */
      readonly limited: boolean;
      /** True if it names the origins at which a passkey may answer. */
      readonly namesOrigins: boolean;
    }
  >
> = {
  ENROLMENT: { sentFor: 'factor enrolment', counts: false, limited: false, namesOrigins: true },
  LOGIN: { sentFor: 'customer login', counts: true, limited: false, namesOrigins: true },
  PAYMENT: { sentFor: 'payment authorization', counts: true, limited: true, namesOrigins: false },
  TRUST: { sentFor: 'trust of an account', counts: false, limited: false, namesOrigins: true },
};

function send(world: World, { kind, customerId, subject }: Challenge): void {
  const to = customerOf(world, customerId).phoneNumber ?? '';
  sendCode(world, { channel: 'phone', to, code: SCA_CODE, purpose: KINDS[kind].sentFor, subject });
}

/**
 * Issues a challenge to a customer, which one of `factors` can answer, until `until` (milliseconds) at the latest.
 * Sends a code by SMS if that is a factor. Replaces an open challenge about the same subject.
 */
export function issue(
  world: World,
  request: Pick<Challenge, 'kind' | 'customerId' | 'subject' | 'factors' | 'purpose'>,
  until = Number.POSITIVE_INFINITY,
): Challenge {
  const old = openChallenge(world, request.subject, request.kind === 'LOGIN' ? request.factors[0] : undefined);
  if (old) replace(world, old);
  const now = world.clock.now();
  const ends = Math.min(now + world.lasting(CHALLENGE_SECONDS), until);
  const id = world.newId('ScaChallenge');
  const challenge = begin(world, CHALLENGES, 'issue', (status) => ({
    ...request,
    id,
    status,
    ...(request.factors.includes('PASSKEY') ? { nonce: world.ids.hex(32) } : {}),
    misses: 0,
    resent: [],
    expiry: world.schedule('sca.challenge.expire', { challengeId: id }, ends - now),
    expiresAt: new Date(ends).toISOString(),
    createdAt: world.clock.iso(),
    updatedAt: world.clock.iso(),
  }));
  if (request.factors.includes('SMS_OTP')) send(world, challenge);
  return challenge;
}

function end(world: World, challenge: Challenge, on: 'pass' | 'replace'): Challenge {
  world.scheduler.cancel(challenge.expiry);
  return move(world, CHALLENGES, challenge, on);
}

/** Marks a challenge as correctly answered, which uses it up. */
export const pass = (world: World, challenge: Challenge): Challenge => end(world, challenge, 'pass');

/** Marks a challenge as replaced by another. */
export const replace = (world: World, challenge: Challenge): Challenge => end(world, challenge, 'replace');

/** Expires a challenge that was not answered in time, and calls `CHALLENGE_EXPIRED`. */
export function expire(world: World, id: string): void {
  const challenge = world.rows(SCA_CHALLENGES).get(id);
  if (challenge && isOpen(challenge)) world.react(CHALLENGE_EXPIRED, move(world, CHALLENGES, challenge, 'expire'));
}

/**
 * Ends the open challenges of a deleted customer, as nobody can answer them any more, and calls `CHALLENGE_EXPIRED` for
 * each.
 */
export function abandon(world: World, customerId: string): void {
  for (const challenge of world.rows(SCA_CHALLENGES).all('customerId', customerId))
    if (isOpen(challenge)) endChallenge(world, challenge);
}

/** Ends an open challenge now, as if it had not been answered in time. */
export function endChallenge(world: World, { id, expiry }: Challenge): void {
  world.scheduler.cancel(expiry);
  expire(world, id);
}

/** The refusal of an answer to a challenge that has ended: `details.reason`, and the message. */
const OVER: Readonly<Record<Exclude<Challenge['status'], 'PENDING'>, readonly [reason: string, says: string]>> = {
  EXPIRED: ['EXPIRED', 'has expired'],
  PASSED: ['ALREADY_ANSWERED', 'was answered before'],
  REPLACED: ['REPLACED', 'was replaced by a newer one'],
  EXHAUSTED: ['TOO_MANY_ATTEMPTS', 'was answered wrongly too often'],
};

/** Returns a challenge about a subject by its id, whatever its status. */
export function challengeAbout(world: World, subject: string, id: string | null | undefined): Challenge | undefined {
  const named = id == null ? undefined : world.rows(SCA_CHALLENGES).get(id);
  return named?.subject === subject ? named : undefined;
}

/** Returns the newest challenge about a subject, whatever its status. */
export const newestChallenge = (world: World, subject: string): Challenge | undefined =>
  world.rows(SCA_CHALLENGES).all('subject', subject).at(-1);

/**
 * Returns a challenge that can still be answered. 400 INVALID_INPUT for any other: `details.reason` is `EXPIRED`,
 * `ALREADY_ANSWERED`, `REPLACED` or `TOO_MANY_ATTEMPTS` (reference 9).
 */
export function answerable(world: World, challenge: Challenge | undefined): Challenge {
  if (!challenge)
    return fail('INVALID_INPUT', 'there is no such challenge: start again', { why: { rule: 'reference 9' } });
  const late = challenge.status === 'PENDING' && world.clock.iso() >= challenge.expiresAt;
  const status = late ? 'EXPIRED' : challenge.status;
  if (status === 'PENDING') return challenge;
  const [reason, says] = OVER[status];
  return fail('INVALID_INPUT', `the challenge ${says}: start again`, {
    details: { reason },
    why: { rule: 'reference 9', expected: `before ${challenge.expiresAt}, once`, seen: status },
  });
}

/** Returns the whole virtual seconds until a challenge ends. */
const secondsLeft = (world: World, { expiresAt }: Challenge): number =>
  Math.max(1, Math.ceil((Date.parse(expiresAt) - world.clock.now()) / 1000));

/** Refuses a payment's challenge with too many wrong answers: 429 RATE_LIMITED (reference 9). */
export function checkAttempts(world: World, challenge: Challenge): void {
  if (challenge.status === 'EXHAUSTED') tooOften(world, challenge);
}

function tooOften(world: World, challenge: Challenge, onRefusal?: () => void): never {
  return fail('RATE_LIMITED', 'too many wrong answers: this challenge takes no more, and the payment will fail', {
    retryAfter: secondsLeft(world, challenge),
    onRefusal,
    why: { rule: 'reference 9', expected: `at most ${world.limit(MOST_MISSES)} wrong answers`, seen: challenge.misses },
  });
}

/** Counts a wrong answer to a challenge; the last one allowed exhausts it. */
function miss(world: World, challenge: Challenge): void {
  const misses = challenge.misses + 1;
  if (misses >= world.limit(MOST_MISSES)) move(world, CHALLENGES, challenge, 'exhaust', { misses });
  else world.rows(SCA_CHALLENGES).put({ ...challenge, misses, updatedAt: world.clock.iso() });
}

/**
 * Refuses a wrong proof: 400 INVALID_INPUT, or 429 RATE_LIMITED if it is the last that a payment's challenge allows.
 * The proof is counted, although the call is refused.
 */
export function refuseProof(
  world: World,
  {
    kind,
    customerId,
    challenge,
    reason,
  }: {
    kind: Challenge['kind'];
    customerId: string;
    challenge: Challenge | undefined;
    reason: string;
  },
): never {
  const { counts, limited } = KINDS[kind];
  const onRefusal = () => {
    if (challenge) miss(world, challenge);
    if (counts) countFailure(world, customerId);
  };
  if (challenge && limited && challenge.misses + 1 >= world.limit(MOST_MISSES))
    tooOften(world, { ...challenge, misses: challenge.misses + 1 }, onRefusal);
  return fail('INVALID_INPUT', `the proof is refused: ${reason}`, {
    details: { reason },
    onRefusal,
    why: { rule: 'reference 8', expected: `in the sandbox ${SCA_CODE} for every code`, seen: reason },
  });
}

/**
 * Sends the code of a challenge again. 409 CONFLICT if none was sent, or there is no verified phone any more; 429
 * RATE_LIMITED if it was sent too often (reference 9).
 */
export function resend(world: World, challenge: Challenge | undefined): void {
  if (challenge?.status !== 'PENDING' || !challenge.factors.includes('SMS_OTP'))
    fail('CONFLICT', 'there is no pending challenge by SMS', {
      why: { rule: 'reference 9', seen: challenge?.factors[0] },
    });
  const has = factorsOf(world, customerOf(world, challenge.customerId));
  if (!has.includes('SMS_OTP'))
    fail('CONFLICT', 'there is no verified phone that the code could be sent to', {
      passes: true,
      why: { rule: 'reference 9', expected: 'SMS_OTP', seen: has },
    });
  const now = world.clock.now();
  const resent = challenge.resent.filter((time) => now - time < MINUTE_MS);
  const [oldest] = resent;
  if (oldest !== undefined && resent.length >= world.limit(MOST_RESENT))
    fail('RATE_LIMITED', 'the code was sent again too often within a minute', {
      retryAfter: Math.max(1, Math.ceil((oldest + MINUTE_MS - now) / 1000)),
      why: { rule: 'reference 9', expected: `at most ${world.limit(MOST_RESENT)} a minute`, seen: resent.length + 1 },
    });
  send(world, world.rows(SCA_CHALLENGES).put({ ...challenge, resent: [...resent, now], updatedAt: world.clock.iso() }));
}

/** Returns the challenge of a ceremony in the form of browsers: the text of its digits, in base64url. */
export const browserChallenge = (nonce: string): string => Buffer.from(nonce, 'utf8').toString('base64url');

/** Returns the options with which a browser requests a passkey. */
export function assertionOptions(world: World, { nonce = '', customerId }: Challenge) {
  const passkey: FactorRow | undefined = activeFactor(world, customerId, 'PASSKEY');
  const id = passkey?.passkey?.credentialId;
  return {
    challenge: browserChallenge(nonce),
    rpId: rulesOf(world).relyingPartyId,
    allowCredentials: id === undefined ? [] : [{ type: 'public-key', id }],
    userVerification: 'preferred',
    timeout: world.lasting(CHALLENGE_SECONDS),
  };
}

/** Returns a challenge as replies show it; origins are left out for payments (reference 9). */
export function showChallenge(world: World, challenge: Challenge) {
  const { id, kind, expiresAt, factors, purpose } = challenge;
  return {
    id,
    expiresAt,
    factor: factors[0] as Factor,
    availableFactors: [...factors],
    purpose,
    ...(factors.includes('PASSKEY') ? { passkeyAssertionOptions: assertionOptions(world, challenge) } : {}),
    ...(factors.includes('PASSKEY') && KINDS[kind].namesOrigins
      ? { passkeyAllowedOrigins: [...rulesOf(world).origins] }
      : {}),
  };
}

/**
 * Returns the factors that a customer can use now, the code by SMS first; that needs a verified phone if verification
 * is required.
 */
export const factorsOf = (world: World, customer: Customer): Factor[] => [
  ...(customer.phoneNumber !== undefined && customer.contactVerification?.phone !== 'PENDING'
    ? (['SMS_OTP'] as const)
    : []),
  ...(['TOTP', 'PASSKEY'] as const).filter((type) => activeFactor(world, customer.id, type)),
];
