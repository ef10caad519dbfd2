import { DELIVERIES, type Delivery, heldDeliveries } from '../areas/webhooks/index.ts';
import type { Job } from '../kernel/scheduler.ts';
import { atMost, chosen, LOOKED_AT } from './bounded.ts';
import { plain } from './text.ts';
import type { Visit } from './visit.ts';

type Attempt = Delivery['attempts'][number];

const isTry = (attempt: unknown): boolean => {
  const { ms, status } = (attempt ?? {}) as { ms?: unknown; status?: unknown };
  return typeof ms === 'number' && (status === undefined || typeof status === 'number');
};

/** A delivery as its table promises it: a state that was put in from outside may hold anything. */
export function readable(hook: Delivery): Delivery {
  const { type, subject, state, timestamp } = hook;
  const sound = [type, subject, state, timestamp].every((member) => typeof member === 'string');
  const tries: unknown = hook.attempts;
  if (sound && Array.isArray(tries) && tries.every(isTry)) return hook;
  const attempts = Array.isArray(tries) ? (tries.filter(isTry) as Attempt[]) : [];
  return {
    ...hook,
    type: plain(type),
    subject: plain(subject),
    state: plain(state) as Delivery['state'],
    timestamp: plain(timestamp),
    attempts,
  };
}

/** The newest events about a resource, or that carry one of a customer's. */
export const hooksAbout = (visit: Visit, id: string, most: number): Delivery[] =>
  chosen(
    visit.world.rows(DELIVERIES).newest(),
    ({ subject, data }) => subject === id || (data as { customerId?: unknown } | null | undefined)?.customerId === id,
    most,
  ).map(readable);

/** How many events there are in each state, of the newest. */
export function statesOf(visit: Visit): Map<string, number> {
  const by = new Map<string, number>();
  for (const { state } of atMost(visit.world.rows(DELIVERIES).newest())) by.set(state, (by.get(state) ?? 0) + 1);
  return by;
}

/** The job that tries a delivery next. */
export const nextTryOf = ({ world }: Visit, id: string): Job | undefined =>
  chosen(
    world.scheduler.jobs.newest(),
    ({ kind, payload }) => kind === 'webhook.deliver' && payload['webhookId'] === id,
    1,
  )[0];

/** How many deliveries are held; undefined where there is too much scheduled to count. */
export const heldOf = ({ world }: Visit): number | undefined =>
  world.scheduler.jobs.size > LOOKED_AT ? undefined : heldDeliveries(world).length;
