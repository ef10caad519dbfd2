import { expect, test } from 'vitest';
import { invocation } from '../../src/cli/invocation.ts';

const node = { execPath: '/usr/bin/node', cwd: '/work/shop', env: { PATH: '/usr/bin:/opt/bin' } };

test.each([
  [
    'npx',
    { ...node, file: '/work/shop/node_modules/.bin/sandbox-emulator', env: { ...node.env, npm_command: 'exec' } },
    'npx sandbox-emulator',
  ],
  [
    "a script of the project's own",
    { ...node, file: '/work/shop/node_modules/.bin/sandbox-emulator' },
    'npx sandbox-emulator',
  ],
  ['a global installation', { ...node, file: '/opt/bin/sandbox-emulator' }, 'sandbox-emulator'],
  ['npm start in a checkout', { ...node, file: '/work/shop/bin/sandbox-emulator.js' }, 'node bin/sandbox-emulator.js'],
  ['a checkout elsewhere', { ...node, file: '/work/other/bin/emulator.js' }, 'node /work/other/bin/emulator.js'],
  ['a folder with a space', { ...node, file: '/work/my shop/bin/e.js' }, "node '/work/my shop/bin/e.js'"],
  ['an executable here', { ...node, execPath: '/work/shop/emulator', file: '/work/shop/emulator' }, './emulator'],
  ['an executable on the PATH', { ...node, execPath: '/opt/bin/emulator', file: undefined }, 'emulator'],
])('a hint repeats how this process was started: %s (W17)', (_, started, words) => {
  expect(invocation(started)).toBe(words);
});
