import type { Trigger } from './machine.ts';
import type { IncomingFailure, OutgoingFailure, RefundReason } from './schema.ts';

/** The kinds of delayed work of this area; a policy may name each. */
export const STEP_KINDS = [
  'transaction.process',
  'transaction.settle',
  'transaction.refund',
  'transaction.return',
  'transaction.onchain',
] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** One automatic step of a payment. */
export interface Step {
  readonly on: Trigger;
  /** Virtual milliseconds after the previous step, unless the policy of its kind says otherwise. */
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

/** The course of a payment: the steps that follow its acceptance or execution. */
export interface Plan {
  readonly steps: readonly Step[];
  /** The reason for the plan, if no account or address chose it. */
  readonly because?: string;
  /** Set if the account that the money comes from chose it, not the one that it goes to. */
  readonly ofSource?: true;
  /**
   * Set if the money never arrived, so there is none to refund: its placeholder is reversed when the payment fails,
   * without an event.
   */
  readonly uncollectable?: true;
  /** Set if the payment was cancelled, and so cannot be cancelled again. */
  readonly cancelled?: true;
  /** Set if the receiving account's suffix may choose another plan. */
  readonly yields?: true;
}

/** Returns a plan of these steps alone. */
const steps = (...all: readonly (Step | readonly Step[])[]): Plan => ({ steps: all.flat() });
const failing = (reason: OutgoingFailure): Plan => steps(process, fail(reason), refund());
const refundFails: Step[] = [{ on: 'refund', refundReason: 'TRANSACTION_FAILED' }, { on: 'refund failed' }];
const returned: Step = { on: 'return', reason: 'PAYOUT_RETURNED' };
const NO_OTHER = 'no other outcome was requested';
const BY_HAND = 'it was decided by hand';
const CANCELLED = 'somebody cancelled it';
const UNCOUNTABLE = 'a balance would be beyond what can be counted exactly';
const chosen = (because: string, plan: Plan): Plan => ({ ...plan, because });
const neverPaid = steps(fail('QUOTE_EXECUTION_FAILED'));
const failingAtOnce = steps(fail('QUOTE_EXECUTION_FAILED'), refund());

const ALL = {
  'out success': chosen(NO_OTHER, steps(process, complete)),
  'out insufficient funds': failing('QUOTE_EXECUTION_FAILED'),
  'out account invalid': failing('ACCOUNT_INVALID'),
  'out rejected by the bank': failing('ACCOUNT_CANNOT_RECEIVE'),
  'out execution failed': failing('QUOTE_EXECUTION_FAILED'),
  'out not deliverable': failing('ACCOUNT_CANNOT_RECEIVE'),
  'out refused for compliance': failing('COMPLIANCE_REJECTED'),
  'out wrong amount': chosen('another amount arrived than the quote expects', failing('FUNDING_AMOUNT_MISMATCH')),
  'out timeout': steps(fail('QUOTE_EXECUTION_FAILED', MINUTE / 2), refund('TIMEOUT')),
  'out processing timeout': steps(process, fail('QUOTE_EXECUTION_FAILED', MINUTE / 2), refund('TIMEOUT')),
  'out slow': steps(process, { ...complete, afterMs: 6 * MINUTE }),
  'out returned': steps(process, complete, returned, refund()),
  'out user cancellation': steps(process, refund('USER_CANCELLATION'), complete),
  'out refund fails': steps(process, fail('QUOTE_EXECUTION_FAILED'), refundFails),
  'out funding failed': { ...steps(process, fail('QUOTE_EXECUTION_FAILED')), ofSource: true, uncollectable: true },
  'out funding failed, cancelled': { ...chosen(CANCELLED, neverPaid), cancelled: true, uncollectable: true },
  'out funding failed, decided': { ...chosen(BY_HAND, neverPaid), uncollectable: true },
  'out cancelled': { ...chosen(CANCELLED, steps(fail(), refund('USER_CANCELLATION'))), cancelled: true },
  // The receiving side decides what follows.
  'out to a customer': chosen('the receiving side decides', steps(process)),
  'out not accepted': chosen('the receiving side did not accept or credit it', failingAtOnce),
  'out not countable': chosen(UNCOUNTABLE, failingAtOnce),
  'out not countable, completed': chosen(UNCOUNTABLE, steps(returned, refund())),
  'out limit exceeded': chosen('more than limits.dailyVolume allows in one day', failing('LIMIT_EXCEEDED')),
  'told COMPLETED': chosen(BY_HAND, steps(complete)),
  'told FAILED': chosen(BY_HAND, failingAtOnce),
  'told RETURNED': chosen(BY_HAND, steps(returned, refund())),
  'in success': { ...chosen(NO_OTHER, steps(complete)), yields: true },
  'in collection failed': steps(fail('COLLECTION_FAILED')),
  'in timeout': steps(fail('COLLECTION_FAILED', MINUTE / 2)),
  'in cancelled': { ...chosen(CANCELLED, steps(fail('COLLECTION_FAILED'))), cancelled: true },
  'in not countable': chosen(UNCOUNTABLE, steps(fail('COLLECTION_FAILED'))),
  'in not countable, accepted': chosen(UNCOUNTABLE, steps(fail('OFFRAMP_FAILED'), refund())),
  'in slow': steps({ ...complete, afterMs: 6 * MINUTE }),
  // Failed after acceptance: the sender's side gets the money back, with an event (reference 12.3).
  'in refused for compliance': steps(fail('COMPLIANCE_REJECTED'), refund()),
  'in offramp failed': steps(fail('OFFRAMP_FAILED'), refund()),
  'in offramp and refund fail': steps(fail('OFFRAMP_FAILED'), refundFails),
} as const satisfies Readonly<Record<string, Plan>>;

/**
 * The name of a plan. A row stores it with its progress, so that a plan can be replaced while it runs (spec 3.4, 5.1
 * rule 8).
 */
export type PlanName = keyof typeof ALL;
export const PLANS: Readonly<Record<PlanName, Plan>> = ALL;
/** Returns whether the money of a payment never arrived, by its plan. */
export const isUncollectable = ({ plan }: { readonly plan?: PlanName | undefined }): boolean =>
  plan !== undefined && PLANS[plan].uncollectable === true;
export const stepOf = (plan: PlanName, at: number): Step | undefined => PLANS[plan]?.steps[at];
