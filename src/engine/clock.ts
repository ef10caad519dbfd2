export interface ClockState {
  now: string;
  mode: 'live' | 'held';
  speed: number;
}

/** The limit of the virtual clock: a year before the last that four digits can name, so that what ends later still fits. */
export const LATEST = Date.UTC(9998, 11, 31, 23, 59, 59, 999);

/** Milliseconds by which the machine's clock may miss what it was, and still counts as set right again. */
const NEAR_MS = 1000;

/**
 * A sandbox's own time. Live, it is real time plus an offset, optionally sped up; held, it moves only
 * by hand. It never goes back. The one place in the product that reads the machine's clock.
 */
export class Clock {
  #base: number;
  #anchor: number;
  #mode: 'live' | 'held';
  #speed = 1;
  #last: number;
  /** The machine's time when it was last looked at, and how far that is ahead of a clock that was set back since. */
  #seen = 0;
  #ahead = 0;
  /** The difference between the machine's clock and the stopwatch, which nobody sets. */
  #lead = 0;
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

  /** Milliseconds since 1970, virtual, never decreasing. */
  now(): number {
    if (this.#still !== undefined) return this.#still;
    if (this.#mode === 'held') return this.#base;
    const now = Math.min(Math.floor(this.#base + (this.#machine() - this.#anchor) * this.#speed), LATEST);
    if (now > this.#last) this.#last = now;
    return this.#last;
  }

  /** The machine's time, as if its clock had never been set back: it goes on from where it was, and does not stand still. */
  #machine(): number {
    const real = Date.now();
    // A test that sets the clock back sets it right again, and its years must not count.
    if (this.#ahead > 0 && Math.abs(real - stopwatch() - this.#lead) < NEAR_MS) this.#ahead = 0;
    if (real + this.#ahead < this.#seen) this.#ahead = this.#seen - real;
    this.#seen = real + this.#ahead;
    return this.#seen;
  }

  /** The machine's time, for a new beginning. */
  #anchored(): number {
    const now = this.#machine();
    if (this.#ahead > 0) return now;
    // A test may have set it back before this clock was made.
    const back = Math.round(stopwatch() + LEAD) - now;
    this.#lead = back > NEAR_MS ? LEAD : now - stopwatch();
    this.#ahead = back > NEAR_MS ? back : 0;
    return this.#machine();
  }

  /** Do something in one moment: time stands still while it lasts. */
  during<T>(work: () => T): T {
    if (this.#still !== undefined) return work();
    this.#still = this.now();
    try {
      return work();
    } finally {
      this.#still = undefined;
    }
  }

  /** `now()` as an ISO 8601 string in UTC (spec 2). Equal moments share one string. */
  iso(): string {
    const now = this.now();
    if (now !== this.#isoOf) {
      this.#isoOf = now;
      this.#iso = new Date(now).toISOString();
    }
    return this.#iso;
  }

  /** Be called when it was moved, held, let go or sped up; not while it merely runs. Returns how to stop. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  #changed(): void {
    for (const watcher of this.#watchers) watcher();
  }

  /** Jump forward to a moment; an earlier one leaves the clock where it is. */
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

  /** Virtual seconds a real second; above 0. Only felt while live. */
  setSpeed(speed: number): void {
    this.moveTo(this.now());
    this.#speed = speed;
    this.#changed();
  }

  state(): ClockState {
    return { now: new Date(this.now()).toISOString(), mode: this.#mode, speed: this.#speed };
  }

  /** Returns where it stands, in milliseconds since 1970. */
  mark(): { now: number; mode: 'live' | 'held'; speed: number } {
    return { now: this.now(), mode: this.#mode, speed: this.#speed };
  }

  /** Take over a saved state, even one in the past: a restore is a new life, not a step back. */
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

// By function of the process, for the global `performance` is loaded when it is first named; and as it was at first: tests
// hold it with their timers.
const { hrtime } = process;

/** Real milliseconds since an arbitrary start, for measuring how long something took; never for deciding. */
export const stopwatch = (): number => {
  const [seconds, nanoseconds] = hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
};

/** Real milliseconds since 1970, with fractions, for naming a moment to the outside world; never for deciding. */
export const realTime = (): number => stopwatch() + LEAD;

/** The same difference when this program started. */
const LEAD = Date.now() - stopwatch();
