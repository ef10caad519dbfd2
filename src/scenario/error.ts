/** One thing wrong with a scenario file. */
export interface ScenarioProblem {
  line: number;
  column: number;
  message: string;
}

/** The path of each problem of which one is known; beside the problems, whose shape is public. */
const PATHS = new WeakMap<ScenarioProblem, readonly PropertyKey[]>();
export const pathOf = (problem: ScenarioProblem): readonly PropertyKey[] | undefined => PATHS.get(problem);

/** A problem that is at some path of a scenario; until its text is known it is at the beginning. */
export function problemAt(path: readonly PropertyKey[], message: string): ScenarioProblem {
  const problem = { line: 1, column: 1, message: path.length > 0 ? `${path.join('.')}: ${message}` : message };
  PATHS.set(problem, path);
  return problem;
}

/** Problems that are reported one by one; of a file with more the rest is counted. */
export const MOST_PROBLEMS = 20;

/** A scenario that cannot be used, with its first problems in the order of their places, and how many there are. */
export class ScenarioError extends Error {
  /** The file, or what else it arrived from. */
  readonly source: string;
  readonly problems: readonly ScenarioProblem[];
  /** The number of problems, those that are not named included. */
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

/** Counts problems that are not named. */
export const andMore = (more: number): string => `and ${more} more ${more === 1 ? 'mistake' : 'mistakes'}`;
