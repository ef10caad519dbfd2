import type { World } from './world.ts';

/**
 * Draws a text by which callers find their sandbox, until no other sandbox has it. Under a seed it can be there: a state
 * of this sandbox was put into the other one, and this one has started over since.
 */
export function drawnApart(world: World, draw: () => string, isIn: (other: World, text: string) => boolean): string {
  for (;;) {
    const text = draw();
    if (!world.others().some((other) => isIn(other, text))) return text;
  }
}
