import { binOf } from '../kit.mjs';
import { untilFirst200 } from '../processes.mjs';
import { beside, inTurns } from '../statistics.mjs';
import { startOf } from './start.mjs';

export async function load10k(report) {
  const args = (port) => [binOf(), '--port', String(port), '--log', 'off', '--scenario', 'load-10k'];
  const loaded = () => untilFirst200(process.execPath, args, '/_emulator/health');
  const pairs = await inTurns(
    5,
    async () => (await startOf()).ms,
    async () => (await loaded()).ms,
  );
  report('load-10k', beside(pairs));
}
