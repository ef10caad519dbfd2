import * as z from 'zod';
import { fail } from '../../contract/errors.ts';
import { lazy } from '../../contract/lazy.ts';
import { decision } from '../../declare/decision.ts';
import { activeCustomer, CUSTOMERS, decide, dropDecision, showCustomer } from '../customers/index.ts';
import { decideReview, dropReviews } from './verifications/rules.ts';

/** The states of a customer who is not decided yet: the public contract has two more than the specification. */
const UNDECIDED: ReadonlySet<string> = new Set(['PENDING', 'UNVERIFIED', 'HOLD']);

const Verdict = lazy(() => z.strictObject({ decision: z.enum(['APPROVED', 'REJECTED', 'HOLD']) }));

export const decisions = [
  decision({
    table: CUSTOMERS,
    name: 'decision',
    about: 'Decide on a customer under review, and on its open verifications; HOLD exists in profile grid only',
    body: Verdict,
    decide: (world, id, { decision: what }) => {
      const customer = activeCustomer(world, id);
      dropDecision(world, id);
      if (what === 'HOLD' && !world.profile.rules.unverifiedFirst)
        fail('INVALID_INPUT', 'decision: the specification has no HOLD; start with --profile grid');
      if (what === 'HOLD') {
        dropReviews(world, id);
        return showCustomer(decide(world, customer, 'hold'));
      }
      decideReview(world, customer, what === 'APPROVED' ? 'approve' : 'reject');
      return showCustomer(activeCustomer(world, id));
    },
    choices: (world, { isDeleted, kycStatus }) => {
      if (isDeleted || !UNDECIDED.has(kycStatus)) return [];
      const holds = world.profile.rules.unverifiedFirst && kycStatus !== 'HOLD';
      return [
        { label: 'Approve', body: { decision: 'APPROVED' } },
        { label: 'Reject', body: { decision: 'REJECTED' }, danger: true },
        ...(holds ? [{ label: 'Put on hold', body: { decision: 'HOLD' } }] : []),
      ];
    },
  }),
];
