import { execFileSync } from 'node:child_process';

/** Runs npm and returns what it prints. On Windows, npm is a script of cmd: the npm that runs this one is run as a script of Node. */
export function npm(args, options = {}) {
  const script = process.env.npm_execpath;
  const how = { encoding: 'utf8', ...options };
  if (script?.endsWith('npm-cli.js')) return execFileSync(process.execPath, [script, ...args], how);
  const isWindows = process.platform === 'win32';
  return execFileSync('npm', isWindows ? args.map((arg) => `"${arg}"`) : args, { ...how, shell: isWindows });
}
