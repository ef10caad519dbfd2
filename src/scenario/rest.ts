import type * as z from 'zod';
import { PARTS } from '../areas.ts';
import { PROFILES } from '../contract/profile.ts';
import { Clock } from '../engine/clock.ts';
import { tick } from '../engine/signal.ts';
import { inSlices } from '../engine/slices.ts';
import { World } from '../engine/world.ts';
import { applyScenario } from './apply.ts';
import { pathOf, problemAt, ScenarioError, type ScenarioProblem } from './error.ts';
import { Scenario } from './schema.ts';

type Issues = readonly z.core.$ZodIssue[];
type Data = Readonly<Record<string, unknown>>;

/** The rest of a scenario, the labels of entries that are not whole, and the first index of each entry of its lists. */
interface Rest {
  readonly data: Record<string, unknown>;
  readonly labels: string[];
  readonly places: Map<string, number[]>;
}

/** Mistakes of form with which nothing else is looked for: far fewer are shown, and reading it all again takes long. */
const MOST_ISSUES = 1000;

/**
 * Returns the mistakes in sense of a scenario some of whose entries have a wrong form: they are left out, so that references
 * and funds of all others are checked in the same run. Others have their turns in between.
 */
export async function mistakesOfRest(data: unknown, issues: Issues): Promise<readonly ScenarioProblem[]> {
  if (issues.length > MOST_ISSUES) return [];
  await tick();
  const rest = isObject(data) ? restOf(data, issues) : undefined;
  await tick();
  const parsed = rest && Scenario().safeParse(rest.data);
  if (!rest || !parsed?.success) return [];
  const { now } = parsed.data.clock;
  const world = new World({
    id: 'check',
    seed: 'check',
    keySeed: 'check',
    profile: PROFILES.spec,
    clock: new Clock({ now: now === undefined ? undefined : Date.parse(now), mode: 'held' }),
    parts: PARTS,
  });
  world.scheduler.sleep();
  try {
    await inSlices(applyScenario(world, parsed.data, { leftOut: rest.labels }));
    return [];
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems.map((problem) => moved(problem, rest));
    throw error;
  } finally {
    world.scheduler.close();
  }
}

/**
 * Returns a scenario without the members that are wrong, and then without the entries that lack one of them; undefined where
 * currencies are wrong, which everything else depends on.
 */
function restOf(data: Data, issues: Issues): Rest | undefined {
  const labels: string[] = [];
  const trimmed = trimmedOf(data, issues, labels);
  const again = trimmed && Scenario().safeParse(trimmed).error?.issues;
  if (!trimmed || !again) return trimmed && { data: trimmed, labels, places: new Map() };
  const rest: Rest = { data: { ...trimmed }, labels, places: new Map() };
  for (const list of new Set(again.map(({ path: [first] }) => String(first)))) {
    const entries = trimmed[list];
    if (!Array.isArray(entries)) return undefined;
    const bad = new Set(again.filter(({ path }) => path[0] === list).map(({ path }) => path[1]));
    const kept = [...entries.keys()].filter((i) => !bad.has(i));
    rest.data[list] = kept.map((i) => entries[i]);
    rest.places.set(list, kept);
  }
  return rest;
}

/** Returns a scenario without the members that are wrong; notes the labels of the entries that are not whole. */
function trimmedOf(data: Data, issues: Issues, labels: string[]): Record<string, unknown> | undefined {
  const out: Record<string, unknown> = { ...data, generate: {} };
  // Each list is copied once, however many of its entries are wrong.
  const copied = new Set<string>();
  for (const { path, ...issue } of issues) {
    const places = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [path];
    for (const [first, second, third] of places) {
      if (typeof first !== 'string' || (first === 'platform' && (second === undefined || second === 'currencies')))
        return undefined;
      const whole = out[first];
      if (Array.isArray(whole) && typeof second === 'number' && first !== 'credentials') {
        const entry: unknown = whole[second];
        if (isObject(entry) && typeof entry['label'] === 'string') labels.push(entry['label']);
        if (!isObject(entry) || third === undefined) continue;
        const list = copied.has(first) ? whole : [...whole];
        copied.add(first);
        list[second] = without(entry, String(third));
        out[first] = list;
      } else if (isObject(whole) && typeof second === 'string') out[first] = without(whole, second);
      else delete out[first];
    }
  }
  return out;
}

/** Returns a problem at the place that its entry has in the whole list. */
function moved(problem: ScenarioProblem, { places }: Rest): ScenarioProblem {
  const path = pathOf(problem);
  const [list, index, ...inner] = path ?? [];
  const whole = typeof index === 'number' ? places.get(String(list))?.[index] : undefined;
  if (!path || list === undefined || whole === undefined) return problem;
  return problemAt([list, whole, ...inner], problem.message.slice(`${path.join('.')}: `.length));
}

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const without = (whole: Data, key: string): Data =>
  Object.fromEntries(Object.entries(whole).filter(([name]) => name !== key));
