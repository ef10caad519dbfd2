import { basename, delimiter, dirname, relative, sep } from 'node:path';

/** The way in which this process was started, as far as known. */
interface Started {
  readonly file: string | undefined;
  readonly execPath: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const here = (): Started => ({
  file: process.argv[1],
  execPath: process.execPath,
  cwd: process.cwd(),
  env: process.env,
});

/** Returns the words that start this program again from the same shell, so that a hint with them can be pasted. */
export function invocation({ file, execPath, cwd, env }: Started = here()): string {
  const pathTo = (one: string): string => {
    const path = relative(cwd, one);
    const shown = path.startsWith('..') || path === '' ? one : path;
    return /\s/.test(shown) ? `'${shown}'` : shown;
  };
  // A single executable is its own Node.
  if (file === undefined || file === execPath)
    return isOnPath(execPath, env) ? basename(execPath) : dotted(pathTo(execPath));
  if (env['npm_command'] === 'exec' || file.includes(`node_modules${sep}.bin`)) return 'npx sandbox-emulator';
  return isOnPath(file, env) ? basename(file) : `node ${pathTo(file)}`;
}

const isOnPath = (file: string, env: Started['env']): boolean =>
  (env['PATH'] ?? '').split(delimiter).includes(dirname(file)) && !file.endsWith('.js');

const dotted = (path: string): string => (path.includes(sep) ? path : `.${sep}${path}`);
