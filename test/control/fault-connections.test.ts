import { Agent, type IncomingMessage, request } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startEmulator } from '../../src/index.ts';
import type { FaultRule } from '../../src/public.ts';

const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };

/** An emulator behind a real socket, and a client that has one connection to it. */
async function connected(rule?: FaultRule) {
  const complained = vi.spyOn(console, 'error').mockImplementation(() => {});
  const broken: string[] = [];
  const emulator = await startEmulator({
    port: 0,
    seed: 1,
    holdClock: true,
    onBroken: (what, error) => broken.push(`${what} ${error}`),
  });
  const { sandbox } = emulator;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(async () => {
    agent.destroy();
    await emulator.close();
    expect(broken).toEqual([]);
    expect(complained.mock.calls).toEqual([]);
    complained.mockRestore();
  });
  if (rule) sandbox.faults.add(rule);
  const call = (
    method: string,
    path: string,
    { body, type = 'application/json', headers = {} }: { body?: string | Buffer; type?: string; headers?: object } = {},
  ) =>
    new Promise<{ status: number; text: string; reused: boolean }>((resolve, reject) => {
      const sent = request(
        `${sandbox.baseUrl}${path}`,
        {
          method,
          agent,
          headers: {
            authorization: sandbox.authorization,
            ...(body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
            ...headers,
          },
        },
        (answer: IncomingMessage) => {
          let text = '';
          answer.on('data', (part) => (text += part));
          answer.on('error', reject);
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, reused: sent.reusedSocket }));
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  return { emulator, sandbox, call };
}

/** A form with one file of so many bytes. */
function form(bytes: number, field = 'file', name = 'rows.csv') {
  const head = `--b\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\ncontent-type: text/csv\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, 97), Buffer.from('\r\n--b--\r\n')]);
  return { body, type: 'multipart/form-data; boundary=b' };
}
const large = { body: JSON.stringify({ ...ada, address: { line1: 'x'.repeat(900_000) } }) };
const UPLOADS: [string, string, () => { body: string | Buffer; type?: string }][] = [
  ['a large JSON body', '/customers', () => large],
  ['a form', '/documents', () => form(3_000_000)],
  ['a streamed form', '/customers/bulk/csv', () => form(3_000_000)],
];

describe('a fault before the body is read', () => {
  test.each(UPLOADS)(
    'a fault answers a status to %s that is not read yet, and the connection continues to work',
    async (_, path, sent) => {
      const { call } = await connected({ match: { method: 'POST', path, times: 3 }, then: { status: 503 } });
      for (let i = 0; i < 3; i += 1) {
        expect((await call('POST', path, sent())).status).toBe(503);
        expect((await call('GET', '/customers')).status).toBe(200);
      }
    },
  );

  test.each(UPLOADS)(
    'a fault drops the connection of %s at once, and the next connection works',
    async (_, path, sent) => {
      const { call } = await connected({ match: { path, times: 1 }, then: { drop: true } });
      await expect(call('POST', path, sent())).rejects.toThrow(/ECONNRESET|EPIPE|socket hang up/);
      expect((await call('GET', '/customers')).status).toBe(200);
    },
  );

  test.each(UPLOADS)('a fault delays %s, which then gets the same status as without it', async (_, path, sent) => {
    const { call, sandbox } = await connected();
    const plain = await call('POST', path, sent());
    sandbox.faults.add({ match: { path, times: 1 }, then: { delayMs: 20 } });
    expect((await call('POST', path, sent())).status).toBe(plain.status);
  });
});

describe('truncated replies', () => {
  test('a truncated reply with a body breaks in the middle, and the call was done', async () => {
    const { call } = await connected({ match: { operation: 'createCustomer', times: 1 }, then: { truncate: true } });
    await expect(call('POST', '/customers', { body: JSON.stringify(ada) })).rejects.toThrow(/aborted|hang up/);
    expect(JSON.parse((await call('GET', '/customers')).text).totalCount).toBe(1);
  });

  test('a truncated reply without a body breaks before its head, and the call was done', async () => {
    const { call, sandbox } = await connected();
    const made = await call('POST', '/tokens', { body: JSON.stringify({ name: 'ci', permissions: ['VIEW'] }) });
    sandbox.faults.add({ match: { method: 'DELETE' }, then: { truncate: true } });
    await expect(call('DELETE', `/tokens/${JSON.parse(made.text).id}`)).rejects.toThrow(/hang up|ECONNRESET|aborted/);
    expect((await call('GET', `/tokens/${JSON.parse(made.text).id}`)).status).toBe(404);
  });
});

describe('delays of a fault', () => {
  test('a delay does not hold up the close of the emulator', async () => {
    const { call, emulator } = await connected({ match: {}, then: { delayMs: 600_000 } });
    const waiting = expect(call('GET', '/customers')).rejects.toThrow(/hang up|ECONNRESET/);
    const without = expect(
      emulator.fetch(
        new Request(`${emulator.baseUrl}/customers`, { headers: { authorization: emulator.sandbox.authorization } }),
      ),
    ).rejects.toThrow(TypeError);
    while (emulator.sandbox.faults.list()[0]?.fired !== 2) await new Promise((resolve) => setImmediate(resolve));
    const began = performance.now();
    await emulator.close();
    await waiting;
    await without;
    expect(performance.now() - began).toBeLessThan(60_000);
  });

  test('a delay of the reply alone leaves the call done at once', async () => {
    const rule = { match: { operation: 'createCustomer' }, then: { delayMs: 600_000, when: 'after' } } as const;
    const { call, emulator, sandbox } = await connected(rule);
    const waiting = expect(call('POST', '/customers', { body: JSON.stringify(ada) })).rejects.toThrow(
      /hang up|ECONNRESET/,
    );
    while (sandbox.webhooks.list().length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(sandbox.explain()).toContain('waited 600000 ms after the call was done');
    await emulator.close();
    await waiting;
  });

  test('thousands of delayed calls at once cause no process warning', async () => {
    const { emulator, sandbox } = await connected({ match: {}, then: { delayMs: 30 } });
    const warned = vi.fn();
    process.on('warning', warned);
    onTestFinished(() => void process.off('warning', warned));
    const ask = () =>
      emulator.fetch(new Request(`${sandbox.baseUrl}/config`, { headers: { authorization: sandbox.authorization } }));
    const answers = await Promise.all(Array.from({ length: 2000 }, ask));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await new Promise((resolve) => setImmediate(resolve));
    expect(warned).not.toHaveBeenCalled();
  });
});
