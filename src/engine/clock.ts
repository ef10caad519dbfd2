export interface ClockState {
  now: string;
  mode: 'live' | 'held';
  speed: number;
}

/** The limit of the virtual clock: a year before the last one with four digits, so that later due dates still fit. */
export const LATEST = Date.UTC(9998, 11, 31, 23, 59, 59, 999);

/** Milliseconds by which the machine's clock may differ from its old course and still count as corrected. */
const NEAR_MS = 1000;

/**
 * A sandbox's own time. When live, it is real time plus an offset, optionally sped up; when held, it moves only by
 * hand. It never goes back. In the emulator, only this file reads the machine's clock.
 */
export class Clock {
  #base: number;
  #anchor: number;
  #mode: 'live' | 'held';
  #speed = 1;
  #last: number;
  /** The machine's time at the last reading, and how far it is ahead of a clock that has since been set back. */
  #seen = 0;
  #ahead = 0;
  /** The difference between the machine's clock and the stopwatch, which nobody can set; and what it was when set back. */
  #lead = 0;
  #course = 0;
  #isoOf = Number.NaN;
  #iso = '';
  #still: number | undefined;
  readonly #watchers = new Set<() => void>();

  constructor(options: { now?: number | undefined; mode?: 'live' | 'held' | undefined } = {}) {
    this.#anchor = this.#anchored();
    this.#base = options.now ?? Date.now();
    this.#last = this.#base;
    this.#mode = options.mode ?? 'live';
  }

  get mode(): 'live' | 'held' {
    return this.#mode;
  }

  get speed(): number {
    return this.#speed;
  }

  /** Returns virtual milliseconds since 1970, never decreasing. */
  now(): number {
    if (this.#still !== undefined) return this.#still;
    if (this.#mode === 'held') return this.#base;
    const now = Math.min(Math.floor(this.#base + (this.#machine() - this.#anchor) * this.#speed), LATEST);
    if (now > this.#last) this.#last = now;
    return this.#last;
  }

  /** Returns the machine's time as if its clock had never been set back: it continues from where it was. */
  #machine(): number {
    const real = Date.now();
    // A test that sets the clock back later corrects it; the years in between must not count.
    if (this.#ahead > 0 && !this.#isNear(this.#course) && this.#isNear(real - stopwatch())) this.#ahead = 0;
    if (real + this.#ahead < this.#seen) {
      this.#ahead = this.#seen - real;
      this.#course = real - stopwatch();
    }
    this.#seen = real + this.#ahead;
    return this.#seen;
  }

  #isNear(course: number): boolean {
    return Math.abs(course - this.#lead) < NEAR_MS;
  }

  /** Returns the machine's time as a new starting point. */
  #anchored(): number {
    const now = this.#machine();
    if (this.#ahead > 0) return now;
    // A test may have set the clock back before this object was made.
    const back = Math.round(stopwatch() + LEAD) - now;
    this.#course = now - stopwatch();
    this.#lead = back > NEAR_MS ? LEAD : this.#course;
    this.#ahead = back > NEAR_MS ? back : 0;
    return this.#machine();
  }

  /** Runs work at a single moment: the clock stands still until it returns. */
  during<T>(work: () => T): T {
    if (this.#still !== undefined) return work();
    this.#still = this.now();
    try {
      return work();
    } finally {
      this.#still = undefined;
    }
  }

  /** Returns `now()` as an ISO 8601 string in UTC (spec 2). Equal moments share one string. */
  iso(): string {
    const now = this.now();
    if (now !== this.#isoOf) {
      this.#isoOf = now;
      this.#iso = new Date(now).toISOString();
    }
    return this.#iso;
  }

  /**
   * Calls `watcher` when the clock was moved, held, released or sped up, but not while it merely runs. Returns a
   * function that stops it.
   */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  #changed(): void {
    for (const watcher of this.#watchers) watcher();
  }

  /** Moves the clock forward to a moment; for an earlier one, it stays where it is. */
  moveTo(ms: number): void {
    this.#base = Math.min(Math.max(ms, this.now()), LATEST);
    this.#last = this.#base;
    this.#anchor = this.#anchored();
    if (this.#still !== undefined) this.#still = this.#base;
    this.#changed();
  }

  setMode(mode: 'live' | 'held'): void {
    this.moveTo(this.now());
    this.#mode = mode;
    this.#changed();
  }

  /** Sets the virtual seconds per real second, above 0. It has an effect only while the clock is live. */
  setSpeed(speed: number): void {
    this.moveTo(this.now());
    this.#speed = speed;
    this.#changed();
  }

  state(): ClockState {
    return { now: new Date(this.now()).toISOString(), mode: this.#mode, speed: this.#speed };
  }

  /** Returns the state of the clock, with its time in milliseconds since 1970. */
  mark(): { now: number; mode: 'live' | 'held'; speed: number } {
    return { now: this.now(), mode: this.#mode, speed: this.#speed };
  }

  /** Takes over a saved state, even one in the past: a restore begins a new life, it does not go back in time. */
  restore(state: Omit<ClockState, 'now'> & { now: string | number }): void {
    this.#base = typeof state.now === 'number' ? state.now : Date.parse(state.now);
    this.#last = this.#base;
    this.#anchor = this.#anchored();
    this.#mode = state.mode;
    this.#speed = state.speed;
    if (this.#still !== undefined) this.#still = this.#base;
    this.#changed();
  }
}

// Read from `process`: the global `performance` is loaded only when first named. Captured here, before tests can fake
// it.
const { hrtime } = process;

/** Returns real milliseconds since an arbitrary start, for measuring durations; never for decisions. */
export const stopwatch = (): number => {
  const [seconds, nanoseconds] = hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
};

/** Returns real milliseconds since 1970, with fractions, for timestamps to the outside world; never for decisions. */
export const realTime = (): number => stopwatch() + LEAD;

/** The difference between clock and stopwatch when this program started. */
const LEAD = Date.now() - stopwatch();
