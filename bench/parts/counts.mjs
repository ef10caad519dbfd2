// Counts that no other program on the machine changes: bytes allocated by a request, bytes of a row, what a start loads.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BASE, binOf, child, done, indexOf, referenceFile } from '../kit.mjs';
import { atEnd, launch, output } from '../processes.mjs';
import { memoryOf } from './memory.mjs';

/** Code is compiled at the same call each time, and the heap is so large that nothing is swept. */
const ALLOCATION = [
  '--expose-gc',
  '--single-threaded',
  '--min-semi-space-size=1024',
  '--max-semi-space-size=1024',
  '--max-old-space-size=4096',
];
const CUSTOMERS = 20_000;
const TRANSACTIONS = 10_000;

/** Bytes that one request of each kind allocates: by id, list of 20, create, quote and execute. */
export const allocationOf = async (build) =>
  JSON.parse(await output(process.execPath, [...ALLOCATION, child('allocation'), indexOf(build)]));

/** Every script that a program had loaded when it had answered one call: their names, by what V8 says of its coverage. */
async function scriptsOf(args, path) {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-emulator-scripts-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const list = join(folder, 'builtins');
  const note = `import { writeFileSync } from 'node:fs';
    process.on('SIGUSR2', () => {});
    process.on('SIGTERM', () => { writeFileSync(${JSON.stringify(list)}, process.moduleLoadList.join('\\n')); process.exit(0); });`;
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(note)}`];
  const server = await launch(process.execPath, [...flags, ...args], { env: { NODE_V8_COVERAGE: folder } });
  await done(`${server.url}${path}`);
  await server.stop();
  const files = new Set();
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.json')))
    for (const { url } of JSON.parse(readFileSync(join(folder, name), 'utf8')).result)
      if (url.startsWith('file:') || url.startsWith('/')) files.add(url.startsWith('/') ? url : fileURLToPath(url));
  return { files: [...files].filter(existsSync), builtins: readFileSync(list, 'utf8').split('\n').length };
}

/** What a start and its first answer load: files of ours, their bytes, and modules of Node beyond those of a bare server. */
export async function startPathOf(build) {
  const bare = await scriptsOf([referenceFile('http')], '');
  const ours = await scriptsOf([binOf(build), '--port', '0', '--json', '--log', 'off'], `${BASE}/config`);
  return {
    files: ours.files.length,
    bytes: ours.files.reduce((sum, file) => sum + statSync(file).size, 0),
    modules: ours.builtins - bare.builtins,
  };
}

/** All counts of a build, by name. */
export async function countsOf(build) {
  const allocated = await allocationOf(build);
  const customer = await memoryOf(build, 'customers', CUSTOMERS);
  const transaction = await memoryOf(build, 'transactions', TRANSACTIONS);
  const start = await startPathOf(build);
  return {
    'GET /customers/{id}, bytes allocated': allocated.get,
    'GET /customers?limit=20, bytes allocated': allocated.list,
    'POST /customers, bytes allocated': allocated.post,
    'quote and execute, bytes allocated': allocated.pay,
    'a customer with its accounts, bytes kept': customer.value,
    'a transaction with its posting, bytes kept': transaction.value,
    'start, files loaded': start.files,
    'start, bytes of files loaded': start.bytes,
    'start, modules of Node beyond a bare server': start.modules,
  };
}
