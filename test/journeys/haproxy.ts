import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { blocksIn } from '../kit/documents.ts';
import { freePort } from '../kit/port.ts';

export const HAPROXY = '/usr/sbin/haproxy';

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/**
 * An emulator behind the proxy of docs/shared.md, with TLS by a certificate of its own, until the test is over. `url` is its public URL,
 * `cert` the file of the certificate.
 */
export async function behindHaproxy(flags: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-emulator-proxy-'));
  const [front, back] = [await freePort(), await freePort()];
  const cert = join(folder, 'cert.pem');
  const key = join(folder, 'key.pem');
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  writeFileSync(join(folder, 'demo.pem'), readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'));
  const recipe = blocksIn('docs/shared.md').find(({ language }) => language === 'haproxy')?.text ?? '';
  const text = recipe
    .replace('127.0.0.1:8443', `127.0.0.1:${front}`)
    .replace('127.0.0.1:4010', `127.0.0.1:${back}`)
    .replace('demo.pem', join(folder, 'demo.pem'));
  writeFileSync(join(folder, 'haproxy.cfg'), text);
  const url = `https://localhost:${front}/sandbox`;
  const own = ['--port', String(back), '--json', '--log', 'off', '--public-url', url, ...flags];
  const programs = [
    spawn(process.execPath, ['bin/sandbox-emulator.js', ...own], { stdio: 'ignore' }),
    spawn(HAPROXY, ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' }),
  ];
  onTestFinished(async () => {
    await Promise.all(
      programs.map(async (program) => {
        if (program.exitCode !== null || program.signalCode !== null) return;
        const ended = new Promise((resolve) => program.once('exit', resolve));
        program.kill();
        await ended;
      }),
    );
    rmSync(folder, { recursive: true, force: true });
  });
  const ca = readFileSync(cert);
  const ask = (path: string, { method = 'GET', headers = {}, body }: Sent = {}) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      request(`https://localhost:${front}${path}`, { method, headers, ca, agent: false }, (reply) => {
        let said = '';
        reply.setEncoding('utf8').on('data', (part: string) => {
          said += part;
        });
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text: said }));
      })
        .on('error', reject)
        .end(body);
    });
  await vi.waitUntil(
    () =>
      ask('/sandbox/_emulator/health').then(
        ({ status }) => status === 200,
        () => false,
      ),
    { timeout: 60_000 },
  );
  return { url, cert, ask };
}
