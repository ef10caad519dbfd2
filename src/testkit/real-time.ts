// As they were at first: a test that holds its timers and the time still waits for webhooks and payments that come in real time.
const { setTimeout: timeout, clearTimeout: clear } = globalThis;

const made = timeout(() => {}, 0);
/**
 * True if they are Node's own: where a test held them already, they would stand still for good, also when it lets them go.
 */
const isNodes = '_onTimeout' in Object(made);
clear(made);

/** Calls back after real milliseconds. Returns how to give it up. */
export function realTimeout(work: () => void, ms: number): () => void {
  if (isNodes) {
    const timer = timeout(work, ms);
    return () => clear(timer);
  }
  const signal = AbortSignal.timeout(ms);
  signal.addEventListener('abort', work);
  return () => signal.removeEventListener('abort', work);
}

/** Resolves after real milliseconds. */
export const realWait = (ms: number): Promise<void> => new Promise((resolve) => realTimeout(resolve, ms));

/** Real milliseconds since an arbitrary start. */
export const stopwatch = (): number => process.uptime() * 1000;
