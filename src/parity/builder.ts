import type { Call, Form, Json, Step, Walk } from './plan.ts';
import { ref } from './plan.ts';

/** Something that the walk has made so far: how to refer to it, and what else is known of it. */
export interface Thing {
  readonly id: string;
  /** The call that made it. */
  readonly call: string;
  readonly [about: string]: string;
}

/** What a call says besides its operation. */
export interface Details {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly form?: Form;
  readonly as?: string;
}

/** Puts a walk together, call by call; everything that is left open is decided by the numbers that were drawn. */
export class Builder {
  readonly steps: Step[] = [];
  readonly #things = new Map<string, Thing[]>();
  #picks: readonly number[] = [];
  #next = 0;
  #names = 0;

  /** The numbers that decide from here on. */
  draw(picks: readonly number[]): void {
    this.#picks = picks;
    this.#next = 0;
  }

  /** A whole number below this one; 0 once the drawn numbers are used up. */
  below(n: number): number {
    const pick = this.#picks[this.#next] ?? 0;
    this.#next += 1;
    return pick % n;
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** Whether it is the one case in so many. */
  once(n: number): boolean {
    return this.below(n) === n - 1;
  }

  /** A number that no other name of this walk has. */
  number(): number {
    this.#names += 1;
    return this.#names;
  }

  call(operation: string, details: Details = {}): string {
    const name = `c${this.number()}`;
    const { params = {}, query = {}, headers = {}, as = 'platform', ...content } = details;
    this.steps.push({ name, operation, params, query, headers, as, ...content });
    return name;
  }

  pause(pass: string): void {
    this.steps.push({ name: `p${this.number()}`, pass });
  }

  /** Remember what a call made; `about` is what later calls choose by. */
  keep(kind: string, call: string, about: Readonly<Record<string, string>> = {}, path = 'id'): Thing {
    const thing = { ...about, call, id: ref(call, path) };
    this.#things.set(kind, [...this.all(kind), thing]);
    return thing;
  }

  all(kind: string): readonly Thing[] {
    return this.#things.get(kind) ?? [];
  }

  /** One of the things of a kind that `fits`, most often the latest; else what `make` makes. */
  some(kind: string, make: () => Thing, fits: (thing: Thing) => boolean = () => true): Thing {
    const found = this.all(kind).filter(fits);
    if (found.length === 0) return make();
    return this.once(3) ? this.of(found) : (found.at(-1) as Thing);
  }

  /** The call that came last, to be changed or repeated. */
  get last(): Call | undefined {
    const step = this.steps.at(-1);
    return step && 'operation' in step ? step : undefined;
  }

  get walk(): Walk {
    return this.steps;
  }
}

/** Adds to a walk a call of one operation, and those that it needs before. */
export type Recipe = (b: Builder) => void;
export type Recipes = Readonly<Record<string, Recipe>>;
