import { TURNS } from './turns.ts';

/** Wakes its owner once: in a next turn of the event loop, or after real milliseconds. */
export class Alarm {
  #timeout: NodeJS.Timeout | undefined;
  #giveUp: (() => void) | undefined;
  #at = Number.POSITIVE_INFINITY;

  /** The moment it was set for, in the owner's time; infinite while it is not set. */
  get at(): number {
    return this.#at;
  }

  /** Ring for a moment of the owner's time that is so many real milliseconds away; what was set before is given up. */
  set(at: number, waitMs: number, ring: () => void): void {
    this.clear();
    this.#at = at;
    const rung = (): void => {
      this.clear();
      ring();
    };
    const soon = (): void => {
      this.#giveUp = TURNS.soon(rung);
    };
    // Timers of many sandboxes may run out in one moment: they take their turns as everybody does.
    if (waitMs > 0) this.#timeout = setTimeout(soon, waitMs).unref();
    else soon();
  }

  clear(): void {
    if (this.#timeout) clearTimeout(this.#timeout);
    this.#giveUp?.();
    this.#timeout = undefined;
    this.#giveUp = undefined;
    this.#at = Number.POSITIVE_INFINITY;
  }
}
