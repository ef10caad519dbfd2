import { setMaxListeners } from 'node:events';

/** Allows any number of listeners. A page's own `AbortSignal`, as jsdom has one, is not Node's, and has no limit. */
export function allowAnyNumber(signal: AbortSignal): void {
  try {
    setMaxListeners(0, signal);
  } catch {}
}
