import { failFields } from '../../contract/errors.ts';
import type { World } from '../../engine/world.ts';
import { CUSTOMERS, type Customer } from '../customers/index.ts';
import {
  checkEnrolled,
  type Factor,
  factorsOf,
  issue,
  isTrusted,
  openChallenge,
  passedChallenges,
  requiresSca,
  rulesOf,
  showChallenge,
} from '../sca/index.ts';
import { apply, paymentOf, type Side, type Transaction } from '../transactions/index.ts';
import type { Quote } from './row.ts';

/**
 * Returns the payer who must authorize a payment by a challenge: a customer of a region that requires it. Undefined if
 * there is none, or the account that is paid is trusted (reference 9, 10).
 */
export function challengedPayer(world: World, customerId: string | undefined, to: Side): Customer | undefined {
  const payer = customerId === undefined ? undefined : world.rows(CUSTOMERS).get(customerId);
  if (!payer || !requiresSca(world, payer)) return undefined;
  return to.kind === 'ACCOUNT' && isTrusted(world, to.accountId) ? undefined : payer;
}

/** Returns the purposes of a payment's challenges, in order. */
function purposesOf(world: World, { sent, received, towards, destination }: Transaction): readonly string[] {
  const last = towards !== undefined && destination.kind === 'ACCOUNT' ? 'TRANSFER' : 'PAYOUT';
  const twice = rulesOf(world).challenges > 1 && sent.currency !== received.currency;
  return twice ? ['CURRENCY_CONVERSION', last] : [last];
}

/** Returns how many challenges of a payment are still unanswered. */
export const challengesLeft = (world: World, quote: Quote): number =>
  purposesOf(world, paymentOf(world, quote.transactionId)).length - passedChallenges(world, quote.id);

/** Refuses a factor whose proof does not depend on the payment: 400 INVALID_INPUT (reference 9). */
export function checkFactor(wanted: Factor | undefined): void {
  if (wanted === 'TOTP')
    failFields([{ field: 'scaFactor', message: 'TOTP cannot authorize a payment' }], 'INVALID_INPUT', 'reference 9');
}

/** Returns the factor for a payment's challenges: the requested one, else the code by SMS, else a passkey. */
function factorFor(world: World, payer: Customer, wanted: Factor | undefined): Factor {
  checkFactor(wanted);
  const has = factorsOf(world, payer).filter((factor) => factor !== 'TOTP');
  const factor = wanted ?? has[0] ?? 'SMS_OTP';
  checkEnrolled(world, payer, factor, 'scaFactor');
  return factor;
}

/**
 * Starts the next challenge for the payer of a quote; its payment waits for it. Money from outside must be authorized
 * while the quote is valid. 400 INVALID_INPUT for a factor that cannot give the proof (reference 9).
 */
export function challengeQuote(world: World, quote: Quote, payer: Customer, wanted: Factor | undefined): void {
  const t = paymentOf(world, quote.transactionId);
  const purposes = purposesOf(world, t);
  issue(
    world,
    {
      kind: 'PAYMENT',
      customerId: payer.id,
      subject: quote.id,
      factors: [factorFor(world, payer, wanted)],
      purpose: purposes[purposes.length - challengesLeft(world, quote)],
    },
    quote.pushed ? Date.parse(quote.expiresAt) : undefined,
  );
  apply(world, t, { on: 'challenge' });
}

/** Returns the challenge that a quote waits for, as the quote shows it. */
export function showChallengeOf(world: World, quote: Quote) {
  const open = openChallenge(world, quote.id);
  return open && showChallenge(world, open);
}
