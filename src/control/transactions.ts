import * as z from 'zod';
import {
  ANY_FAILURE,
  decideOutcome,
  inspectTransaction,
  OUTCOMES,
  showTransaction,
} from '../areas/transactions/index.ts';
import { lazy } from '../kernel/lazy.ts';
import { control } from './control.ts';

const Decision = lazy(() => z.strictObject({ outcome: z.enum(OUTCOMES), reason: z.enum(ANY_FAILURE).optional() }));

export const transactionControls = [
  control(
    'GET',
    '/transactions/:id',
    'A payment with the outcome planned for it, the steps done and to come, and every posting it caused',
    ({ sandbox, params }) => inspectTransaction(sandbox.world, params['id'] as string),
  ),
  control(
    'POST',
    '/transactions/:id/outcome',
    'Decide how a payment ends, now, whatever was planned: COMPLETED, FAILED (refunded), or RETURNED after completion',
    ({ sandbox: { world }, params, body: { outcome, reason } }) =>
      world.transact(() => showTransaction(decideOutcome(world, params['id'] as string, outcome, reason))),
    { body: Decision },
  ),
];
