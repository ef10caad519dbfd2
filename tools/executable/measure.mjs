// node tools/executable/measure.mjs [--starts 40] [name=command ...]: milliseconds from spawn to the first 200, the executable
// and the package (on this Node, and on those given) in turns, so that a busy machine is unfair to none.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileOf, HERE } from './targets.mjs';

const ROOT = join(import.meta.dirname, '../..');
const BIN = join(ROOT, 'bin/sandbox-emulator.js');
const { values, positionals } = parseArgs({
  options: { starts: { type: 'string', default: '40' } },
  allowPositionals: true,
});

const kinds = {
  executable: [join(ROOT, 'dist-executable', fileOf(HERE))],
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

/** Milliseconds that the threads of a process were on a processor. */
const busyMs = (pid) =>
  readdirSync(`/proc/${pid}/task`)
    .map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]))
    .reduce((sum, ns) => sum + ns / 1e6, 0);

/** Megabytes that are its own, not shared with files or others. */
const memoryMb = (pid) =>
  Number(/Private_Dirty: +(\d+)/.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))[1]) / 1e3;

/** Milliseconds to the first 200; of processor until then; megabytes of memory then. */
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
        const figures = { took: performance.now() - began, busy: busyMs(child.pid), memory: memoryMb(child.pid) };
        child.once('exit', () => resolve(figures));
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
    const figures = await start(command);
    if (i >= 0) took[name].push(figures);
  }
for (const [name, all] of Object.entries(took)) {
  const at = (figure, part) => {
    const sorted = all.map((each) => each[figure]).sort((a, b) => a - b);
    return sorted[Math.floor((sorted.length - 1) * part)].toFixed(1);
  };
  console.log(
    `${name}: median ${at('took', 0.5)} ms, best ${at('took', 0)} ms, nine of ten within ${at('took', 0.9)} ms; ` +
      `processor ${at('busy', 0.5)} ms; memory ${at('memory', 0.5)} MB`,
  );
}
