// npm run executable [-- --node <binary>]: one file for linux-x64 with Node in it, in dist-executable/. It is made from the
// package's own dist, so that it does what the package does, and has every file that the package has besides code.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { nodeBinary } from './node.mjs';
import { packageFiles } from './package-files.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const HERE = import.meta.dirname;
const OUT = join(ROOT, 'dist-executable');
const { values } = parseArgs({
  options: { node: { type: 'string' }, 'no-build': { type: 'boolean' }, 'no-strip': { type: 'boolean' } },
});
process.chdir(ROOT);

if (!values['no-build'] || !existsSync('dist/cli.js'))
  execFileSync(process.execPath, ['build.mjs', '--no-types'], { stdio: 'inherit' });

mkdirSync(OUT, { recursive: true });
const work = mkdtempSync(join(tmpdir(), 'sandbox-emulator-executable-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
const at = (name) => join(work, name);

// Files of the package that programs read: scenarios, OpenAPI documents, the pages of the manual.
const listed = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--silent'], { encoding: 'utf8' }),
)[0].files;
const files = listed.map(({ path }) => path).filter((path) => !/\.(?:[cm]?js|d\.ts)$/.test(path));

// One script of all chunks. What is loaded when it is first used becomes a function that is run, and compiled, then.
const { outputFiles } = await build({
  entryPoints: ['dist/cli.js'],
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node24',
  minify: true,
  // Node shows the line that failed: that must not be a megabyte.
  lineLimit: 200,
  charset: 'ascii',
  legalComments: 'none',
  logLevel: 'error',
  write: false,
  // Expressions with a character beyond ASCII become calls with a text.
  supported: { 'dynamic-import': false, 'regexp-unicode-property-escapes': false },
  plugins: [packageFiles(ROOT, files)],
});
// It is read a byte a character, and expressions are what esbuild leaves as they are.
const code = outputFiles[0].text.replace(
  /[^\0-\x7f]/g,
  (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
);
// A function, so that it gets the `require` that finds Node's own modules.
writeFileSync(at('code.js'), `(function(require,__sea,module,exports){module={exports:exports={}};${code}\n})`);

const node = values.node ? resolve(values.node) : await nodeBinary(join(ROOT, 'node_modules/.cache/sandbox-emulator'));
writeFileSync(
  at('sea-config.json'),
  JSON.stringify({
    main: join(HERE, 'main.cjs'),
    output: at('blob'),
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    assets: {
      'code.js': at('code.js'),
      'code.cache': at('code.cache'),
      ...Object.fromEntries(files.map((path) => [`package/${path}`, join(ROOT, path)])),
    },
  }),
);
quietly(node, join(HERE, 'compile.mjs'), work);
quietly(node, '--experimental-sea-config', at('sea-config.json'));

// Names for debuggers are a seventh of the file; what could not be stripped works as well.
const file = at('sandbox-emulator');
copyFileSync(node, file);
try {
  if (!values['no-strip']) quietly('strip', file);
} catch (error) {
  if (error.code !== 'ENOENT') throw error;
  console.warn('not stripped: there is no strip on this machine (Debian: binutils)');
}
quietly(
  join(ROOT, 'node_modules/.bin/postject'),
  file,
  'NODE_SEA_BLOB',
  at('blob'),
  '--sentinel-fuse',
  'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
);

const name = 'sandbox-emulator-linux-x64';
// Beside it and then in its place: one that is running is not written to.
copyFileSync(file, join(OUT, `${name}.new`));
renameSync(join(OUT, `${name}.new`), join(OUT, name));
const bytes = readFileSync(join(OUT, name));
const sum = createHash('sha256').update(bytes).digest('hex');
writeFileSync(join(OUT, `${name}.sha256`), `${sum}  ${name}\n`);
const mb = (size) => (size / 1e6).toFixed(1);
console.log(
  `dist-executable/${name}: ${mb(statSync(join(OUT, name)).size)} MB, ${mb(gzipSync(bytes).length)} MB packed`,
);

/** Runs a program of which nobody wants to read, unless it fails: then what it said ends this build. */
function quietly(program, ...args) {
  try {
    execFileSync(program, args, { stdio: 'pipe' });
  } catch (error) {
    if (error.status === undefined) throw error;
    console.error(`${program} ${args.join(' ')}\n${error.stderr}`);
    process.exit(1);
  }
}
