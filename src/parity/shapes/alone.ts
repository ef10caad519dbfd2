import { walkOf } from '../generate.ts';
import type { Said } from '../normal.ts';
import { runAlone } from '../run.ts';
import type { Side } from '../sides.ts';

/** The options of walks on one side only. */
export interface Alone {
  readonly side: Side;
  readonly starts: readonly (string | object)[];
  readonly operations: readonly string[];
  readonly seed: number;
  /** The number of walks; with `steps`, as many as have that many calls together. */
  readonly count: number;
  readonly steps: number | undefined;
  /** True if time passes as on a side that lives in real time. */
  readonly live: boolean;
  readonly heard: (operation: string, said: Said) => void;
  readonly progress: (calls: number) => void;
}

/** Makes on one side the walks that `walkBoth` makes from the same seed. */
export async function walkAlone(alone: Alone): Promise<{ calls: number; walks: number }> {
  const { side, starts, operations, seed, count, steps, live, heard, progress } = alone;
  let [calls, walks] = [0, 0];
  // At most as many walks without a call as `walkBoth` makes.
  while (steps === undefined ? walks < count : calls < steps && walks <= 20 * steps + 100) {
    const scenario = starts[walks % starts.length] as string | object;
    const walk = walkOf(operations, seed + walks);
    walks += 1;
    const run = `${(seed % 46_656).toString(36)}x${walks.toString(36)}`;
    calls += await runAlone(walk, { side, scenario, number: walks, run, live }, heard);
    progress(calls);
  }
  return { calls, walks };
}
