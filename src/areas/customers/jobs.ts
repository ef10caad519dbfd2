import type { JobHandler } from '../../kernel/scheduler.ts';
import { CUSTOMERS, decide } from './rules.ts';

/** The automatic decision that a policy put off; void when the customer is gone, decided or submitted by then. */
const decideLater: JobHandler = (world, job) => () => {
  const { customerId, decision } = job.payload as { customerId: string; decision: 'approve' | 'reject' };
  const customer = world.rows(CUSTOMERS).get(customerId);
  if (!customer || customer.isDeleted || customer.submitted) return;
  if (customer.kycStatus === 'PENDING' || customer.kycStatus === 'UNVERIFIED') decide(world, customer, decision);
};

export const jobs: Readonly<Record<string, JobHandler>> = { 'customer.decide': decideLater };
