import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commandLine } from '../kit/process.ts';
import { folder, lineOf, run } from './kit.ts';

/** A backend in Python, started beside an emulator whose webhooks it receives. */
async function python(env: Record<string, string> = {}) {
  const emulator = commandLine(['--json', '--port', '0']);
  const { url, baseUrl } = await emulator.ready();
  const settings = { ...process.env, API: baseUrl, LOGIN: 'test:secret', ...env };
  const child = spawn('python3', [join(import.meta.dirname, '../exam/backend.py')], { env: settings });
  onTestFinished(() => void child.kill('SIGKILL'));
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (text) => resolve(String(text).trim()));
    child.once('exit', () => reject(new Error('the backend ended')));
    child.stderr.pipe(process.stderr);
  });
  const backend = `http://127.0.0.1:${port}`;
  const control = async (method: string, path: string, body?: object): Promise<{ data?: unknown }> => {
    const reply = await fetch(`${url}/_emulator${path}`, body ? { method, body: JSON.stringify(body) } : { method });
    return (await reply.json()) as { data?: unknown };
  };
  await control('PUT', '/webhooks/endpoint', { url: `${backend}/hooks` });
  const pay = `curl -s ${backend}/payments -d '{"reference":"'$EXAM_REFERENCE'"}'`;
  const flags = ['--url', url, '--pay', pay, '--ask', `curl -s ${backend}/payments/$EXAM_REFERENCE`];
  return { url, backend, control, flags, child, emulator };
}

test('a backend in Python is examined by commands, and its mistakes are explained in 80 columns', async () => {
  const { flags, control } = await python({ NAIVE: '1' });
  const path = folder();
  const only = ['--only', 'plain,lost-execute,twice,forged,failed', '--report', join(path, 'exam.xml')];
  const { code, stdout, stderr } = await run(['exam', ...flags, ...only]);
  expect(stderr).toBe('');
  expect(code).toBe(2);
  expect(stdout.match(/^[✓✗-] \S+/gm)).toEqual(['✓ plain', '✗ lost-execute', '✓ twice', '✗ forged', '✗ failed']);
  expect(stdout).toMatch(
    /^ {2}expected: a 4xx for an event signed with another key\n {2}seen: {5}it was answered with 200; whether it was believed is unknown, for\n {12}--ask said paid before$/m,
  );
  expect(stdout).toMatch(/^ {2}look at: {2}npx sandbox-emulator why req_\d+,?$/m);
  expect(stdout.trimEnd()).toMatch(/\n2 passed, 3 failed$/);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(readFileSync(join(path, 'exam.xml'), 'utf8')).toContain('<testsuites tests="5" failures="3" skipped="0">');
  expect((await control('GET', '/faults')).data).toEqual([]);
});

test('a backend in Python that makes no mistake passes, by URLs and as JSON', async () => {
  const { flags, backend } = await python();
  const urls = ['--pay', `${backend}/payments`, '--ask', `${backend}/payments/{reference}`];
  const only = ['--only', 'plain,lost-execute,altered,disorder'];
  const { code, stdout } = await run(['exam', ...flags.slice(0, 2), ...urls, ...only, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ passed: 4, failed: 0, skipped: 0, clockMovedMs: 180_000 });
  expect(code).toBe(0);
  const again = await run(['exam', ...flags.slice(0, 2), ...urls, '--only', 'disorder, plain']);
  expect(again.stdout).toMatch(/\nthe clock of the sandbox was moved forward by 3 min\n2 passed, 0 failed\n$/);
});

test('an exam that is interrupted leaves faults and policies as they were, and exits with 1', async () => {
  const { flags, control } = await python();
  const before = await control('GET', '/policies');
  const exam = commandLine(['exam', ...flags]);
  await lineOf(exam, (line) => line.includes('plain'));
  exam.child.kill('SIGINT');
  expect(await exam.ended).toBe(1);
  expect(exam.out.stderr).toBe('the exam was interrupted\n');
  expect([await control('GET', '/policies'), (await control('GET', '/faults')).data]).toEqual([before, []]);
});

test('an exam whose backend dies, or without an emulator, says so in one sentence', async () => {
  const { flags, child } = await python();
  const exam = commandLine(['exam', ...flags]);
  await lineOf(exam, (line) => line.includes('plain'));
  child.kill('SIGKILL');
  expect(await exam.ended).toBe(1);
  expect(exam.out.stderr).toMatch(/^--pay failed with exit code 7, and no call reached the emulator\n$/);
  const alone = await run(['exam', ...flags.slice(0, 1), 'http://127.0.0.1:1', ...flags.slice(2)]);
  expect([alone.code, alone.stderr]).toEqual([
    1,
    'no emulator answers at http://127.0.0.1:1; start one with sandbox-emulator, or name it with --url\n',
  ]);
});

test('an exam whose emulator dies in the middle says so in one sentence, and exits with 1', async () => {
  const { flags, url, emulator } = await python();
  const exam = commandLine(['exam', ...flags]);
  await lineOf(exam, (line) => line.includes('plain'));
  emulator.child.kill('SIGKILL');
  expect(await exam.ended).toBe(1);
  expect(exam.out.stderr).toBe(
    `the emulator at ${url} no longer answers, so the exam ended early: start the emulator and the exam again\n`,
  );
});

test('an exam in which nothing is paid skips the other checks in one line', async () => {
  const { flags } = await python();
  const { code, stdout } = await run([
    'exam',
    ...flags.slice(0, 2),
    '--pay',
    'true',
    '--report',
    join(folder(), 'a.xml'),
  ]);
  expect(stdout.match(/^[✓✗-].*$/gm)).toEqual([
    '✗ plain           failed',
    '- 16 others       skipped: plain made no debit, so that nothing else can be',
  ]);
  expect(stdout).toMatch(/\n0 passed, 1 failed, 16 skipped\n$/);
  expect(code).toBe(2);
});

test.each([
  [['--only', ','], '--only must name checks, with commas between them; --list shows them'],
  [['--only', ''], '--only must name checks, with commas between them; --list shows them'],
  [['--pay', 'ftp://x'], '--pay begins with ftp://, which cannot be called: use http, https or a command'],
])('an exam with %j is refused in one sentence', async (more, sentence) => {
  const { code, stdout, stderr } = await run(['exam', '--pay', 'true', ...more]);
  expect([stdout, stderr, code]).toEqual(['', `${sentence}\n`, 1]);
});

test('an exam ends a command that takes too long with its process group', async () => {
  const { flags } = await python();
  const path = folder();
  // Its shell starts a child that would go on for an hour.
  const pay = `sleep 3600 & echo $! > ${path}/pid; wait`;
  const exam = commandLine(['exam', ...flags.slice(0, 2), '--pay', pay, '--only', 'plain']);
  expect(await exam.ended).toBe(2);
  expect(exam.out.stdout).toContain('no debit within 10 s');
  const pid = Number(readFileSync(join(path, 'pid'), 'utf8'));
  await expect.poll(() => isRunning(pid)).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // What has ended and is not taken away yet is a zombie.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test('exam lists its checks without an emulator', async () => {
  const { code, stdout } = await run(['exam', '--list']);
  expect(code).toBe(0);
  expect(stdout.split('\n').length).toBe(18);
  expect(stdout).toContain('lost-execute   the reply of the execution is lost after it took effect');
});
