// Captured early: a test with fake timers and a fake clock still waits for webhooks and payments that arrive in real
// time.
const { setTimeout: timeout, clearTimeout: clear } = globalThis;

const made = timeout(() => {}, 0);
/**
 * True if they are Node's own: fake timers already installed would never fire again, even after the test restores them.
 */
const isNodes = '_onTimeout' in Object(made);
clear(made);

/** Calls back after real milliseconds. Returns a function that cancels the call. */
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

/** Returns real milliseconds since an arbitrary start. */
export const stopwatch = (): number => process.uptime() * 1000;
