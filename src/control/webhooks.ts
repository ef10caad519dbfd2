import * as z from 'zod';
import { platformOf } from '../areas/platform/index.ts';
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
import { lazy } from '../kernel/lazy.ts';
import { mapPage } from '../kernel/page.ts';
import { pageQuery } from '../kernel/shapes.ts';
import type { World } from '../kernel/world.ts';
import { control } from './control.ts';

const PageQuery = lazy(() => z.object({ ...pageQuery(), type: z.string().optional() }));
const Endpoint = lazy(() => z.strictObject({ url: z.url({ protocol: /^https?$/ }).nullable() }));

const show = ({ data, ...delivery }: Delivery) => ({
  ...delivery,
  payload: { id: delivery.id, type: delivery.type, timestamp: delivery.timestamp, data },
});

const deliveryState = (world: World) => ({ paused: isPaused(world), held: heldDeliveries(world).length });

export const webhookControls = [
  control(
    'GET',
    '/webhooks',
    'Events and their deliveries, newest first, with every try',
    ({ sandbox, query: { limit, cursor, type } }) => {
      return mapPage(
        sandbox.world
          .rows(DELIVERIES)
          .page({ filter: type === undefined ? undefined : (d) => d.type === type, limit, cursor }),
        show,
      );
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
    'Set or clear the webhook endpoint; a new one gets a TEST event',
    ({ sandbox: { world }, body }) => {
      const platform = world.transact(() => changeEndpoint(world, body.url ?? undefined));
      return { url: platform.webhookEndpoint ?? null };
    },
    { body: Endpoint },
  ),
  control('GET', '/webhooks/endpoint', 'Where webhooks go', ({ sandbox: { world } }) => ({
    url: platformOf(world).webhookEndpoint ?? null,
  })),
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
    return { ...deliveryState(world), sent: sent === undefined ? null : show(deliveryOf(world, sent)) };
  }),
  control('GET', '/webhooks/:id', 'One event and its delivery', ({ sandbox, params }) =>
    show(deliveryOf(sandbox.world, params['id'] as string)),
  ),
  control('POST', '/webhooks/:id/redeliver', 'Send one again, now', async ({ sandbox, params }) =>
    show(await redeliver(sandbox.world, params['id'] as string)),
  ),
];
