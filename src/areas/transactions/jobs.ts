import * as z from 'zod';
import { lazy } from '../../contract/lazy.ts';
import { moneyText } from '../../contract/money.ts';
import { type JobKind, job } from '../../declare/job.ts';
import type { Infer } from '../../declare/operation.ts';
import type { World } from '../../engine/world.ts';
import { personName } from '../customers/index.ts';
import { timeOut } from './approval.ts';
import { syncOnUsPair } from './on-us-pairs.ts';
import { type PlanName, STEP_KINDS, type Step, stepOf } from './plans.ts';
import { paymentIn } from './row.ts';
import { PlanNameShape, type Transaction } from './row-shape.ts';
import { fillHash, step } from './rules.ts';
import { planNow } from './uma-home.ts';

const payment = () => ({ transactionId: z.string() });
const PaymentPayload = lazy(() => z.strictObject(payment()));
const StepPayload = lazy(() => z.strictObject({ ...payment(), plan: PlanNameShape(), at: z.int().min(0) }));

/** Returns whether a payment still follows this plan, and is at this step. */
const isNext = (t: Transaction, plan: PlanName, at: number): boolean => t.plan === plan && t.at === at;

/** The verb for each step of a payment's plan. */
const STEPS: Readonly<Partial<Record<Step['on'], string>>> = {
  process: 'start to process',
  return: 'have the bank return',
  refund: 'begin to refund',
  refunded: 'refund',
  'refund failed': 'fail to refund',
};

function stepWords({ transactionId, plan, at }: Infer<typeof StepPayload>, world: World): string {
  const t = paymentIn(world, transactionId);
  const step = stepOf((t && isNext(t, plan, at) && planNow(world, t)) || plan, at);
  if (!step) return 'move on';
  const reason = step.reason ?? step.refundReason;
  return `${STEPS[step.on] ?? step.on}${reason ? ` (${reason.replaceAll('_', ' ').toLowerCase()})` : ''}`;
}

/**
 * Returns the name of a payment within a sentence: `the payment of 125.00 USD by Ada Keller`; `for` instead of `by` if
 * it is incoming.
 */
function paymentName(world: World, id: string): string | undefined {
  const payment = paymentIn(world, id);
  const amount = payment?.sent ?? payment?.received;
  if (!payment || !amount) return undefined;
  const of = personName(world, payment.customerId);
  const whose = of === undefined ? '' : ` ${payment.type === 'OUTGOING' ? 'by' : 'for'} ${of}`;
  return `the payment of ${moneyText(amount.amount, amount.currency)}${whose}`;
}

const about = ({ transactionId }: { transactionId: string }): string => transactionId;

/** The next step of a plan; does nothing if the payment follows another plan by then. */
const next = job({
  payload: StepPayload,
  policy: true,
  words: { verb: stepWords, about, name: paymentName },
  write: (world, { transactionId, plan, at }) => {
    const t = paymentIn(world, transactionId);
    if (t && isNext(t, plan, at)) step(world, { ...t, plan: planNow(world, t) });
  },
});

/** Returns a kind of work on one payment, which must exist. */
const onPayment = (work: typeof fillHash, verb: string, policy = false): JobKind =>
  job({
    payload: PaymentPayload,
    refers: { transactionId: 'transactions' },
    policy,
    words: { verb, about, name: paymentName },
    write: (world, { transactionId }) => work(world, transactionId),
  });

export const jobs: Readonly<Record<string, JobKind>> = {
  ...Object.fromEntries(STEP_KINDS.map((kind) => [kind, next])),
  'transaction.onchain': onPayment(fillHash, 'note the on-chain hash of', true),
  'transaction.approval': onPayment(timeOut, 'give up waiting for the approval of'),
  'transaction.twin': onPayment(syncOnUsPair, 'bring the other side in step with'),
};
