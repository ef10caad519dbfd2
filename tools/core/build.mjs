// Joins the chunks that every start needs into one script, which can be kept compiled between starts on every Node.
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const BANNER = /^import\{createRequire as __cr\}from'node:module';const require=__cr\(import\.meta\.url\);/m;

/** Chunks that some entries import, by name of their files; what they import when asked is none. */
function neededBy(entries, outputs) {
  const needed = new Set();
  const visit = (file) => {
    if (needed.has(file)) return;
    needed.add(file);
    for (const { path, kind, external } of outputs[file].imports)
      if (kind === 'import-statement' && !external) visit(path);
  };
  for (const entry of entries) visit(Object.keys(outputs).find((file) => outputs[file].entryPoint === entry) ?? entry);
  return [...needed];
}

/** What stands around the script's text: it has what a module of CommonJS has, where it lies, and what to do once an emulator runs. */
export const HEAD = '(function(require,exports,__url,__import,__started){';
export const TAIL = 'return exports})';

/** Digest in the form of esbuild's names of chunks. */
const digest = (text) => createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase();

/**
 * Replaces the chunks that some entries need by one script and, for each, a module that exports its part of it to those
 * chunks that are loaded later.
 */
export async function joinCore(out, { outputs }, entries) {
  const chunks = join(out, 'chunks');
  const joined = neededBy(entries, outputs);
  const isJoined = new Set(joined.map((file) => join(process.cwd(), file)));
  // esbuild names its outputs with slashes on every system.
  const names = joined.map((file) => posix.relative(out, file));
  const { outputFiles } = await build({
    stdin: {
      contents: names.map((name) => `exports[${JSON.stringify(name)}] = () => require('./${name}');`).join('\n'),
      resolveDir: out,
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    minifySyntax: !process.env.NOMIN,
    minifyIdentifiers: !process.env.NOMIN,
    // Comments may go beyond ASCII.
    minifyWhitespace: true,
    charset: 'ascii',
    // So that no expression has a character beyond it either: those become calls with a text.
    supported: { 'regexp-unicode-property-escapes': false },
    lineLimit: 200,
    legalComments: 'none',
    logLevel: 'error',
    write: false,
    define: { 'import.meta.url': '__url', 'import.meta.started': '__started' },
    plugins: [
      {
        name: 'joined',
        setup({ onResolve, onLoad }) {
          // What is not joined stays a module beside the script.
          onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
            const file = join(resolveDir, path);
            if (isJoined.has(file)) return { path: file };
            return { path: `./${relative(join(process.cwd(), chunks), file).replaceAll('\\', '/')}`, external: true };
          });
          onLoad({ filter: /\.js$/ }, ({ path }) => ({
            contents: readFileSync(path, 'utf8').replace(BANNER, ''),
            loader: 'js',
          }));
        },
      },
    ],
  });
  // A script may import nothing by itself: `vm` has an experiment for it, which Node 20 forgets where code was kept.
  const text = `${HEAD}${outputFiles[0].text.replace(/\bimport\((?="(?:\.\/|node:))/g, '__import(')}\n${TAIL}`;
  // One that were left would fail only when it is reached, and only in what is built.
  const left = /(?<![\w$.])import\(.{0,40}/.exec(text);
  if (left) throw new Error(`the script would import something by itself: ${left[0]}`);
  const strange = /.{0,60}[^\0-\x7f]+.{0,20}/.exec(text);
  if (strange)
    throw new Error(`neither expressions nor raw templates may go beyond ASCII, as texts may: ${strange[0]}`);
  const script = `core-${digest(text)}.js`;
  const { outputFiles: loaders } = await build({
    entryPoints: [fileURLToPath(new URL('load.js', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    minify: true,
    define: { __CORE_FILE__: JSON.stringify(script) },
    write: false,
  });
  const loader = loaders[0].text;
  const door = `door-${digest(loader)}.js`;
  for (const name of names) {
    const from = name.startsWith('chunks/') ? `./${door}` : `./chunks/${door}`;
    writeFileSync(join(out, name), partOf(name, outputs[`${out}/${name}`].exports, from));
  }
  appendFileSync(join(out, 'cli.js'), `export{calmHeap,keepCompiled}from'./chunks/${door}';\n`);
  writeFileSync(join(chunks, script), text);
  writeFileSync(join(chunks, door), loader);
}

/** The module that stands where a chunk was. */
function partOf(name, exported, from) {
  const part = `import{core}from'${from}';const c=core[${JSON.stringify(name)}]();\n`;
  if (exported.length === 0) return part;
  const names = exported.map((each, i) => `$${i} as ${each}`);
  return `${part}const ${exported.map((each, i) => `$${i}=c.${each}`)};export{${names}};\n`;
}
