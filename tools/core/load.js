// Runs what every start needs: one script, compiled by an earlier start where there was one.
// Builtins are asked for by function: to import node:http by statement loads undici, for its list of exports.
const { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } =
  process.getBuiltinModule('node:fs');
const { dirname, join } = process.getBuiltinModule('node:path');
const vm = process.getBuiltinModule('node:vm');

const file = join(import.meta.dirname, __CORE_FILE__);
// ASCII, so that it need not be decoded and takes a byte a character.
const text = readFileSync(file, 'latin1');

/** Files of compiled code that are kept, a megabyte each: one a version, a Node and a set of its flags. */
const MOST = 16;

/** Where compiled code is kept, if that is safe: whoever can write there decides what runs here. */
function cacheFile() {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const user = process.getuid?.();
  const folder = join(process.getBuiltinModule('node:os').tmpdir(), `sandbox-emulator-${user ?? 'cache'}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {}
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return undefined;
  if (user !== undefined && (found.uid !== user || (found.mode & 0o077) !== 0)) return undefined;
  // V8 takes only what the same V8 with the same flags has compiled.
  const engine = process.getBuiltinModule('node:v8').cachedDataVersionTag().toString(16);
  return join(folder, `${__CORE_FILE__}-${process.version}-${engine}`);
}

function compiledBefore(path) {
  try {
    return path && readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Keep the code that has been compiled until now, for the next start. It is only ever of use, so no failure matters. */
function keep(script, path) {
  const written = `${path}.${process.pid}`;
  try {
    writeFileSync(written, script.createCachedData(), { mode: 0o600, flag: 'wx' });
    renameSync(written, path);
    const all = readdirSync(dirname(path)).map((name) => join(dirname(path), name));
    const byAge = all.map((each) => [lstatSync(each).mtimeMs, each]).sort(([a], [b]) => b - a);
    for (const [, old] of byAge.slice(MOST)) rmSync(old, { force: true });
  } catch {
    rmSync(written, { force: true });
  }
}

function run() {
  // Jest and Vitest's vmThreads give modules globals of their own, where a script of Node's context would be a stranger.
  if (vm.runInThisContext('globalThis') !== globalThis) {
    // biome-ignore lint/security/noGlobalEval: it is our own file
    // biome-ignore lint/complexity/noCommaOperator: without it the text would see the names of this function
    return [(0, eval)(text), () => {}];
  }
  const path = cacheFile();
  const cachedData = compiledBefore(path);
  const script = new vm.Script(text, { filename: file, cachedData });
  const made = script.runInThisContext();
  if (path === undefined || (cachedData && !script.cachedDataRejected)) return [made, () => {}];
  // What the first requests have compiled is kept as well.
  setTimeout(keep, 1000, script, path).unref();
  return [made, () => keep(script, path)];
}

const [made, keepNow] = run();

/** The parts of the script by their names; each is run when it is first asked for. */
export const core = made(process.getBuiltinModule, {}, import.meta.url, (path) => import(path));
/** Writes at once what else is written a second after the first start. */
export const keepCompiled = keepNow;
