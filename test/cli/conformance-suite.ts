import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';

const require = createRequire(import.meta.url);
const ROOT = join(import.meta.dirname, '../..');

/** A finding of the protocol's conformance suite. */
export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** The suite as a program of this Node: it imports a function that Node 20 has not, for a part that is not run here. */
async function program(folder: string): Promise<string> {
  const outfile = join(folder, 'conformance.mjs');
  await build({
    entryPoints: [require.resolve('@modelcontextprotocol/conformance/dist/index.js')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
    plugins: [
      {
        name: 'older-node',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^fs$/ }, ({ importer, namespace }) =>
            namespace === 'file' && importer.includes('/conformance/') ? { path: 'fs', namespace: 'older' } : undefined,
          );
          onLoad({ filter: /.*/, namespace: 'older' }, () => ({
            contents: "export * from 'node:fs'; import * as fs from 'node:fs'; export const globSync = fs.globSync;",
          }));
        },
      },
    ],
  });
  return outfile;
}

const run = (args: readonly string[], cwd: string): Promise<string> =>
  new Promise((resolve) => execFile(process.execPath, args, { cwd, maxBuffer: 1e8 }, (_, stdout) => resolve(stdout)));

/** A folder of findings has the scenario's name and a time. */
const FOUND = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/;

/** Runs every scenario of the suite against a server. Returns what each found, by its name. */
export async function conformance(url: string): Promise<Map<string, readonly Check[]>> {
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'conformance-'));
  try {
    const said = await run(
      [await program(folder), 'server', '--url', url, '--suite', 'all', '--output-dir', folder],
      folder,
    );
    const found = readdirSync(folder).flatMap((name) => {
      const scenario = FOUND.exec(name)?.[1];
      if (scenario === undefined) return [];
      return [[scenario, JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[]] as const];
    });
    if (found.length === 0) throw new Error(`the suite found nothing: ${said.slice(-2000)}`);
    return new Map(found);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
