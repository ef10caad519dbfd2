// npm run near: what is near to a change, in seconds: types, lint of the files that changed, and the tests of their folders with five
// tests of the whole house. Changed is what differs from main, committed or not; `-- HEAD` takes what is not committed.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Tests of the house that take little and break often. */
const HOUSE = ['imports', 'tests', 'errors', 'decisions', 'documents'].map((name) => `test/house/${name}.test.ts`);

/** Folders whose tests stand under another name. */
const ELSEWHERE = {
  'src/areas/codes': ['test/areas/contact'],
  'src/areas/credentials': ['test/areas/wallet'],
  'src/areas/sessions': ['test/areas/wallet'],
  'src/areas/signing': ['test/areas/wallet'],
  'src/areas/wallets': ['test/areas/wallet'],
  'src/declare': ['test/engine'],
  'src/sandbox': ['test/control'],
  'src/http': ['test/http'],
};

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);

/** Where the changes of this branch begin: the last commit that it shares with main, or the present one. */
function base() {
  const [asked] = process.argv.slice(2);
  if (asked) return asked;
  for (const main of ['origin/main', 'main'])
    try {
      return git('merge-base', main, 'HEAD')[0];
    } catch {}
  return 'HEAD';
}

/** Folders of tests for a changed file: the one of its area, of its room, or its own. */
function foldersFor(file) {
  const [root, room = '', area = ''] = file.split('/');
  if (root === 'test') return room === 'areas' ? [`test/areas/${area}`] : [`test/${room}`];
  if (root !== 'src') return [];
  if (room === 'areas') return ELSEWHERE[`src/areas/${area}`] ?? [`test/areas/${area}`];
  return ELSEWHERE[`src/${room}`] ?? [`test/${room}`];
}

const changed = [
  ...new Set([...git('diff', '--name-only', base()), ...git('ls-files', '-o', '--exclude-standard')]),
].filter((file) => existsSync(file));
const whole = /^test\/(?:kit|browser|executable|cli|journeys|fixtures|planted|types|house)(?:\/|$)/;
const folders = [...new Set(changed.flatMap(foldersFor))].filter((folder) => existsSync(folder) && !whole.test(folder));
const files = changed.filter((file) => /^test\/house\/.*\.test\.ts$/.test(file));
const tests = [...new Set([...folders, ...files, ...HOUSE])];
const left = changed.filter((file) => whole.test(file) && !files.includes(file));

/** Runs a program to its end; what it says is shown when it fails. */
function run(name, args, environment = {}) {
  const started = Date.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { env: { ...process.env, ...environment } });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part));
    child.on('exit', (code) => {
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}, ${seconds} s${code === 0 ? '' : `\n${said}`}`);
      resolve(code === 0);
    });
  });
}

const bin = (path) => `node_modules/${path}`;
const cache = 'node_modules/.cache/near.tsbuildinfo';
console.log(`${changed.length} files changed; tests: ${tests.join(' ')}`);
const ends = await Promise.all([
  run('types', [bin('typescript/bin/tsc'), '-p', '.', '--incremental', '--tsBuildInfoFile', cache]),
  run('lint', [bin('@biomejs/biome/bin/biome'), 'check', '--no-errors-on-unmatched', ...changed]),
  run('tests', [bin('vitest/vitest.mjs'), 'run', '--project', 'in-process', ...tests]),
]);
if (left.length > 0) console.log(`not tried here, for their tests are not near: ${left.join(' ')}`);
process.exit(ends.every(Boolean) ? 0 : 1);
