import { FIRST_ANSWERS } from '../declare/first-answers.ts';
import type { World } from '../engine/world.ts';

/** The number of keys that each world has sent at a moment of its clock. */
const sent = new WeakMap<World, { at: number; count: number }>();

/** Returns an `Idempotency-Key` that no call of this world has used; `nextKey` sends the same one. */
export const freshKey = (world: World): string => keyOf(world, nextOf(world));

/** Returns an `Idempotency-Key` that no call of this world has used, and none will get again. */
export function nextKey(world: World): string {
  const count = nextOf(world);
  sent.set(world, { at: world.clock.now(), count });
  return keyOf(world, count);
}

const keyOf = (world: World, count: number): string => `key-${count}-${world.clock.now()}`;

function nextOf(world: World): number {
  const last = sent.get(world);
  let count = last?.at === world.clock.now() ? last.count + 1 : 1;
  // A state, or a sandbox that was forked, brings answers to keys that this world has not sent.
  while (isKept(world, keyOf(world, count))) count += 1;
  return count;
}

/** Returns whether an answer to a key is kept; only answers of the present moment can have one of its keys. */
function isKept(world: World, key: string): boolean {
  for (const { id, at } of world.rows(FIRST_ANSWERS).newest()) {
    if (at < world.clock.now()) return false;
    if (id.endsWith(` ${key}`)) return true;
  }
  return false;
}
