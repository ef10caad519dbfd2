import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createReceiver } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { blocksIn } from '../kit/documents.ts';
import { freePort } from '../kit/port.ts';

const HAPROXY = '/usr/sbin/haproxy';
const NAMES = ['one', 'two', 'three'];
const TOKENS = Array.from({ length: 24 }, (_, n) => `team-${n}`);
const BASE = '/2025-10-13';

interface Started {
  ready: Promise<void>;
  stop(): Promise<void>;
}
const started: Started[] = [];

/** Start a program until the end of the tests; `stop` ends it before. */
function start(command: string, args: readonly string[]): Started {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ready = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill();
    await ended;
  };
  started.push({ ready, stop });
  return { ready, stop };
}

describe.skipIf(!process.env['ALL_TOOLS'] && !existsSync(HAPROXY))(
  'three emulators behind the proxy of the page',
  () => {
    const emulators = new Map<string, Started & { port: number }>();
    let folder: string;
    let proxy: string;

    const startEmulator = (name: string, port: number) => {
      const flags = ['--port', String(port), '--json', '--log', 'off', '--state', join(folder, `${name}.json`)];
      emulators.set(name, { port, ...start(process.execPath, ['bin/sandbox-emulator.js', ...flags]) });
    };
    /** A call through the proxy; `token` as Basic credentials. */
    const call = async (method: string, path: string, token?: string, body?: object) => {
      const authorization =
        token && `Basic ${Buffer.from(`${token}:${token === 'test' ? 'secret' : 'x'}`).toString('base64')}`;
      const response = await fetch(`${proxy}${path}`, {
        method,
        headers: {
          ...(authorization ? { authorization } : {}),
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      return { status: response.status, emulator: response.headers.get('x-emulator'), text };
    };
    const customer = (fullName: string) => ({
      customerType: 'INDIVIDUAL',
      fullName,
      birthDate: '1990-01-02',
      region: 'US',
    });
    const emulatorOf = async (token: string) => (await call('GET', `${BASE}/config`, token)).emulator;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'sandbox-emulator-scale-'));
      const [front, ...ports] = await Promise.all(Array.from({ length: 4 }, freePort));
      proxy = `http://127.0.0.1:${front}`;
      for (const [i, name] of NAMES.entries()) startEmulator(name, ports[i] as number);
      let text = blocksIn('docs/scale.md').find(({ language }) => language === 'haproxy')?.text ?? '';
      for (const [i, port] of [front, ...ports].entries())
        text = text.replaceAll(`127.0.0.1:${4010 + i}`, `127.0.0.1:${port}`);
      writeFileSync(join(folder, 'haproxy.cfg'), text);
      start(HAPROXY, ['-db', '-f', join(folder, 'haproxy.cfg')]);
      await Promise.all([...emulators.values()].map(({ ready }) => ready));
      const isThere = () =>
        fetch(`${proxy}/_emulator/health`).then(
          ({ ok }) => ok,
          () => false,
        );
      await vi.waitUntil(isThere, { timeout: 60_000 });
    });
    afterAll(async () => {
      await Promise.all(started.map(({ stop }) => stop()));
      rmSync(folder, { recursive: true, force: true });
    });

    test('each token always reaches the same emulator behind the proxy, and all tokens together reach all three', async () => {
      const seen = new Map<string, string | null>();
      for (const token of TOKENS) {
        const { status, emulator } = await call('POST', `${BASE}/customers`, token, customer(`Ada of ${token}`));
        expect(status).toBe(201);
        seen.set(token, emulator);
      }
      for (const token of [...TOKENS].reverse()) {
        const { text, emulator } = await call('GET', `${BASE}/customers`, token);
        expect({ token, emulator }).toEqual({ token, emulator: seen.get(token) });
        const { data, totalCount } = JSON.parse(text);
        expect({ totalCount, name: data[0].fullName }).toEqual({ totalCount: 1, name: `Ada of ${token}` });
      }
      expect(new Set(seen.values())).toEqual(new Set(NAMES));
    });

    test('a control call with ?sandbox= or by its path reaches the emulator of the token, with credentials or without', async () => {
      for (const token of TOKENS) {
        const emulator = await emulatorOf(token);
        for (const path of [`/_emulator/sandbox?sandbox=${token}`, `/_emulator/sandboxes/${token}`]) {
          const found = await call('GET', path);
          expect({ path, emulator: found.emulator, id: JSON.parse(found.text).id }).toEqual({
            path,
            emulator,
            id: token,
          });
          expect((await call('GET', path, 'somebody-else')).emulator).toBe(emulator);
        }
        const held = await call('POST', `/_emulator/clock?sandbox=${token}`, undefined, { mode: 'held' });
        expect({ status: held.status, mode: JSON.parse(held.text).mode }).toEqual({ status: 200, mode: 'held' });
      }
    });

    test('a reset with ?sandbox= behind the proxy removes the rows of that token only', async () => {
      const [first = '', second = ''] = ['left', 'right'];
      for (const token of [first, second]) await call('POST', `${BASE}/customers`, token, customer('Ada Keller'));
      expect((await call('POST', `/_emulator/reset?sandbox=${first}`)).status).toBe(200);
      const count = async (token: string) =>
        JSON.parse((await call('GET', `${BASE}/customers`, token)).text).totalCount;
      expect([await count(first), await count(second)]).toEqual([0, 1]);
    });

    test('calls without a sandbox reach the emulator that serves the credentials of the scenario', async () => {
      const emulator = await emulatorOf('test');
      expect((await call('GET', '/_emulator/sandbox')).emulator).toBe(emulator);
      expect((await call('GET', '/')).emulator).toBe(emulator);
    });

    test('a token id with escaped characters reaches the same emulator by ?sandbox= as by its credentials', async () => {
      const token = 'team ä/1';
      await call('POST', `${BASE}/customers`, token, customer('Ada Keller'));
      const named = await call('GET', `/_emulator/sandbox?sandbox=${encodeURIComponent(token)}`);
      expect({ emulator: named.emulator, status: named.status }).toEqual({
        emulator: await emulatorOf(token),
        status: 200,
      });
    });

    test('a hosted link with ?sandbox= reaches the emulator of its token', async () => {
      for (const token of TOKENS.slice(0, 6)) {
        const { status, emulator } = await call('GET', `/kyc/unknown?sandbox=${token}`);
        expect({ status, emulator }).toEqual({ status: 404, emulator: await emulatorOf(token) });
      }
    });

    test.each(['/_emulator/sandboxes', '/_emulator/sandboxes/left/fork'])(
      'POST %s is refused by the proxy with 501, and the refusal says what to do',
      async (path) => {
        const { status, text } = await call('POST', path, undefined, {});
        expect({ status, text }).toEqual({
          status: 501,
          text: 'name a sandbox by calling it with a token id of your own',
        });
      },
    );

    test('each emulator behind the proxy sends the webhooks of its tokens to their own receivers', async () => {
      const came: string[] = [];
      const receiver = createReceiver((request, response) => {
        let body = '';
        request.setEncoding('utf8').on('data', (text: string) => (body += text));
        request.on('end', () => {
          const { type, data } = JSON.parse(body);
          if (type === 'CUSTOMER.KYC_APPROVED') came.push(`${request.url} ${data.fullName}`);
          response.end();
        });
      });
      await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void receiver.close());
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
      const tokens = TOKENS.slice(0, 6).map((token) => `hook-${token}`);
      for (const token of tokens) {
        await emulatorOf(token);
        const set = await call('PUT', `/_emulator/webhooks/endpoint?sandbox=${token}`, undefined, {
          url: `${url}/${token}`,
        });
        expect(set.status).toBe(200);
        await call('POST', `${BASE}/customers`, token, customer(`Ada of ${token}`));
      }
      await expect.poll(() => [...came].sort()).toEqual(tokens.map((token) => `/${token} Ada of ${token}`).sort());
    });

    test('the tokens of a stopped emulator get 503 while the others go on, and the emulator comes back with its rows', async () => {
      const at = new Map<string, string[]>();
      for (const token of TOKENS.map((name) => `kept-${name}`)) {
        const { emulator } = await call('POST', `${BASE}/customers`, token, customer('Ada Keller'));
        at.set(`${emulator}`, [...(at.get(`${emulator}`) ?? []), token]);
      }
      const stopped = emulators.get('two');
      await stopped?.stop();
      const statuses = async (name: string) => {
        const calls = (at.get(name) ?? []).map((token) => call('GET', `${BASE}/customers`, token));
        return new Set((await Promise.all(calls)).map(({ status }) => status));
      };
      expect(await statuses('two')).toEqual(new Set([503]));
      expect(await statuses('one')).toEqual(new Set([200]));
      expect(await statuses('three')).toEqual(new Set([200]));
      startEmulator('two', stopped?.port as number);
      await emulators.get('two')?.ready;
      for (const token of at.get('two') ?? []) {
        const { text, emulator } = await call('GET', `${BASE}/customers`, token);
        expect({ emulator, totalCount: JSON.parse(text).totalCount }).toEqual({ emulator: 'two', totalCount: 1 });
      }
    });
  },
);
