import { tick } from '../../engine/signal.ts';

/**
 * The requests that are processed per turn of the event loop: one of the longest bodies can take twenty milliseconds.
 */
export const SLICE = 2;

/** Maps many values, a few per turn of the event loop, so that other calls are served in between. */
export async function inSlices<T, R>(all: readonly T[], work: (one: T, i: number) => R): Promise<R[]> {
  const done: R[] = [];
  for (const [i, one] of all.entries()) {
    if (i % SLICE === SLICE - 1) await tick();
    done.push(work(one, i));
  }
  return done;
}
