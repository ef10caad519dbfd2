/** Milliseconds between two looks at the parent; a script that ends `npx` may ask for the port or the state file right after. */
const LOOK_MS = 100;

/** A script of npm that is this command alone: its shell lives as long as the emulator, unless somebody ended it. */
const ALONE = /^(['"]?)sandbox-emulator\1(?:\s[^&;|]*)?$/;

/**
 * Returns whether the process is the one command that `npx` or `npm run` started. npm sets this variable for a command
 * and everything below it.
 */
export const isRunByNpm = ({ npm_lifecycle_script: script = '' }: NodeJS.ProcessEnv): boolean => ALONE.test(script);

/**
 * Stops this process, as by SIGTERM, once the npm that runs it was ended. npm passes a signal to the shell that it
 * starts, which ends without passing it on: `kill` would leave the emulator, its port and an unsaved state behind.
 */
export function endWithNpm(): void {
  if (!isRunByNpm(process.env)) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_MS);
  watch.unref();
}
