import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isRunByNpm } from '../../src/cli/launcher.ts';
import { freePort } from '../kit/port.ts';
import { client } from '../kit/process.ts';
import { folder } from './kit.ts';

const BIN = join(import.meta.dirname, '../../bin/sandbox-emulator.js');

/** A project that has the emulator installed, and scripts of npm. */
function project(scripts: Record<string, string> = {}): string {
  const dir = folder();
  mkdirSync(join(dir, 'node_modules/.bin'), { recursive: true });
  symlinkSync(BIN, join(dir, 'node_modules/.bin/sandbox-emulator'));
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name: 'project', private: true, scripts }));
  return dir;
}

/** Starts a command of npm, waits until the emulator at the port answers, and returns npm's own process. */
async function started(cwd: string, port: number, [command, ...words]: string[]): Promise<ChildProcess> {
  // The variables of the npm that runs these tests are not the user's.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
  const npm = spawn(command ?? '', words, { cwd, env, stdio: 'ignore', detached: true });
  onTestFinished(() => {
    try {
      process.kill(-(npm.pid ?? 0), 'SIGKILL');
    } catch {
      // All of the group has ended.
    }
  });
  await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/_emulator/health`), { timeout: 30_000, interval: 50 });
  return npm;
}

const isGone = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/_emulator/health`).then(
    () => false,
    () => true,
  );

test('the emulator saves its state and ends when the npx that runs it gets SIGTERM', async () => {
  const port = await freePort();
  const dir = project();
  const npm = await started(dir, port, [
    'npx',
    'sandbox-emulator',
    '--port',
    `${port}`,
    '--state',
    's.json',
    '--quiet',
  ]);
  const call = client({
    baseUrl: `http://127.0.0.1:${port}/2025-10-13`,
    credentials: { id: 'test', secret: 'secret' },
  });
  await call('POST', '/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' });
  npm.kill('SIGTERM');
  await vi.waitFor(async () => expect(await isGone(port)).toBe(true), { timeout: 10_000, interval: 50 });
  await vi.waitFor(() => expect(existsSync(join(dir, 's.json'))).toBe(true));
  expect(readFileSync(join(dir, 's.json'), 'utf8')).toContain('Ada Keller');
});

test('the emulator ends when the npm run that runs it is ended', async () => {
  const port = await freePort();
  const dir = project({ pay: `sandbox-emulator --port ${port} --quiet` });
  const npm = await started(dir, port, ['npm', 'run', 'pay']);
  npm.kill('SIGTERM');
  await vi.waitFor(async () => expect(await isGone(port)).toBe(true), { timeout: 10_000, interval: 50 });
});

test('the emulator outlives a script of npm that leaves it in the background', async () => {
  const port = await freePort();
  const dir = project({ pay: `sandbox-emulator --port ${port} --quiet & sleep 1` });
  const npm = await started(dir, port, ['npm', 'run', 'pay']);
  if (npm.exitCode === null) await new Promise((resolve) => npm.once('exit', resolve));
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await isGone(port)).toBe(false);
});

test.each([
  ['sandbox-emulator', true],
  ["'sandbox-emulator'", true],
  ['sandbox-emulator --port 4011 --state "my state.json"', true],
  ['sandbox-emulator & node server.js', false],
  ['sandbox-emulator || true', false],
  ['vitest run', false],
  ['sandbox-emulator-tools', false],
  ['', false],
])('a process below the npm script "%s" is the command itself: %s', (npm_lifecycle_script, is) => {
  expect(isRunByNpm({ npm_lifecycle_script })).toBe(is);
});
