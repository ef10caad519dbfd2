import { failFields } from '../../contract/errors.ts';
import type { Infer } from '../../declare/operation.ts';
import type { World } from '../../engine/world.ts';
import type { Customer } from '../customers/index.ts';
import {
  answerable,
  assertionOptions,
  challengeAbout,
  factorsOf,
  issue,
  openChallenge,
  pass,
  refuseProof,
} from './challenges.ts';
import { checkUnlocked, openSession } from './logins.ts';
import { rulesOf } from './policy.ts';
import { checkForm, type Verdict } from './proof.ts';
import type { Challenge } from './row.ts';
import type { Factor, LoginCompleteRequest } from './schema.ts';

type Sent = Infer<typeof LoginCompleteRequest>;

/** Refuses a factor that the customer does not have: 400 INVALID_INPUT (reference 8). */
export function checkEnrolled(world: World, customer: Customer, factor: Factor, field = 'factor'): void {
  const has = factorsOf(world, customer);
  if (!has.includes(factor))
    failFields([{ field, message: 'is not enrolled', constraint: { enum: has } }], 'INVALID_INPUT', 'reference 8');
}

/** Begins a login. A code by SMS or a passkey answers a challenge; an authenticator app needs none (reference 8.1). */
export function startLogin(world: World, customer: Customer, factor: Factor) {
  if (factor === 'TOTP') return { factor };
  const { id } = customer;
  const challenge = issue(world, { kind: 'LOGIN', customerId: id, subject: id, factors: [factor] });
  if (factor === 'SMS_OTP') return { factor, challengeId: challenge.id, expiresAt: challenge.expiresAt };
  const { origins, relyingPartyId } = rulesOf(world);
  return {
    factor,
    passkeyOptions: assertionOptions(world, challenge),
    allowedOrigins: [...origins],
    relyingPartyId,
  };
}

/**
 * Returns the challenge that a login answers; none for an authenticator app. 400 INVALID_INPUT, 423 ACCOUNT_LOCKED
 * (reference 8).
 */
export function loginChallenge(world: World, customer: Customer, sent: Sent): Challenge | undefined {
  checkUnlocked(world, customer.id);
  checkForm(world, [sent.factor], sent);
  checkEnrolled(world, customer, sent.factor);
  if (sent.factor === 'TOTP') return undefined;
  if (sent.factor === 'SMS_OTP' && sent.challengeId == null)
    failFields([{ field: 'challengeId', message: 'required for SMS_OTP' }], 'INVALID_INPUT', 'reference 8.1');
  const named =
    sent.challengeId == null
      ? openChallenge(world, customer.id, sent.factor)
      : challengeAbout(world, customer.id, sent.challengeId);
  return answerable(world, named?.factors[0] === sent.factor ? named : undefined);
}

/** Completes a login: opens a session, and returns when it ends. 400 INVALID_INPUT for a wrong proof (reference 8). */
export function completeLogin(
  world: World,
  customer: Customer,
  challenge: Challenge | undefined,
  verdict: Verdict,
): string {
  if (!verdict.ok)
    return refuseProof(world, { kind: 'LOGIN', customerId: customer.id, challenge, reason: verdict.reason });
  verdict.value?.(world);
  if (challenge) pass(world, challenge);
  return openSession(world, customer.id);
}
