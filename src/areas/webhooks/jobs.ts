import * as z from 'zod';
import { TamperingShape } from '../../kernel/faults.ts';
import { type JobKind, job } from '../../kernel/job.ts';
import { lazy } from '../../kernel/lazy.ts';
import { DELIVERIES, deliver } from './rules.ts';

const DeliverPayload = lazy(() => z.strictObject({ webhookId: z.string(), tampering: TamperingShape().optional() }));

export const jobs: Readonly<Record<string, JobKind>> = {
  'webhook.deliver': job({
    payload: DeliverPayload,
    policy: true,
    words: {
      verb: 'send',
      about: ({ webhookId }) => webhookId,
      name: (world, id) => world.rows(DELIVERIES).get(id)?.type,
    },
    run: (world, payload, row) => deliver(world, payload, row),
  }),
};
