import { fail } from '../../contract/errors.ts';
import type { World } from '../../engine/world.ts';
import { activeCustomer, CUSTOMERS, type Customer } from '../customers/index.ts';
import {
  answerable,
  type Challenge,
  checkAttempts,
  checkConcerned,
  checkForm,
  checkHas,
  checkUnlocked,
  endChallenge,
  hasSession,
  openChallenge,
  pass,
  refuseProof,
  requiresSca,
  resend,
  rulesOf,
  type Verdict,
} from '../sca/index.ts';
import { apply, PAYMENTS, paymentOf } from '../transactions/index.ts';
import { challengeQuote, challengesLeft } from './challenge.ts';
import type { Quote } from './row.ts';
import { instructionsOf, movers, payQuote, QUOTES } from './rules.ts';

/**
 * Refuses a quote whose payer is not subject to strong customer authentication: 409 CONFLICT (reference 9). One who has
 * moved out of its region still authorizes a payment that waits.
 */
function checkPayer(world: World, { id, transactionId }: Quote): string {
  const { customerId } = paymentOf(world, transactionId);
  const payer = world.rows(CUSTOMERS).get(customerId);
  if (!payer)
    return fail('CONFLICT', `quote ${id} is paid by the platform itself`, {
      why: { rule: 'reference 8', seen: customerId },
    });
  return openChallenge(world, id) ? payer.id : checkConcerned(world, payer).id;
}

/**
 * Returns the challenge that an authorization answers. Refuses in this order (reference 9):
 * - 409 CONFLICT for a payer who is not subject to strong customer authentication, 404 for a deleted one;
 * - 409 if nothing is pending; 404 and 403 as execution does; 423 ACCOUNT_LOCKED; 429 RATE_LIMITED; 409
 *   SCA_SESSION_REQUIRED;
 * - 400 for a proof of the wrong form, or by a factor that the customer has lost.
 */
export function pendingChallenge(world: World, quote: Quote, sent: Parameters<typeof checkForm>[2]): Challenge {
  const payer = activeCustomer(world, checkPayer(world, quote));
  const { id: customerId } = payer;
  const { status } = paymentOf(world, quote.transactionId);
  const open = openChallenge(world, quote.id);
  if (status !== 'PENDING_AUTHORIZATION' || !open)
    fail('CONFLICT', `quote ${quote.id} is not waiting for a challenge: its payment is ${status}`, {
      why: { rule: 'reference 9', expected: 'PENDING_AUTHORIZATION', seen: status },
    });
  movers(world, quote);
  checkUnlocked(world, customerId);
  const challenge = open as Challenge;
  checkAttempts(world, challenge);
  if (requiresSca(world, payer) && rulesOf(world).requireSession && !hasSession(world, customerId))
    fail('SCA_SESSION_REQUIRED', `${customerId} is not logged in`, { why: { rule: 'reference 8.3' } });
  checkForm(world, challenge.factors, sent);
  checkHas(world, answerable(world, challenge), sent);
  return challenge;
}

/**
 * Accepts a payer's proof: the next challenge follows, or the money leaves, or the quote shows how to pay in from
 * outside. 400 INVALID_INPUT for a wrong proof, 429 RATE_LIMITED for the last wrong one (reference 9). If the money is
 * missing, it refuses as `payQuote` does, and the challenge can be answered again.
 */
export function authorizeQuote(world: World, quote: Quote, challenge: Challenge, verdict: Verdict): Quote {
  const { customerId, factors } = challenge;
  if (!verdict.ok) return refuseProof(world, { kind: 'PAYMENT', customerId, challenge, reason: verdict.reason });
  verdict.value?.(world);
  pass(world, challenge);
  const payer = world.rows(CUSTOMERS).get(customerId);
  if (payer && challengesLeft(world, quote) > 0) challengeQuote(world, quote, payer, factors[0]);
  else if (quote.pushed) awaitFunds(world, quote);
  else payQuote(world, quote);
  return quote;
}

/** Shows on the quote how to pay it, and waits for its funds. */
function awaitFunds(world: World, quote: Quote): void {
  const t = paymentOf(world, quote.transactionId);
  const paymentInstructions = instructionsOf(world, quote.id, quote.source, quote.pushed);
  apply(world, world.rows(PAYMENTS).put({ ...t, paymentInstructions }), { on: 'await funds' });
}

/**
 * Sends the code of a pending challenge again; the code and its expiry stay the same. 409 CONFLICT; 404 USER_NOT_FOUND
 * for a deleted payer; 429 RATE_LIMITED (reference 9).
 */
export function resendQuoteCode(world: World, quote: Quote): void {
  activeCustomer(world, checkPayer(world, quote));
  resend(world, openChallenge(world, quote.id));
}

/** Fails a payment that nobody authorized in time; no money has moved (reference 9). */
export function failUnauthorized(world: World, { kind, subject }: Challenge): void {
  const quote = kind === 'PAYMENT' ? world.rows(QUOTES).get(subject) : undefined;
  const t = quote && paymentOf(world, quote.transactionId);
  if (t?.status !== 'PENDING_AUTHORIZATION') return;
  world.scheduler.cancel(quote?.expiry ?? '');
  apply(world, t, { on: 'fail', reason: 'SCA_NOT_COMPLETED' });
}

/** Fails payments to a deleted customer that still wait for their payer's authorization. */
export function failTowards(world: World, { id }: Customer): void {
  for (const t of world.rows(PAYMENTS).all('status', 'PENDING_AUTHORIZATION')) {
    const quote = world.rows(QUOTES).get(t.quoteId ?? '');
    const open = quote?.customers.includes(id) ? openChallenge(world, quote.id) : undefined;
    if (open) endChallenge(world, open);
  }
}
