import { type IncomingHttpHeaders, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../src/index.ts';

/** Over a real socket: what a browser or a rebound name would send. */
async function emulator() {
  const running = await startEmulator({ port: 0, seed: 1 });
  onTestFinished(() => running.close());
  const { port } = new URL(running.url);
  return (path: string, headers: Record<string, string>, method = 'GET') =>
    new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
      request(
        { host: '127.0.0.1', port, path, method, headers: { host: `127.0.0.1:${port}`, ...headers } },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (part: string) => {
            text += part;
          });
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
        },
      )
        .on('error', reject)
        .end();
    });
}

test.each([
  [{ host: 'evil.example' }],
  [{ host: '127.0.0.1.evil.example:80' }],
  [{ host: 'localhost.evil.example' }],
  [{ origin: 'http://evil.example' }],
  [{ origin: 'null' }],
  [{ 'sec-fetch-site': 'cross-site' }],
  [{ 'sec-fetch-site': 'same-site' }],
])('the control API refuses %j', async (headers) => {
  const ask = await emulator();
  for (const path of ['/_emulator/state', '/_emulator/health', '/openapi.json']) {
    const answer = await ask(path, headers);
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  }
  expect((await ask('/_emulator/reset', headers, 'POST')).status).toBe(403);
});

test.each([
  [{}],
  [{ host: 'localhost:4010' }],
  [{ host: '[::1]:4010' }],
  [{ host: 'my.localhost' }],
  [{ 'sec-fetch-site': 'none' }],
  [{ 'sec-fetch-site': 'same-origin' }],
])('and answers %j', async (headers) => {
  const ask = await emulator();
  expect((await ask('/_emulator/health', headers)).status).toBe(200);
});

test('its own pages may call it', async () => {
  const ask = await emulator();
  expect((await ask('/_emulator/health', { host: 'localhost:9', origin: 'http://localhost:9' })).status).toBe(200);
});

test('the API itself does not look at the host: tunnels and containers name it as they like', async () => {
  const ask = await emulator();
  const authorization = `Basic ${Buffer.from('test:secret').toString('base64')}`;
  expect((await ask('/2025-10-13/config', { host: 'emulator:4010', authorization })).status).toBe(200);
});
