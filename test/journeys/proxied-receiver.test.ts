import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { commandLineWith } from './command-line.ts';

/** A name that no resolver knows: only a proxy can reach it. */
const ELSEWHERE = 'http://hooks.partner.example/hooks';

// Older Nodes know no such variable: there, neither of the two comes to the proxy.
test('webhooks to a receiver elsewhere take the way that the HTTP client of this Node takes, by a proxy if it has one', async () => {
  const seen: string[] = [];
  const proxy = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    response.end();
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
  const own = `require('node:http').request('${ELSEWHERE}', { method: 'POST' }).on('error', () => {}).end()`;
  await promisify(execFile)(process.execPath, ['-e', own], { env: { ...process.env, ...env } });
  const expected = seen.splice(0);
  const { call, control } = await commandLineWith(env, '--allow-remote-webhooks', '--webhook-url', ELSEWHERE);
  await call('POST', '/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' });
  const attempts = async () => (await control('GET', '/webhooks')).body.data[0]?.attempts.length;
  await expect.poll(attempts).toBe(1);
  expect(seen).toEqual(expected);
  expect(['', `POST ${ELSEWHERE}`]).toContain(seen.join());
});
