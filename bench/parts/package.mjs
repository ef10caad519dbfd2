// What is downloaded: its size, and its installation.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { THIS } from '../kit.mjs';
import { fileName, output } from '../processes.mjs';
import { beside, inTurns } from '../statistics.mjs';

const TIMES = 5;

/** Pack a folder into the run's own: the tarball and what npm says of it. */
function pack(cwd, ...flags) {
  const text = execFileSync('npm', ['pack', '--json', '--pack-destination', fileName('.'), ...flags], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // What the build prints stands before it.
  const [told] = JSON.parse(text.slice(text.search(/^\[$/m)));
  return { ...told, path: join(fileName('.'), told.filename) };
}

let packed;
/** The package of this checkout, packed once a run; that builds it with its types. */
export const thisPackage = () => (packed ??= pack(THIS));

let installs = 0;
/** Install a tarball into an empty project: its folder, and how many seconds that took. */
export async function installed({ path }) {
  const cwd = fileName(`installed-${(installs += 1)}`);
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), '{ "private": true, "type": "module" }\n');
  const began = performance.now();
  await output('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', path], { cwd });
  return { cwd, seconds: (performance.now() - began) / 1000 };
}

export async function packaged(report) {
  const ours = thisPackage();
  report('packed', { value: ours.size / 1e6 });
  report('unpacked', { value: ours.unpackedSize / 1e6, note: `${ours.entryCount} files` });
  const folder = fileName('empty-package');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "name": "empty-package", "version": "1.0.0" }\n');
  const empty = pack(folder);
  const seconds = async (tarball) => (await installed(tarball)).seconds;
  await seconds(empty);
  report(
    'install',
    beside(
      await inTurns(
        TIMES,
        () => seconds(empty),
        () => seconds(ours),
      ),
    ),
  );
}
