/**
 * Calls back in the next turn of the event loop. Node's own, as it was when this program started: tests that hold the timers
 * of their program do not hold an emulator in it.
 */
export const nextTurn = globalThis.setImmediate;
