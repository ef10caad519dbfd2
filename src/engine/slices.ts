import { stopwatch } from './clock.ts';
import { tick } from './signal.ts';

/** Work that can be done in steps. Each step yields the amount done since the last one; the end returns the result. */
export type Steps<T = void> = Generator<number, T>;

/** Real milliseconds of work before other work gets its turn. */
export const SLICE_MS = 15;

/** Does all the work at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Does the work in slices, so that the process can handle calls in between. Rejects if `signal` is aborted. */
export async function inSlices<T>(
  steps: Steps<T>,
  onProgress: (done: number) => void = () => {},
  signal?: AbortSignal,
): Promise<T> {
  let since = stopwatch();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    onProgress(value);
    if (stopwatch() - since < SLICE_MS) continue;
    await tick();
    signal?.throwIfAborted();
    since = stopwatch();
  }
}

/** Units of work between two looks at the clock. */
const BATCH = 200;

/** Goes through many items; yields after each `BATCH` of them. */
export function* eachOf<T>(all: Iterable<T>, work: (one: T) => void): Steps {
  let count = 0;
  for (const one of all) {
    work(one);
    count += 1;
    if (count % BATCH === 0) yield BATCH;
  }
}
