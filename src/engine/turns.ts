import { stopwatch } from './clock.ts';
import { nextTurn } from './next-turn.ts';

/** Real milliseconds of work per turn of the event loop: calls are handled between two turns. */
const MOST_MS = 4;

interface Waiting {
  work: (() => void) | undefined;
}

/**
 * Work for the next turn of the event loop, of all sandboxes in a process, in the order of requests. What does not fit
 * into a turn goes first in the next one, ahead of newer work.
 */
export class Turns {
  #waiting: Waiting[] = [];
  readonly #first: (() => void)[] = [];
  #isDue = false;
  readonly #turn = (): void => this.#take();
  readonly #now: () => number;

  /** `now` returns real milliseconds. */
  constructor(now: () => number = stopwatch) {
    this.#now = now;
  }

  /** Runs work in the next turn that has room. Returns a function that cancels it. */
  soon(work: () => void): () => void {
    const waiting: Waiting = { work };
    this.#waiting.push(waiting);
    this.#arm();
    return () => {
      waiting.work = undefined;
    };
  }

  /** Runs work at the start of the next turn, before any other work. It must not throw. */
  first(work: () => void): void {
    this.#first.push(work);
    this.#arm();
  }

  #arm(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    nextTurn(this.#turn);
  }

  #take(): void {
    this.#isDue = false;
    // Work that is added during this loop is done as well.
    for (const work of this.#first) work();
    this.#first.length = 0;
    if (this.#waiting.length === 0) return;
    const all = this.#waiting;
    this.#waiting = [];
    let done = 0;
    try {
      for (const end = this.#now() + MOST_MS; done < all.length; ) {
        const { work } = all[done] as Waiting;
        done += 1;
        work?.();
        if (work && this.#now() >= end) break;
      }
    } finally {
      const left = all.slice(done);
      if (left.length > 0) this.#waiting = left.concat(this.#waiting);
      if (this.#waiting.length > 0) this.#arm();
    }
  }
}

/** The turns of this process. */
export const TURNS = new Turns();
