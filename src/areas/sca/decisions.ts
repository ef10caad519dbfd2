import * as z from 'zod';
import { fail } from '../../contract/errors.ts';
import { lazy } from '../../contract/lazy.ts';
import { decision } from '../../declare/decision.ts';
import { decideLiveness, showReset } from './resets.ts';
import { SCA_RESETS } from './row.ts';

const TRIGGERS = { LIVENESS_PASSED: 'pass', PENDING_REVIEW: 'review', REJECTED: 'reject' } as const;
const Outcome = lazy(() => z.strictObject({ outcome: z.enum(['LIVENESS_PASSED', 'PENDING_REVIEW', 'REJECTED']) }));

export const decisions = [
  decision({
    table: SCA_RESETS,
    name: 'liveness',
    about: 'Decide on the liveness check of a factor reset: passed, for a person to review, or rejected',
    body: Outcome,
    decide: (world, id, { outcome }) => {
      const reset =
        world.rows(SCA_RESETS).get(id) ??
        fail('REFERENCE_NOT_FOUND', `no reset ${id}`, { why: { rule: 'spec 7, status 404', seen: id } });
      return showReset(world, decideLiveness(world, reset, TRIGGERS[outcome]));
    },
    choices: (_world, { status }) => {
      const pass = { label: 'Pass', body: { outcome: 'LIVENESS_PASSED' } };
      const review = { label: 'Have it reviewed', body: { outcome: 'PENDING_REVIEW' } };
      const reject = { label: 'Reject', body: { outcome: 'REJECTED' }, danger: true };
      if (status === 'INITIATED') return [pass, review, reject];
      return status === 'PENDING_REVIEW' ? [pass, reject] : [];
    },
  }),
];
