import { isatty } from 'node:tty';
import type { Emulator } from '../public.ts';
import type { Output } from './output.ts';

/** Says on stderr that something went wrong. */
export type Complain = (what: string, error: unknown) => void;

/** Milliseconds after which a stop that hangs is forced, where nothing is to be saved. */
const PATIENCE_MS = 5000;

interface Wishes {
  reload: () => void;
  complain: Complain;
  parentWatch: boolean;
  /** A state file is written at the end, however long that takes. */
  saves: boolean;
}

/** Hear signals and, where that is requested, the end of stdin. */
export function handleSignals(
  emulator: Emulator,
  output: Output,
  { reload, complain, parentWatch, saves }: Wishes,
): void {
  let stopping = false;
  /** Stop within a second, but for a large state that is saved. */
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
  process.on('SIGINT', () => stop());
  process.on('SIGTERM', () => stop());
  process.on('SIGUSR2', () => {
    emulator.save().catch((error: Error) => complain('the state was not saved', error.message));
  });
  const terminal = isatty(0);
  process.on('SIGHUP', () => {
    // A terminal that was closed sends the same signal as somebody who wants the scenario read again.
    if (terminal && !isatty(0)) stop(dieOfHangup);
    else reload();
  });
  if (parentWatch) {
    process.stdin.on('end', () => stop());
    process.stdin.on('error', () => stop());
    process.stdin.resume();
  }
}

/** Node's own end would put the terminal back into order, and abort because there is none. */
function dieOfHangup(): void {
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}
