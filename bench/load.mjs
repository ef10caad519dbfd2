// Load on a server over 10 connections: by `wrk` (a Debian package) where it is, else, and for steps that need the answer
// of the step before, by a Node program of its own.
import { spawnSync } from 'node:child_process';
import { AUTHORIZATION, child } from './kit.mjs';
import { file, output } from './processes.mjs';

const hasWrk = spawnSync('wrk', ['-v']).error === undefined;
const MS = { us: 0.001, ms: 1, s: 1000, m: 60_000 };

async function byWrk(url, seconds, body) {
  const script = body
    ? [
        '-s',
        file(
          'post.lua',
          `wrk.method="POST"; wrk.body=[[${JSON.stringify(body)}]]; wrk.headers["content-type"]="application/json"`,
        ),
      ]
    : [];
  const flags = ['-t1', '-c10', `-d${seconds}`, '--latency', '-H', `authorization: ${AUTHORIZATION}`];
  const text = await output('wrk', [...flags, ...script, url]);
  if (/Non-2xx|Socket errors/.test(text)) throw new Error(`refusals under load at ${url}:\n${text}`);
  const [, p99, unit] = /99%\s+([\d.]+)(us|ms|s|m)/.exec(text);
  return {
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)[1]),
    requests: Number(/(\d+) requests in/.exec(text)[1]),
    p99Ms: Number(p99) * MS[unit],
  };
}

/**
 * Requests a second at full speed, how many there were, the 99th percentile in milliseconds, and microseconds of
 * processor that the server took for each. `steps`, in place of a URL's one request, are made in turn by each connection;
 * `{id}` in a path is the id that the answer before brought.
 */
export async function load(server, path, { seconds = 3, body, steps } = {}) {
  const before = server.cpuMs();
  const made =
    hasWrk && !steps
      ? await byWrk(`${server.url}${path}`, seconds, body)
      : JSON.parse(
          await output(process.execPath, [
            child('client'),
            JSON.stringify({
              url: server.url,
              seconds,
              authorization: AUTHORIZATION,
              steps: steps ?? [{ method: body ? 'POST' : 'GET', path, body }],
            }),
          ]),
        );
  return { ...made, cpuUs: ((server.cpuMs() - before) * 1000) / made.requests };
}
