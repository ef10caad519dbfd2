import * as z from 'zod';
import { limit } from '../../contract/limit.ts';
import { clearReal, realTimeout, type Timer } from '../../engine/timers.ts';
import type { World } from '../../engine/world.ts';
import type { Deadline } from './deadline.ts';

export const ADVANCE_SECONDS = limit(
  'webhookAdvanceTimeoutSeconds',
  1,
  'Real seconds it has at most while the clock is being advanced; 1',
  () => z.number().min(0.01).max(300),
);
/** The smallest part of that time that a silent receiver is left with. */
const SMALLEST_PART = 1 / 50;

/** For each world being advanced: the number of the advance, and the part of the time that is left. */
const left = new WeakMap<World, { readonly advance: number; part: number }>();

function leftOf(world: World): { part: number } {
  const { advances } = world.scheduler;
  const known = left.get(world);
  if (known?.advance === advances) return known;
  const fresh = { advance: advances, part: 1 };
  left.set(world, fresh);
  return fresh;
}

function halve(world: World): void {
  const patience = leftOf(world);
  patience.part = Math.max(patience.part / 2, SMALLEST_PART);
}

/**
 * Shortens an attempt while the clock is being advanced: no test should wait half a minute for each of 160 attempts. A
 * silent receiver gets half the time in each new attempt, and all of it again once it responds. An advance that ends
 * within the time of the attempt waits no longer, and leaves the attempt of that job open. One whose response decides
 * something has all its time, at the standard patience; that time counts from the event (`since`). Returns a function that stops this.
 */
export function hurryWith(
  world: World,
  deadline: Deadline,
  { job, decides, since }: { job: string; decides: boolean; since: number },
): () => void {
  const { scheduler } = world;
  const end = (decides ? since : world.clock.now()) + deadline.ms;
  let timer: Timer | undefined;
  let isLoose = false;
  const letGo = (): void => {
    isLoose = scheduler.letGo(job);
    if (isLoose) halve(world);
    else deadline.shorten(0);
  };
  const stop = scheduler.onAdvance(() => {
    const seconds = world.limit(ADVANCE_SECONDS);
    const ms = Math.round(seconds * 1000) * leftOf(world).part;
    clearReal(timer);
    if (scheduler.heading >= end || (decides && scheduler.seeks))
      deadline.shorten(decides ? deadline.ms * seconds : ms);
    // One that an earlier advance waited for in vain is not waited for again.
    else if (isLoose) letGo();
    else timer = realTimeout(letGo, ms).unref();
  });
  return () => {
    stop();
    clearReal(timer);
    if (deadline.wasCutShort) halve(world);
    else leftOf(world).part = 1;
  };
}
