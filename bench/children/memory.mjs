// node --expose-gc memory.mjs <index.js> <customers | transactions> <count>: bytes of heap per row, and of the same JSON as plain
// objects.
import { pathToFileURL } from 'node:url';

const [, , index, kind, count] = process.argv;
const { startEmulator } = await import(pathToFileURL(index).href);
const heap = () => {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  // Indexes are kept in typed arrays.
  return heapUsed + arrayBuffers;
};

/** Rows of a page as the API shows them, and how much a Map of as many plain objects takes. */
async function plain(sandbox, path, count) {
  const { data } = await (await sandbox.fetch(path)).json();
  const texts = data.map((row) => JSON.stringify(row));
  const before = heap();
  const rows = new Map();
  for (let n = 0; n < count; n += 1) {
    // Strings of their own, as parsed replies have them.
    const row = JSON.parse(texts[n % texts.length]);
    rows.set(`${row.id}-${n}`, row);
  }
  const took = (heap() - before) / count;
  if (rows.size !== count) throw new Error('rows are missing');
  return took;
}

async function measure(count, generate, paths) {
  // Code that the first emulator loads is not of the rows.
  await (await startEmulator({ port: 0, seed: 1, scenario: ['default', { generate: { ...generate(10) } }] })).close();
  const before = heap();
  const emulator = await startEmulator({ port: 0, seed: 1, scenario: ['default', { generate: generate(count) }] });
  const value = (heap() - before) / count;
  let reference = 0;
  for (const [path, times] of paths) reference += (await plain(emulator.sandbox, path, 20_000)) * times;
  await emulator.close();
  return { value, reference };
}

const KINDS = {
  customers: [
    (n) => ({ customers: n }),
    [
      ['/customers?limit=100', 1],
      ['/customers/internal-accounts?limit=100', 3],
    ],
  ],
  transactions: [(n) => ({ customers: 100, transactions: n }), [['/transactions?limit=100', 1]]],
};
console.log(JSON.stringify(await measure(Number(count), ...KINDS[kind])));
