import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { isPrivate, readKept, writeKept } from '../../tools/core/kept.js';
import { NODES } from '../kit/live.ts';
import { commandLine } from '../kit/process.ts';
import { folder } from './kit.ts';

const run = promisify(execFile);
const FLAGS = ['--port', '0', '--json', '--log', 'off'];
const USER = process.getuid?.() ?? 'cache';

/** The folder in which a start with this temporary folder keeps compiled code. */
const kept = (temporary: string) => join(temporary, `sandbox-emulator-${USER}`);

/** A start that answers a call, in an environment; the names of what it kept before it was ready. */
async function start(temporary: string, env: Record<string, string> = {}): Promise<string[]> {
  const running = commandLine(FLAGS, { env: { TMPDIR: temporary, NODE_DISABLE_COMPILE_CACHE: '', ...env } });
  const { url } = await running.ready();
  expect((await fetch(`${url}/_emulator/health`)).status).toBe(200);
  running.child.kill('SIGTERM');
  expect(await running.ended).toBe(0);
  expect(running.out.stderr).toBe('');
  return existsSync(kept(temporary)) ? readdirSync(kept(temporary)) : [];
}

test('a first start keeps its compiled code in a folder of mode 0700, and a second start leaves the file as it is', async () => {
  const temporary = folder();
  const [name, ...others] = await start(temporary);
  expect([name, others]).toEqual([expect.stringMatching(/^core-[0-9A-F]{8}\.js-v[\d.]+-[0-9a-f]+$/), []]);
  expect(lstatSync(kept(temporary)).mode & 0o777).toBe(0o700);
  const file = join(kept(temporary), String(name));
  const { ino } = lstatSync(file);
  await start(temporary);
  expect(lstatSync(file).ino).toBe(ino);
});

test('a temporary folder that cannot be entered keeps nothing, and the emulator starts all the same', async () => {
  const loop = join(folder(), 'loop');
  symlinkSync(loop, loop);
  expect(await start(loop)).toEqual([]);
  expect(() => writeKept(join(loop, 'core.js'), Buffer.from('code'))).not.toThrow();
});

test('a Node without process.getBuiltinModule, as 22.0 to 22.2 are, starts the emulator', async () => {
  const without = '--import=data:text/javascript,delete%20process.getBuiltinModule';
  await start(folder(), { NODE_OPTIONS: without });
});

test('a program that starts an emulator and exits at once keeps compiled code, too, whatever timers it holds or lacks', async () => {
  const held = 'globalThis.setTimeout = () => ({ unref() {} }); globalThis.setImmediate = () => {};';
  // A page has none.
  const none = 'delete globalThis.setImmediate; delete globalThis.clearImmediate;';
  for (const [before, after] of [
    ['', ''],
    ['', held],
    [held, ''],
    [none, ''],
  ]) {
    const temporary = folder();
    const code = `import { get } from 'node:http';
      ${before}
      const { startEmulator } = await import('sandbox-emulator');
      ${after}
      const { url } = await startEmulator({ port: 0 });
      get(url + '/_emulator/health', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1));`;
    await run(process.execPath, ['--input-type=module', '-e', code], {
      env: { ...process.env, TMPDIR: temporary, NODE_DISABLE_COMPILE_CACHE: '' },
    });
    expect(readdirSync(kept(temporary))).toEqual([expect.stringMatching(/^core-[0-9A-F]{8}\.js-v[\d.]+-[0-9a-f]+$/)]);
  }
});

test('kept code that is damaged, cut, or no file at all does not stop a start (X2)', async () => {
  const temporary = folder();
  const [name] = await start(temporary);
  const file = join(kept(temporary), String(name));
  const whole = readFileSync(file);
  const flipped = (at: number) => {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] as number) ^ 0x10;
    return bytes;
  };
  // 200 places are read by the very function that a start asks; starts show that it is asked.
  for (let i = 0; i < 200; i += 1) {
    writeFileSync(file, flipped(Math.floor((i * (whole.length - 1)) / 199)));
    expect(readKept(file, process.getuid?.()), `place ${i}`).toBeUndefined();
  }
  rmSync(file);
  const half = Buffer.from(whole).fill(0, whole.length / 2);
  const spoilers: readonly (() => void)[] = [
    ...[half, flipped(40), flipped(whole.length - 9), whole.subarray(0, 100_000), ''].map(
      (bytes) => () => writeFileSync(file, bytes, { mode: 0o600 }),
    ),
    () => mkdirSync(join(file, 'within'), { recursive: true }),
    () => symlinkSync(join(temporary, 'nowhere'), file),
    () => execFileSync('mkfifo', [file]),
  ];
  for (const spoil of spoilers) {
    rmSync(file, { force: true, recursive: true });
    spoil();
    await start(temporary);
    expect(lstatSync(file).isFile()).toBe(true);
    expect(readKept(file, process.getuid?.())?.length).toBeGreaterThan(100_000);
  }
  expect(existsSync(join(temporary, 'nowhere'))).toBe(false);
});

test('compiled code of another user, or that others may read or write, is not used (X1)', async () => {
  const temporary = folder();
  const [name] = await start(temporary);
  const file = join(kept(temporary), String(name));
  const me = process.getuid?.() as number;
  expect(readKept(file, me)).toBeDefined();
  // To whoever asks as another user, folder and file are somebody else's.
  expect(readKept(file, me + 1)).toBeUndefined();
  expect(isPrivate(lstatSync(kept(temporary)), me)).toBe(true);
  expect(isPrivate(lstatSync(kept(temporary)), me + 1)).toBe(false);
  for (const mode of [0o640, 0o604, 0o620, 0o602]) {
    chmodSync(file, mode);
    expect(readKept(file, me), mode.toString(8)).toBeUndefined();
  }
  // The one who comes first owns the folder's name; only root can play both here.
  if (me === 0) {
    const shared = folder();
    chmodSync(shared, 0o1777);
    const planted = `const { mkdirSync, writeFileSync } = require('node:fs');
      mkdirSync(process.argv[1], { mode: 0o755 });
      writeFileSync(process.argv[1] + '/' + process.argv[2], 'planted');`;
    execFileSync(process.execPath, ['-e', planted, kept(shared), String(name)], { uid: 65534, gid: 65534 });
    expect(await start(shared)).toEqual([name]);
    expect(readFileSync(join(kept(shared), String(name)), 'utf8')).toBe('planted');
  }
});

test.each(NODES)(
  'a start writes in the temporary folder only the folder of its compiled code, pages and documents included: %s (X1)',
  async (node) => {
    const temporary = folder();
    const shared = join(temporary, 'node-compile-cache');
    mkdirSync(shared);
    const { child, ready, ended } = commandLine(FLAGS, {
      node,
      env: { TMPDIR: temporary, NODE_DISABLE_COMPILE_CACHE: '' },
    });
    const { url } = await ready();
    // Asked for after Node's own cache was once turned on.
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (const path of ['/openapi.json', '/inspector/', '/_emulator/operations'])
      expect((await fetch(url + path)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(readdirSync(shared)).toEqual([]);
    expect(readdirSync(temporary).sort()).toEqual(['node-compile-cache', `sandbox-emulator-${USER}`]);
  },
);

test('kept code that is not code is compiled again', async () => {
  const temporary = folder();
  const [name] = await start(temporary);
  const file = join(kept(temporary), String(name));
  for (const wrong of ['', 'nothing', readFileSync(file).subarray(0, 10_000)]) {
    writeFileSync(file, wrong);
    await start(temporary);
    expect(readFileSync(file).length).toBeGreaterThan(100_000);
  }
});

test('a folder for compiled code that others may write to, a link, and a file are not used', async () => {
  const open = folder();
  mkdirSync(kept(open));
  chmodSync(kept(open), 0o777);
  expect(await start(open)).toEqual([]);

  const linked = folder();
  const elsewhere = folder();
  chmodSync(elsewhere, 0o700);
  symlinkSync(elsewhere, kept(linked));
  await start(linked);
  expect(readdirSync(elsewhere)).toEqual([]);

  const filed = folder();
  writeFileSync(kept(filed), 'mine');
  const running = commandLine(FLAGS, { env: { TMPDIR: filed } });
  await running.ready();
  expect(readFileSync(kept(filed), 'utf8')).toBe('mine');
});

test('the folder of compiled code keeps the newest sixteen files', async () => {
  const temporary = folder();
  mkdirSync(kept(temporary), { mode: 0o700 });
  for (let i = 0; i < 20; i += 1) {
    writeFileSync(join(kept(temporary), `old-${i}`), '');
    utimesSync(join(kept(temporary), `old-${i}`), i + 1, i + 1);
  }
  const names = await start(temporary);
  expect(names.filter((name) => name.startsWith('old-')).sort()).toEqual(
    Array.from({ length: 15 }, (_, i) => `old-${i + 5}`).sort(),
  );
  expect(names).toHaveLength(16);
});

test('a start keeps no compiled code where NODE_DISABLE_COMPILE_CACHE forbids it', async () => {
  expect(await start(folder(), { NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual([]);
});

test('a start leaves the flags of V8 that a user gave Node as they are, and sets the others', async () => {
  const at = folder();
  const noted = join(at, 'noted');
  const hook = join(at, 'hook.cjs');
  writeFileSync(
    hook,
    `const v8 = require('node:v8');
     v8.setFlagsFromString = (flag) => require('node:fs').appendFileSync(${JSON.stringify(noted)}, flag + ' ');`,
  );
  const chunks = join(import.meta.dirname, '../../dist/chunks');
  const door = join(chunks, String(readdirSync(chunks).find((name) => name.startsWith('door-'))));
  const given = '--minor_gc_task_trigger=20';
  for (const [flags, set] of [
    [[], ['--heap-growing-percent=100', '--minor-gc-task-trigger=10']],
    [[given], ['--heap-growing-percent=100']],
  ]) {
    writeFileSync(noted, '');
    const code = `import { calmHeap } from ${JSON.stringify(pathToFileURL(door).href)}; calmHeap();`;
    await run(process.execPath, [...(flags as string[]), '-r', hook, '--input-type=module', '-e', code]);
    expect(readFileSync(noted, 'utf8').trim().split(' ')).toEqual(set);
  }
});
