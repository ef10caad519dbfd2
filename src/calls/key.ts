import { FIRST_ANSWERS } from '../declare/first-answers.ts';
import type { World } from '../engine/world.ts';

/** Returns an `Idempotency-Key` that no call of this world has used. */
export const freshKey = (world: World): string => `key-${world.rows(FIRST_ANSWERS).size + 1}-${world.clock.now()}`;

/** The newest key that each world sent: a call that keeps no answer, such as a refused one, leaves the next as it is. */
const newest = new WeakMap<World, { key: string; times: number }>();

/** Returns a fresh `Idempotency-Key` that differs from the one before, also within a millisecond of virtual time. */
export function nextKey(world: World): string {
  const key = freshKey(world);
  const before = newest.get(world);
  const times = before?.key === key ? before.times + 1 : 1;
  newest.set(world, { key, times });
  return times === 1 ? key : `${key}-${times}`;
}
