import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Folders whose tests stand under another name. */
const ELSEWHERE = {
  'src/areas/codes': 'test/areas/contact',
  'src/areas/credentials': 'test/areas/wallet',
  'src/areas/sessions': 'test/areas/wallet',
  'src/areas/signing': 'test/areas/wallet',
  'src/areas/wallets': 'test/areas/wallet',
  'src/calls': 'test/control',
  'src/declare': 'test/engine',
  'src/hosted': 'test/areas/onboarding',
  'src/sandbox': 'test/control',
};

export const git = (...args) =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] })
    .split('\n')
    .filter(Boolean);

/** Files that differ from a commit, also those that no commit has yet, and those that are gone. */
export const changedSince = (base) => [
  ...new Set([...git('diff', '--name-only', base), ...git('ls-files', '-o', '--exclude-standard')]),
];

/** The folder of tests that is near to a file: that of its area, of its room, or its own. */
export function testsNear(file) {
  const [root, room = '', area = ''] = file.split('/');
  const own = room === 'areas' ? `areas/${area}` : room;
  if (root !== 'src' && root !== 'test') return undefined;
  const folder = ELSEWHERE[`${root}/${own}`] ?? `test/${own}`;
  return existsSync(folder) ? folder : undefined;
}
