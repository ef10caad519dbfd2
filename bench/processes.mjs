// Processes of a run. One that ends by itself ends the run with what it said; when the run ends, however it does, so do they.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const running = new Set();
const folder = mkdtempSync(join(tmpdir(), 'sandbox-emulator-bench-'));
const cleanups = [() => rmSync(folder, { recursive: true, force: true })];
/** Do this when the run ends. */
export const atEnd = (work) => cleanups.unshift(work);

/** A process and what it started: each has a group of its own. */
const killGroup = ({ pid }) => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
};
process.on('exit', () => {
  for (const child of running) killGroup(child);
  for (const cleanup of cleanups) cleanup();
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

/** End the run with a message. */
export function fail(message) {
  console.error(`\n${message}`);
  process.exit(1);
}

/** A file of the run's own. */
export const file = (name, text) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
/** The name of a file of the run's own, not made yet. */
export const fileName = (name) => join(folder, name);

export const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Spawn; `failed` hears of an end that nobody asked for, with the last of what the child said. */
function begin(command, args, { env, cwd, ipc = false, stdout = 'pipe' }, failed) {
  const child = spawn(command, args, {
    stdio: ['ignore', stdout, 'pipe', ...(ipc ? ['ipc'] : [])],
    detached: true,
    cwd,
    env: { ...process.env, ...env },
  });
  running.add(child);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said = (said + text).slice(-4000);
  });
  child.once('error', (error) => fail(`${command}: ${error.message}`));
  // "close" comes after the last of stderr, "exit" may come before it; what the child started may hold stderr open.
  child.once('exit', (code, signal) => {
    running.delete(child);
    if (child.asked) return;
    const end = () => failed(`${command} ${args.join(' ')}\nended with ${code ?? signal}\n${said}`, code);
    child.stderr.once('close', end);
    setTimeout(end, 200);
  });
  return child;
}

const ended = (child) =>
  new Promise((resolve) => {
    child.asked = true;
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
  });

/** Milliseconds that the threads of a process were on a processor. */
export const cpuMs = (pid) =>
  readdirSync(`/proc/${pid}/task`)
    .map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]))
    .reduce((sum, ns) => sum + ns / 1e6, 0);

/** Start a program that prints its URL or a ready event as its first line, and goes on; one whose `url` is known prints none. */
export async function launch(command, args, options = {}) {
  const child = begin(command, args, options, fail);
  const lines = createInterface({ input: child.stdout });
  const first = options.url ?? (await new Promise((resolve) => lines.once('line', resolve)));
  child.stdout.resume();
  const status = (member) =>
    Number(new RegExp(`${member}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1024;
  return {
    url: first.startsWith('{') ? JSON.parse(first).url : first,
    pid: child.pid,
    /** Resident memory in MiB. */
    rss: () => status('VmRSS'),
    cpuMs: () => cpuMs(child.pid),
    signal: (name) => child.kill(name),
    /** Of one that was launched with `ipc`: what it sends back to a message. */
    ask: (message) =>
      new Promise((resolve) => {
        child.once('message', resolve);
        child.send(message);
      }),
    stop: () => {
      const end = ended(child);
      child.kill('SIGTERM');
      setTimeout(() => killGroup(child), 3000).unref();
      return end;
    },
  };
}

/** Run a program to its end; what it printed. Ends the run where its code is not 0. */
export async function output(command, args, options = {}) {
  let text = '';
  const done = Promise.withResolvers ? Promise.withResolvers() : withResolvers();
  const child = begin(command, args, options, (message, code) => (code === 0 ? done.resolve() : fail(message)));
  child.stdout.setEncoding('utf8').on('data', (part) => {
    text += part;
  });
  const closed = new Promise((resolve) => child.stdout.once('close', resolve));
  await Promise.all([done.promise, closed]);
  return text;
}

/** Run a program to its end, line by line as it prints them. Ends the run where its code is not 0. */
export async function* lines(command, args, options = {}) {
  const child = begin(command, args, options, (message, code) => code !== 0 && fail(message));
  yield* createInterface({ input: child.stdout });
}

/** Promise.withResolvers of Node 20. */
function withResolvers() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}

/** The first process that the main thread of another started; undefined before that. */
const childOf = (pid) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]) || undefined;
/** The last of a chain of processes, such as a shell and what it runs. */
const lastOf = (pid) => {
  const child = childOf(pid);
  return child === undefined ? pid : lastOf(child);
};

/**
 * From spawn to the first 200 of a path: milliseconds, and those on a processor. Args are a function of the port.
 * It is killed then, after `restMs`. With `through`, the command only starts the server: what is told is the server's from
 * its own start, and `beforeMs` the time until then.
 */
export async function untilFirst200(command, args, path = '/', { restMs = 0, through = false, ...options } = {}) {
  const port = await freePort();
  const spawned = performance.now();
  let started = spawned;
  const child = begin(command, args(port), { ...options, stdout: 'ignore' }, fail);
  let server = child.pid;
  if (through) {
    for (server = undefined; server === undefined; server = childOf(child.pid))
      await new Promise((resolve) => setTimeout(resolve, 1));
    started = performance.now();
  }
  return new Promise((resolve) => {
    const ask = () => {
      const request = http.get({ port, host: '127.0.0.1', path, agent: false }, (response) => {
        response.resume();
        if (response.statusCode !== 200) return setTimeout(ask, 1);
        const took = {
          ms: performance.now() - started,
          cpuMs: cpuMs(through ? lastOf(server) : server),
          beforeMs: started - spawned,
        };
        ended(child).then(() => resolve(took));
        setTimeout(() => killGroup(child), restMs);
      });
      request.on('error', () => setTimeout(ask, 1));
    };
    ask();
  });
}
