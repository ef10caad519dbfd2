import { describe, expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../src/index.ts';
import type { EmulatorOptions } from '../../src/public.ts';
import { kit } from '../kit/sandbox.ts';

const PUBLIC = 'https://demo.example/sandbox';

async function emulator(options: EmulatorOptions<'spec' | 'grid'> = {}) {
  const running = await startEmulator({ port: 0, seed: 1, publicUrl: PUBLIC, ...options });
  onTestFinished(() => running.close());
  const { port } = running as unknown as { port: number };
  return { running, local: `http://127.0.0.1:${port}` };
}

/** Absolute http addresses in a text. */
const absolute = (text: string): string[] => text.match(/https?:\/\/[\w.-]+(?::\d+)?[^\s"'<>&\\]*/g) ?? [];
/** Addresses of the web that are not the emulator's. */
const ELSEWHERE =
  /^https?:\/\/(?:127\.0\.0\.1:3000\/hooks$|json-schema\.org|www\.w3\.org|opensource\.org|[\w.-]+\.(?:example|test|com|org|io)\b)/;

const foreign = (text: string): string[] =>
  absolute(text).filter((url) => !url.startsWith(PUBLIC) && !ELSEWHERE.test(url));

test('an emulator with a public URL shows it in all of its addresses', async () => {
  const { running } = await emulator();
  expect(running).toMatchObject({ url: PUBLIC, baseUrl: `${PUBLIC}/2025-10-13`, inspectorUrl: `${PUBLIC}/` });
  expect(running.sandbox.baseUrl).toBe(`${PUBLIC}/2025-10-13`);
  expect((await running.sandbox.fetch('/config')).status).toBe(200);
});

describe.each([
  ['takes its path off', ''],
  ['leaves its path in place', '/sandbox'],
])('behind a proxy that %s', (_, prefix) => {
  test('every address in replies, links, documents and pages begins with the public URL', async () => {
    const { running, local } = await emulator();
    const headers = { authorization: running.sandbox.authorization, host: 'demo.example' };
    const ask = async (path: string, init: RequestInit = {}) => {
      const reply = await fetch(`${local}${prefix}${path}`, { ...init, headers: { ...headers, ...init.headers } });
      return { status: reply.status, text: await reply.text() };
    };
    const json = { 'content-type': 'application/json' };
    const made = await ask('/2025-10-13/customers', {
      method: 'POST',
      body: '{"customerType":"INDIVIDUAL","fullName":"Ada"}',
      headers: json,
    });
    const { id } = JSON.parse(made.text);
    const link = await ask(`/2025-10-13/customers/${id}/kyc-link`, { method: 'POST', body: '{}', headers: json });
    const { kycUrl } = JSON.parse(link.text);
    expect(kycUrl).toMatch(/^https:\/\/demo\.example\/sandbox\/kyc\/[\w-]+$/);
    expect((await ask(new URL(kycUrl).pathname.replace('/sandbox', ''))).status).toBe(200);
    const texts: Record<string, string> = {};
    for (const path of ['/', '/openapi.json', '/_emulator/sandbox', '/_emulator/running', '/_emulator/sandboxes'])
      texts[path] = (await ask(path)).text;
    for (const as of ['curl', 'fetch', 'python', 'java', 'go'])
      texts[as] = (await ask(`/_emulator/requests/req_1/code?as=${as}`)).text;
    for (const as of ['shell', 'bruno', 'vitest'])
      texts[as] = (
        await ask('/_emulator/record', {
          method: 'POST',
          body: JSON.stringify({ requests: ['req_1', 'req_2'], as }),
          headers: json,
        })
      ).text;
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'overview', arguments: {} } };
    texts['mcp'] = (
      await ask('/_emulator/mcp', {
        method: 'POST',
        body: JSON.stringify(message),
        headers: { ...json, accept: 'application/json, text/event-stream' },
      })
    ).text;
    const found = new Set(['/']);
    for (const path of found) {
      const { text } = await ask(path, { headers: { accept: 'text/html' } });
      if (!text.startsWith('<!doctype')) continue;
      texts[`page ${path}`] = text;
      for (const [, to = ''] of text.matchAll(/ (?:href|src|action|data-url|data-then|data-events)="(\/[^"#]*)/g)) {
        expect([path, to.startsWith('/sandbox/')]).toEqual([path, true]);
        const page = to.slice('/sandbox'.length).replaceAll('&amp;', '&');
        if (found.size < 80 && page.startsWith('/inspector/') && !page.includes('/assets/')) found.add(page);
      }
    }
    expect(Object.keys(texts).length).toBeGreaterThan(60);
    for (const [name, text] of Object.entries(texts)) expect([name, foreign(text)]).toEqual([name, []]);
    for (const name of [
      '/',
      '/openapi.json',
      '/_emulator/sandbox',
      '/_emulator/running',
      'curl',
      'shell',
      'bruno',
      'mcp',
    ])
      expect([name, (texts[name] as string).includes(PUBLIC)]).toEqual([name, true]);
  });

  test('the files of a page load, and a login redirects to the public path', async () => {
    const { local } = await emulator({ controlToken: 'secret-of-ours' });
    const at = (path: string) => `${local}${prefix}${path}`;
    const body = new URLSearchParams({ token: 'secret-of-ours', next: '/inspector/clock' });
    const origin = 'https://demo.example';
    const answer = await fetch(at('/inspector/login'), {
      method: 'POST',
      body,
      headers: { origin },
      redirect: 'manual',
    });
    expect(answer.headers.get('location')).toBe('/sandbox/inspector/clock');
    expect(answer.headers.get('set-cookie')).toMatch(/; Path=\/sandbox; HttpOnly; SameSite=Strict; Secure$/);
    const cookie = (answer.headers.get('set-cookie') as string).split(';', 1)[0] as string;
    const page = await (await fetch(at('/'), { headers: { accept: 'text/html', cookie } })).text();
    for (const [, path = ''] of page.matchAll(/ (?:href|src)="\/sandbox(\/inspector\/assets\/[^"]+)/g))
      expect((await fetch(at(path), { headers: { cookie } })).status).toBe(200);
    const locked = await (await fetch(at('/inspector/clock'), { headers: { accept: 'text/html' } })).text();
    expect(locked).toContain('action="/sandbox/inspector/login"');
    const out = await fetch(at('/inspector/logout'), {
      method: 'POST',
      headers: { origin, cookie },
      redirect: 'manual',
    });
    expect(out.headers.get('location')).toBe('/sandbox/');
  });
});

test.each([
  ['/api', '/api/v1', '/api/v1'],
  ['/api', '/api', '/api'],
  ['/2025-10-13', undefined, '/2025-10-13'],
  ['/grid/2025-10-13', undefined, '/grid/2025-10-13'],
])(
  'a public URL with the path %s, beside the base path %s, is refused: a path below %s could mean two things',
  async (path, basePath, ambiguous) => {
    for (const profile of ['spec', 'grid'] as const)
      await expect(
        startEmulator({ port: 0, publicUrl: `https://demo.example${path}`, basePath, profile }),
      ).rejects.toThrow(`the base path ${ambiguous} must not begin with the path of --public-url, ${path}`);
  },
);

test('a public URL may have the path with which the base path of the public names begins', async () => {
  const publicUrl = 'https://demo.example/grid';
  const { running, local } = await emulator({ publicUrl, profile: 'grid' });
  const headers = { authorization: running.sandbox.authorization, host: 'demo.example' };
  for (const path of ['/grid/grid/2025-10-13/config', '/grid/2025-10-13/config'])
    expect((await fetch(`${local}${path}`, { headers })).status, path).toBe(200);
});

test('an emulator with a public URL answers to its name and origin, and to no other', async () => {
  const { local } = await emulator();
  const status = async (headers: Record<string, string>) => {
    const { request } = await import('node:http');
    return new Promise((resolve, reject) =>
      request(`${local}/_emulator/health`, { headers }, (reply) => resolve(reply.resume().statusCode))
        .on('error', reject)
        .end(),
    );
  };
  expect(await status({ host: 'demo.example' })).toBe(200);
  expect(await status({ host: '127.0.0.1', origin: 'https://demo.example' })).toBe(200);
  expect(await status({ host: 'evil.example' })).toBe(403);
  expect(await status({ host: '127.0.0.1', origin: 'http://demo.example' })).toBe(403);
  expect(await status({ host: 'evil.example', 'x-forwarded-host': 'demo.example', 'x-forwarded-proto': 'https' })).toBe(
    403,
  );
});

test('forwarded headers change no address', async () => {
  const { sandbox } = await startEmulator({ port: 0, seed: 1 }).then((running) => {
    onTestFinished(() => running.close());
    return running;
  });
  const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' };
  const { id } = await (
    await sandbox.fetch('/customers', { json: { customerType: 'INDIVIDUAL', fullName: 'A' }, headers })
  ).json();
  const link = await (await sandbox.fetch(`/customers/${id}/kyc-link`, { method: 'POST', json: {}, headers })).json();
  expect(link.kycUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/kyc\//);
});

test.each([
  'ftp://x.example',
  'x.example',
  'https://a:b@x.example',
  'https://x.example/?q',
  'https://x.example/#f',
  'https://x.example/kyc',
  'https://x.example/inspector/x',
  'https://x.example/a b',
])('the public URL %s is refused at the start', async (publicUrl) => {
  await expect(startEmulator({ port: 0, publicUrl })).rejects.toThrow(
    'startEmulator: publicUrl must be an http or https URL',
  );
});

test('a call by a control and a replay reach the API under a public path', async () => {
  const { control } = await kit({ publicUrl: PUBLIC });
  const called = await control('POST', '/operations/listCustomers/call', {});
  expect(called.body).toMatchObject({ status: 200 });
  expect((await control('POST', `/requests/${called.body.requestId}/replay`, { against: 'now' })).status).toBe(200);
});
