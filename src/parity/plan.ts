import { STARTS } from './scenarios.ts';

/** The origin of walks: the same plan makes the same walks. It contains no names of the user's. */
export interface Plan {
  readonly seed: number;
  /** The number of walks. */
  readonly count: number;
  /** The ids of the operations that the walks aim at, in the order in which they are drawn. */
  readonly operations: 'all' | readonly string[];
  /**
   * The initial scenario of the walks: a built-in one, `several` in turn, or `a file` that the user has to name again.
   */
  readonly scenario: string;
  /** True if the other side was a service, which lives in real time. */
  readonly service: boolean;
}

/** Returns the name of an initial scenario for a plan: that of a built-in one, and nothing of a user's own. */
export const startName = (scenario: string | object | undefined, service: boolean): string => {
  const start = scenario ?? (service ? 'default' : 'several');
  return typeof start === 'string' ? start : 'a file';
};

/** Returns the scenarios of a plan; undefined if it began from a file that is not at hand. */
export function startsOf({ scenario }: Plan): readonly (string | object)[] | undefined {
  if (scenario === 'several') return STARTS;
  return scenario === 'a file' ? undefined : [scenario];
}
