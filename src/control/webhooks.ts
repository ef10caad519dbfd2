import * as z from 'zod';
import { webhookTarget } from '../areas/platform/index.ts';
import {
  changeEndpoint,
  DELIVERIES,
  type Delivery,
  deliveryOf,
  heldDeliveries,
  isPaused,
  pauseDeliveries,
  redeliver,
  resumeDeliveries,
  stepDelivery,
  webhookKey,
} from '../areas/webhooks/index.ts';
import { bodyOf } from '../contract/domain-event.ts';
import { lazy } from '../contract/lazy.ts';
import { pageQuery } from '../contract/shapes.ts';
import { mapPage } from '../engine/page.ts';
import type { World } from '../engine/world.ts';
import { control } from './control.ts';

const PageQuery = lazy(() => z.object({ ...pageQuery(), type: z.string().optional() }));
const Endpoint = lazy(() => z.strictObject({ url: z.url({ protocol: /^https?$/ }).nullable() }));

/** A delivery with its body as it is sent, in the names of the profile. */
const show = ({ profile }: World, delivery: Delivery) => {
  const { data: _, ...rest } = delivery;
  return { ...rest, payload: JSON.parse(bodyOf(profile, delivery)) };
};

/** The endpoint; `unsent` says why nothing is sent there. */
function endpoint(world: World) {
  const { url, unsent } = webhookTarget(world);
  return { url: url ?? null, ...(unsent === undefined ? {} : { unsent }) };
}

const deliveryState = (world: World) => ({ paused: isPaused(world), held: heldDeliveries(world).length });

export const webhookControls = [
  control(
    'GET',
    '/webhooks',
    'Events and their deliveries, newest first, with every try',
    ({ sandbox, query: { limit, cursor, type } }) => {
      const { world } = sandbox;
      const filter = type === undefined ? undefined : (d: Delivery) => d.type === type;
      return mapPage(world.rows(DELIVERIES).page({ filter, limit, cursor }), (d) => show(world, d));
    },
    { query: PageQuery },
  ),
  control('GET', '/webhooks/key', 'The public key that verifies webhook signatures', ({ sandbox }) => {
    const { pem, jwk, der } = webhookKey(sandbox.world);
    return { pem, jwk, der };
  }),
  control(
    'PUT',
    '/webhooks/endpoint',
    'Set or clear the webhook endpoint; a new one gets a TEST event, if anything may be sent there',
    ({ sandbox: { world }, body }) => {
      world.transact(() => changeEndpoint(world, body.url ?? undefined));
      return endpoint(world);
    },
    { body: Endpoint },
  ),
  control('GET', '/webhooks/endpoint', 'Where webhooks go', ({ sandbox: { world } }) => endpoint(world)),
  control('POST', '/webhooks/pause', 'Hold every delivery until it is stepped or resumed', ({ sandbox: { world } }) => {
    pauseDeliveries(world);
    return deliveryState(world);
  }),
  control(
    'POST',
    '/webhooks/resume',
    'Send what was held, in order, and hold nothing more',
    ({ sandbox: { world } }) => {
      world.transact(() => resumeDeliveries(world));
      return deliveryState(world);
    },
  ),
  control('POST', '/webhooks/step', 'Send the oldest held delivery', async ({ sandbox: { world } }) => {
    const sent = await stepDelivery(world);
    return { ...deliveryState(world), sent: sent === undefined ? null : show(world, deliveryOf(world, sent)) };
  }),
  control('GET', '/webhooks/:id', 'One event and its delivery', ({ sandbox, params }) =>
    show(sandbox.world, deliveryOf(sandbox.world, params['id'] as string)),
  ),
  control('POST', '/webhooks/:id/redeliver', 'Send one again, now', async ({ sandbox, params }) =>
    show(sandbox.world, await redeliver(sandbox.world, params['id'] as string)),
  ),
];
