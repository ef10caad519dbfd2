import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { client, command, commandLine } from '../kit/process.ts';
import { eventOf, folder, lineOf } from './kit.ts';

/** Starts the emulator on a terminal, waits for the banner, closes the terminal; prints how it ended. */
const CLOSED_TERMINAL = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    if sys.argv[2] != 'terminal':
        os.dup2(os.open('/dev/null', os.O_RDONLY), 0)
    os.execv(sys.argv[3], [*sys.argv[3:], '--port', '0', '--state', sys.argv[1]])
seen = b''
while b'curl' not in seen:
    seen += os.read(terminal, 4096)
os.close(terminal)
print(os.waitpid(pid, 0)[1])
`;
/** Starts the emulator on a terminal that stays open, hangs up on it as a shell does, and waits for its end. */
const HUNG_UP = `
import os, pty, signal, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[2], [*sys.argv[2:], '--port', '0', '--state', sys.argv[1]])
seen = b''
while b'curl' not in seen:
    seen += os.read(terminal, 4096)
os.kill(pid, signal.SIGHUP)
print(os.waitpid(pid, 0)[1])
`;
/** Starts the emulator as nohup does, closes the terminal, and ends it by SIGTERM a second later. */
const NOHUP = `
import os, pty, signal, sys, time
pid, terminal = pty.fork()
if pid == 0:
    log = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT)
    for stream in (0, 1, 2):
        os.dup2(os.open('/dev/null', os.O_RDONLY) if stream == 0 else log, stream)
    os.execv(sys.argv[3], [*sys.argv[3:], '--port', '0', '--state', sys.argv[1]])
while not os.path.exists(sys.argv[2]) or 'curl' not in open(sys.argv[2]).read():
    time.sleep(0.05)
os.close(terminal)
while not os.path.exists(sys.argv[1]):
    time.sleep(0.05)
os.kill(pid, signal.SIGTERM)
print(os.waitpid(pid, 0)[1])
`;

const QUIET = ['--json', '--port', '0'];
const people = (...names: string[]): string =>
  `customers:\n${names.map((name) => `  - { label: ${name}, customerType: INDIVIDUAL, fullName: ${name} }\n`).join('')}`;

/** A running emulator that watches a file, and the names of its customers. */
async function watching(text: string, ...more: string[]) {
  const file = join(folder(), 'mine.yaml');
  writeFileSync(file, text);
  const running = commandLine([...QUIET, '--scenario', file, '--watch', ...more]);
  const call = client(await running.ready());
  const names = async (): Promise<string[]> =>
    (await call('GET', '/customers')).body.data.map((customer: { fullName: string }) => customer.fullName).sort();
  return { running, file, call, names };
}

describe('a watched scenario file', () => {
  test('--watch starts the sandbox over from a scenario file that is written again', async () => {
    const { running, file, call, names } = await watching(people('ada'));
    await call('POST', '/customers', { customerType: 'INDIVIDUAL', fullName: 'by hand' });
    expect(await names()).toEqual(['ada', 'by hand']);
    writeFileSync(file, people('ada', 'bea'));
    expect(await eventOf(running, 'reload')).toEqual({ event: 'reload', ok: true, scenario: [file] });
    expect(await names()).toEqual(['ada', 'bea']);
  });

  test('--watch notices an editor that writes beside the file and renames, again and again', async () => {
    const { running, file, names } = await watching(people('ada'));
    for (const [i, name] of ['bea', 'cy'].entries()) {
      writeFileSync(`${file}~`, people(name));
      renameSync(`${file}~`, file);
      expect((await eventOf(running, 'reload', i + 1)).ok).toBe(true);
      expect(await names()).toEqual([name]);
    }
  });

  test('--watch follows a link to the file that changes', async () => {
    const target = join(folder(), 'target.yaml');
    const link = join(folder(), 'link.yaml');
    writeFileSync(target, people('ada'));
    symlinkSync(target, link);
    const running = commandLine([...QUIET, '-s', link, '--watch']);
    await running.ready();
    writeFileSync(target, people('bea'));
    expect((await eventOf(running, 'reload')).ok).toBe(true);
  });

  test('--watch notices that a folder on the way to the file is exchanged, as in a ConfigMap of Kubernetes', async () => {
    const root = folder();
    const version = (name: string, text: string) => {
      mkdirSync(join(root, name));
      writeFileSync(join(root, name, 'mine.yaml'), text);
      symlinkSync(name, join(root, '..new'));
      renameSync(join(root, '..new'), join(root, '..data'));
    };
    version('..1', people('ada'));
    const link = join(root, 'mine.yaml');
    symlinkSync('..data/mine.yaml', link);
    const running = commandLine([...QUIET, '-s', link, '--watch']);
    await running.ready();
    version('..2', people('bea'));
    expect((await eventOf(running, 'reload')).ok).toBe(true);
    version('..3', people('cy'));
    expect((await eventOf(running, 'reload', 2)).ok).toBe(true);
  });

  test('--watch reports a mistake with its place and leaves the sandbox as it is, until the file is mended', async () => {
    const { running, file, call, names } = await watching(people('ada'));
    await call('POST', '/customers', { customerType: 'INDIVIDUAL', fullName: 'by hand' });
    writeFileSync(file, 'platform:\n  regulatd: true\ncustomers: 7\n');
    expect(await eventOf(running, 'reload')).toMatchObject({
      ok: false,
      problems: [
        { line: 2, column: 3, message: 'unknown key regulatd; did you mean regulated?' },
        { line: 3, column: 1, message: expect.stringContaining('customers: ') },
      ],
    });
    expect(await names()).toEqual(['ada', 'by hand']);
    writeFileSync(file, people('bea'));
    expect((await eventOf(running, 'reload', 2)).ok).toBe(true);
    expect(await names()).toEqual(['bea']);
  });

  test('--watch leaves the sandbox as it is for a mistake in the meaning of a scenario, too', async () => {
    const { running, file, names } = await watching(people('ada'));
    writeFileSync(
      file,
      `${people('ada')}externalAccounts:\n  - customer: bob\n    currency: MXN\n    accountInfo: { accountType: MXN_ACCOUNT }\n`,
    );
    expect(await eventOf(running, 'reload')).toMatchObject({
      ok: false,
      problems: [
        { line: 4, column: 5, message: 'externalAccounts.0.customer: no customer has the label bob' },
        { line: 6, column: 5, message: 'externalAccounts.0.accountInfo.clabeNumber: required' },
        { line: 6, column: 5, message: 'externalAccounts.0.accountInfo.beneficiary: required' },
      ],
    });
    expect(await names()).toEqual(['ada']);
  });

  test('--watch applies credentials that a file adds or changes at once; the id of the first one cannot change', async () => {
    const first = 'credentials: [{ id: test, secret: secret }]\n';
    const { running, file } = await watching(first, '--auth', 'known');
    const { baseUrl } = await running.ready();
    const status = async (id: string, secret: string) =>
      (await client({ baseUrl, credentials: { id, secret } })('GET', '/config')).status;
    expect(await status('two', 'two')).toBe(401);
    writeFileSync(file, 'credentials: [{ id: test, secret: other }, { id: two, secret: two }]\n');
    expect((await eventOf(running, 'reload')).ok).toBe(true);
    expect(await status('two', 'two')).toBe(200);
    expect(await status('test', 'other')).toBe(200);
    expect(await status('test', 'secret')).toBe(401);
    writeFileSync(file, 'credentials: [{ id: three, secret: three }]\n');
    // One write can be two changes of the file: the first of them may be read twice.
    let nth = 2;
    let reload = await eventOf(running, 'reload', nth);
    while (reload.ok) reload = await eventOf(running, 'reload', ++nth);
    expect(reload).toMatchObject({ ok: false, error: expect.stringContaining('three') });
    expect(await status('two', 'two')).toBe(200);
  });

  test('--watch prints sentences for a person: what happened on stdout, what is wrong on stderr', async () => {
    const file = join(folder(), 'mine.yaml');
    writeFileSync(file, people('ada'));
    const running = commandLine(['--port', '0', '--log', 'pretty', '--scenario', file, '--watch']);
    // Its banner says that it watches by now.
    await lineOf(running, (line) => line.includes('(watched)'));
    writeFileSync(file, people('bea'));
    await lineOf(running, (line) => line === `started over from ${file}`);
    writeFileSync(file, 'titel: x\n');
    await lineOf(running, (line) => line === `${file}:1:1: unknown key titel; did you mean title?`, 'stderr');
    await lineOf(running, (line) => line === 'nothing was changed; the sandbox is as it was', 'stderr');
  });

  test('--watch without a scenario file is refused with exit code 1', async () => {
    const { out, ended } = commandLine([...QUIET, '--watch', '-s', 'wallet']);
    expect(await ended).toBe(1);
    expect(out).toEqual({ stdout: '', stderr: '--watch needs a file to watch: give one with --scenario\n' });
  });
});

describe('the signal SIGHUP', () => {
  test('SIGHUP without a terminal reads the scenario again, watched or not', async () => {
    const file = join(folder(), 'mine.yaml');
    writeFileSync(file, people('ada'));
    const running = commandLine([...QUIET, '-s', file], { withoutTerminal: true });
    const call = client(await running.ready());
    writeFileSync(file, people('bea'));
    expect((await call('GET', '/customers')).body.data[0].fullName).toBe('ada');
    running.child.kill('SIGHUP');
    expect((await eventOf(running, 'reload')).ok).toBe(true);
    expect((await call('GET', '/customers')).body.data[0].fullName).toBe('bea');
  });

  test.each(['terminal', 'null device'])(
    'SIGHUP of a closed terminal ends the emulator and saves the state: stdin is a %s',
    async (stdin) => {
      const python = await promisify(execFile)('python3', ['--version']).catch(() => undefined);
      if (!python) return;
      const state = join(folder(), 'state.json');
      const { stdout } = await promisify(execFile)('python3', ['-c', CLOSED_TERMINAL, state, stdin, ...command()]);
      // 1 is SIGHUP: what a shell expects of whoever lost its terminal.
      expect(stdout.trim()).toBe('1');
      expect(JSON.parse(readFileSync(state, 'utf8')).format).toBe(1);
    },
  );

  test('SIGHUP of a shell that hangs up before its terminal is closed ends the emulator and saves the state', async () => {
    const python = await promisify(execFile)('python3', ['--version']).catch(() => undefined);
    if (!python) return;
    const state = join(folder(), 'state.json');
    const { stdout } = await promisify(execFile)('python3', ['-c', HUNG_UP, state, ...command()]);
    expect(stdout.trim()).toBe('1');
    expect(JSON.parse(readFileSync(state, 'utf8')).format).toBe(1);
  });

  test('SIGHUP of a closed terminal saves and goes on where no stream leads there, as under nohup', async () => {
    const python = await promisify(execFile)('python3', ['--version']).catch(() => undefined);
    if (!python) return;
    const [state, log] = [join(folder(), 'state.json'), join(folder(), 'log')];
    const { stdout } = await promisify(execFile)('python3', ['-c', NOHUP, state, log, ...command()]);
    expect(stdout.trim()).toBe('0');
    expect(readFileSync(log, 'utf8')).not.toContain('started over');
  });

  test('SIGHUP starts a built-in scenario over, too', async () => {
    const running = commandLine([...QUIET, '-s', 'wallet', '--log', 'off'], { withoutTerminal: true });
    const call = client(await running.ready());
    await call('POST', '/customers', { customerType: 'BUSINESS' });
    running.child.kill('SIGHUP');
    expect(await eventOf(running, 'reload')).toEqual({ event: 'reload', ok: true, scenario: ['wallet'] });
    expect((await call('GET', '/customers')).body.totalCount).toBe(1);
  });
});
