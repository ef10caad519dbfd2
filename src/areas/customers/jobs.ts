import * as z from 'zod';
import { lazy } from '../../contract/lazy.ts';
import { type JobKind, job } from '../../declare/job.ts';
import { CUSTOMERS, customerName, decide } from './rules.ts';

const DecidePayload = lazy(() => z.strictObject({ customerId: z.string(), decision: z.enum(['approve', 'reject']) }));

/**
 * The automatic decision that a policy delayed; does nothing if the customer was deleted, decided or submitted by then.
 */
const decideLater = job({
  payload: DecidePayload,
  refers: { customerId: 'customers' },
  policy: true,
  words: { verb: ({ decision }) => decision, about: ({ customerId }) => customerId, name: customerName },
  write: (world, { customerId, decision }) => {
    const customer = world.rows(CUSTOMERS).get(customerId);
    if (!customer || customer.isDeleted || customer.submitted) return;
    if (customer.kycStatus === 'PENDING' || customer.kycStatus === 'UNVERIFIED') decide(world, customer, decision);
  },
});

export const jobs: Readonly<Record<string, JobKind>> = { 'customer.decide': decideLater };
