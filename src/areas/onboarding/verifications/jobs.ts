import type { JobHandler } from '../../../kernel/scheduler.ts';
import { CUSTOMERS } from '../../customers/index.ts';
import { decideReview, VERIFICATIONS } from './rules.ts';

/** The decision of a review; void when the verification ended, or the customer is gone or on hold by then. */
const decideLater: JobHandler = (world, job) => () => {
  const { verificationId, decision } = job.payload as { verificationId: string; decision: 'approve' | 'reject' };
  const verification = world.rows(VERIFICATIONS).get(verificationId);
  if (verification?.verificationStatus !== 'IN_PROGRESS') return;
  const customer = world.rows(CUSTOMERS).get(verification.customerId);
  if (!customer || customer.isDeleted || customer.kycStatus !== 'PENDING') return;
  decideReview(world, customer, decision);
};

export const jobs: Readonly<Record<string, JobHandler>> = { 'verification.decide': decideLater };
