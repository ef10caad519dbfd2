/** A timer of real time. */
export interface Timer {
  unref(): Timer;
}

/*
 * Node's own timers, so that fake timers in a test do not stop the emulator, whenever they were installed. If they were
 * installed before this program was loaded, timers that cannot be faked are used instead.
 */
const { setTimeout: timeout, clearTimeout: clear } = globalThis;

const made = timeout(() => {}, 0);
const isNodes = '_onTimeout' in Object(made);
clear(made);

/** A timer on an abort signal, which never keeps its process alive. */
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

/** Calls back after real milliseconds, even if a test has installed fake timers. */
export const realTimeout: (work: () => void, ms: number) => Timer = isNodes
  ? timeout
  : (work, ms) => new BySignal(work, ms);

/** Clears a timer of real time. */
export function clearReal(timer: Timer | undefined): void {
  if (timer instanceof BySignal) timer.clear();
  else clear(timer as NodeJS.Timeout | undefined);
}

/**
 * Calls back at an interval in real milliseconds, without keeping the process alive. Returns a function that stops it.
 */
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

/**
 * Calls back after milliseconds of a program's fake timers, if it has any. Returns a function that cancels the call.
 */
export function heldTimeout(work: () => void, ms: number): (() => void) | undefined {
  if (globalThis.setTimeout === timeout && isNodes) return undefined;
  const { setTimeout: held, clearTimeout: giveUp } = globalThis;
  const timer = held(work, ms);
  // In a browser page, a timer is a number.
  timer.unref?.();
  return () => giveUp(timer);
}

/** Resolves after real milliseconds, or at once if `signal` is aborted. */
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
