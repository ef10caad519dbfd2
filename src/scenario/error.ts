/** One thing wrong with a scenario file. */
export interface ScenarioProblem {
  line: number;
  column: number;
  message: string;
}

/** A scenario that cannot be used, with every problem in the order of its place. */
export class ScenarioError extends Error {
  /** The file, or what else it came from. */
  readonly source: string;
  readonly problems: readonly ScenarioProblem[];
  constructor(source: string, found: readonly ScenarioProblem[]) {
    const problems = [...found].sort((a, b) => a.line - b.line || a.column - b.column);
    super(problems.map((p) => `${source}:${p.line}:${p.column}: ${p.message}`).join('\n'));
    this.name = 'ScenarioError';
    this.source = source;
    this.problems = problems;
  }
}
