import { tick } from '../../engine/signal.ts';

/** Requests that are looked at in a turn of the event loop: one of the longest bodies can take twenty milliseconds. */
export const SLICE = 2;

/** Does something for each of many, a few in a turn: other calls are answered in between. */
export async function inSlices<T, R>(all: readonly T[], work: (one: T, i: number) => R): Promise<R[]> {
  const done: R[] = [];
  for (const [i, one] of all.entries()) {
    if (i % SLICE === SLICE - 1) await tick();
    done.push(work(one, i));
  }
  return done;
}
