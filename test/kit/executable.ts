import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { EXECUTABLE } from './process.ts';

/** Tests of the executable run what a user downloads, so it is built first, unless that was just done. */
export default function setup(): void {
  if (!process.env['SKIP_BUILD'] || !existsSync(EXECUTABLE))
    execFileSync(process.execPath, ['tools/executable/build.mjs'], { stdio: 'inherit' });
}
