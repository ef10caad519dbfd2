import { FIRST_ANSWERS } from '../declare/first-answers.ts';
import type { World } from '../engine/world.ts';

/** The highest number of a key at a moment of the clock, given or kept, and the newest kept answer that was looked at. */
interface Numbered {
  readonly at: number;
  readonly highest: number;
  readonly seen: string | undefined;
}

/** Returns a function that gives each `Idempotency-Key` of a kind once in a world, and none that a call has used. */
function keysOf(kind: string): (world: World) => string {
  const numbered = new WeakMap<World, Numbered>();
  const ofThisKind = new RegExp(` ${kind}-(\\d{1,9})-(\\d+)$`);
  return (world) => {
    const at = world.clock.now();
    const last = numbered.get(world);
    const known = last?.at === at ? last : { at, highest: 0, seen: undefined };
    let { highest } = known;
    let newest: string | undefined;
    // Only answers that are new since then: clients send keys of this form, and states bring them.
    for (const answer of world.rows(FIRST_ANSWERS).newest()) {
      if (answer.at < at || answer.id === known.seen) break;
      newest ??= answer.id;
      const [, number, moment] = ofThisKind.exec(answer.id) ?? [];
      if (moment === String(at)) highest = Math.max(highest, Number(number));
    }
    highest += 1;
    numbered.set(world, { at, highest, seen: newest ?? known.seen });
    return `${kind}-${highest}-${at}`;
  };
}

/** Returns a new `Idempotency-Key` for a call: no call of this world has used it, and none will get it again. */
export const nextKey = keysOf('key');

/** Returns a new `Idempotency-Key` for an example. Reading examples leaves the keys of calls as they are. */
export const exampleKey = keysOf('example');
