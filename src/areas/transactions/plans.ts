import type { Trigger } from './machine.ts';
import type { IncomingFailure, OutgoingFailure, RefundReason } from './schema.ts';

/** Kinds of delayed work of this area; a policy may name each. */
export const STEP_KINDS = [
  'transaction.process',
  'transaction.settle',
  'transaction.refund',
  'transaction.return',
  'transaction.onchain',
] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** One thing that will happen to a payment by itself. */
export interface Step {
  readonly on: Trigger;
  /** Virtual milliseconds after the step before, unless the policy of its kind says otherwise. */
  readonly afterMs?: number;
  readonly reason?: OutgoingFailure | IncomingFailure;
  readonly refundReason?: RefundReason;
}

const KIND: Readonly<Partial<Record<Trigger, StepKind>>> = {
  process: 'transaction.process',
  refund: 'transaction.refund',
  refunded: 'transaction.refund',
  'refund failed': 'transaction.refund',
  return: 'transaction.return',
};
export const kindOf = (step: Step): StepKind => KIND[step.on] ?? 'transaction.settle';

const MINUTE = 60_000;
const process: Step = { on: 'process' };
const complete: Step = { on: 'complete' };
const fail = (reason?: Step['reason'], afterMs = 0): Step => ({ on: 'fail', ...(reason ? { reason } : {}), afterMs });
const refund = (refundReason: RefundReason = 'TRANSACTION_FAILED'): Step[] => [
  { on: 'refund', refundReason },
  { on: 'refunded' },
];
const failing = (reason: OutgoingFailure): Step[] => [process, fail(reason), ...refund()];

/**
 * What becomes of a payment, by name: the steps that follow on its acceptance or execution. A row keeps the name and
 * how far it has come, so a plan can be replaced while it runs (spec 3.4, 5.1 rule 8).
 */
export const PLANS = {
  'out success': [process, complete],
  'out insufficient funds': failing('QUOTE_EXECUTION_FAILED'),
  'out account invalid': failing('ACCOUNT_INVALID'),
  'out rejected by the bank': failing('ACCOUNT_CANNOT_RECEIVE'),
  'out execution failed': failing('QUOTE_EXECUTION_FAILED'),
  'out not deliverable': failing('ACCOUNT_CANNOT_RECEIVE'),
  'out refused for compliance': failing('COMPLIANCE_REJECTED'),
  'out wrong amount': failing('FUNDING_AMOUNT_MISMATCH'),
  'out timeout': [fail('QUOTE_EXECUTION_FAILED', MINUTE / 2), ...refund('TIMEOUT')],
  'out processing timeout': [process, fail('QUOTE_EXECUTION_FAILED', MINUTE / 2), ...refund('TIMEOUT')],
  'out slow': [process, { ...complete, afterMs: 6 * MINUTE }],
  'out returned': [process, complete, { on: 'return', reason: 'PAYOUT_RETURNED' }, ...refund()],
  'out user cancellation': [process, ...refund('USER_CANCELLATION'), complete],
  'out refund fails': [
    process,
    fail('QUOTE_EXECUTION_FAILED'),
    { on: 'refund', refundReason: 'TRANSACTION_FAILED' },
    { on: 'refund failed' },
  ],
  'out funding failed': [process, fail('QUOTE_EXECUTION_FAILED')],
  'out cancelled': [fail(), ...refund('USER_CANCELLATION')],
  // What follows is the receiving side's to say.
  'out to a customer': [process],
  'out not accepted': [fail('QUOTE_EXECUTION_FAILED'), ...refund()],
  'out limit exceeded': failing('LIMIT_EXCEEDED'),
  'told COMPLETED': [complete],
  'told FAILED': [fail('QUOTE_EXECUTION_FAILED'), ...refund()],
  'told RETURNED': [{ on: 'return', reason: 'PAYOUT_RETURNED' }, ...refund()],
  'in success': [complete],
  'in collection failed': [fail('COLLECTION_FAILED')],
  'in timeout': [fail('COLLECTION_FAILED', MINUTE / 2)],
  'in cancelled': [fail('COLLECTION_FAILED')],
  'in slow': [{ ...complete, afterMs: 6 * MINUTE }],
  // Failed after it was accepted: the sender's side gets it back, which is told (reference 12.3).
  'in refused for compliance': [fail('COMPLIANCE_REJECTED'), ...refund()],
  'in offramp failed': [fail('OFFRAMP_FAILED'), ...refund()],
  'in offramp and refund fail': [
    fail('OFFRAMP_FAILED'),
    { on: 'refund', refundReason: 'TRANSACTION_FAILED' },
    { on: 'refund failed' },
  ],
} as const satisfies Readonly<Record<string, readonly Step[]>>;

export type PlanName = keyof typeof PLANS;
export const stepOf = (plan: PlanName, at: number): Step | undefined => (PLANS[plan] as readonly Step[])[at];
