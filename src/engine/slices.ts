import { stopwatch } from './clock.ts';
import { tick } from './signal.ts';

/** Work that can be done a little at a time; it says how much was done since the last call. */
export type Steps = Generator<number, void>;

/** Real milliseconds of work before others get their turn. */
const SLICE_MS = 15;

/** Do it all at once. */
export function atOnce(steps: Steps): void {
  while (!steps.next().done);
}

/** Do it in slices, so that what else waits in this process is answered between them. Rejects when `signal` is aborted. */
export async function inSlices(steps: Steps, told: (done: number) => void, signal: AbortSignal): Promise<void> {
  let since = stopwatch();
  for (const done of steps) {
    told(done);
    if (stopwatch() - since < SLICE_MS) continue;
    await tick();
    signal.throwIfAborted();
    since = stopwatch();
  }
}
