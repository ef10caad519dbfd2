import { clearReal, heldTimeout, realTimeout, type Timer } from './timers.ts';
import { TURNS } from './turns.ts';

/** Rings once for its owner: in a coming turn of the event loop, or after a number of real milliseconds. */
export class Alarm {
  #timeout: Timer | undefined;
  /**
   * Clears the second timer of a program with fake timers. Either timer rings the alarm, as a fake clock may never
   * advance.
   */
  #unhold: (() => void) | undefined;
  #giveUp: (() => void) | undefined;
  #at = Number.POSITIVE_INFINITY;

  /** The moment it is set for, in the owner's time; infinite if it is not set. */
  get at(): number {
    return this.#at;
  }

  /** Sets the alarm for a moment of the owner's time, `waitMs` real milliseconds away. Replaces an earlier setting. */
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
    // Timers of many sandboxes may expire at once, so each waits for its turn like any other work.
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
