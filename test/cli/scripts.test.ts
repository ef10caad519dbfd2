import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folder } from './kit.ts';

const ROOT = join(import.meta.dirname, '../..');

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** What a script of package.json runs, without a build before it: other tests use the build that is there. */
function start(words: readonly string[]) {
  const child = spawn(process.execPath, [join(ROOT, 'tools/run.mjs'), ...words], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise<number | string>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? String(signal)));
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  /** The first line that fits a pattern. */
  const line = (pattern: RegExp): Promise<string> =>
    expect
      .poll(() =>
        text
          .split('\n')
          .slice(0, -1)
          .find((each) => pattern.test(each)),
      )
      .toBeDefined()
      .then(() => text.split('\n').find((each) => pattern.test(each)) as string);
  return { child, line, ended, said: () => text };
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'the emulator of npm start is the process that npm started, and exits with 0 at %s',
  async (signal) => {
    const first = join(folder(), 'first.mjs');
    writeFileSync(first, 'console.log("built");');
    const { child, line, ended, said } = start([first, 'then', 'bin/sandbox-emulator.js', '--port', '0', '--json']);
    const ready = JSON.parse(await line(/"event":"ready"/));
    expect([ready.pid, said().startsWith('built\n')]).toEqual([child.pid, true]);
    child.kill(signal);
    expect(await ended).toBe(0);
  },
);

test('the emulator of npm start ends when npm ends its shell, and saves its state', async () => {
  const at = folder();
  const state = join(at, 'state.json');
  const words = `"${process.execPath}" tools/run.mjs bin/sandbox-emulator.js --port 0 --json --state "${state}"`;
  // The second command keeps every shell from handing its process over to the first.
  const shell = spawn('sh', ['-c', `${words}; :`], {
    cwd: ROOT,
    env: { ...process.env, npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  shell.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await expect.poll(() => text).toContain('\n');
  const { pid } = JSON.parse(text.slice(0, text.indexOf('\n')));
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
  expect(pid).not.toBe(shell.pid);
  shell.kill('SIGTERM');
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(existsSync(state)).toBe(true);
});

test('an emulator is not started when npm ends its shell during the build before it', async () => {
  const at = folder();
  const [build, begun, built, emulator, started] = ['build.mjs', 'begun', 'built', 'emulator.mjs', 'started'].map(
    (name) => join(at, name),
  ) as [string, string, string, string, string];
  const write = (file: string) => `fs.writeFileSync(${JSON.stringify(file)}, String(process.ppid));`;
  // The build goes on until the test has seen it.
  const wait = `while (!fs.existsSync(${JSON.stringify(built)})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);`;
  writeFileSync(build, `import fs from 'node:fs'; ${write(begun)} ${wait}`);
  writeFileSync(emulator, `import fs from 'node:fs'; ${write(started)}`);
  const words = `"${process.execPath}" tools/run.mjs "${build}" then "${emulator}"`;
  const env = { ...process.env, npm_lifecycle_event: 'start' };
  const shell = spawn('sh', ['-c', `${words}; :`], { cwd: ROOT, env, stdio: 'ignore' });
  await expect.poll(() => existsSync(begun) && readFileSync(begun, 'utf8') !== '').toBe(true);
  const runner = Number(readFileSync(begun, 'utf8'));
  const ended = new Promise((resolve) => shell.on('close', resolve));
  shell.kill('SIGTERM');
  await ended;
  writeFileSync(built, '');
  await expect.poll(() => isAlive(runner)).toBe(false);
  expect(existsSync(started)).toBe(false);
});

test('a process with flags of Node, as in npm run dev, ends when npm is stopped', async () => {
  const at = folder();
  const [quiet, forever] = [join(at, 'quiet.mjs'), join(at, 'forever.mjs')];
  writeFileSync(quiet, 'setInterval(() => {}, 1000);');
  writeFileSync(
    forever,
    'setInterval(() => {}, 1000); process.on("SIGTERM", () => process.exit(7)); console.log("runs");',
  );
  const { child, line, ended } = start([quiet, 'beside', '--no-warnings', forever]);
  await line(/^runs$/);
  child.kill('SIGTERM');
  expect(await ended).toBe(7);
});

test('a step that fails ends its npm script with its exit code, and the next step does not run', async () => {
  const at = folder();
  const [fails, says] = [join(at, 'fails.mjs'), join(at, 'says.mjs')];
  writeFileSync(fails, 'process.exit(3);');
  writeFileSync(says, 'console.log("said");');
  const { said, ended } = start([fails, 'then', says]);
  expect([await ended, said()]).toEqual([3, '']);
});
