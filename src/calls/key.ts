import { FIRST_ANSWERS } from '../declare/first-answers.ts';
import type { World } from '../engine/world.ts';

/** Returns an `Idempotency-Key` that no call of this world has used. */
export const freshKey = (world: World): string => `key-${world.rows(FIRST_ANSWERS).size + 1}-${world.clock.now()}`;
