// npm run executable [-- --target <name> --node <binary>]: one file with Node in it, in dist-executable/, for this machine or another.
// It is made from the package's own dist, so that it does what the package does, and has every file that the package has besides code.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
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
import { inspect, withoutSignature } from './inspect.mjs';
import { nodeBinary } from './node.mjs';
import { npm } from './npm.mjs';
import { packageFiles } from './package-files.mjs';
import { fileOf, has, runnerOf, TARGETS, HERE as THIS_MACHINE } from './targets.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const HERE = import.meta.dirname;
const OUT = join(ROOT, 'dist-executable');
const { values } = parseArgs({
  options: {
    target: { type: 'string', default: THIS_MACHINE },
    node: { type: 'string' },
    'no-build': { type: 'boolean' },
    'no-strip': { type: 'boolean' },
  },
});
const target = TARGETS[values.target];
if (target === undefined)
  refuse({
    message: `--target must be one of ${Object.keys(TARGETS).join(', ')}, not ${values.target ?? 'this machine'}`,
  });
process.chdir(ROOT);
const cache = join(ROOT, 'node_modules/.cache/sandbox-emulator');
const node = values.node ? resolve(values.node) : await nodeBinary(values.target, cache).catch(refuse);

if (!values['no-build'] || !existsSync('dist/cli.js'))
  execFileSync(process.execPath, ['build.mjs', '--no-types'], { stdio: 'inherit' });

mkdirSync(OUT, { recursive: true });
const work = mkdtempSync(join(tmpdir(), 'sandbox-emulator-executable-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
const at = (name) => join(work, name);

// Files of the package that programs read: scenarios, OpenAPI documents, the pages of the manual.
const listed = JSON.parse(npm(['pack', '--dry-run', '--json', '--ignore-scripts', '--silent']))[0].files;
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

// Compiled code is of one V8 on one kind of processor: the target's own Node makes it, or it is left out, and a start compiles.
const runner = runnerOf(values.target);
if (runner) quietly([...runner.before, node, join(HERE, 'compile.mjs'), work], runner.env);
else writeFileSync(at('code.cache'), '');
writeFileSync(
  at('sea-config.json'),
  JSON.stringify({
    main: join(HERE, 'main.cjs'),
    output: at('blob'),
    disableExperimentalSEAWarning: true,
    useCodeCache: runner !== undefined,
    assets: {
      'code.js': at('code.js'),
      'code.cache': at('code.cache'),
      ...Object.fromEntries(files.map((path) => [`package/${path}`, join(ROOT, path)])),
    },
  }),
);
// Without compiled code, any machine's Node of that version writes the same bytes.
const packer = runner ? [...runner.before, node] : [await nodeBinary(THIS_MACHINE, cache)];
quietly([...packer, '--experimental-sea-config', at('sea-config.json')], runner?.env);

const file = at('sandbox-emulator');
copyFileSync(node, file);
chmodSync(file, 0o755);
if (target.platform === 'win32') writeFileSync(file, withoutSignature(readFileSync(file)));
if (target.platform === 'darwin') quietly(['codesign', '--remove-signature', file]);
// Names for debuggers are a seventh of the file; what could not be stripped works as well.
const strip = target.strip?.find(has);
if (strip && !values['no-strip']) quietly([strip, file]);
else if (target.strip && !values['no-strip'])
  console.warn(`not stripped: this machine has none of ${target.strip.join(', ')}`);
quietly([
  process.execPath,
  join(ROOT, 'node_modules/postject/dist/cli.js'),
  file,
  'NODE_SEA_BLOB',
  at('blob'),
  ...['--sentinel-fuse', 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'],
  ...(target.platform === 'darwin' ? ['--macho-segment-name', 'NODE_SEA'] : []),
]);
// macOS starts nothing without a signature; this one names nobody. The release may replace it by its owner's.
if (target.platform === 'darwin') quietly(['codesign', '--sign', '-', file]);

const name = fileOf(values.target);
// Beside it and then in its place: one that is running is not written to.
copyFileSync(file, join(OUT, `${name}.new`));
renameSync(join(OUT, `${name}.new`), join(OUT, name));
// Node's licence asks to be with every copy of it; a release has it beside the executables. npm has it with the Nodes for Linux.
const licence = join(node, '../../LICENSE');
if (existsSync(licence)) copyFileSync(licence, join(OUT, 'NODE-LICENSE'));
const bytes = readFileSync(join(OUT, name));
const sum = createHash('sha256').update(bytes).digest('hex');
writeFileSync(join(OUT, `${name}.sha256`), `${sum}  ${name}\n`);
const { platform, arch, blob, isOn } = inspect(bytes);
if (platform !== target.platform || arch !== target.arch || blob !== statSync(at('blob')).size || !isOn)
  throw new Error(
    `what was built is not for ${values.target}, or has nothing in it: ${JSON.stringify({ platform, arch, blob, isOn })}`,
  );
const mb = (size) => (size / 1e6).toFixed(1);
console.log(
  `dist-executable/${name}: ${mb(statSync(join(OUT, name)).size)} MB, ${mb(gzipSync(bytes).length)} MB packed`,
);

/** Ends this build with what is wrong with the way it was started. */
function refuse({ message }) {
  console.error(message);
  process.exit(2);
}

/** Runs a program of which nobody wants to read, unless it fails: then what it said ends this build. */
function quietly([program, ...args], env = {}) {
  try {
    execFileSync(program, args, { stdio: 'pipe', env: { ...process.env, ...env } });
  } catch (error) {
    if (error.status === undefined) throw error;
    console.error(`${program} ${args.join(' ')}\n${error.stderr}`);
    process.exit(1);
  }
}
