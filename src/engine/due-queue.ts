/** The due time of a job; of two at the same moment, the one queued first comes first. */
export interface Due {
  readonly at: number;
  readonly order: number;
  readonly id: string;
  /** The length of the chain of jobs that led to this one without time moving. */
  readonly depth: number;
  /** The number of jobs at the end of that chain that did the very same work. */
  readonly repeats: number;
}

const before = (a: Due, b: Due): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

/** Due times, soonest first: a binary heap. */
export class DueQueue {
  readonly #heap: Due[] = [];
  #order = 0;

  /** The earliest due time, which stays in the queue. */
  get first(): Due | undefined {
    return this.#heap[0];
  }

  add({ at, id, depth, repeats }: Omit<Due, 'order'>): void {
    this.#order += 1;
    this.put({ at, order: this.#order, id, depth, repeats });
  }

  /** Puts back an entry that was taken out, in its old place. */
  put(due: Due): void {
    const heap = this.#heap;
    let i = heap.push(due) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!before(due, heap[parent] as Due)) break;
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
      if (child + 1 < heap.length && before(heap[child + 1] as Due, heap[child] as Due)) child += 1;
      if (!before(heap[child] as Due, last)) break;
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
