export interface ClockState {
  now: string;
  mode: 'live' | 'held';
  speed: number;
}

/** How far the virtual clock may go: a year before the last that four digits can name, so that what ends later still fits. */
export const LATEST = Date.UTC(9998, 11, 31, 23, 59, 59, 999);

/**
 * A sandbox's own time. Live, it is real time plus an offset, optionally sped up; held, it moves only
 * when told. It never goes back. The one place in the product that reads the machine's clock.
 */
export class Clock {
  #base: number;
  #anchor: number;
  #mode: 'live' | 'held';
  #speed = 1;
  #last: number;
  /** The machine's time when it was last looked at. */
  #seen = 0;
  #isoOf = Number.NaN;
  #iso = '';
  #still: number | undefined;
  readonly #watchers = new Set<() => void>();

  constructor(options: { now?: number | undefined; mode?: 'live' | 'held' | undefined } = {}) {
    this.#anchor = Date.now();
    this.#base = options.now ?? this.#anchor;
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
    const real = Date.now();
    // The machine's clock was set back: this one goes on from where it is, and does not stand still until then.
    if (real < this.#seen) [this.#base, this.#anchor] = [this.#last, real];
    this.#seen = real;
    const now = Math.min(Math.floor(this.#base + (real - this.#anchor) * this.#speed), LATEST);
    if (now > this.#last) this.#last = now;
    return this.#last;
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
    this.#anchor = Date.now();
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

  /** Where it stands, in milliseconds since 1970. */
  mark(): { now: number; mode: 'live' | 'held'; speed: number } {
    return { now: this.now(), mode: this.#mode, speed: this.#speed };
  }

  /** Take over a saved state, even one in the past: a restore is a new life, not a step back. */
  restore(state: Omit<ClockState, 'now'> & { now: string | number }): void {
    this.#base = typeof state.now === 'number' ? state.now : Date.parse(state.now);
    this.#last = this.#base;
    this.#anchor = Date.now();
    this.#mode = state.mode;
    this.#speed = state.speed;
    if (this.#still !== undefined) this.#still = this.#base;
    this.#changed();
  }
}

/** Real milliseconds since an arbitrary start, for measuring how long something took; never for deciding. */
export const stopwatch = (): number => {
  // By function of the process: the global `performance` is loaded when it is first named.
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
};
