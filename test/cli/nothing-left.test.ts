import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** A program of a user's: thirty receivers that take a connection and keep silent, and everything that waits at an emulator. */
const program = (end: string) => `
  import { createServer } from 'node:net';
  import { startEmulator } from 'sandbox-emulator';
  const handles = () => process.getActiveResourcesInfo().filter((name) => !/^(?:Immediate|PipeWrap|TTYWrap|TickObject|CloseReq)$/.test(name)).sort();
  const before = handles();
  const receivers = await Promise.all(Array.from({ length: 30 }, () => new Promise((resolve) => {
    const connections = [];
    const server = createServer((socket) => {
      connections.push(socket);
      socket.on('error', () => {});
      // What is said is read, so that its end is seen; nothing is answered.
      socket.resume();
    });
    server.listen(0, '127.0.0.1', () => resolve({ server, connections, url: 'http://127.0.0.1:' + server.address().port }));
  })));
  const emulator = await startEmulator({ port: 0, seed: 1 });
  const sandboxes = await Promise.all(receivers.map(({ url }) => emulator.createSandbox({ webhookUrl: url })));
  const open = [];
  for (const sandbox of sandboxes) {
    await sandbox.fetch('/customers', { json: { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' } });
    const quiet = (path) => fetch(emulator.url + '/_emulator' + path + (path.includes('?') ? '&' : '?') + 'sandbox=' + sandbox.id).then((reply) => reply.text()).catch(() => {});
    open.push(quiet('/events'), quiet('/webhooks/wait?type=CARD.CREATED&timeoutMs=30000'));
    sandbox.webhooks.waitFor('CARD.CREATED', { timeoutMs: 30000 }).catch(() => {});
    await sandbox.faults.add({ match: { operation: 'listTokens' }, then: { delayMs: 60000 } });
    open.push(sandbox.fetch('/tokens').catch(() => {}));
  }
  while (receivers.some(({ connections }) => connections.length === 0)) await new Promise((resolve) => setTimeout(resolve, 5));
  const began = performance.now();
  ${end}
  await Promise.all(receivers.map(({ server }) => new Promise((resolve) => server.close(resolve))));
  const tookMs = performance.now() - began;
  await Promise.all(open);
  await emulator.close();
  // Files that are being read are, for a moment; what waits for time or for somebody else stays.
  for (let turn = 0; turn < 5000 && handles().length > before.length; turn += 1) await new Promise(setImmediate);
  // The sockets of this program's own fetch are its own; they are let go of, and what is left would hold it up.
  console.log(JSON.stringify({ tookMs, before, after: handles() }));
  const held = setTimeout(() => process.exit(3), 20000);
  held.unref();
`;

test.each([
  ['an emulator that is closed', 'await emulator.close();'],
  ['a sandbox that is dropped', 'await Promise.all(sandboxes.map((sandbox) => sandbox.drop()));'],
])('%s hangs up on silent receivers at once, and leaves no open handle (X7)', async (_, end) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program(end)], {
    cwd: new URL('../..', import.meta.url),
  });
  const { tookMs, before, after } = JSON.parse(stdout);
  // They would be held for the thirty seconds that a try at a delivery has.
  expect(tookMs).toBeLessThan(15_000);
  expect(after).toEqual(before);
});
