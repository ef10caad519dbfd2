// Bytes in memory per row, a count that does not depend on the machine: `node --expose-gc bench/bytes.mjs [customers|transactions] [rows]`
// prints one number. Typed arrays count with the heap, for indexes are kept in them.
import { startEmulator } from '../dist/index.js';

const [kind = 'customers', rows = '50000'] = process.argv.slice(2);
const count = Number(rows);
const start = (generate) => startEmulator({ port: 0, seed: 1, scenario: ['default', { generate }] });
const made = (many) => (kind === 'customers' ? { customers: many } : { customers: 100, transactions: many });
const used = () => {
  for (let i = 0; i < 4; i += 1) globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

// What is loaded and compiled on the way is there before it counts.
await (await start(made(2000))).close();
await new Promise((resolve) => setTimeout(resolve, 100));
const before = used();
const emulator = await start(made(count));
console.log(Math.round((used() - before) / count));
await emulator.close();
