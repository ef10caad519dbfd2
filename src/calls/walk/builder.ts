import type { Call, Form, Json, Step, Walk } from './plan.ts';

/** The details of a call beside its operation. */
export interface Details {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly form?: Form;
  readonly as?: string;
}

/** Builds a walk call by call; the drawn numbers decide everything that is left open. */
export class Builder {
  readonly steps: Step[] = [];
  #picks: readonly number[] = [];
  #next = 0;
  #names = 0;

  /** Sets the numbers that decide from here on. */
  draw(picks: readonly number[]): void {
    this.#picks = picks;
    this.#next = 0;
  }

  /** Returns a whole number below this one; 0 once the drawn numbers are used up. */
  below(n: number): number {
    const pick = this.#picks[this.#next] ?? 0;
    this.#next += 1;
    return pick % n;
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** Returns true once in `n` draws. */
  once(n: number): boolean {
    return this.below(n) === n - 1;
  }

  /** Returns a number that no other name of this walk has. */
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

  callOf(name: string): Call | undefined {
    return this.steps.find((step): step is Call => step.name === name && 'operation' in step);
  }

  get walk(): Walk {
    return this.steps;
  }
}
