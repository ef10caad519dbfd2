import * as z from 'zod';
import { limit } from '../../contract/limit.ts';
import type { World } from '../../engine/world.ts';
import type { Deadline } from './deadline.ts';

export const ADVANCE_SECONDS = limit(
  'webhookAdvanceTimeoutSeconds',
  1,
  'Real seconds it has at most while the clock is being advanced; 1',
  () => z.number().min(0.01).max(300),
);
/** The smallest part of it that a receiver which keeps silent is left with. */
const SMALLEST_PART = 1 / 50;

/** For each world that is being advanced: which advance, and how much of the patience is left. */
const left = new WeakMap<World, { readonly advance: number; part: number }>();

function leftOf(world: World): { part: number } {
  const { advances } = world.scheduler;
  const known = left.get(world);
  if (known?.advance === advances) return known;
  const fresh = { advance: advances, part: 1 };
  left.set(world, fresh);
  return fresh;
}

/**
 * Cut a try short while the clock is being advanced: no test waits half a minute for each of 160 tries. A receiver that keeps
 * silent is given half as much each time, and all of it again once it answers. Returns how to stop.
 */
export function hurryWith(world: World, deadline: Deadline): () => void {
  const seconds = world.limit(ADVANCE_SECONDS);
  const stop = world.scheduler.onAdvance(() => deadline.shorten(seconds * 1000 * leftOf(world).part));
  return () => {
    stop();
    const patience = leftOf(world);
    patience.part = deadline.wasCutShort ? Math.max(patience.part / 2, SMALLEST_PART) : 1;
  };
}
