import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Tests of the command line run what a user runs, so the package is built first, unless that was just done. */
export default function setup(): void {
  if (!process.env['SKIP_BUILD'] || !existsSync('dist/cli.js'))
    execFileSync(process.execPath, ['build.mjs', '--no-types'], { stdio: 'inherit' });
}
