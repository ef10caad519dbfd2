import * as z from 'zod';
import { lazy } from '../../../contract/lazy.ts';
import { type JobKind, job } from '../../../declare/job.ts';
import { CUSTOMERS, customerName } from '../../customers/index.ts';
import { decideReview, VERIFICATIONS } from './rules.ts';

const DecidePayload = lazy(() =>
  z.strictObject({ verificationId: z.string(), decision: z.enum(['approve', 'reject']) }),
);

/**
 * The decision of a review; does nothing if the verification ended, or the customer was deleted or put on hold by then.
 */
const decideLater = job({
  payload: DecidePayload,
  policy: true,
  words: {
    verb: ({ decision }) => `${decision} after review`,
    about: ({ verificationId: id }, world) => world.rows(VERIFICATIONS).get(id)?.customerId ?? id,
    name: customerName,
  },
  write: (world, { verificationId, decision }) => {
    const verification = world.rows(VERIFICATIONS).get(verificationId);
    if (verification?.verificationStatus !== 'IN_PROGRESS') return;
    const customer = world.rows(CUSTOMERS).get(verification.customerId);
    if (!customer || customer.isDeleted || customer.kycStatus !== 'PENDING') return;
    decideReview(world, customer, decision, verificationId);
  },
});

export const jobs: Readonly<Record<string, JobKind>> = { 'verification.decide': decideLater };
