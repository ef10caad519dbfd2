import * as z from 'zod';
import { TamperingShape } from '../../contract/faults.ts';
import { lazy } from '../../contract/lazy.ts';
import { type JobKind, job } from '../../declare/job.ts';
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
