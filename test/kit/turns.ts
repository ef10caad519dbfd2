import { readFileSync } from 'node:fs';

/**
 * CPU milliseconds of the longest turn that other calls may have to wait for. The promise is 100 ms; a slow machine, or
 * one that compiles while it runs, takes several times that, and what is quadratic takes seconds.
 */
export const LONGEST_TURN_MS = 500;

/** CPU milliseconds that this thread has used; where the system does not say, those of the process. */
function threadMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e3;
  }
}

/** Does something, and returns what came of it with the CPU milliseconds of its longest turn of the event loop. */
export async function longestTurn<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  let isOver = false;
  let ms = 0;
  let before = threadMs();
  const watch = () => {
    const now = threadMs();
    ms = Math.max(ms, now - before);
    before = now;
    if (!isOver) setImmediate(watch);
  };
  setImmediate(watch);
  try {
    const value = await work();
    return { value, ms: Math.max(ms, threadMs() - before) };
  } finally {
    isOver = true;
  }
}
