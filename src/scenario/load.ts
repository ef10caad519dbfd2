import type { Document } from 'yaml';
import { SEEDS } from '../areas.ts';
import { isObject } from '../contract/json.ts';
import { tick } from '../engine/signal.ts';
import { type Bounds, OF_A_FILE } from './bounds.ts';
import { BUILT_INS, builtIn, parsedBuiltIn } from './builtin.ts';
import { MOST_PROBLEMS, pathOf, problemAt, ScenarioError, type ScenarioProblem } from './error.ts';
import type { Form } from './form.ts';
import { didYouMean, nearest } from './nearest.ts';
import { mistakesOfRest } from './rest.ts';
import type { Scenario } from './schema.ts';
import { readTextFile } from './text-file.ts';

/**
 * Returns scenario data in the shape of its file, with defaults filled in. Throws with every problem named by its path.
 */
export async function parseScenario(data: unknown, source = 'scenario'): Promise<Scenario> {
  const { formOf } = await import('./form.ts');
  const form = await formOf(data);
  return form.parsed ?? refuse(source, data, form, await mistakesOfRest(data, form));
}

/**
 * Checks the form of the text of a YAML or JSON scenario within bounds. Throws `ScenarioError` with the first problems,
 * line and column. For a text that stands `alone`, these include mistakes of meaning in all parts with a valid form.
 */
export async function readScenarioText(
  text: string,
  source: string,
  bounds: Bounds = OF_A_FILE,
  alone = true,
): Promise<unknown> {
  const [{ readYaml }, { formOf }] = await Promise.all([import('./yaml.ts'), import('./form.ts')]);
  const { document, data, pointed, at } = await readYaml(text, source, bounds);
  await tick();
  const form = await formOf(data, pointed);
  if (form.parsed) return data ?? {};
  const rest = alone ? await mistakesOfRest(data, form) : [];
  return refuse(source, data, form, rest, (path) => at(offsetOf(document, path)));
}

/** Returns the problems of a scenario with a valid form, each at the place in the text that its path names. */
export async function placed(error: ScenarioError, text: string, bounds = OF_A_FILE): Promise<ScenarioProblem[]> {
  if (error.problems.every((problem) => !isUnplaced(problem))) return [...error.problems];
  const { readYaml } = await import('./yaml.ts');
  const { document, at } = await readYaml(text, error.source, bounds);
  const found = error.problems.map((problem) =>
    isUnplaced(problem) ? { ...problem, ...at(offsetOf(document, pathOf(problem) ?? [])) } : problem,
  );
  return found.sort((a, b) => a.line - b.line || a.column - b.column);
}

/** Returns whether a problem has a place in the data, but not yet in the text. */
const isUnplaced = (problem: ScenarioProblem): boolean =>
  pathOf(problem) !== undefined && problem.line === 1 && problem.column === 1;

/** Reads a built-in scenario by its name, or a file by its path. */
export async function readScenario(nameOrPath: string, alone = true): Promise<unknown> {
  if (BUILT_INS.includes(nameOrPath)) return builtIn(nameOrPath);
  let text: string;
  try {
    text = await readTextFile(nameOrPath);
  } catch (error) {
    if (error instanceof ScenarioError) throw error;
    throw new Error(
      `no scenario ${nameOrPath}: neither a file nor a built-in one (${BUILT_INS.join(', ')})${didYouMean(nearest(nameOrPath, BUILT_INS))}`,
    );
  }
  return readScenarioText(text, nameOrPath, OF_A_FILE, alone);
}

/** Lists that are joined when several scenarios are given; for every other list the last one counts. */
const LISTS: ReadonlySet<string> = new Set([
  'customers',
  'externalAccounts',
  'transactions',
  'faults',
  ...SEEDS.map(({ key }) => key),
]);

/**
 * Returns several scenarios as one: later ones take precedence, lists of customers, accounts, payments and faults are
 * joined.
 */
export async function loadScenarios(names: readonly (string | object)[]): Promise<Scenario> {
  const [only] = names;
  const ready = names.length === 1 && typeof only === 'string' ? await parsedBuiltIn(only) : undefined;
  if (ready) return ready;
  let merged: Record<string, unknown> = {};
  for (const name of names)
    merged = merge(
      merged,
      (typeof name === 'string' ? await readScenario(name, names.length === 1) : name) as typeof merged,
    );
  return parseScenario(merged, names.map((n) => (typeof n === 'string' ? n : 'scenario')).join(' + '));
}

function merge(a: Record<string, unknown>, b: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const old = out[key];
    if (LISTS.has(key) && Array.isArray(old) && Array.isArray(value)) out[key] = [...old, ...value];
    else if (isObject(old) && isObject(value)) out[key] = { ...old, ...value };
    else out[key] = value;
  }
  return out;
}

/** The most places that are looked up: more mistakes than that are reported in the order of their discovery. */
const MOST_PLACES = 1000;

/** Throws the first mistakes, those of form and the others, each with its place, and their number. */
function refuse(
  source: string,
  data: unknown,
  { mistakes, count }: Form,
  rest: readonly ScenarioProblem[],
  at: (path: readonly PropertyKey[]) => { line: number; column: number } = () => ({ line: 1, column: 1 }),
): never {
  const looked = mistakes.slice(0, count > MOST_PLACES ? MOST_PROBLEMS : MOST_PLACES);
  const found = [
    ...looked.map((one) => ({ ...at(one.path), make: () => problemAt(one.path, one.say(), data, one.about) })),
    ...rest.map((problem) => ({ ...at(pathOf(problem) ?? []), make: () => problem })),
  ].sort((a, b) => a.line - b.line || a.column - b.column);
  const problems = found
    .slice(0, MOST_PROBLEMS)
    .map(({ make, line, column }) => Object.assign(make(), { line, column }));
  throw new ScenarioError(source, problems, count + rest.length);
}

/** Returns the position of a path in the text: its key if there is one, otherwise the nearest thing around it. */
function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const parent = document.getIn(path.slice(0, depth - 1), true) as
      | { items?: { key?: { value?: unknown; range?: number[] } }[] }
      | undefined;
    const key = parent?.items?.find?.((item) => item?.key?.value === path[depth - 1])?.key;
    if (key?.range) return key.range[0] as number;
    const node = document.getIn(path.slice(0, depth), true) as { range?: number[] } | undefined;
    if (node?.range) return node.range[0] as number;
  }
  return 0;
}
