// Bundles a TypeScript program of the tests and runs it: Node 20 reads no TypeScript itself.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

// What a module reads beside itself lies where its source lies.
const keepUrls = {
  name: 'keep-urls',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.tsx?$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
      loader: path.endsWith('x') ? 'tsx' : 'ts',
    }));
  },
};

/** Run a program with the arguments of this one; ends this process as that one ends. */
export async function runBundled(entry, name) {
  // Beside the packages, so that what is left out of the bundle is found.
  mkdirSync('node_modules/.cache/programs', { recursive: true });
  const file = `node_modules/.cache/programs/${name}-${process.pid}.mjs`;
  process.on('exit', () => rmSync(file, { force: true }));
  await build({
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
    logLevel: 'warning',
    plugins: [keepUrls],
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  });
  const child = spawn(process.execPath, ['--expose-gc', file, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 2);
  });
}
