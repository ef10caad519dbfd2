/** A timer of real time. */
export interface Timer {
  unref(): Timer;
}

/*
 * Node's own timers: tests that hold the timers of their program hold no emulator in it, whenever they began to. Where they
 * began before this program did, others take their place that nobody holds.
 */
const { setTimeout: timeout, clearTimeout: clear } = globalThis;

const made = timeout(() => {}, 0);
const isNodes = '_onTimeout' in Object(made);
clear(made);

/** Never holds its process up. */
class BySignal implements Timer {
  readonly #signal: AbortSignal;
  readonly #work: () => void;

  constructor(work: () => void, ms: number) {
    this.#work = work;
    this.#signal = AbortSignal.timeout(ms);
    this.#signal.addEventListener('abort', work);
  }

  unref(): this {
    return this;
  }

  clear(): void {
    this.#signal.removeEventListener('abort', this.#work);
  }
}

/** Calls back after real milliseconds, even where a test holds the timers of the program. */
export const realTimeout: (work: () => void, ms: number) => Timer = isNodes
  ? timeout
  : (work, ms) => new BySignal(work, ms);

/** Give a timer of real time up. */
export function clearReal(timer: Timer | undefined): void {
  if (timer instanceof BySignal) timer.clear();
  else clear(timer as NodeJS.Timeout | undefined);
}

/** Calls back again and again, real milliseconds apart, and holds its process up for none of it. Returns how to stop it. */
export function realInterval(work: () => void, ms: number): () => void {
  let timer: Timer;
  const again = (): void => {
    timer = realTimeout(() => {
      again();
      work();
    }, ms).unref();
  };
  again();
  return () => clearReal(timer);
}

/** Calls back after milliseconds of the timers that a program holds, where it holds them. Returns how to give it up. */
export function heldTimeout(work: () => void, ms: number): (() => void) | undefined {
  if (globalThis.setTimeout === timeout && isNodes) return undefined;
  const { setTimeout: held, clearTimeout: giveUp } = globalThis;
  const timer = held(work, ms);
  // In a page it is a number.
  timer.unref?.();
  return () => giveUp(timer);
}

/** Resolves after real milliseconds, or at once when `signal` is aborted. */
export function realWait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      clearReal(timer);
      signal.removeEventListener('abort', stop);
      resolve();
    };
    const timer = realTimeout(stop, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
}
