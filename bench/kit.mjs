// What every measurement shares: starting servers, loading them, medians.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const BIN = new URL('../bin/sandbox-emulator.js', import.meta.url).pathname;
const HERE = new URL('.', import.meta.url).pathname;
export const AUTHORIZATION = `Basic ${Buffer.from('test:secret').toString('base64')}`;
export const CUSTOMER = {
  customerType: 'INDIVIDUAL',
  fullName: 'Ada Keller',
  birthDate: '1990-01-02',
  email: 'ada@example.com',
  region: 'US',
  address: { line1: '1 Elm St', city: 'Tacoma', state: 'WA', postalCode: '98402', country: 'US' },
};

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
export const round = (value, digits = 2) => Number(value.toFixed(digits));

const folder = mkdtempSync(join(tmpdir(), 'sandbox-emulator-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
/** A file of the run's own. */
export const file = (name, text) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

/** Start a Node program that prints its URL or a ready event as its first line. */
export async function launch(args, { nodeFlags = [] } = {}) {
  const child = spawn(process.execPath, [...nodeFlags, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const first = await new Promise((resolve, reject) => {
    lines.once('line', resolve);
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)));
  });
  child.stdout.resume();
  const url = first.startsWith('{') ? JSON.parse(first).url : first;
  return {
    url,
    pid: child.pid,
    /** Resident memory in MiB. */
    rss: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1024,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', resolve);
        child.kill('SIGTERM');
        setTimeout(() => child.kill('SIGKILL'), 3000).unref();
      }),
  };
}

export const emulator = (flags = [], options) =>
  launch([BIN, '--port', '0', '--json', '--log', 'off', ...flags], options);
export const reference = (name) => launch([`${HERE}reference-${name}.mjs`]);

const agent = new http.Agent({ keepAlive: true });
/** One request on a kept connection; resolves with status, text and milliseconds. */
export function call(url, { method = 'GET', body, headers = {} } = {}) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      {
        method,
        agent,
        headers: {
          authorization: AUTHORIZATION,
          ...(text ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } : {}),
          ...headers,
        },
      },
      (response) => {
        const parts = [];
        response.on('data', (part) => parts.push(part));
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            text: Buffer.concat(parts).toString(),
            ms: performance.now() - started,
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(text);
  });
}

/** Requests a second over 10 connections, by `wrk` (a Debian package of that name). */
export function load(url, { seconds = 3, body } = {}) {
  const script = body
    ? [
        '-s',
        file(
          'post.lua',
          `wrk.method="POST"; wrk.body=[[${JSON.stringify(body)}]]; wrk.headers["content-type"]="application/json"`,
        ),
      ]
    : [];
  let output;
  try {
    output = execFileSync(
      'wrk',
      ['-t1', '-c10', `-d${seconds}`, '-H', `authorization: ${AUTHORIZATION}`, ...script, url],
      { encoding: 'utf8' },
    );
  } catch (error) {
    if (error.code === 'ENOENT') throw new Error('the throughput figures need wrk: apt-get install wrk');
    throw error;
  }
  if (/Non-2xx/.test(output)) throw new Error(`refusals under load at ${url}:\n${output}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)[1]);
}

/** Print one figure with what it is compared to. */
export function figure(name, value, target, good) {
  console.log(
    `${good === undefined ? ' ' : good ? '✓' : '✗'} ${name.padEnd(66)} ${String(value).padEnd(34)} ${target ?? ''}`,
  );
}
