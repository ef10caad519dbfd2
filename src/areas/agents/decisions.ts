import * as z from 'zod';
import { fail } from '../../contract/errors.ts';
import { lazy } from '../../contract/lazy.ts';
import { Text } from '../../contract/shapes.ts';
import { decision } from '../../declare/decision.ts';
import { approve, reject } from './actions.ts';
import { showAction } from './show.ts';
import { ACTIONS } from './tables.ts';

const Decided = lazy(() => z.strictObject({ decision: z.enum(['approve', 'reject']), reason: Text().optional() }));

export const decisions = [
  decision({
    table: ACTIONS,
    name: 'decision',
    about: 'Decide on the request of an agent, as the platform would: it is carried out or fails, or is rejected',
    body: Decided,
    decide: (world, id, { decision: said, reason }) => {
      const action = world.rows(ACTIONS).get(id) ?? fail('REFERENCE_NOT_FOUND', `no agent action ${id}`);
      return showAction(world, said === 'approve' ? approve(world, action) : reject(world, action, reason));
    },
    choices: (_world, { status }) =>
      status === 'PENDING_APPROVAL'
        ? [
            { label: 'Approve', body: { decision: 'approve' } },
            { label: 'Reject', body: { decision: 'reject' }, danger: true },
          ]
        : [],
  }),
];
