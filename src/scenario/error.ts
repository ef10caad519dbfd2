/** One mistake in a scenario file. */
export interface ScenarioProblem {
  line: number;
  column: number;
  message: string;
}

type Path = readonly PropertyKey[];

/**
 * The path and the sentence of each problem that has them; kept separately, because the shape of problems is public.
 */
const PARTS = new WeakMap<ScenarioProblem, { readonly path: Path; readonly sentence: string }>();
export const pathOf = (problem: ScenarioProblem): Path | undefined => PARTS.get(problem)?.path;
/** Returns the message of a problem without its path. */
export const sentenceOf = (problem: ScenarioProblem): string => PARTS.get(problem)?.sentence ?? problem.message;

/**
 * Returns a problem at a path of a scenario; until its place in the text is known it is at the beginning. Its message
 * begins with the path that it is `about`, with the labels of the rows of `data`.
 */
export function problemAt(path: Path, sentence: string, data?: unknown, about = path): ScenarioProblem {
  const where = pathText(about, data);
  const problem = { line: 1, column: 1, message: where === '' ? sentence : `${where}: ${sentence}` };
  PARTS.set(problem, { path, sentence });
  return problem;
}

/** The most characters of a label that are shown. */
const LONGEST_LABEL = 40;

/** Returns a path as text, with the label of each row of `data` that has one: `customers.0 (ada).email`. */
function pathText(path: Path, data: unknown): string {
  let at = data;
  const steps = path.map((step) => {
    at = typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined;
    const label: unknown = typeof step === 'number' ? Object(at).label : undefined;
    return typeof label === 'string' && label !== ''
      ? `${String(step)} (${label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL)}…` : label})`
      : String(step);
  });
  return steps.join('.');
}

/** The most problems that are reported one by one; the others are counted. */
export const MOST_PROBLEMS = 20;

/** The error for a scenario that cannot be used: its first problems in the order of their places, and their number. */
export class ScenarioError extends Error {
  /** The file, or the other origin of the scenario. */
  readonly source: string;
  readonly problems: readonly ScenarioProblem[];
  /** The number of problems, including those that are not named. */
  readonly count: number;
  constructor(source: string, found: readonly ScenarioProblem[], count = found.length) {
    const problems = [...found].sort((a, b) => a.line - b.line || a.column - b.column);
    const named = problems.slice(0, MOST_PROBLEMS);
    const lines = named.map((p) => `${source}:${p.line}:${p.column}: ${p.message}`);
    super([...lines, ...(count > named.length ? [`${source}: ${andMore(count - named.length)}`] : [])].join('\n'));
    this.name = 'ScenarioError';
    this.source = source;
    this.problems = named;
    this.count = count;
  }
}

/** Returns the phrase that counts the problems without a name. */
export const andMore = (more: number): string => `and ${more} more ${more === 1 ? 'mistake' : 'mistakes'}`;
