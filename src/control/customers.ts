import * as z from 'zod';
import { activeCustomer, decide, showCustomer } from '../areas/customers/index.ts';
import { decideReview } from '../areas/onboarding/index.ts';
import { fail } from '../kernel/errors.ts';
import { lazy } from '../kernel/lazy.ts';
import { control } from './control.ts';

const Decision = lazy(() => z.strictObject({ decision: z.enum(['APPROVED', 'REJECTED', 'HOLD']) }));

export const customerControls = [
  control(
    'POST',
    '/customers/:id/decision',
    'Decide on a customer under review, and on its open verifications; HOLD exists in profile grid only',
    ({ sandbox: { world }, params, body: { decision } }) =>
      world.transact(() => {
        const customer = activeCustomer(world, params['id'] as string);
        if (decision === 'HOLD' && !world.profile.rules.unverifiedFirst)
          fail('INVALID_INPUT', 'decision: the specification has no HOLD; start with --profile grid');
        if (decision === 'HOLD') return showCustomer(decide(world, customer, 'hold'));
        decideReview(world, customer, decision === 'APPROVED' ? 'approve' : 'reject');
        return showCustomer(activeCustomer(world, customer.id));
      }),
    { body: Decision },
  ),
];
