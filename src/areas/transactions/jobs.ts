import * as z from 'zod';
import { type JobKind, job } from '../../kernel/job.ts';
import { lazy } from '../../kernel/lazy.ts';
import { timeOut } from './approval.ts';
import { keepTwins } from './pairs.ts';
import { STEP_KINDS } from './plans.ts';
import { TRANSACTIONS } from './row.ts';
import { PlanNameShape } from './row-shape.ts';
import { fillHash, step } from './rules.ts';

const payment = () => ({ transactionId: z.string() });
const PaymentPayload = lazy(() => z.strictObject(payment()));
const StepPayload = lazy(() => z.strictObject({ ...payment(), plan: PlanNameShape(), at: z.int().min(0) }));

/** The next step of a plan; void when the payment follows another plan by then. */
const next = job(StepPayload, (world, { transactionId, plan, at }) => () => {
  const t = world.rows(TRANSACTIONS).get(transactionId);
  if (t && t.plan === plan && t.at === at) step(world, t);
});

/** Work on one payment, which has to be there. */
const onPayment = (work: typeof fillHash): JobKind =>
  job(
    PaymentPayload,
    (world, { transactionId }) =>
      () =>
        work(world, transactionId),
    { transactionId: 'transactions' },
  );

export const jobs: Readonly<Record<string, JobKind>> = {
  ...Object.fromEntries(STEP_KINDS.map((kind) => [kind, next])),
  'transaction.onchain': onPayment(fillHash),
  'transaction.approval': onPayment(timeOut),
  'transaction.twin': onPayment(keepTwins),
};
