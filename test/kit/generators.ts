import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const MODULES = join(import.meta.dirname, '../../node_modules');

/** Programs that make code of an OpenAPI document. */
const PROGRAMS = {
  'openapi-typescript': 'openapi-typescript/bin/cli.js',
  '@hey-api/openapi-ts': '@hey-api/openapi-ts/dist/run.mjs',
};

/** A folder in which generators run, for what they read and write. */
export interface Generators {
  readonly folder: string;
  run(program: keyof typeof PROGRAMS, ...args: string[]): Promise<void>;
  remove(): void;
}

/**
 * Makes a folder in which generators find an older compiler: they use its interface for programs, which the one that this
 * repository is compiled with does not have. It lies below the installed packages, so that all others are found as ever.
 */
export function generators(): Generators {
  const folder = mkdtempSync(join(MODULES, '.generators-'));
  const own = join(folder, 'node_modules');
  mkdirSync(own);
  for (const [name, of] of [['typescript', 'typescript-5'], ['openapi-typescript'], ['@hey-api']] as const)
    symlinkSync(join(MODULES, of ?? name), join(own, name), 'dir');
  return {
    folder,
    run: async (program, ...args) => {
      const flags = ['--preserve-symlinks', '--preserve-symlinks-main', join(own, PROGRAMS[program])];
      await promisify(execFile)(process.execPath, [...flags, ...args], { cwd: folder });
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
