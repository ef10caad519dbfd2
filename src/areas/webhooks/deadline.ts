import { clearReal, realTimeout, type Timer } from '../../engine/timers.ts';

/** The real time allowed for one delivery attempt; it can be shortened while the attempt is under way. */
export class Deadline {
  /** The real milliseconds allowed for the attempt. */
  readonly ms: number;
  #over: (() => void) | undefined;
  #timers: Timer[] = [];
  #shortMs: number | undefined;
  #cutShort = false;
  #ended = false;

  constructor(ms: number) {
    this.ms = ms;
  }

  /** Returns whether it passed because it was shortened: the receiver had less real time than `ms`. */
  get wasCutShort(): boolean {
    return this.#cutShort;
  }

  /** Returns whether nobody waits for the response any more. */
  get wasEnded(): boolean {
    return this.#ended;
  }

  /** Starts the deadline; calls `over` once if it passes. */
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

  /** Shortens the deadline to at most `ms` real milliseconds from now, or from its start if it has not started. */
  shorten(ms: number): void {
    if (ms >= this.ms) return;
    this.#shortMs = ms;
    if (this.#over) this.#count(ms, true);
  }

  /** Makes the deadline pass now, or as soon as the attempt starts: nobody waits for the response any more. */
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
