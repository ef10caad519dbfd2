import { execFileSync } from 'node:child_process';

/** Runs npm and returns what it prints. On Windows, npm is a script of cmd: the npm that runs this script is asked first. */
export function npm(args, options = {}) {
  const script = process.env.npm_execpath;
  const how = { encoding: 'utf8', ...options };
  if (script?.endsWith('.js')) return execFileSync(process.execPath, [script, ...args], how);
  if (process.platform !== 'win32') return execFileSync('npm', args, how);
  return execFileSync(
    'npm.cmd',
    args.map((arg) => `"${arg}"`),
    { ...how, shell: true },
  );
}
