import * as z from 'zod';
import { webhookTarget } from '../../areas/platform/index.ts';
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
  sentAs,
  stepDelivery,
  webhookKey,
} from '../../areas/webhooks/index.ts';
import { bodyOf, type DomainEvent } from '../../contract/domain-event.ts';
import { Duration } from '../../contract/duration.ts';
import { fail } from '../../contract/errors.ts';
import { pageInput } from '../../contract/shapes.ts';
import { mapPage } from '../../engine/page.ts';
import { clearReal, realTimeout } from '../../engine/timers.ts';
import type { World } from '../../engine/world.ts';
import type { Webhook } from '../../public.ts';
import type { Sandbox } from '../sandbox.ts';
import { skipTo } from '../skip-to.ts';
import { awaited, misnamed } from './await-webhook.ts';
import { byId, command } from './command.ts';

/**
 * Real milliseconds that a caller waits by default: test runners end a test after 5,000, and would hide the message.
 */
const PATIENCE_MS = 4000;

/** Returns a delivery with its body as it is sent, in the names of the profile. */
const show = ({ profile }: World, delivery: Delivery) => {
  const { data: _, ...rest } = delivery;
  return { ...rest, payload: JSON.parse(bodyOf(profile, delivery)) };
};

/** Returns the endpoint; `unsent` says why nothing is sent there. */
function endpoint(world: World) {
  const { url, unsent } = webhookTarget(world);
  return { url: url ?? null, ...(unsent === undefined ? {} : { unsent }) };
}

const deliveryState = (world: World) => ({ paused: isPaused(world), held: heldDeliveries(world).length });

type Where = (event: Webhook) => boolean;

async function nextOf(sandbox: Sandbox, type: string, timeoutMs: number, where: Where): Promise<Webhook> {
  const matches = (emitted: DomainEvent | undefined): Webhook | undefined => {
    if (emitted?.type !== type || sandbox.handedOut.has(emitted.id)) return undefined;
    const event = JSON.parse(bodyOf(sandbox.world.profile, emitted)) as Webhook;
    if (!where(event)) return undefined;
    sandbox.handedOut.add(event.id);
    return event;
  };
  for (const delivery of sandbox.world.rows(DELIVERIES).rows()) {
    const event = matches(delivery);
    if (event) return event;
  }
  return new Promise((resolve, reject) => {
    const stop = sandbox.stream.listen((news) => {
      try {
        if (news.event === 'gone') throw new Error(`no ${type} is emitted any more: the sandbox ended`);
        const event = news.event === 'fact' ? matches(sandbox.world.rows(DELIVERIES).get(news.id)) : undefined;
        if (!event) return;
        resolve(event);
      } catch (error) {
        // The sandbox ended, or the caller's own predicate threw: neither may break the call that emitted the event.
        reject(error);
      }
      clearReal(timer);
      stop();
    });
    const timer = realTimeout(async () => {
      stop();
      reject(new Error(`no ${type} was emitted within ${timeoutMs} ms${await misnamed(sandbox, { type })}`));
    }, timeoutMs);
  });
}

/** Skips virtual time to the next event of a type; each event is handed out once. */
async function skippedTo(
  sandbox: Sandbox,
  type: string,
  { span, timeoutMs, where }: { span: string; timeoutMs: number; where: Where },
): Promise<Webhook> {
  const named = await misnamed(sandbox, { type });
  if (named !== '') fail('REFERENCE_NOT_FOUND', `no ${type} is ever emitted${named}`);
  const { profile } = sandbox.world;
  const asSent = (delivery: Delivery) => JSON.parse(bodyOf(profile, delivery)) as Webhook;
  // Another wait of the same type, at the same time, is for the next one.
  let taken: string | undefined;
  const found = (): Delivery | undefined => {
    for (const one of sandbox.world.rows(DELIVERIES).rows()) {
      if (one.type !== type || sandbox.handedOut.has(one.id) || !where(asSent(one))) continue;
      taken = one.id;
      sandbox.handedOut.add(one.id);
      return one;
    }
    return undefined;
  };
  try {
    return asSent(await skipTo(sandbox, type, { type, span, timeoutMs, found }));
  } catch (error) {
    if (taken !== undefined) sandbox.handedOut.delete(taken);
    throw error;
  }
}

export const webhooks = {
  list: command(
    'Events and their deliveries, newest first, with every try',
    () => ({ ...pageInput(), type: z.string().optional().describe('Events of this type only') }),
    ({ sandbox: { world } }, { limit, cursor, type }) => {
      const filter = type === undefined ? undefined : (d: Delivery) => d.type === type;
      return mapPage(world.rows(DELIVERIES).page({ filter, limit, cursor }), (d) => show(world, d));
    },
  ),
  key: command('The public key that verifies webhook signatures', ({ sandbox }) => {
    const { pem, jwk, der } = webhookKey(sandbox.world);
    return { pem, jwk, der };
  }),
  setEndpoint: command(
    'Set or clear the webhook endpoint; a new one gets a TEST event, if anything may be sent there',
    () => ({
      url: z
        .url({ protocol: /^https?$/ })
        .nullable()
        .describe('null for nowhere'),
    }),
    ({ sandbox: { world } }, { url }) => {
      world.transact(() => changeEndpoint(world, url ?? undefined));
      return endpoint(world);
    },
  ),
  endpoint: command('Where webhooks go', ({ sandbox }) => endpoint(sandbox.world)),
  pause: command('Hold every delivery until it is stepped or resumed', ({ sandbox: { world } }) => {
    pauseDeliveries(world);
    return deliveryState(world);
  }),
  resume: command('Send what was held, in order, and hold nothing more', ({ sandbox: { world } }) => {
    world.transact(() => resumeDeliveries(world));
    return deliveryState(world);
  }),
  step: command('Send the oldest held delivery', async ({ sandbox: { world } }) => {
    const sent = await stepDelivery(world);
    return { ...deliveryState(world), sent: sent === undefined ? null : show(world, deliveryOf(world, sent)) };
  }),
  read: command('One event and its delivery', byId('event'), ({ sandbox: { world } }, { id }) =>
    show(world, deliveryOf(world, id)),
  ),
  request: command(
    'One event as its receiver gets it: the endpoint, the signature header, and the exact body as text',
    byId('event'),
    ({ sandbox: { world } }, { id }) => ({ url: endpoint(world).url, ...sentAs(world, deliveryOf(world, id)) }),
  ),
  redeliver: command('Send one again, now', byId('event'), async ({ sandbox: { world } }, { id }) =>
    show(world, await redeliver(world, id)),
  ),
  wait: command(
    'The first event of a type emitted after another one, once its first try is over; waits for it',
    () => ({
      type: z.string().describe('Such as CUSTOMER.KYC_APPROVED'),
      subject: z.string().optional().describe('About the resource of this id only'),
      after: z
        .string()
        .optional()
        .describe('Only an event that was emitted after the event of this id; without it, any event counts'),
      timeoutMs: z.int().min(0).max(60_000).default(PATIENCE_MS).describe('Real milliseconds until it gives up'),
      within: Duration()
        .optional()
        .describe(
          'Skip virtual time, from one due job to the next, until it is delivered; this much at most, such as P30D',
        ),
    }),
    async ({ host, sandbox }, input) => {
      // Skipped time is a change, although it is a GET that asks for it.
      if (input.within !== undefined) sandbox.written = true;
      return show(sandbox.world, await awaited(sandbox, input, host.closing));
    },
  ),
  waitFor: command(
    'The next event of a type, each handed out once, earlier ones included; as its receiver gets it',
    () => ({
      type: z.string().describe('Such as CUSTOMER.KYC_APPROVED'),
      timeoutMs: z.number().default(PATIENCE_MS).describe('Real milliseconds until it gives up'),
      within: Duration().optional().describe('As in wait'),
      where: z.custom<Where>().optional().describe('In a program: whether it is this one'),
    }),
    ({ sandbox }, { type, timeoutMs, within, where = () => true }) =>
      within === undefined
        ? nextOf(sandbox, type, timeoutMs, where)
        : skippedTo(sandbox, type, { span: within, timeoutMs, where }),
  ),
};
