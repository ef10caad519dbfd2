// node <flags of FLAGS> allocation.mjs <index.js>: bytes that each kind of request makes the emulator allocate. One kept
// connection, one request at a time, the client in a process of its own, and no sweep meanwhile: a sum, not a sample.
import { fork } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { GCProfiler } from 'node:v8';

const { startEmulator } = await import(pathToFileURL(process.argv[2]).href);
const WARM = 1500;
const COUNT = 500;
const ROUNDS = 6;

const emulator = await startEmulator({
  port: 0,
  seed: 1,
  now: '2026-01-05T09:00:00Z',
  scenario: ['default', { platform: { currencies: [{ code: 'USD' }, { code: 'USDB' }, { code: 'MXN' }] } }],
});
const client = fork(new URL('./one-by-one.mjs', import.meta.url), [emulator.baseUrl, emulator.sandbox.authorization], {
  execArgv: [],
});
client.once('exit', (code) => process.exit(code ?? 1));
const send = (kind, count) =>
  new Promise((resolve) => {
    client.once('message', resolve);
    client.send({ kind, count });
  });

const found = {};
for (const kind of ['get', 'list', 'post', 'pay']) {
  await send(kind, WARM);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    globalThis.gc();
    const sweeps = new GCProfiler();
    sweeps.start();
    const before = process.memoryUsage().heapUsed;
    await send(kind, COUNT);
    const after = process.memoryUsage().heapUsed;
    if (sweeps.stop().statistics.length > 0) throw new Error(`${kind}: the heap was swept while it was measured`);
    rounds.push((after - before) / COUNT);
  }
  // Tables double their room, timers fire on a busy machine: the round without that is the least.
  found[kind] = Math.min(...rounds);
}
console.log(JSON.stringify(found));
process.exit(0);
