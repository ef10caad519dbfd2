import { child, indexOf } from '../kit.mjs';
import { output } from '../processes.mjs';
import { beside } from '../statistics.mjs';

/** Pairs `[plain, ours]` of `{ms, cpuMs}` by name, of a build. */
export const sandboxesOf = async (build) =>
  JSON.parse(
    await output(process.execPath, ['--max-old-space-size=8192', child('sandboxes'), indexOf(build), '100000']),
  ).found;

export async function sandboxes(report) {
  for (const [name, pairs] of Object.entries(await sandboxesOf())) {
    const of = (member) => beside(pairs.map((pair) => pair.map((each) => each[member])));
    report(name, of('ms'));
  }
}
