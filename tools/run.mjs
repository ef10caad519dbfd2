// node tools/run.mjs <step> then <step> beside <step>: what a script of package.json does, in sh, PowerShell and cmd alike.
// A step is a script with its arguments, flags of Node first, or a program of a development dependency, such as tsc.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Milliseconds between two looks at whether the shell is there: whoever stops npm waits no longer for the emulator's end. */
const LOOK_MS = 200;
/** The shell at the start: the steps before the last take a while, and whoever stops npm meanwhile wants no emulator. */
const SHELL = process.ppid;
const ROOT = resolve(import.meta.dirname, '..');
const read = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

/** Splits words into steps in turn, each a list of steps side by side. */
export function stepsOf(words) {
  const turns = [[[]]];
  for (const word of words)
    if (word === 'then') turns.push([[]]);
    else if (word === 'beside') turns.at(-1).push([]);
    else turns.at(-1).at(-1).push(word);
  return turns;
}

/** Returns the arguments for Node: a program's name becomes its script, for on Windows npm links no script that Node can run. */
export function argumentsOf([first, ...rest]) {
  if (first.startsWith('-') || /\.[cm]?js$/.test(first)) return [first, ...rest];
  for (const name of Object.keys(read('package.json').devDependencies)) {
    const { bin = {} } = read(`node_modules/${name}/package.json`);
    if (typeof bin === 'object' && bin[first]) return [join(ROOT, 'node_modules', name, bin[first]), ...rest];
  }
  throw new Error(`no development dependency has a program ${first}`);
}

async function main(words) {
  const turns = stepsOf(words);
  const last = turns.pop();
  for (const together of turns) for (const step of together) runStep(step);
  const scripts = last.map(argumentsOf);
  for (const step of scripts.slice(0, -1)) {
    const child = spawn(process.execPath, step, { stdio: ['ignore', 'inherit', 'inherit'] });
    process.on('exit', () => child.kill());
  }
  endWithShell();
  const [script, ...rest] = scripts.at(-1);
  // Flags of Node ask for another process; it has the terminal, which sends Ctrl-C to both.
  if (script.startsWith('-')) {
    const child = spawn(process.execPath, scripts.at(-1), { stdio: 'inherit' });
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    child.on('exit', (code) => process.exit(code ?? 1));
    return;
  }
  // The last one takes this process over: who stops npm stops it, with no process between that would have to pass signals on.
  const path = resolve(script);
  process.argv = [process.argv[0], path, ...rest];
  await import(pathToFileURL(path).href);
}

/** Stops as npm does: npm ends the shell that it started this with, and some shells, such as dash, let their programs live on. */
function endWithShell() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const look = () => process.ppid !== SHELL && process.kill(process.pid, 'SIGTERM');
  look();
  setInterval(look, LOOK_MS).unref();
}

function runStep(step) {
  const { status, signal } = spawnSync(process.execPath, argumentsOf(step), { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? (signal === 'SIGINT' ? 130 : 1));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main(process.argv.slice(2));
