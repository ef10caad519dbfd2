import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { command, environment, type Running } from '../kit/process.ts';

/** A folder that is gone when the test is. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'sandbox-emulator-cli-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A command that ends by itself: what it printed, and its exit code. */
export const run = (
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const { NO_COLOR: _, FORCE_COLOR: __, ...env } = environment();
    const [file, ...before] = command();
    execFile(
      file,
      [...before, ...args],
      { ...options, env: { ...env, ...options.env }, timeout: 100_000, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

/** The first line, past or to come, that is one; rejects when the process ends without it. */
export const lineOf = (
  { child, out, ended }: Running,
  is: (line: string) => boolean,
  stream: 'stdout' | 'stderr' = 'stdout',
): Promise<string> =>
  new Promise((resolve, reject) => {
    const look = () => {
      // The last piece may be half a line.
      const found = out[stream].split('\n').slice(0, -1).find(is);
      if (found !== undefined) {
        child[stream]?.off('data', look);
        resolve(found);
      }
    };
    child[stream]?.on('data', look);
    look();
    void ended.then((how) => reject(new Error(`ended with ${how}; stdout: ${out.stdout}; stderr: ${out.stderr}`)));
  });

/** The nth event of a name that a process with `--json` says. */
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an event
export async function eventOf(running: Running, name: string, nth = 1): Promise<any> {
  let seen = 0;
  let text = '';
  await lineOf(running, () => {
    const all = running.out.stdout
      .split('\n')
      .slice(0, -1)
      .filter((line) => JSON.parse(line).event === name);
    seen = all.length;
    text = all[nth - 1] ?? '';
    return seen >= nth;
  });
  return JSON.parse(text);
}

/** A port that somebody has. */
export async function taken(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
