import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { binOf, referenceFile } from '../kit.mjs';
import { fileName, untilFirst200 } from '../processes.mjs';
import { beside, inTurns, median } from '../statistics.mjs';

const TIMES = 9;

/** Both as commands of an installed package, from the moment at which npx has started them. */
export async function npx(report) {
  const cwd = fileName('npx');
  const bin = join(cwd, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  const bare = referenceFile('http');
  chmodSync(bare, 0o755);
  symlinkSync(binOf(), join(bin, 'sandbox-emulator'));
  symlinkSync(bare, join(bin, 'bare-http'));
  // The command that npx runs is a shell's, which becomes the server: all that is told begins with it.
  const start = (name, flags, path) =>
    untilFirst200('npx', (port) => ['--no', '--', name, ...flags(String(port))], path, { cwd, through: true });
  const bareStart = () => start('bare-http', (port) => [port], '/');
  const ours = () => start('sandbox-emulator', (port) => ['--port', port, '--log', 'off'], '/_emulator/health');
  const pairs = (await inTurns(TIMES + 1, bareStart, ours)).slice(1);
  const of = (member) => beside(pairs.map((pair) => pair.map((started) => started[member])));
  const own = median(pairs.flat().map(({ beforeMs }) => beforeMs));
  report('npx', { ...of('ms'), cpuRatio: of('cpuMs').ratio, note: `npx itself ${Math.round(own)} ms` });
}
