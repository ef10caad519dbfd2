import { PARTS } from '../areas.ts';
import { isObject } from '../contract/json.ts';
import { PROFILES } from '../contract/profile.ts';
import { Clock } from '../engine/clock.ts';
import { tick } from '../engine/signal.ts';
import { inSlices } from '../engine/slices.ts';
import { World } from '../engine/world.ts';
import { applyScenario } from './apply.ts';
import { MOST_MISTAKES } from './bounds.ts';
import { type Owner, PLATFORM } from './checker.ts';
import { Draft, valueAt } from './draft.ts';
import { pathOf, problemAt, ScenarioError, type ScenarioProblem, sentenceOf } from './error.ts';
import type { Form } from './form.ts';
import { Scenario } from './schema.ts';

type Path = readonly PropertyKey[];
type Data = Readonly<Record<string, unknown>>;

/** The rest of a scenario, the labels of entries that are not whole, and the first index of each entry of its lists. */
interface Rest {
  readonly data: Record<string, unknown>;
  readonly labels: string[];
  readonly places: Map<string, number[]>;
}

/**
 * Returns the mistakes of meaning in a scenario with entries of a wrong form. Those are left out, so that the same run
 * checks the references and funds of all others. It works in slices.
 */
export async function mistakesOfRest(
  data: unknown,
  { count, mended, written, wrong, dropped }: Form,
): Promise<readonly ScenarioProblem[]> {
  if (count > MOST_MISTAKES) return [];
  await tick();
  const rest = isObject(mended) ? restOf(mended, wrong, dropped) : undefined;
  const unsure = isObject(mended) ? unsureIn(mended, [...wrong, ...dropped]) : [];
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
    await inSlices(
      applyScenario(world, parsed.data, { leftOut: rest.labels, unsure, isPartial: isPartial(mended, wrong, dropped) }),
    );
    return [];
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems.map((problem) => moved(problem, rest, written, data));
    throw error;
  } finally {
    world.scheduler.close();
  }
}

/**
 * Returns a scenario without its wrong members, and then without the entries that lack one of them. Undefined if
 * currencies are wrong, because everything else depends on them.
 */
function restOf(data: Data, wrong: readonly Path[], dropped: readonly Path[]): Rest | undefined {
  const labels = [...wrong, ...dropped].flatMap(([list, i]) => {
    const label = typeof i === 'number' && list !== undefined ? valueAt(data, [list, i, 'label']) : undefined;
    return typeof label === 'string' ? [label] : [];
  });
  const trimmed = trimmedOf(data, wrong);
  const again = trimmed && Scenario().safeParse(trimmed).error?.issues;
  if (!trimmed || !again) return trimmed && { data: trimmed, labels, places: new Map() };
  const rest: Rest = { data: { ...trimmed }, labels, places: new Map() };
  for (const list of new Set(again.map(({ path: [first] }) => String(first)))) {
    const entries = trimmed[list];
    if (list === 'platform') return undefined;
    if (!Array.isArray(entries)) {
      delete rest.data[list];
      continue;
    }
    const bad = new Set(again.filter(({ path }) => path[0] === list).map(({ path }) => path[1]));
    const kept = [...entries.keys()].filter((i) => !bad.has(i));
    rest.data[list] = kept.map((i) => entries[i]);
    rest.places.set(list, kept);
  }
  return rest;
}

/**
 * Returns whether labels may be missing: a list is wrong as a whole, or a row has an unknown key in place of its label.
 */
const isPartial = (data: unknown, wrong: readonly Path[], dropped: readonly Path[]): boolean =>
  wrong.some((path) => path.length === 1 || path[2] === 'label') ||
  dropped.some(
    (path) => path.length === 1 || (path.length === 3 && valueAt(data, [...path.slice(0, 2), 'label']) === undefined),
  );

/**
 * Returns the owners whose money cannot be computed, because an opening balance or an incoming payment has a mistake.
 */
const unsureIn = (data: Data, places: readonly Path[]): Owner[] =>
  places.flatMap(([first, second]) => {
    if (first === 'platform' && second === 'accounts') return [PLATFORM];
    if (first !== 'transactions' || second === undefined) return [];
    const { type = 'OUTGOING', customer = PLATFORM } = Object(valueAt(data, [first, second]));
    return type === 'OUTGOING' ? [] : [customer];
  });

/** Returns a scenario without its wrong members; their entries stay, because others refer to them. */
function trimmedOf(data: Data, wrong: readonly Path[]): Data | undefined {
  const draft = new Draft({ ...data, generate: {} });
  for (const [first, second, third] of wrong) {
    if (first === undefined || (first === 'platform' && (second === undefined || second === 'currencies')))
      return undefined;
    const inList = Array.isArray(valueAt(draft.data, [first])) && typeof second === 'number' && first !== 'credentials';
    if (inList && third !== undefined) draft.drop([first, second, third]);
    else if (!inList && isObject(valueAt(draft.data, [first])) && typeof second === 'string')
      draft.drop([first, second]);
    else if (!inList) draft.drop([first]);
  }
  return draft.data as Data;
}

/** Returns a problem at its place in the whole file. */
function moved(problem: ScenarioProblem, { places }: Rest, written: Form['written'], data: unknown): ScenarioProblem {
  const [list, index, ...inner] = pathOf(problem) ?? [];
  if (list === undefined) return problem;
  const whole = typeof index === 'number' ? (places.get(String(list))?.[index] ?? index) : index;
  const path = written(whole === undefined ? [list] : [list, whole, ...inner]);
  return problemAt(path, sentenceOf(problem), data);
}
