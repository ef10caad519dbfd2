import { FIRST_ANSWERS } from '../declare/first-answers.ts';
import type { World } from '../engine/world.ts';

/** The highest number of a key at a moment of the clock, sent or kept, and the newest kept answer that was looked at. */
interface Numbered {
  readonly at: number;
  readonly highest: number;
  readonly seen: string | undefined;
}

const numbered = new WeakMap<World, Numbered>();

const KEY = / key-(\d{1,9})-(\d+)$/;

/** Returns an `Idempotency-Key` that no call of this world has used; `nextKey` sends the same one. */
export const freshKey = (world: World): string => keyOf(lookedAt(world));

/** Returns an `Idempotency-Key` that no call of this world has used, and none will get again. */
export function nextKey(world: World): string {
  const before = lookedAt(world);
  numbered.set(world, { ...before, highest: before.highest + 1 });
  return keyOf(before);
}

const keyOf = ({ at, highest }: Numbered): string => `key-${highest + 1}-${at}`;

/** Looks at the answers that are new since the last look: clients send keys of this form, and states bring them. */
function lookedAt(world: World): Numbered {
  const at = world.clock.now();
  const last = numbered.get(world);
  const known = last?.at === at ? last : { at, highest: 0, seen: undefined };
  let { highest } = known;
  let newest: string | undefined;
  for (const answer of world.rows(FIRST_ANSWERS).newest()) {
    if (answer.at < at || answer.id === known.seen) break;
    newest ??= answer.id;
    const [, number, moment] = KEY.exec(answer.id) ?? [];
    if (moment === String(at)) highest = Math.max(highest, Number(number));
  }
  const now = { at, highest, seen: newest ?? known.seen };
  numbered.set(world, now);
  return now;
}
