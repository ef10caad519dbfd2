import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { PROFILES } from '../../src/contract/profile.ts';
import { replyBeyondContract } from './contract.ts';
import { operationAt } from './seen.ts';

const ROOT = join(import.meta.dirname, '../..');
const SYSTEM = { linux: 'linux', darwin: 'macos', win32: 'windows' }[process.platform as string];
/** The executable for this machine, as tools/executable/targets.mjs names it. */
export const EXECUTABLE = join(
  ROOT,
  `dist-executable/sandbox-emulator-${SYSTEM}-${process.arch}${process.platform === 'win32' ? '.exe' : ''}`,
);

/** What is run, and its first arguments: the package on this Node or another; with `EXECUTABLE` set, what needs no Node. */
export const command = (node: string = process.execPath): [string, ...string[]] =>
  process.env['EXECUTABLE'] ? [EXECUTABLE] : [node, join(ROOT, 'bin/sandbox-emulator.js')];

/** This process's environment without what a start obeys; the executable finds no program at all on its PATH. */
export function environment(): NodeJS.ProcessEnv {
  const { PORT: _, SANDBOX_EMULATOR_PORT: __, ...env } = process.env;
  return process.env['EXECUTABLE'] ? { ...env, PATH: '/nowhere' } : env;
}

/** What `--json` says first. */
export interface Ready {
  event: 'ready';
  url: string;
  baseUrl: string;
  inspectorUrl: string;
  credentials: { id: string; secret: string };
  webhookPublicKey: string;
  pid: number;
}

export interface Running {
  child: ChildProcess;
  /** Everything that came so far. */
  out: { stdout: string; stderr: string };
  /** The first line of stdout, parsed; rejects when the process ends before. */
  ready(): Promise<Ready>;
  /** Exit code, or the signal that ended it. */
  ended: Promise<number | string>;
}

/** The real command line, as a user runs it; it is stopped with the test. */
export function commandLine(
  args: readonly string[],
  options: { env?: Record<string, string>; read?: boolean; node?: string; withoutTerminal?: boolean } = {},
): Running {
  const [file, ...before] = command(options.node);
  const child = spawn(file, [...before, ...args], {
    env: { ...environment(), ...options.env },
    // A session of its own: the terminal in which the tests run is not its terminal.
    detached: options.withoutTerminal === true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const out = { stdout: '', stderr: '' };
  const heard = new Set<() => void>();
  const hear = (stream: 'stdout' | 'stderr') =>
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      out[stream] += text;
      for (const listener of heard) listener();
    });
  hear('stderr');
  if (options.read !== false) hear('stdout');
  const ended = new Promise<number | string>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? String(signal)));
    // A stdout that nobody reads never closes.
    if (options.read === false) child.on('exit', (code, signal) => resolve(code ?? String(signal)));
  });
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  const ready = () =>
    new Promise<Ready>((resolve, reject) => {
      const look = () => {
        const end = out.stdout.indexOf('\n');
        if (end < 0) return;
        heard.delete(look);
        resolve(JSON.parse(out.stdout.slice(0, end)) as Ready);
      };
      heard.add(look);
      look();
      void ended.then((how) => reject(new Error(`ended with ${how} before it was ready: ${out.stderr}`)));
    });
  return { child, out, ready, ended };
}

/**
 * A client as a backend would have one: the base URL, Basic credentials, JSON in and out. A reply that the public contract
 * does not know fails the call.
 */
export function client({ baseUrl, credentials: { id, secret } }: Pick<Ready, 'baseUrl' | 'credentials'>) {
  const profile = baseUrl.endsWith(PROFILES.grid.basePath) ? PROFILES.grid : PROFILES.spec;
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  return async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a reply
    const answer = { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as any };
    const id = operationAt(method, path);
    if (id) expect(replyBeyondContract(profile, id, answer.status, answer.body), `${method} ${path}`).toBe(undefined);
    return answer;
  };
}
