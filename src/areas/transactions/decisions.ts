import * as z from 'zod';
import { lazy } from '../../contract/lazy.ts';
import { decision } from '../../declare/decision.ts';
import { decideOutcome, OUTCOMES, type Outcome } from './outcome.ts';
import { PAYMENTS } from './row.ts';
import { ANY_FAILURE } from './schema.ts';
import { showPayment } from './show.ts';

const choice = (label: string, outcome: Outcome) => ({ label, body: { outcome }, danger: outcome !== 'COMPLETED' });

const Outcomes = lazy(() => z.strictObject({ outcome: z.enum(OUTCOMES), reason: z.enum(ANY_FAILURE).optional() }));

export const decisions = [
  decision({
    table: PAYMENTS,
    name: 'outcome',
    about:
      'Decide how a payment ends, now, whatever was planned: COMPLETED, FAILED (refunded), or RETURNED after completion',
    body: Outcomes,
    decide: (world, id, { outcome, reason }) => showPayment(decideOutcome(world, id, outcome, reason)),
    choices: (_world, { type, status, debited, towards }) => {
      const moves = type === 'INCOMING' || debited === true;
      if (moves && (status === 'PENDING' || status === 'PROCESSING'))
        return [choice('Complete', 'COMPLETED'), choice('Fail', 'FAILED')];
      // No bank returns a payment to a customer of the same platform.
      const returnable = status === 'COMPLETED' && type === 'OUTGOING' && towards === undefined;
      return returnable ? [choice('Return it', 'RETURNED')] : [];
    },
  }),
];
