import { DELIVERIES, type Delivery, heldDeliveries, isTestEvent } from '../../areas/webhooks/index.ts';
import { atMost, LOOKED_AT } from '../frame/bounded.ts';
import type { PageContext } from '../frame/page-context.ts';

/** The standings of a delivery, in words that need no manual; a filter's address names them by key. */
export const STANDINGS = {
  DELIVERED: { words: 'delivered', tone: 'good' },
  RETRYING: { words: 'retrying', tone: 'bad' },
  PENDING: { words: 'pending', tone: 'warn' },
  WAITING: { words: 'waiting its turn', tone: 'warn' },
  ABANDONED: { words: 'abandoned', tone: 'bad' },
  UNSENT: { words: 'not sent', tone: 'plain' },
} as const;
export type Standing = keyof typeof STANDINGS;

/** Returns the standing of a delivery; one that was refused and will be retried is not simply on its way. */
export function standingOf({ state, attempts }: Delivery): Standing {
  if (state === 'PENDING' && attempts.length > 0) return 'RETRYING';
  return state;
}

/** Returns whether an event counts: a receiver misses no TEST event that was given up. */
export const counts = (hook: Delivery): boolean => !isTestEvent(hook) || hook.state !== 'ABANDONED';

/** Returns how many of the newest events have each standing. */
export function standingsOf(visit: PageContext): Map<Standing, number> {
  const by = new Map<Standing, number>();
  for (const hook of atMost(visit.world.rows(DELIVERIES).newest())) {
    if (!counts(hook)) continue;
    const standing = standingOf(hook);
    by.set(standing, (by.get(standing) ?? 0) + 1);
  }
  return by;
}

/** Returns how many deliveries are held; undefined if too many jobs are scheduled to count. */
export const heldOf = ({ world }: PageContext): number | undefined =>
  world.scheduler.jobs.size > LOOKED_AT ? undefined : heldDeliveries(world).length;
