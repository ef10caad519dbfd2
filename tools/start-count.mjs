// node tools/start-count.mjs [<folder of a built package>]: what a start loads until the first 200, in numbers that no machine
// changes: `files` and `bytes` of code of ours, `functions` of ours that were called, `builtins` that Node had to load; and the names of both.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(import.meta.dirname, '..');

/** What a start loads until its first 200, counted in the process itself by the debugger of Node. */
export function countStart(root = ROOT) {
  const temporary = mkdtempSync(join(tmpdir(), 'sandbox-emulator-count-'));
  try {
    const counter = join(import.meta.dirname, 'start-counter.cjs');
    const flags = ['--port', '0', '--json', '--log', 'off'];
    const text = execFileSync(process.execPath, ['-r', counter, join(root, 'bin/sandbox-emulator.js'), ...flags], {
      // Compiled code of an earlier start would leave nothing to count.
      env: { ...process.env, TMPDIR: temporary, NODE_DISABLE_COMPILE_CACHE: '1' },
      encoding: 'utf8',
    });
    const counts = JSON.parse(text.trim().split('\n').at(-1));
    const name = (url) =>
      url
        .replace(/^file:\/\//, '')
        .replace(`${root}/`, '')
        .replace(/-[0-9A-F]{8}\./, '-#.');
    return { ...counts, loaded: counts.loaded.map(name).sort() };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log(JSON.stringify(countStart(process.argv[2] && resolve(process.argv[2])), null, 2));
