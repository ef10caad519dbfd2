import { stopwatch } from './clock.ts';
import { tick } from './signal.ts';

/** Work that can be done a little at a time; it says how much was done since the last call, and returns the result. */
export type Steps<T = void> = Generator<number, T>;

/** Real milliseconds of work before others get their turn. */
export const SLICE_MS = 15;

/** Do it all at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Do it in slices, so that what else waits in this process is answered between them. Rejects when `signal` is aborted. */
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

/** Units of work between two looks at the time. */
const BATCH = 200;

/** Goes over many things; a step each `BATCH` of them. */
export function* eachOf<T>(all: Iterable<T>, work: (one: T) => void): Steps {
  let count = 0;
  for (const one of all) {
    work(one);
    count += 1;
    if (count % BATCH === 0) yield BATCH;
  }
}
