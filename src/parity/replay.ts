import { leadingTo } from '../calls/index.ts';
import { causeOf } from './compare.ts';
import type { Recording } from './record.ts';
import { runWalk } from './run.ts';
import { Causes, nameOf, type Result } from './session.ts';
import type { Side } from './sides.ts';

/** Makes the calls of a recording here, and compares the replies with those of the other side at that time. */
export async function replayed(
  recording: Recording,
  ours: Side,
  progress?: (calls: number, causes: number) => void,
): Promise<Result> {
  const causes = new Causes();
  const seen = new Map<string, number>();
  const starts = new Map(recording.scenarios.map((scenario) => [nameOf(scenario), scenario]));
  let calls = 0;
  for (const [number, { walk, run, said, scenario }] of recording.walks.entries()) {
    const theirs = new Map(Object.entries(said));
    const start = starts.get(scenario) ?? scenario;
    const setting = {
      ours,
      theirs,
      scenario: start,
      number,
      run,
      patienceMs: 0,
      shared: recording.shared,
      live: recording.live,
    };
    const outcome = await runWalk(walk, setting);
    calls += outcome.calls;
    for (const what of outcome.seen) seen.set(what, (seen.get(what) ?? 0) + 1);
    for (const found of outcome.found) {
      const cause = causeOf(found);
      const earlier = outcome.found.filter(({ step }) => step < found.step).map(causeOf);
      const { step, ...difference } = found;
      // The other side cannot be called again: the cause gets all calls that lead to it, as they were recorded.
      if (!causes.has(cause))
        causes.add({
          ...difference,
          cause,
          count: 0,
          walk: leadingTo(walk, step),
          after: [...new Set(earlier)],
          scenario,
        });
      causes.count(found);
    }
    progress?.(calls, causes.size);
  }
  return { seed: recording.seed, walks: recording.walks.length, calls, causes: causes.list, seen };
}
