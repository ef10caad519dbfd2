import { expect, test } from 'vitest';
import { Deadline } from '../../../src/areas/webhooks/deadline.ts';
import { hurryWith } from '../../../src/areas/webhooks/patience.ts';
import type { World } from '../../../src/engine/world.ts';

/** A world whose advances a test begins by hand, each to a second after the last; every attempt can be left open. */
function slowWorld() {
  const listeners: (() => void)[] = [];
  const freed: string[] = [];
  const scheduler = {
    advances: 0,
    heading: 0,
    seeks: false,
    onAdvance: (listener: () => void) => {
      listeners.push(listener);
      return () => {};
    },
    letGo: (job: string) => freed.push(job) > 0,
  };
  const world = { scheduler, clock: { now: () => 0 }, limit: () => 0.01 } as unknown as World;
  const advance = () => {
    scheduler.advances += 1;
    scheduler.heading += 1000;
    for (const listener of listeners) listener();
  };
  return { world, advance, freed };
}

test('an attempt that one advance waited for in vain is let go at once by the next ones', async () => {
  const { world, advance, freed } = slowWorld();
  const stop = hurryWith(world, new Deadline(30_000), { job: 'j', decides: false, since: 0 });
  advance();
  expect(freed).toEqual([]);
  await expect.poll(() => freed).toEqual(['j']);
  for (let n = 0; n < 3; n += 1) advance();
  expect(freed).toEqual(['j', 'j', 'j', 'j']);
  stop();
});
