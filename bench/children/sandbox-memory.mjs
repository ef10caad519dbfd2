// node --expose-gc sandbox-memory.mjs <index.js> <count>: bytes of heap of a sandbox in use, with three customers, their webhooks
// and its request log, and of its replies as plain objects. Prints {value, reference}.
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { CUSTOMER } from '../customer.mjs';

const [, , index, count] = process.argv;
const { startEmulator } = await import(pathToFileURL(index).href);
const receiver = createServer((request, response) => request.resume().on('end', () => response.end()));
await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const webhookUrl = `http://127.0.0.1:${receiver.address().port}`;

const heap = () => {
  for (let i = 0; i < 3; i += 1) globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

const emulator = await startEmulator({ port: 0, seed: 1 });
/** A sandbox in use; the texts of its replies. */
async function used() {
  const sandbox = await emulator.createSandbox({ webhookUrl });
  const texts = [];
  for (let i = 0; i < 3; i += 1) texts.push(await (await sandbox.fetch('/customers', { json: CUSTOMER })).text());
  await sandbox.webhooks.waitFor('CUSTOMER.KYC_APPROVED');
  return { sandbox, texts };
}

const kept = [];
let replies = [];
for (let i = 0; i < 20; i += 1) {
  const { sandbox, texts } = await used();
  kept.push(sandbox);
  replies = texts;
}
const before = heap();
for (let i = 0; i < Number(count); i += 1) kept.push((await used()).sandbox);
// The last deliveries have been answered.
await new Promise((resolve) => setTimeout(resolve, 500));
const between = heap();
const plain = Array.from({ length: Number(count) }, () => replies.map((text) => JSON.parse(text)));
const after = heap();
const value = (between - before) / Number(count);
console.log(JSON.stringify({ value, reference: (after - between) / plain.length, sandboxes: kept.length }));
process.exit(0);
