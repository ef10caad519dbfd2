/**
 * Wakes its owner once: in the next turn of the event loop, or after real milliseconds. Timeouts and immediates are
 * cleared each by its own function: clearing one by the other's breaks the immediates of the whole process.
 */
export class Alarm {
  #timeout: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
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
    if (waitMs > 0) this.#timeout = setTimeout(rung, waitMs).unref();
    else this.#immediate = setImmediate(rung);
  }

  clear(): void {
    if (this.#timeout) clearTimeout(this.#timeout);
    if (this.#immediate) clearImmediate(this.#immediate);
    this.#timeout = undefined;
    this.#immediate = undefined;
    this.#at = Number.POSITIVE_INFINITY;
  }
}
