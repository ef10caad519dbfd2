import { renameSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../src/index.ts';
import { certificate, folder } from './certificate.ts';

/** Asks without a look at who signed the certificate. Returns the reply, and the name in the certificate. */
const ask = (url: string, authorization = '') =>
  new Promise<{ status: number; text: string; name: string }>((resolve, reject) => {
    request(url, { rejectUnauthorized: false, agent: false, headers: { authorization } }, (reply) => {
      const name = String((reply.socket as TLSSocket).getPeerCertificate().subject.CN);
      let text = '';
      reply.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text, name }));
    })
      .on('error', reject)
      .end();
  });

test('HTTPS answers as HTTP does, and every address begins with https', async () => {
  const running = await startEmulator({ port: 0, seed: 1, ...certificate(folder(), 'first') });
  onTestFinished(() => running.close());
  expect(running.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(await ask(`${running.url}/_emulator/health`)).toMatchObject({ status: 200, name: 'first' });
  const { authorization } = running.sandbox;
  expect((await ask(`${running.baseUrl}/config`, authorization)).status).toBe(200);
  expect((await ask(`${running.baseUrl}/nowhere`, authorization)).status).toBe(404);
  expect(JSON.parse((await ask(`${running.url}/_emulator/sandbox`)).text)).toMatchObject({ baseUrl: running.baseUrl });
  expect(JSON.parse((await ask(`${running.url}/`)).text)).toMatchObject({ control: `${running.url}/_emulator` });
});

test('a changed certificate is used without a restart, and an unusable one leaves the old one in use', async () => {
  const place = folder();
  const files = certificate(place, 'first');
  const broken: string[] = [];
  const running = await startEmulator({
    port: 0,
    ...files,
    onBroken: (what, error) => broken.push(`${what}: ${(error as Error).message}`),
  });
  onTestFinished(() => running.close());
  const name = async () => (await ask(`${running.url}/_emulator/health`)).name;
  expect(await name()).toBe('first');
  writeFileSync(files.tlsCert, 'half a certif');
  while (broken.length === 0) await ask(`${running.url}/_emulator/health`);
  expect(broken).toEqual([expect.stringMatching(/^the certificate: .* are not a certificate and its key: /)]);
  expect(await name()).toBe('first');
  const next = certificate(place, 'second');
  renameSync(next.tlsKey, files.tlsKey);
  renameSync(next.tlsCert, files.tlsCert);
  while ((await name()) !== 'second') expect(await name()).toMatch(/first|second/);
  expect(running.url).toMatch(/^https:/);
});

describe('refusals of a start with TLS', () => {
  test('a start with only one of certificate and key is refused', async () => {
    const { tlsCert, tlsKey } = certificate(folder(), 'one');
    for (const options of [{ tlsCert }, { tlsKey }])
      await expect(startEmulator({ port: 0, ...options })).rejects.toThrow('--tls-cert and --tls-key go together');
  });

  test('a start with a missing key file, or with the key of another certificate, is refused', async () => {
    const place = folder();
    const [one, other] = [certificate(place, 'one'), certificate(place, 'other')];
    await expect(startEmulator({ port: 0, ...one, tlsKey: join(place, 'none') })).rejects.toThrow(
      /^--tls-key .*none cannot be read: ENOENT$/,
    );
    await expect(startEmulator({ port: 0, ...one, tlsKey: other.tlsKey })).rejects.toThrow(
      'are not a certificate and its key',
    );
  });
});
