import { Failure, type FieldError } from '../contract/errors.ts';
import { MOST_PROBLEMS, pathOf, problemAt, ScenarioError, type ScenarioProblem, sentenceOf } from './error.ts';
import { didYouMean, nearest } from './nearest.ts';

/** The form of an id that the emulator makes. */
const ID = /\b[A-Z][A-Za-z]{1,40}:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

/** Returns the name by which a scenario's author knows the row of an id: the label of the row or of its owner. */
export type NameOf = (id: string, labelOf: (id: string) => string | undefined) => string | undefined;

/** The owner of money: a customer, by label, or the platform. */
export type Owner = string | typeof PLATFORM;
export const PLATFORM = Symbol('the platform');

/**
 * Parts of a scenario that are left out because they are wrong; anything that depends on them is not an error itself.
 */
export interface LeftOut {
  /** The labels of such entries. */
  readonly leftOut?: readonly string[];
  /** The owners whose money depends on them. */
  readonly unsure?: readonly Owner[];
  /** True if there may be labels that are not known. */
  readonly isPartial?: boolean;
}

/** Checks the meaning of a scenario: its labels, and every mistake, so that all problems are reported at once. */
export class ScenarioChecker {
  readonly #named = new Map<string, { kind: string; id: string | undefined }>();
  readonly #problems: ScenarioProblem[] = [];
  readonly #leftOut: ReadonlySet<string>;
  readonly #labels = new Map<string, string>();
  readonly #nameOf: NameOf;
  readonly #unsure: Set<Owner>;
  readonly #isPartial: boolean;
  #count = 0;

  constructor(nameOf: NameOf, { leftOut = [], unsure = [], isPartial = false }: LeftOut = {}) {
    this.#nameOf = nameOf;
    this.#leftOut = new Set(leftOut);
    this.#unsure = new Set(unsure);
    this.#isPartial = isPartial;
  }

  /** Does a part that brings money to an owner. If it is wrong, a later shortage of the owner may result from it. */
  noteMoney<T>(owner: Owner, work: () => T): T | undefined {
    const before = this.#count;
    const done = this.note(work);
    if (this.#count > before)
      this.#unsure.add(typeof owner === 'string' ? (this.#near('customer', owner) ?? owner) : owner);
    return done;
  }

  /**
   * Does a part that an owner's money pays for, as `refusedAt`; a shortage that results from another mistake is not
   * reported.
   */
  paidBy<T>(owner: Owner, where: string, work: () => T): T {
    return refusedAt(where, () => {
      try {
        return work();
      } catch (error) {
        const isShort = error instanceof Failure && error.code === 'INSUFFICIENT_BALANCE';
        if (isShort && this.#unsure.has(owner)) invalid();
        throw error;
      }
    });
  }

  /**
   * Registers a label, which must be unique so that references are not ambiguous. Without an id, the thing itself was
   * wrong.
   */
  label(kind: string, name: string | undefined, id: string | undefined, where: string): void {
    if (name === undefined) return;
    if (this.#named.has(name)) this.note(() => invalid([`${where}.label`, `${name} is the label of something else`]));
    else this.#named.set(name, { kind, id: this.#leftOut.has(name) ? undefined : id });
    if (id !== undefined) this.#labels.set(id, name);
  }

  /**
   * Returns the id behind a label of a kind; a part that refers to a wrong one is left out, without a mistake of its
   * own.
   */
  idOf(kind: string, name: string, where: string): string {
    const found = this.#named.get(name);
    if (found?.kind === kind) return found.id ?? invalid();
    const mayBeRight = this.#leftOut.has(name) || (this.#isPartial && !found);
    return mayBeRight ? invalid() : invalid([where, this.#missing(kind, name, found?.kind)]);
  }

  /** Returns the fault in a reference: a label of another kind, a near miss, or an unknown one. */
  #missing(kind: string, name: string, other: string | undefined): string {
    if (other !== undefined) return `${name} is the label of ${withArticle(other)}, not of ${withArticle(kind)}`;
    return `no ${kind} has the label ${name}${didYouMean(this.#near(kind, name))}`;
  }

  /** Returns the label of a kind that is nearest to a name. */
  #near(kind: string, name: string): string | undefined {
    return nearest(
      name,
      [...this.#named].flatMap(([label, one]) => (one.kind === kind ? [label] : [])),
    );
  }

  /** Does a part; returns undefined and notes the mistakes if it is wrong. */
  note<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      this.#count += error.count;
      for (const problem of error.problems.slice(0, MOST_PROBLEMS - this.#problems.length))
        this.#problems.push(problemAt(pathOf(problem) ?? [], this.#inLabels(sentenceOf(problem))));
      return undefined;
    }
  }

  /**
   * Returns a sentence with the labels of rows in place of ids, which the author did not write; names if there are no
   * labels.
   */
  #inLabels(message: string): string {
    return message.replaceAll(ID, (id) => this.#nameOf(id, (one) => this.#labels.get(one)) ?? id);
  }

  /** Throws a `ScenarioError` with the first problems, and their number. */
  refuse(): void {
    if (this.#count > 0) throw new ScenarioError('scenario', this.#problems, this.#count);
  }
}

/** Returns the same error with the labels of the rows of a scenario. */
export const withLabels = ({ source, problems, count }: ScenarioError, scenario: object): ScenarioError =>
  new ScenarioError(
    source,
    problems.map((problem) => problemAt(pathOf(problem) ?? [], sentenceOf(problem), scenario)),
    count,
  );

/** Refuses a part of a scenario with a valid form but no valid meaning; each sentence has the path that it is about. */
export function invalid(...wrong: (readonly [where: string, message: string])[]): never {
  const stepsOf = (where: string) => where.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  throw new ScenarioError(
    'scenario',
    wrong.map(([where, message]) => problemAt(stepsOf(where), message)),
  );
}

/** Does what the API would do; a refusal becomes a mistake in the scenario, with its place. */
export function refusedAt<T>(where: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const fields = (error.details as { errors?: readonly FieldError[] } | undefined)?.errors ?? [];
    return fields.length > 0
      ? invalid(...fields.map(({ field, message }) => [field ? `${where}.${field}` : where, message] as const))
      : invalid([where, error.message]);
  }
}

const withArticle = (kind: string): string => `${/^[aeio]/.test(kind) ? 'an' : 'a'} ${kind}`;
