import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { folder } from './kit.ts';

const BIN = join(import.meta.dirname, '../../bin/sandbox-emulator.js');

/** A program on a pseudo-terminal, as `script` makes one. */
export interface Terminal {
  type(text: string): void;
  /** Everything that it has shown, escape sequences and all. */
  shown(): string;
  /** Resolves as soon as a text comes up after what an earlier call found; rejects when the program ends without it. */
  until(text: string): Promise<string>;
  /** Exit code. */
  ended: Promise<number | null>;
}

/** A folder for the PATH in which `sandbox-emulator` is this one, run by the Node that runs the tests. */
export function pathWithEmulator(): string {
  const path = join(folder(), 'bin');
  mkdirSync(path);
  symlinkSync(BIN, join(path, 'sandbox-emulator'));
  symlinkSync(process.execPath, join(path, 'node'));
  return `${path}:${process.env['PATH']}`;
}

/** Runs a command line of the shell on a terminal of its own; it is gone with the test. */
export function terminal(command: string, env: Readonly<Record<string, string>> = {}): Terminal {
  const { NO_COLOR: _, FORCE_COLOR: __, SANDBOX_EMULATOR_URL: ___, PORT: ____, ...inherited } = process.env;
  const home = folder();
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    env: {
      ...inherited,
      HOME: home,
      ZDOTDIR: home,
      XDG_CONFIG_HOME: home,
      XDG_DATA_HOME: home,
      TERM: 'xterm',
      SHELL: '/bin/sh',
      ...env,
    },
  });
  let shown = '';
  let read = 0;
  const heard = new Set<() => void>();
  const tell = (): void => {
    for (const listener of [...heard]) listener();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    tell();
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    type: (text) => void child.stdin.write(text),
    shown: () => shown,
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const at = shown.indexOf(text, read);
          if (at < 0) return;
          heard.delete(look);
          const found = shown.slice(read, at + text.length);
          read = at + text.length;
          resolve(found);
        };
        heard.add(look);
        look();
        void ended.then(() => reject(new Error(`it ended without ${JSON.stringify(text)}: ${JSON.stringify(shown)}`)));
      }),
    ended,
  };
}
