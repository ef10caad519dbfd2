import { clearReal, realTimeout, type Timer } from '../../engine/timers.ts';

/** The real time that one try at a delivery has; it can be cut short while the try is under way. */
export class Deadline {
  /** Real milliseconds that the try was given. */
  readonly ms: number;
  #over: (() => void) | undefined;
  #timers: Timer[] = [];
  #shortMs: number | undefined;
  #cutShort = false;
  #ended = false;

  constructor(ms: number) {
    this.ms = ms;
  }

  /** Returns whether it passed because it was cut short: the receiver had less real time than `ms`. */
  get wasCutShort(): boolean {
    return this.#cutShort;
  }

  /** Returns whether nobody waits for the answer any more. */
  get wasEnded(): boolean {
    return this.#ended;
  }

  /** Begin to count; `over` is called once if it passes. */
  start(over: () => void): void {
    this.clear();
    if (this.#ended) {
      over();
      return;
    }
    this.#over = over;
    this.#count(this.ms, false);
    if (this.#shortMs !== undefined) this.#count(this.#shortMs, true);
  }

  /** Let it pass after at most so many real milliseconds from now, or from its start if it has not begun. */
  shorten(ms: number): void {
    if (ms >= this.ms) return;
    this.#shortMs = ms;
    if (this.#over) this.#count(ms, true);
  }

  /** Let it pass now, or as soon as the try begins: nobody waits for the answer any more. */
  end(): void {
    this.#ended = true;
    const over = this.#over;
    this.clear();
    over?.();
  }

  clear(): void {
    for (const timer of this.#timers) clearReal(timer);
    this.#timers = [];
    this.#over = undefined;
  }

  #count(ms: number, short: boolean): void {
    const pass = (): void => {
      this.#cutShort = short;
      const over = this.#over;
      this.clear();
      over?.();
    };
    this.#timers.push(realTimeout(pass, ms).unref());
  }
}
