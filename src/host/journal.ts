import type { Why } from '../kernel/errors.ts';
import type { Trace } from '../kernel/world.ts';
import type { Kept, LogBudget } from './log-budget.ts';

/** One answered request, as the request log keeps it. Text is kept as it came; masking happens when it is shown. */
export interface Entry {
  readonly id: string;
  /** Virtual time. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** Name and value, alternating, as Node gives them. */
  readonly headers: readonly string[];
  readonly body: string;
  readonly operation: string | undefined;
  /** 0 when a fault closed the connection before anything was done. */
  readonly status: number;
  readonly reply: string;
  /** Real milliseconds. */
  readonly ms: number;
  readonly code: string | undefined;
  readonly why: Why | undefined;
  readonly trace: Trace | undefined;
  /** The fault that fired, and what it did; what the caller saw may then differ from `status` and `reply`. */
  readonly fault?: string | undefined;
}

/** Requests a sandbox remembers; older ones go. */
export const REMEMBERED_REQUESTS = 1000;
/** Characters of a request or reply body that are remembered. */
export const REMEMBERED_BODY = 16_384;

/** The last requests of one sandbox, in a ring, within the budget of its process. */
export class Journal {
  readonly #budget: LogBudget;
  #ring: (Kept | undefined)[] = [];
  /** Where the oldest is, and how many there are. */
  #first = 0;
  #count = 0;
  readonly #drop = (): void => this.#forgetOldest();
  readonly calls = new Map<string, number>();

  constructor(budget: LogBudget) {
    this.#budget = budget;
  }

  add(entry: Entry): void {
    if (this.#count === REMEMBERED_REQUESTS) {
      this.#budget.remove(this.#ring[this.#first] as Kept);
      this.#forgetOldest();
    }
    const kept = this.#budget.add(entry, this.#drop);
    this.#ring[(this.#first + this.#count) % REMEMBERED_REQUESTS] = kept;
    this.#count += 1;
    if (entry.operation) this.calls.set(entry.operation, (this.calls.get(entry.operation) ?? 0) + 1);
  }

  get(id: string): Entry | undefined {
    for (const entry of this.newest()) if (entry.id === id) return entry;
    return undefined;
  }

  /** Newest first. */
  *newest(): Generator<Entry> {
    for (let i = this.#count - 1; i >= 0; i -= 1) {
      const kept = this.#ring[(this.#first + i) % REMEMBERED_REQUESTS];
      if (kept) yield kept.entry;
    }
  }

  /** Forget everything, and give back what it took. */
  clear(): void {
    for (const kept of this.#ring) if (kept) this.#budget.remove(kept);
    this.#ring = [];
    this.#first = 0;
    this.#count = 0;
    this.calls.clear();
  }

  #forgetOldest(): void {
    this.#ring[this.#first] = undefined;
    this.#first = (this.#first + 1) % REMEMBERED_REQUESTS;
    this.#count -= 1;
  }
}

/** A body short enough to remember. */
export const remembered = (text: string): string =>
  // A slice would keep the whole text alive; a copy does not.
  text.length > REMEMBERED_BODY
    ? `${Buffer.from(text.slice(0, REMEMBERED_BODY)).toString()}… (${text.length} characters)`
    : text;
