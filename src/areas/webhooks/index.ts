/**
 * Webhooks: signed events to the platform's endpoint.
 * Chosen where the specification is silent or contradicts itself:
 * - 160 retries follow the first attempt (spec 6.3 "retried up to 160 times"): 161 attempts. Pauses double from 5 s up
 *   to the pause with which 160 of them last 7 days (about 67 minutes); profile `grid` caps them at 30 minutes.
 * - 2xx and 409 end the retries; a redirect is a failure and is not followed; `TEST` is sent once.
 * - Deliveries about one resource keep their order: the next waits until the one before is delivered or given up.
 * - A receiver has 30 real seconds (`limits.webhookTimeoutSeconds`) from when the attempt has its socket. While the
 *   clock is being advanced it has at most one (`limits.webhookAdvanceTimeoutSeconds`), and the attempt is still logged
 *   with the 30 virtual seconds. At most 32 attempts per sandbox are under way at once.
 * - Faults and `redeliver`: a redelivery by hand is sent as it is; faults affect automatic deliveries only.
 * - Deliveries pause when the policy of `webhook.deliver` is `hold`: what falls due waits to be stepped.
 * - The last 5,000 settled deliveries are remembered; undelivered ones always are.
 */

import { area, on } from '../../declare/area.ts';

import type { World } from '../../engine/world.ts';
import { CONFIG_CHANGED, type Platform, platformOf, setWebhookEndpoint } from '../platform/index.ts';
import { jobs } from './jobs.ts';
import { ADVANCE_SECONDS } from './patience.ts';
import { routes } from './routes.ts';
import { DELIVERIES, enqueue, TIMEOUT_SECONDS } from './rules.ts';
import { NoData } from './schema.ts';

export { heldDeliveries, isPaused, pauseDeliveries, resumeDeliveries, stepDelivery } from './delivery-control.ts';
export { DELIVERIES, deliveryOf, endpointOf, nextTryOf, redeliver, sentAs } from './rules.ts';
export { envelope } from './schema.ts';
export { closeKept } from './send.ts';
export { webhookKey } from './signature.ts';

/**
 * Emits one `TEST` event for a new endpoint, so that its owner sees at once whether it works; none if the endpoint was
 * cleared.
 */
function endpointChanged(world: World, before: Platform, after: Platform): void {
  if (after.webhookEndpoint !== undefined && after.webhookEndpoint !== before.webhookEndpoint)
    world.emit('TEST', after.id, {});
}

/** Sets or clears the endpoint without PATCH /config; a new one still gets its `TEST`. */
export function changeEndpoint(world: World, url: string | undefined): Platform {
  const before = platformOf(world);
  const after = setWebhookEndpoint(world, url);
  endpointChanged(world, before, after);
  return after;
}

/** Returns whether an event only tests an endpoint: it is sent once, and nobody misses it. */
export const isTestEvent = ({ type }: { readonly type: string }): boolean => type === 'TEST';

export const webhooks = area('webhooks', {
  tables: [DELIVERIES],
  operations: routes,
  jobs,
  limits: [TIMEOUT_SECONDS, ADVANCE_SECONDS],
  events: [
    {
      name: 'test-webhook',
      summary: 'The endpoint was set, or a test was requested',
      types: ['TEST'],
      // It is sent outside the queue and not stored: the receiver's response is all that remains of it.
      after: { TEST: [{ call: 'sendTestWebhook', as: 'aside' }] },
      data: NoData,
      delivery: { TEST: { sentOnce: true } },
    },
  ],
  outbox: enqueue,
  reactions: [on(CONFIG_CHANGED, endpointChanged)],
});
export type { Delivery } from './row.ts';
