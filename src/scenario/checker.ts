import { Failure, type FieldError } from '../contract/errors.ts';
import { MOST_PROBLEMS, pathOf, problemAt, ScenarioError, type ScenarioProblem, sentenceOf } from './error.ts';
import { didYouMean, nearest } from './nearest.ts';

/** The form of an id that the emulator makes. */
const ID = /\b[A-Z][A-Za-z]{1,40}:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

/** Names the row of an id as the author of a scenario knows it, by the label of the row or of its owner. */
export type NameOf = (id: string, labelOf: (id: string) => string | undefined) => string | undefined;

/** The owner of money: a customer, by label, or the platform. */
export type Owner = string | typeof PLATFORM;
export const PLATFORM = Symbol('the platform');

/** Parts of a scenario that are left out because they are wrong: what depends on them is not wrong itself. */
export interface LeftOut {
  /** Labels of entries. */
  readonly leftOut?: readonly string[];
  /** Owners whose money depends on something. */
  readonly unsure?: readonly Owner[];
  /** True if there may be labels that nobody knows. */
  readonly isPartial?: boolean;
}

/**
 * Checks whether a scenario makes sense: its labels, and everything that is wrong, so that all problems are reported at
 * once.
 */
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

  /** Does a piece that brings money to an owner. When it is wrong, what the owner lacks later depends on that. */
  noteMoney<T>(owner: Owner, work: () => T): T | undefined {
    const before = this.#count;
    const done = this.note(work);
    if (this.#count > before)
      this.#unsure.add(typeof owner === 'string' ? (this.#near('customer', owner) ?? owner) : owner);
    return done;
  }

  /** Does a piece that the money of an owner pays for, as `refusedAt`; too little is not a mistake of a piece that depends on another. */
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

  /** A label names one thing: a reference must not be a matter of luck. Without an id, the thing was wrong itself. */
  label(kind: string, name: string | undefined, id: string | undefined, where: string): void {
    if (name === undefined) return;
    if (this.#named.has(name)) this.note(() => invalid([`${where}.label`, `${name} is the label of something else`]));
    else this.#named.set(name, { kind, id: this.#leftOut.has(name) ? undefined : id });
    if (id !== undefined) this.#labels.set(id, name);
  }

  /** The id behind a label of a kind; what refers to something wrong is not wrong itself, only left out. */
  idOf(kind: string, name: string, where: string): string {
    const found = this.#named.get(name);
    if (found?.kind === kind) return found.id ?? invalid();
    const mayBeRight = this.#leftOut.has(name) || (this.#isPartial && !found);
    return mayBeRight ? invalid() : invalid([where, this.#missing(kind, name, found?.kind)]);
  }

  /** Returns what is wrong with a reference: a label of another kind, one that is nearly right, or none at all. */
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

  /** Do a piece of it; nothing comes of a piece that is wrong. */
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

  /** Returns a sentence with the labels of rows in place of ids, which nobody wrote; names where there are no labels. */
  #inLabels(message: string): string {
    return message.replaceAll(ID, (id) => this.#nameOf(id, (one) => this.#labels.get(one)) ?? id);
  }

  /** Throws `ScenarioError` with the first of what was noted, and how much it is. */
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
    if (!(error instanceof Failure)) throw error;
    const fields = (error.details as { errors?: readonly FieldError[] } | undefined)?.errors ?? [];
    return fields.length > 0
      ? invalid(...fields.map(({ field, message }) => [field ? `${where}.${field}` : where, message] as const))
      : invalid([where, error.message]);
  }
}

const withArticle = (kind: string): string => `${/^[aeio]/.test(kind) ? 'an' : 'a'} ${kind}`;
