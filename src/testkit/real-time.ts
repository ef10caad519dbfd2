// As they were at first: a test that holds its timers and the time still waits for webhooks and payments that come in real time.
const { setTimeout: timeout, clearTimeout: clear } = globalThis;
const { hrtime } = process;

/** Calls back after real milliseconds. Returns how to give it up. */
export function realTimeout(work: () => void, ms: number): () => void {
  const timer = timeout(work, ms);
  return () => clear(timer);
}

/** Resolves after real milliseconds. */
export const realWait = (ms: number): Promise<void> => new Promise((resolve) => realTimeout(resolve, ms));

/** Real milliseconds since an arbitrary start. */
export function stopwatch(): number {
  const [seconds, nanoseconds] = hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
