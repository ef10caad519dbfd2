// node sandboxes.mjs <index.js> <customers>: what sandboxes cost, each beside a copy of the same by plain JavaScript, in turns.
// Prints pairs of milliseconds [plain, ours] by name, and of CPU milliseconds.
import { pathToFileURL } from 'node:url';

const [, , index, customers] = process.argv;
const { startEmulator } = await import(pathToFileURL(index).href);
const TIMES = 40;
const WARM = 20;

async function timed(work) {
  const cpu = process.cpuUsage();
  const from = performance.now();
  await work();
  const ms = performance.now() - from;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuMs: (user + system) / 1000 };
}

async function inTurns(plain, ours, after = () => {}) {
  const pairs = [];
  for (let i = -WARM; i < TIMES; i += 1) {
    const pair = [await timed(plain), await timed(ours)];
    await after();
    if (i >= 0) pairs.push(pair);
  }
  return pairs;
}

const emulator = await startEmulator({ port: 0, seed: 1 });
const state = await emulator.sandbox.snapshot();
const clone = () => structuredClone(state);
const found = {};
found['create-sandbox'] = await inTurns(clone, () => emulator.createSandbox());
const sandbox = await emulator.createSandbox();
found['reset'] = await inTurns(clone, () => sandbox.reset());
const others = [];
found['second'] = await inTurns(clone, async () => others.push(await startEmulator({ port: 0 })));
await Promise.all([...others, emulator].map((each) => each.close()));

const generate = { customers: Number(customers) };
const big = await startEmulator({ port: 0, seed: 1, scenario: ['default', { generate }] });
const rows = new Map(Array.from({ length: generate.customers }, (_, n) => [`Customer:${n}`, { n }]));
let copy;
let fork;
found['fork'] = await inTurns(
  () => (copy = new Map(rows)),
  async () => (fork = await big.sandbox.fork()),
  () => fork.drop(),
);
await big.close();
console.log(JSON.stringify({ found, copied: copy.size }));
process.exit(0);
