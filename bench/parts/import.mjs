import { indexOf, THIS } from '../kit.mjs';
import { output } from '../processes.mjs';
import { beside, inTurns } from '../statistics.mjs';

const timed = (work) =>
  `const from = performance.now(); ${work}; console.log(performance.now() - from); setImmediate(() => process.exit(0));`;
const inNode = async (code) =>
  Number(await output(process.execPath, ['--input-type=module', '-e', code], { cwd: THIS }));

/** Milliseconds in a process of its own, as each file of tests pays them: the very first keeps its compiled code. */
export const importOf = (build) =>
  inNode(timed(`const { startEmulator } = await import('${indexOf(build)}'); await startEmulator({ port: 0 })`));

export async function importing(report) {
  const runner = () => inNode(timed("await import('vitest/runners')"));
  report('import', beside(await inTurns(11, runner, () => importOf())));
}
