// Runs what every start needs: one script, compiled by an earlier start where there was one.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import vm from 'node:vm';
import { privateFolder, readKept, writeKept } from './kept.js';

const file = join(import.meta.dirname, __CORE_FILE__);
// ASCII, so that it need not be decoded and takes a byte a character.
const text = readFileSync(file, 'latin1');

/** This process's user; Windows has no number for one. */
const user = process.getuid?.();

/** Where compiled code is kept, if that is safe: whoever can write there decides what runs here. */
function cacheFile() {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const folder = privateFolder(tmpdir(), user);
  if (folder === undefined) return undefined;
  // V8 takes only what the same V8 with the same flags has compiled, and says so; a name apart keeps them from taking turns.
  // The place is part of it as well: stack traces have the one that the code was compiled at.
  const flags = `${file} ${process.arch} ${process.execArgv.join(' ')} ${process.env.NODE_OPTIONS ?? ''}`;
  let sum = 0;
  for (let i = 0; i < flags.length; i += 1) sum = (sum * 31 + flags.charCodeAt(i)) >>> 0;
  return join(folder, `${__CORE_FILE__}-${process.version}-${sum.toString(16)}`);
}

/** V8's flags under load, and what they are by themselves. */
const CALM = ['--heap-growing-percent=100', '--minor-gc-task-trigger=10'];
const AS_IT_WAS = ['--heap-growing-percent=0', '--minor-gc-task-trigger=80'];
let isCalm = false;
const setFlags = (flags) => {
  for (const flag of flags) {
    // Whoever gave Node one knows better.
    const [name] = flag.split('=');
    if (process.execArgv.some((given) => given.replaceAll('_', '-').startsWith(name))) continue;
    setFlagsFromString(flag);
  }
};

/**
 * Left alone, the heap grows to four times what is alive before it is swept: under load that is most of the process's memory. And new
 * objects are swept by the few megabytes, not by the dozens: a request that waits for a sweep waits a fifth as long.
 */
export function calmHeap() {
  if (/\b(?:all|heap)\b/.test(process.env.SANDBOX_EMULATOR_WITHOUT ?? '')) return;
  isCalm = true;
  setFlags(CALM);
}

/** Keeps the code that has been compiled until now, for the next start. */
function keep(script, path) {
  // V8 takes it only with the flags that it was written with, and a start has none yet.
  if (isCalm) setFlags(AS_IT_WAS);
  const compiled = script.createCachedData();
  if (isCalm) setFlags(CALM);
  writeKept(path, compiled);
}

function run() {
  // Jest and Vitest's vmThreads give modules globals of their own, where a script of Node's context would be a stranger.
  if (vm.runInThisContext('globalThis') !== globalThis) {
    // biome-ignore lint/security/noGlobalEval: it is our own file
    // biome-ignore lint/complexity/noCommaOperator: without it the text would see the names of this function
    return [(0, eval)(text), () => {}];
  }
  const path = cacheFile();
  const cachedData = path && readKept(path, user);
  const script = new vm.Script(text, { filename: file, cachedData });
  const made = script.runInThisContext();
  if (path === undefined || (cachedData && !script.cachedDataRejected)) return [made, () => {}];
  // What the first requests have compiled is kept as well.
  setTimeout(keep, 1000, script, path).unref();
  let isKept = false;
  const now = () => {
    if (!isKept) keep(script, path);
    isKept = true;
  };
  return [made, now];
}

const [made, keepNow] = run();

/** The parts of the script by their names; each is run when it is first asked for. */
const { getBuiltinModule: builtin = createRequire(import.meta.url) } = process; // Node 22.0 to 22.2 lack it
export const core = made(builtin, {}, import.meta.url, (path) => import(path), keepNow);
/** Writes at once what else is written a second after the first start: a short run of tests has ended by then. */
export const keepCompiled = keepNow;
