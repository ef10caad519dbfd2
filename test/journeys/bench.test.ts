import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** A program of the bench: its process, and its code and output once it has ended. */
function run(...args: string[]) {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, ...said })),
  );
  return { child, said, ended };
}
const withProcesses = (code: string) =>
  run('--input-type=module', '-e', `import { launch, output } from './bench/processes.mjs';\n${code}`);

test.each([
  [['--compare', 'no-such-commit'], '--compare: git knows no commit no-such-commit'],
  [['--compare', 'HEAD', 'nothing'], 'nothing is compared by the name nothing; there are start, import'],
  [['--compare', 'HEAD', '--pairs', '0'], '--pairs: not a whole number above 0: 0'],
  [['nothing'], 'no part nothing; there are start, npx'],
])('bench with %j exits with 1 and says why', async (args, why) => {
  const { code, err } = await run('bench/run.mjs', ...args).ended;
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(why) });
});

test('bench ends at once when a server dies under load, with what the server printed', async () => {
  const { ended } = withProcesses(`
    await launch(process.execPath, ['-e', "console.log('http://127.0.0.1:1'); setTimeout(() => { throw new Error('out of luck') }, 100)"]);
    await new Promise(() => setInterval(() => {}, 1000));`);
  const { code, err } = await ended;
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('out of luck') });
});

test('bench ends at once when a program fails, with what the program printed', async () => {
  const { code, err } = await withProcesses(
    `await output(process.execPath, ['-e', "console.error('no room'); process.exit(7)"]);`,
  ).ended;
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/ended with 7\nno room/) });
});

test('bench leaves no process behind when it is interrupted, nor what its processes started', async () => {
  const { child, said, ended } = withProcesses(`
    const server = await launch('sh', ['-c', 'sleep 1000 & echo $!; wait']);
    console.log(server.pid, server.url);
    await new Promise(() => setInterval(() => {}, 1000));`);
  await expect.poll(() => said.out).toMatch(/^\d+ \d+\n$/);
  child.kill('SIGINT');
  const { code, out } = await ended;
  expect(code).toBe(130);
  for (const pid of out.trim().split(' ')) await expect.poll(() => isThere(Number(pid))).toBe(false);
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
