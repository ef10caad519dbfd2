// Run by run.mjs in a process of its own: memory a customer, and what sandboxes cost.
import { startEmulator } from '../dist/index.js';

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const heap = () => {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
};
const timed = async (work) => {
  const times = [];
  for (let i = 0; i < 25; i += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return median(times);
};

const first = await startEmulator({ port: 0, seed: 1 });
const createSandboxMs = await timed(() => first.createSandbox());
const sandbox = await first.createSandbox();
const resetMs = await timed(() => sandbox.reset());
const others = [];
const secondMs = await timed(async () => others.push(await startEmulator({ port: 0 })));
await Promise.all([...others, first].map((emulator) => emulator.close()));

const COUNT = 1_000_000;
const before = heap();
const big = await startEmulator({ port: 0, seed: 1, scenario: ['default', { generate: { customers: COUNT } }] });
const perCustomer = (heap() - before) / COUNT;
await big.close();
const PAYMENTS = 300_000;
const empty = heap();
const busy = await startEmulator({
  port: 0,
  seed: 1,
  scenario: ['default', { generate: { customers: 100, transactions: PAYMENTS } }],
});
const perTransaction = (heap() - empty) / PAYMENTS;
console.log(JSON.stringify({ perCustomer, perTransaction, createSandboxMs, resetMs, secondMs }));
await busy.close();
