import { nextTurn } from './next-turn.ts';

/** A recurring event that callers can wait for; they share one promise. */
export class Signal {
  #waiting: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;

  /** Resolves when it next fires. */
  next(): Promise<void> {
    if (!this.#waiting) {
      let resolve = (): void => {};
      const promise = new Promise<void>((done) => {
        resolve = done;
      });
      this.#waiting = { promise, resolve };
    }
    return this.#waiting.promise;
  }

  fire(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve();
  }
}

/** Resolves in the next turn of the event loop. */
export const tick = (): Promise<void> => new Promise((resolve) => nextTurn(resolve));
