import { Failure } from '../contract/errors.ts';
import { MOST_PROBLEMS, problemAt, ScenarioError, type ScenarioProblem } from './error.ts';

/**
 * Checks whether a scenario makes sense: its labels, and everything that is wrong, so that all problems are reported at
 * once.
 */
export class ScenarioChecker {
  readonly #named = new Map<string, { kind: string; id: string | undefined }>();
  readonly #problems: ScenarioProblem[] = [];
  #count = 0;

  /** A label names one thing: a reference must not be a matter of luck. Without an id, the thing was wrong itself. */
  label(kind: string, name: string | undefined, id: string | undefined, where: string): void {
    if (name === undefined) return;
    if (this.#named.has(name)) this.note(() => invalid([`${where}.label`, `${name} is the label of something else`]));
    else this.#named.set(name, { kind, id });
  }

  /** The id behind a label of a kind; what refers to something wrong is not wrong itself, only left out. */
  idOf(kind: string, name: string, where: string): string {
    const found = this.#named.get(name);
    if (found?.kind !== kind) return invalid([where, `no ${kind} has the label ${name}`]);
    return found.id ?? invalid();
  }

  /** Do a piece of it; nothing comes of a piece that is wrong. */
  note<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      this.#count += error.count;
      this.#problems.push(...error.problems.slice(0, MOST_PROBLEMS - this.#problems.length));
      return undefined;
    }
  }

  /** Throws `ScenarioError` with the first of what was noted, and how much it is. */
  refuse(): void {
    if (this.#count > 0) throw new ScenarioError('scenario', this.#problems, this.#count);
  }
}

/** Refuse a piece of a scenario whose shape is right and whose sense is not; each sentence with the path that it is about. */
export function invalid(...wrong: (readonly [where: string, message: string])[]): never {
  const stepsOf = (where: string) => where.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  throw new ScenarioError(
    'scenario',
    wrong.map(([where, message]) => problemAt(stepsOf(where), message)),
  );
}

/** Do what the API would do; what it refuses is a mistake in the scenario, and where. */
export function refusedAt<T>(where: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure) return invalid([where, error.message]);
    throw error;
  }
}
