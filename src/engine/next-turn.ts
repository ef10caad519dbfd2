import { createRequire } from 'node:module';
import type { Timer } from './timers.ts';

const { setImmediate: turn, clearImmediate: clear } = globalThis;
const made = turn?.(() => {});
const isNodes = '_onImmediate' in Object(made);
clear?.(made);

/** Each call gets its own channel: a reused channel delivers many messages in one turn. */
function byMessage(work: () => void): Timer {
  const { MessageChannel } = createRequire(import.meta.url)(
    'node:worker_threads',
  ) as typeof import('node:worker_threads');
  const { port1, port2 } = new MessageChannel();
  port1.once('message', () => {
    port1.close();
    work();
  });
  port2.postMessage(0);
  const timer = {
    unref(): Timer {
      port1.unref();
      return timer;
    },
  };
  return timer;
}

/**
 * Calls back in the next turn of the event loop. Uses Node's own function, so that fake timers in a test do not stop
 * the emulator, even if they were installed before it was loaded.
 */
export const nextTurn: (work: () => void) => Timer = isNodes ? turn : byMessage;
