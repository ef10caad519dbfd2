import type { Timer } from './timers.ts';

const { setImmediate: turn, clearImmediate: clear } = globalThis;
const made = turn?.(() => {});
const isNodes = '_onImmediate' in Object(made);
clear?.(made);

/** A channel each: one that is used again is read many times in one turn. */
function byMessage(work: () => void): Timer {
  const { port1, port2 } = new (process.getBuiltinModule('node:worker_threads').MessageChannel)();
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
 * Calls back in the next turn of the event loop. Node's own: tests that hold the timers of their program hold no emulator in it,
 * those that held them before it began included.
 */
export const nextTurn: (work: () => void) => Timer = isNodes ? turn : byMessage;
