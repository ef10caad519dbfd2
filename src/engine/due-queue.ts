/**
 * The due time of a job. Of two at the same moment the one with the shorter chain comes first, then the one with the
 * smaller id: neither depends on when the outside world answered.
 */
export interface Due {
  readonly at: number;
  readonly id: string;
  /** The length of the chain of jobs that led to this one without time moving. */
  readonly depth: number;
  /** The number of jobs at the end of that chain that did the very same work. */
  readonly repeats: number;
}

/** Compares two due times for sorting, soonest first. */
export const byDue = (a: Due, b: Due): number => a.at - b.at || a.depth - b.depth || (a.id < b.id ? -1 : 1);

/** Due times, soonest first: a binary heap. */
export class DueQueue {
  readonly #heap: Due[] = [];

  /** The earliest due time, which stays in the queue. */
  get first(): Due | undefined {
    return this.#heap[0];
  }

  put(due: Due): void {
    const heap = this.#heap;
    let i = heap.push(due) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (byDue(due, heap[parent] as Due) > 0) break;
      heap[i] = heap[parent] as Due;
      i = parent;
    }
    heap[i] = due;
  }

  /** Removes the earliest. */
  take(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && byDue(heap[child + 1] as Due, heap[child] as Due) < 0) child += 1;
      if (byDue(heap[child] as Due, last) > 0) break;
      heap[i] = heap[child] as Due;
      i = child;
    }
    heap[i] = last;
  }

  clear(): void {
    this.#heap.length = 0;
  }
}

/** Due jobs that wait for capacity, in order of arrival; taking the first costs the same however many wait. */
export class Waiting {
  #list: Due[] = [];
  /** The index of the first entry; those before it have been taken. */
  #first = 0;

  add(due: Due): void {
    this.#list.push(due);
  }

  /** Removes and returns the first. */
  take(): Due | undefined {
    const due = this.#list[this.#first];
    if (due === undefined) return undefined;
    this.#first += 1;
    // Half of the list has been taken: moving the rest costs one step each.
    if (this.#first * 2 >= this.#list.length) {
      this.#list.splice(0, this.#first);
      this.#first = 0;
    }
    return due;
  }

  clear(): void {
    this.#list = [];
    this.#first = 0;
  }
}
