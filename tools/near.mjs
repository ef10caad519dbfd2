// npm run near: what is near to a change, in seconds: types, lint of the files that changed, and the tests of their folders with five
// tests of the whole house. Changed is what differs from main, committed or not; `-- HEAD` takes what is not committed.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { changedSince, git, testsNear } from './near/changed.mjs';

/** Tests of the house that take little and break often. */
const HOUSE = ['imports', 'tests', 'errors', 'decisions', 'documents'].map((name) => `test/house/${name}.test.ts`);

/** Files that no folder of tests is near to: many use them, or their tests start processes. */
const FAR = /^test\/(?:kit|browser|executable|cli|journeys|fixtures|planted|types|house)(?:\/|$)/;

/** Where the changes of this branch begin: the last commit that it shares with main, or the present one. */
function base() {
  const [asked] = process.argv.slice(2);
  if (asked) return asked;
  for (const main of ['origin/main', 'main'])
    try {
      return git('merge-base', main, 'HEAD')[0];
    } catch {
      // There is no such branch here.
    }
  return 'HEAD';
}

/** Runs a program to its end; what it says is shown when it fails. */
function run(name, args) {
  const started = Date.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args);
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part) => {
        said += part;
      });
    child.on('exit', (code) => {
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}, ${seconds} s${code === 0 ? '' : `\n${said}`}`);
      resolve(code === 0);
    });
  });
}

const changed = changedSince(base()).filter((file) => existsSync(file));
const isTestOfHouse = (file) => /^test\/house\/.*\.test\.ts$/.test(file);
const folders = changed.map(testsNear).filter((folder) => folder && !FAR.test(folder));
const tests = [...new Set([...folders, ...changed.filter(isTestOfHouse), ...HOUSE])];
const far = changed.filter((file) => FAR.test(file) && !isTestOfHouse(file));

console.log(`${changed.length} files changed; tests: ${tests.join(' ')}`);
const bin = (path) => `node_modules/${path}`;
const types = ['-p', '.', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/near.tsbuildinfo'];
const ends = await Promise.all([
  run('types', [bin('typescript/bin/tsc'), ...types]),
  run('lint', [bin('@biomejs/biome/bin/biome'), 'check', '--no-errors-on-unmatched', ...changed]),
  run('tests', [bin('vitest/vitest.mjs'), 'run', '--project', 'in-process', ...tests]),
]);
if (far.length > 0) console.log(`not tried, for no tests are near: ${far.join(' ')}`);
process.exit(ends.every(Boolean) ? 0 : 1);
