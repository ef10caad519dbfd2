// Another commit, built in a folder that goes with the run.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { THIS } from './kit.mjs';
import { atEnd, fail, fileName } from './processes.mjs';

const git = (...args) => execFileSync('git', args, { cwd: THIS, encoding: 'utf8' }).trim();

/** The commit that a name stands for; ends the run where there is none. */
export function commitOf(ref) {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], {
    cwd: THIS,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : fail(`--compare: git knows no commit ${ref}`);
}

/** Whether two folders have the same packages: then one's are good for both. */
export function sameLock(one, other) {
  const text = (folder) => readFileSync(join(folder, 'package-lock.json'), 'utf8');
  return text(one) === text(other);
}

/** Check a commit out and build it; its folder. A folder with a build in it is taken as it is. */
export function buildOf(ref) {
  if (existsSync(join(ref, 'dist/cli.js'))) return ref;
  const commit = commitOf(ref);
  const folder = fileName(`build-${commit.slice(0, 12)}`);
  git('worktree', 'add', '--detach', '--force', folder, commit);
  atEnd(() => git('worktree', 'remove', '--force', folder));
  const run = (command, ...args) => {
    const { status, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) fail(`${command} ${args.join(' ')} at ${ref}:\n${stderr}`);
  };
  if (sameLock(THIS, folder)) symlinkSync(join(THIS, 'node_modules'), join(folder, 'node_modules'));
  else run('npm', 'ci', '--ignore-scripts');
  run(process.execPath, 'build.mjs', '--no-types');
  return folder;
}
