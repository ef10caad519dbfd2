import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nodes, THIS } from '../kit.mjs';
import { bareStart, compareStarts, executableStart } from './start.mjs';

/** Beside the bare server on Node 24, which is the Node in it. */
export async function executable(report) {
  const path = join(THIS, 'dist-executable/sandbox-emulator-linux-x64');
  if (!existsSync(path)) return report.skip('executable', 'npm run executable was not done');
  const node = nodes().get(24) ?? process.execPath;
  report(
    'executable',
    await compareStarts(
      15,
      () => bareStart(node),
      (rest) => executableStart(path, rest),
    ),
  );
}
