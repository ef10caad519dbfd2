import type { TryResult } from '../../contract/domain-event.ts';
import { fail } from '../../contract/errors.ts';
import { jsonIn } from '../../contract/json.ts';
import type { World } from '../../engine/world.ts';
import { accountOf } from '../accounts/index.ts';
import { CUSTOMERS } from '../customers/index.ts';
import { customerAllowedToMoveMoney, usableAccount } from './eligibility.ts';
import { inside } from './money.ts';
import { paymentIn } from './row.ts';
import type { Transaction } from './row-shape.ts';
import { apply, follow } from './rules.ts';
import type { IncomingFailure } from './schema.ts';
import { payeeOf, planOnceApproved } from './uma-home.ts';

/** The virtual milliseconds within which a platform must decide on an incoming payment. */
export const APPROVAL_MS = 5000;

/** Returns whether a payment waits for the platform's approval. */
const waits = (t: Transaction | undefined): t is Transaction & { approval: NonNullable<Transaction['approval']> } =>
  t?.approval !== undefined && t.status === 'PENDING';

/** Returns the mandatory names that an answer lacks. */
const lacking = (t: Transaction, info: Readonly<Record<string, unknown>> = {}): string[] =>
  (t.approval?.fields ?? [])
    .filter(
      ({ name, mandatory }) => mandatory && (info[name] === undefined || info[name] === null || info[name] === ''),
    )
    .map(({ name }) => name);

/** Refuses a payment that does not wait for approval: 409 TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL (spec 3.4). */
export function undecided(t: Transaction): void {
  if (!waits(t))
    fail('TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL', `transaction ${t.id} is ${t.status}, not waiting for approval`, {
      why: { rule: 'spec 3.4', expected: 'an incoming payment that is PENDING approval', seen: t.status },
    });
}

const accept = (world: World, t: Transaction): Transaction =>
  follow(world, apply(world, t, { on: 'approve' }), planOnceApproved(world, t));

/**
 * Approves a payment for the platform (spec 4.7). 400 MISSING_MANDATORY_USER_INFO if mandatory data for the sender's
 * side is missing; the payment then still waits. 404 USER_NOT_FOUND and 403 USER_NOT_READY for a customer who may not
 * be paid, 400 INVALID_INPUT for an account that is not `ACTIVE` any more.
 */
export function approve(world: World, t: Transaction, info?: Readonly<Record<string, unknown>>): Transaction {
  if (world.rows(CUSTOMERS).get(t.customerId)) customerAllowedToMoveMoney(world, t.customerId);
  const payee = payeeOf(world, t);
  if (inside(payee)) usableAccount(world, payee, 'destination');
  const missing = lacking(t, info);
  if (missing.length > 0)
    fail('MISSING_MANDATORY_USER_INFO', `receiverCustomerInfo lacks ${missing.join(', ')}`, {
      details: { errors: missing.map((name) => ({ field: `receiverCustomerInfo.${name}`, message: 'required' })) },
    });
  return accept(world, t);
}

/** Rejects a payment for the platform. */
export const reject = (world: World, t: Transaction): Transaction => apply(world, t, { on: 'reject' });

const refuse = (world: World, t: Transaction, reason: IncomingFailure): Transaction =>
  apply(world, t, { on: 'fail', reason });

/** Fails a payment that is still awaiting approval: `PAYMENT_APPROVAL_TIMED_OUT`. */
export function timeOut(world: World, id: string): void {
  const t = paymentIn(world, id);
  if (waits(t)) refuse(world, t, 'PAYMENT_APPROVAL_TIMED_OUT');
}

/** Returns whether the receiver can still be paid: a deletion may have followed the payment. */
function payable(world: World, t: Transaction): boolean {
  const customer = world.rows(CUSTOMERS).get(t.customerId);
  const payee = payeeOf(world, t);
  if (inside(payee) && accountOf(world, payee).status !== 'ACTIVE') return false;
  return customer === undefined || (!customer.isDeleted && customer.kycStatus === 'APPROVED');
}

function infoOf(body: string | undefined): Record<string, unknown> {
  const sent = jsonIn(body ?? '') as { receiverCustomerInfo?: unknown } | null | undefined;
  const info = sent?.receiverCustomerInfo;
  return typeof info === 'object' && info !== null ? { ...info } : {};
}

/** The meaning of a response: in words, and its consequence for the payment, if any. */
interface Decision {
  readonly says: string;
  readonly take?: (world: World, t: Transaction) => Transaction;
}

const failing = (says: string, reason: IncomingFailure): Decision => ({
  says: `${says}: the payment fails with ${reason}`,
  take: (world, t) => refuse(world, t, reason),
});

function yes(world: World, t: Transaction, body: string | undefined): Decision {
  if (!payable(world, t))
    return failing('200 approves, but the customer cannot be paid any more', 'PAY_REQUEST_FAILED');
  const missing = lacking(t, infoOf(body));
  if (missing.length > 0) return failing(`200 without ${missing.join(', ')}`, 'MISSING_MANDATORY_PAYEE_DATA');
  return { says: '200 approves the payment', take: accept };
}

/**
 * Responses with a meaning of their own (reference 14); any other, success or not, decides nothing, so the payment
 * fails.
 */
const ANSWERS: Readonly<Record<number, (world: World, t: Transaction, body: string | undefined) => Decision>> = {
  200: yes,
  202: () => ({ says: '202 leaves the decision to a call within 5 seconds' }),
  403: () => ({ says: '403 rejects the payment', take: (world, t) => apply(world, t, { on: 'reject' }) }),
  409: () => ({ says: '409 leaves an earlier decision as it is' }),
  422: () => failing('422 asks for more than there is', 'MISSING_MANDATORY_PAYEE_DATA'),
};

function decisionOf(world: World, t: Transaction, { outcome, status, error, body }: TryResult): Decision {
  const known = status === undefined ? undefined : ANSWERS[status];
  if (known) return known(world, t, body);
  if (outcome === 'timed-out') return failing(String(error), 'PAYMENT_APPROVAL_TIMED_OUT');
  const expected = `none of ${Object.keys(ANSWERS).join(', ')}`;
  return failing(status === undefined ? String(error) : `${status} is ${expected}`, 'PAYMENT_APPROVAL_WEBHOOK_ERROR');
}

/**
 * Applies the response to the webhook as a decision, and returns it in words. 200 approves, 202 defers, 403 rejects,
 * 422 refuses without more information; 409 keeps an earlier decision, and any other response fails the payment
 * (reference 14). Does nothing to a payment that is already decided.
 */
export function answered(world: World, id: string, result: TryResult): string | undefined {
  const t = paymentIn(world, id);
  if (!waits(t)) return undefined;
  const { says, take } = decisionOf(world, t, result);
  take?.(world, t);
  return says;
}
