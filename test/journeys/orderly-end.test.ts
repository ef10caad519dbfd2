import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../src/index.ts';
import { certificate, folder } from './certificate.ts';

test('an emulator with HTTPS ends and saves beside a connection that never begins its handshake', async () => {
  const place = folder();
  const state = join(place, 'state.json');
  const running = await startEmulator({ port: 0, state, ...certificate(place, 'first') });
  const probe = connect(Number(new URL(running.url).port), '127.0.0.1');
  onTestFinished(() => void probe.destroy());
  await new Promise((resolve) => probe.once('connect', resolve));
  const ended = new Promise((resolve) => probe.once('close', resolve));
  await running.close();
  await ended;
  expect(existsSync(state)).toBe(true);
});

test('an emulator whose coverage cannot be written saves its state, and its end says what failed', async () => {
  const place = folder();
  const [state, coverage] = [join(place, 'state.json'), join(place, 'coverage')];
  const running = await startEmulator({ port: 0, state, coverage });
  rmSync(coverage, { recursive: true });
  writeFileSync(coverage, 'a file where the folder was');
  await expect(running.close()).rejects.toThrow(/^cannot write coverage to /);
  expect(existsSync(state)).toBe(true);
});

test('a certificate whose folder cannot be read is reported once, and the emulator goes on with the one it has', async () => {
  const place = join(folder(), 'pair');
  mkdirSync(place);
  const broken: string[] = [];
  const running = await startEmulator({
    port: 0,
    ...certificate(place, 'first'),
    onBroken: (what, error) => broken.push(`${what}: ${(error as Error).message}`),
  });
  onTestFinished(() => running.close());
  renameSync(place, `${place}-elsewhere`);
  writeFileSync(place, 'a file where the folder was');
  await expect.poll(() => broken, { timeout: 20_000 }).toEqual([expect.stringMatching(/^the certificate: .*ENOTDIR$/)]);
});
