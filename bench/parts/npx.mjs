import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { binOf, referenceFile } from '../kit.mjs';
import { fileName, untilFirst200 } from '../processes.mjs';
import { beside, median } from '../statistics.mjs';
import { bareStart } from './start.mjs';

const TIMES = 9;

/** Both as commands of an installed package: npx's own time is what it adds to the bare server. */
export async function npx(report) {
  const cwd = fileName('npx');
  const bin = join(cwd, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  const bare = referenceFile('http');
  chmodSync(bare, 0o755);
  symlinkSync(binOf(), join(bin, 'sandbox-emulator'));
  symlinkSync(bare, join(bin, 'bare-http'));
  const through = {
    bare: () => untilFirst200('npx', (port) => ['--no', '--', 'bare-http', String(port)], '/', { cwd }),
    ours: () =>
      untilFirst200(
        'npx',
        (port) => ['--no', '--', 'sandbox-emulator', '--port', String(port), '--log', 'off'],
        '/_emulator/health',
        { cwd },
      ),
  };
  await through.bare();
  await through.ours();
  const [direct, pairs] = [[], []];
  for (let i = 0; i < TIMES; i += 1) {
    direct.push((await bareStart()).ms);
    pairs.push([(await through.bare()).ms, (await through.ours()).ms]);
  }
  const least = median(direct);
  const own = median(pairs.map(([first]) => first)) - least;
  report('npx', { ...beside(pairs.map(([, ours]) => [least, ours - own])), note: `npx itself ${Math.round(own)} ms` });
}
