import { binOf, nodes, referenceFile } from '../kit.mjs';
import { untilFirst200 } from '../processes.mjs';
import { beside, inTurns } from '../statistics.mjs';

const HEALTH = '/_emulator/health';
const flags = (port) => ['--port', String(port), '--log', 'off'];

/** Milliseconds from spawn to the first 200, and those on a processor, of a build on a Node. */
export const startOf = (node = process.execPath, build = undefined, options = {}) =>
  untilFirst200(node, (port) => [binOf(build), ...flags(port)], HEALTH, options);
export const bareStart = (node = process.execPath) =>
  untilFirst200(node, (port) => [referenceFile('http'), String(port)]);
/** Of an executable that is the emulator itself. */
export const executableStart = (path, options = {}) => untilFirst200(path, flags, HEALTH, options);
/** For a first start: the file of compiled code is written in a moment of rest. */
export const REST = { restMs: 1000 };

/** Two kinds of starts in turns; the ratio by processor time is told beside. */
export async function compareStarts(times, bare, ours) {
  // The first starts read the Node from the disk, and leave compiled code to those that follow.
  await bare();
  await ours(REST);
  const pairs = await inTurns(times, bare, () => ours());
  const of = (member) => beside(pairs.map((pair) => pair.map((start) => start[member])));
  return { ...of('ms'), cpuRatio: of('cpuMs').ratio };
}

export async function start(report) {
  for (const [major, node] of [...nodes()].sort(([a], [b]) => a - b)) {
    const found = await compareStarts(
      15,
      () => bareStart(node),
      (rest) => startOf(node, undefined, rest),
    );
    report(`start-${major}`, found);
  }
}
