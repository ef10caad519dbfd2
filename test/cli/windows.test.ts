import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, win32 } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { wishesOf } from '../../src/cli/stop.ts';
import { writeCapsule } from '../../src/fixtures/capsule.ts';
import { startEmulator } from '../../src/index.ts';
import { isHeld } from '../../src/sandbox/state-file.ts';
import { isPrivate, privateFolder } from '../../tools/core/kept.js';
import { folder } from './kit.ts';

/** What Windows does not allow in a name, and the names that are devices there. */
const NOT_A_NAME = /[<>:"/\\|?*\0-\x1f]|[. ]$/;
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

test.each([
  'a payment > settles',
  'CON',
  'nul.txt',
  'C:\\temp\\..\\x',
  'ends with a dot.',
  'a "quoted" name? | 100 %',
  `${'long '.repeat(60)}`,
  '李 pays Šimek',
])('the capsule of a failed test named "%s" has a file name that Windows allows', async (name) => {
  const at = folder();
  const emulator = await startEmulator({ port: 0 });
  const says = await writeCapsule(at, name, 'one', emulator.sandbox).finally(() => emulator.close());
  const [file = ''] = readdirSync(at);
  expect(says).toContain(file);
  expect(file).not.toMatch(NOT_A_NAME);
  expect(file).not.toMatch(DEVICE);
  expect(win32.basename(win32.join('C:\\capsules', file))).toBe(file);
  expect(file.length).toBeLessThan(140);
  expect(gunzipSync(readFileSync(join(at, file))).length).toBeGreaterThan(0);
});

describe('signals of each system', () => {
  test('every signal of Windows stops the emulator', () => {
    expect(wishesOf('win32')).toEqual({ SIGINT: 'stop', SIGTERM: 'stop', SIGBREAK: 'stop', SIGHUP: 'stop' });
  });

  test.each(['linux', 'darwin'] as const)('the signals of %s save and reload as well', (platform) => {
    expect(wishesOf(platform)).toEqual({ SIGINT: 'stop', SIGTERM: 'stop', SIGUSR2: 'save', SIGHUP: 'reload' });
  });
});

describe('a state file that another program has open', () => {
  const error = (code: string) => Object.assign(new Error(code), { code });

  test.each(['EPERM', 'EACCES', 'EBUSY'])(
    'a state file that another program has open is written into on Windows, which refuses to replace it with %s',
    (code) => {
      expect(isHeld(error(code), 'win32')).toBe(true);
    },
  );

  test('a state file that cannot be replaced is a refusal on Linux, but for a mount with EBUSY', () => {
    expect(['EBUSY', 'EPERM', 'EACCES', 'ENOSPC'].map((code) => isHeld(error(code), 'linux'))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(isHeld(error('ENOSPC'), 'win32')).toBe(false);
  });
});

describe('the folder of compiled code', () => {
  test('the folder of compiled code is private on Windows, where users have no numbers', () => {
    expect(isPrivate({ uid: 0, mode: 0o100666 }, undefined)).toBe(true);
    expect(isPrivate({ uid: 0, mode: 0o100666 }, 0)).toBe(false);
  });

  test('the folder of compiled code is made without the number of a user where there is none', () => {
    const at = folder();
    const made = privateFolder(at, undefined) as string;
    expect(basename(made)).toBe('sandbox-emulator-cache');
    expect(statSync(made).isDirectory()).toBe(true);
  });
});
