import type { Why } from '../kernel/errors.ts';
import type { Trace } from '../kernel/world.ts';

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

/** The last requests of one sandbox, in a ring. */
export class Journal {
  #ring: Entry[] = [];
  #next = 0;
  readonly calls = new Map<string, number>();

  add(entry: Entry): void {
    if (this.#ring.length < REMEMBERED_REQUESTS) this.#ring.push(entry);
    else this.#ring[this.#next] = entry;
    this.#next = (this.#next + 1) % REMEMBERED_REQUESTS;
    if (entry.operation) this.calls.set(entry.operation, (this.calls.get(entry.operation) ?? 0) + 1);
  }

  get(id: string): Entry | undefined {
    return this.#ring.find((entry) => entry.id === id);
  }

  /** Newest first. */
  *newest(): Generator<Entry> {
    for (let i = 1; i <= this.#ring.length; i += 1) {
      yield this.#ring[(this.#next - i + this.#ring.length * 2) % this.#ring.length] as Entry;
    }
  }

  clear(): void {
    this.#ring = [];
    this.#next = 0;
    this.calls.clear();
  }
}

/** A body short enough to remember. */
export const remembered = (text: string): string =>
  // A slice would keep the whole text alive; a copy does not.
  text.length > REMEMBERED_BODY
    ? `${Buffer.from(text.slice(0, REMEMBERED_BODY)).toString()}… (${text.length} characters)`
    : text;
