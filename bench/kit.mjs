// What the parts share: this build, its servers, and calls to them.
import { existsSync, realpathSync } from 'node:fs';
import http from 'node:http';
import { basename, join } from 'node:path';
import { launch } from './processes.mjs';

export const BASE = '/2025-10-13';
const HERE = new URL('.', import.meta.url).pathname;
/** A folder with a built emulator: this one, or one that it is compared to. */
export const THIS = join(HERE, '..');
export const binOf = (build = THIS) => join(build, 'bin/sandbox-emulator.js');
export const indexOf = (build = THIS) => join(build, 'dist/index.js');

export const AUTHORIZATION = `Basic ${Buffer.from('test:secret').toString('base64')}`;
export { CUSTOMER } from './customer.mjs';

/** The Nodes to start with, by major version: of `NODES` (a folder that .ci/nodes made, or a list as PATH is one), and this one. */
export function nodes() {
  const given = process.env['NODES'] ?? '';
  const found = new Map([[Number(process.versions.node.split('.')[0]), process.execPath]]);
  const listed = given.includes(':') || !existsSync(given) ? given.split(':').filter(Boolean) : [];
  const paths = [...listed, ...[22, 24, 26].map((major) => join(given, `node${major}/package/bin/node`))];
  for (const path of paths.filter((path) => path.startsWith('/') && existsSync(path))) {
    const major = /node(\d+)/.exec(realpathSync(path))?.[1];
    if (major) found.set(Number(major), path);
  }
  return found;
}

/** Start the emulator on a free port; `build` is another folder than this. */
export const emulator = (flags = [], { nodeFlags = [], build, ...options } = {}) =>
  launch(process.execPath, [...nodeFlags, binOf(build), '--port', '0', '--json', '--log', 'off', ...flags], options);
export const child = (name) => join(HERE, `children/${basename(name)}.mjs`);
export const referenceFile = (name) => join(HERE, `references/${name}.mjs`);
export const reference = (name, options) => launch(process.execPath, [referenceFile(name)], options);

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

/** The JSON of a call that must be done. */
export async function done(url, options) {
  const { status, text } = await call(url, options);
  if (status >= 300) throw new Error(`${options?.method ?? 'GET'} ${url}: ${status} ${text.slice(0, 500)}`);
  return text === '' ? undefined : JSON.parse(text);
}
