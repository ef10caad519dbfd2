import type { JobHandler } from '../../kernel/scheduler.ts';
import { timeOut } from './approval.ts';
import { keepTwins } from './pairs.ts';
import { STEP_KINDS } from './plans.ts';
import { TRANSACTIONS } from './row.ts';
import { fillHash, step } from './rules.ts';

/** The next step of a plan; void when the payment follows another plan by then. */
const next: JobHandler = (world, job) => () => {
  const { transactionId, plan, at } = job.payload as { transactionId: string; plan: string; at: number };
  const t = world.rows(TRANSACTIONS).get(transactionId);
  if (t && t.plan === plan && t.at === at) step(world, t);
};

const onchain: JobHandler = (world, job) => () => fillHash(world, job.payload['transactionId'] as string);

const twin: JobHandler = (world, job) => () => keepTwins(world, job.payload['transactionId'] as string);

const approval: JobHandler = (world, job) => () => timeOut(world, job.payload['transactionId'] as string);

export const jobs: Readonly<Record<string, JobHandler>> = {
  ...Object.fromEntries(STEP_KINDS.map((kind) => [kind, next])),
  'transaction.onchain': onchain,
  'transaction.approval': approval,
  'transaction.twin': twin,
};
