import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { openNotes, report } from './seen.ts';

/**
 * Tests of the command line run what a user runs, so the package is built first, unless that was just done. When the
 * run is over, declared answers that no test has seen are printed.
 */
export default function setup(): () => void {
  openNotes();
  if (!process.env['SKIP_BUILD'] || !existsSync('dist/cli.js'))
    execFileSync(process.execPath, ['build.mjs', '--no-types'], { stdio: 'inherit' });
  return () => {
    console.log(`\n${report()}`);
  };
}
