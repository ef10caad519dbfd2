import { clearReal, heldTimeout, realTimeout, type Timer } from './timers.ts';
import { TURNS } from './turns.ts';

/** Wakes its owner once: in a next turn of the event loop, or after real milliseconds. */
export class Alarm {
  #timeout: Timer | undefined;
  /** Gives up the timer of a program that holds its own: it rings when either does, for what is held may never go on. */
  #unhold: (() => void) | undefined;
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
      this.#stop();
      this.#giveUp = TURNS.soon(rung);
    };
    // Timers of many sandboxes may run out in one moment: they take their turns as everybody does.
    if (waitMs > 0) {
      this.#timeout = realTimeout(soon, waitMs).unref();
      this.#unhold = heldTimeout(soon, waitMs);
    } else soon();
  }

  #stop(): void {
    if (this.#timeout) clearReal(this.#timeout);
    this.#unhold?.();
    this.#timeout = undefined;
    this.#unhold = undefined;
  }

  clear(): void {
    this.#stop();
    this.#giveUp?.();
    this.#giveUp = undefined;
    this.#at = Number.POSITIVE_INFINITY;
  }
}
