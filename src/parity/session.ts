import type { Walk } from '../calls/index.ts';
import { causeOf, type Difference } from './compare.ts';
import { walkOf } from './generate.ts';
import type { Said } from './normal.ts';
import { type Found, type Outcome, runWalk, type Setting } from './run.ts';
import { shortest } from './shrink.ts';
import type { Side } from './sides.ts';

/** A cause of differences: the shortest walk that shows it, and how often it appeared. */
export interface Cause extends Difference {
  readonly cause: string;
  readonly count: number;
  readonly walk: Walk;
  readonly after: readonly string[];
  readonly scenario: string;
}

/** A walk as it was made, with the other side's replies. */
export interface Recorded {
  readonly scenario: string;
  readonly run: string;
  readonly walk: Walk;
  readonly said: Readonly<Record<string, Said>>;
}

/** The result of a run. */
export interface Result {
  readonly seed: number;
  readonly walks: number;
  /** The number of calls that were compared, without those of shrinking. */
  readonly calls: number;
  readonly causes: readonly Cause[];
  /** The number of our replies, by operation and status. */
  readonly seen: ReadonlyMap<string, number>;
  /** The file of shapes that the run wrote, with the number of operations in it. */
  readonly shapes?: { readonly file: string; readonly operations: number };
}

export interface Options {
  readonly ours: Side;
  readonly theirs: Side;
  readonly scenarios: readonly (string | object)[];
  readonly operations: readonly string[];
  readonly seed: number;
  /** The number of calls to compare. */
  readonly steps: number;
  readonly patienceMs: number;
  /** True to leave the walks as long as they were; they are shrunk by default. */
  readonly long?: boolean;
  /** Receives each walk that was made. */
  readonly walked?: (walk: Recorded) => void;
  /** Receives the progress. */
  readonly progress?: (calls: number, causes: number) => void;
}

/** Collects causes and how often they appear. */
export class Causes {
  readonly #causes = new Map<string, Cause>();

  has(cause: string): boolean {
    return this.#causes.has(cause);
  }

  /** Counts a difference whose cause is known. */
  count(found: Found): void {
    const cause = causeOf(found);
    const known = this.#causes.get(cause);
    if (known) this.#causes.set(cause, { ...known, count: known.count + 1 });
  }

  add(cause: Cause): void {
    this.#causes.set(cause.cause, cause);
  }

  get size(): number {
    return this.#causes.size;
  }

  /** The causes: first those that appear by themselves, the most frequent at the top. */
  get list(): Cause[] {
    const weight = ({ after, count }: Cause) => (after.length === 0 ? 1e9 : 0) + count;
    return [...this.#causes.values()].sort((a, b) => weight(b) - weight(a));
  }
}

export const nameOf = (scenario: string | object): string =>
  typeof scenario === 'string' ? scenario : String((scenario as { title?: unknown }).title ?? 'of a file');

/** Makes walks on both sides until that many calls were compared; every cause is shrunk when it first appears. */
export async function walkBoth(options: Options): Promise<Result> {
  const { ours, theirs, scenarios, operations, seed, steps, patienceMs, long = false } = options;
  const causes = new Causes();
  const seen = new Map<string, number>();
  let [calls, walks, runs] = [0, 0, 0];
  while (calls < steps) {
    const scenario = scenarios[walks % scenarios.length] as string | object;
    const walk = walkOf(operations, seed + walks);
    walks += 1;
    const once = (planned: Walk): Promise<Outcome> => {
      runs += 1;
      const run = `${(seed % 46_656).toString(36)}x${runs.toString(36)}`;
      const setting: Setting = { ours, theirs, scenario, number: runs, run, patienceMs };
      return runWalk(planned, setting);
    };
    const outcome = await once(walk);
    calls += outcome.calls;
    for (const what of outcome.seen) seen.set(what, (seen.get(what) ?? 0) + 1);
    options.walked?.({ scenario: nameOf(scenario), run: outcome.run, walk, said: Object.fromEntries(outcome.said) });
    for (const found of outcome.found) {
      const cause = causeOf(found);
      if (!causes.has(cause)) {
        const { step: _, ...difference } = found;
        const short = long
          ? { walk: walk.slice(0, found.step + 1), after: [], shown: found }
          : await shortest(walk, found, outcome, once);
        const { ours: a, theirs: b } = short.shown;
        causes.add({
          ...difference,
          ours: a,
          theirs: b,
          cause,
          count: 0,
          walk: short.walk,
          after: short.after,
          scenario: nameOf(scenario),
        });
      }
      causes.count(found);
    }
    options.progress?.(calls, causes.size);
    // A narrow choice of operations may lead to walks without calls, which must not go on for ever.
    if (walks > 20 * steps + 100) break;
  }
  return { seed, walks, calls, causes: causes.list, seen };
}
