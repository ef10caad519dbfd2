import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { Emulator } from '../public.ts';
import type { Output } from './output.ts';

/** Reports an error on stderr. */
export type Complain = (what: string, error: unknown) => void;

/** Milliseconds after which a stop that hangs is forced, unless a state has to be saved. */
const PATIENCE_MS = 5000;

interface Wishes {
  reload: () => void;
  complain: Complain;
  parentWatch: boolean;
  /** True if a state file is written at the end, however long that takes. */
  saves: boolean;
}

type Wish = 'stop' | 'save' | 'reload';

/**
 * Returns the meaning of each signal on a platform. Windows sends SIGBREAK for Ctrl+Break, and SIGHUP only when a
 * console window is closed. It has no SIGUSR2, and a SIGTERM there ends the process at once.
 */
export const wishesOf = (platform: NodeJS.Platform): Partial<Record<NodeJS.Signals, Wish>> => ({
  SIGINT: 'stop',
  SIGTERM: 'stop',
  ...(platform === 'win32' ? { SIGBREAK: 'stop', SIGHUP: 'stop' } : { SIGUSR2: 'save', SIGHUP: 'reload' }),
});

/**
 * Notes the signals to save and to reload while an emulator starts, which would end the process. The returned function
 * is called once they are handled, and hands them over.
 */
export function noteSignals(): () => void {
  const noted = new Set<NodeJS.Signals>();
  const note = (signal: NodeJS.Signals): void => void noted.add(signal);
  const signals = Object.entries(wishesOf(process.platform))
    // A terminal that closes ends what it started.
    .filter(([, wish]) => wish === 'save' || (wish === 'reload' && !hasTerminal()))
    .map(([signal]) => signal as NodeJS.Signals);
  for (const signal of signals) process.on(signal, note);
  return () => {
    for (const signal of signals) process.off(signal, note);
    for (const signal of noted) process.emit(signal);
  };
}

/** Handles signals and, if requested, the end of stdin. */
export function handleSignals(
  emulator: Emulator,
  output: Output,
  { reload, complain, parentWatch, saves }: Wishes,
): void {
  let stopping = false;
  /** Stops within a second, unless a large state has to be saved. */
  const stop = async (end: () => void = () => process.exit(0)): Promise<void> => {
    if (stopping) return;
    stopping = true;
    if (!saves) setTimeout(() => process.exit(1), PATIENCE_MS).unref();
    try {
      await emulator.close();
      output.flush();
      end();
    } catch (error) {
      complain('the end was not orderly', (error as Error).message);
      process.exit(1);
    }
  };
  const terminal = hasTerminal();
  const isSeen = [0, 1, 2].some((stream) => isatty(stream));
  const heard: Record<Wish, () => void> = {
    stop,
    save: () => {
      emulator.save().catch((error: Error) => complain('the state was not saved', error.message));
    },
    reload: () => {
      // A shell hangs up its programs before its terminal closes, or while it stays open; both look like a wish to
      // reload.
      if (!terminal) reload();
      // A program whose streams lead elsewhere, as under nohup, is meant to outlive its terminal.
      else if (isSeen) stop(dieOfHangup);
      else if (saves) heard.save();
    },
  };
  for (const [signal, wish] of Object.entries(wishesOf(process.platform))) process.on(signal, () => heard[wish]());
  if (parentWatch) {
    process.stdin.on('end', () => stop());
    process.stdin.on('error', () => stop());
    process.stdin.resume();
  }
}

/** Returns whether the process belongs to a terminal, wherever its own streams lead. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

/** Ends the process itself: Node's own end would restore the terminal, and abort because there is none. */
function dieOfHangup(): void {
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}
