// node tools/executable/measure.mjs [--starts 40] [name=command ...]: milliseconds from spawn to the first 200, the executable
// and the package (on this Node, and on those given) in turns, so that a busy machine is unfair to none.
import { spawn } from 'node:child_process';
import http from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const BIN = join(ROOT, 'bin/sandbox-emulator.js');
const { values, positionals } = parseArgs({
  options: { starts: { type: 'string', default: '40' } },
  allowPositionals: true,
});

const kinds = {
  executable: [join(ROOT, 'dist-executable/sandbox-emulator-linux-x64')],
  [`package, Node ${process.version}`]: [process.execPath, BIN],
  ...Object.fromEntries(
    positionals.map((given) => {
      const [name, ...command] = given.split(/[= ]/);
      return [name, command];
    }),
  ),
};

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Milliseconds to the first 200, and kilobytes of memory then. */
async function start([command, ...before]) {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(command, [...before, '--port', String(port), '--quiet'], { stdio: 'ignore' });
  const headers = { authorization: `Basic ${btoa('test:secret')}` };
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    const ask = () => {
      const request = http.get({ port, path: '/2025-10-13/customers', headers, agent: false }, (response) => {
        response.resume();
        const took = performance.now() - began;
        child.once('exit', () => resolve(took));
        child.kill('SIGKILL');
      });
      request.on('error', () => setTimeout(ask, 1));
    };
    ask();
  });
}

const took = Object.fromEntries(Object.keys(kinds).map((name) => [name, []]));
// The first of each warms the caches of the disk and of compiled code.
for (let i = -1; i < Number(values.starts); i += 1)
  for (const [name, command] of Object.entries(kinds)) {
    const ms = await start(command);
    if (i >= 0) took[name].push(ms);
  }
for (const [name, all] of Object.entries(took)) {
  all.sort((a, b) => a - b);
  const at = (part) => all[Math.floor((all.length - 1) * part)].toFixed(1);
  console.log(`${name}: median ${at(0.5)} ms, best ${at(0)} ms, nine of ten within ${at(0.9)} ms`);
}
