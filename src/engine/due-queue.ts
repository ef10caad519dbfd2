/** The moment at which a job is due; of two at the same moment the one that was queued first goes first. */
export interface Due {
  readonly at: number;
  readonly order: number;
  readonly id: string;
  /** The number of jobs in a row that led to it without time moving. */
  readonly depth: number;
  /** The number of these, the last ones in a row, that were the very same work. */
  readonly repeats: number;
}

const before = (a: Due, b: Due): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

/** Due times, soonest first: a binary heap. */
export class DueQueue {
  readonly #heap: Due[] = [];
  #order = 0;

  /** The soonest, left where it is. */
  get first(): Due | undefined {
    return this.#heap[0];
  }

  add({ at, id, depth, repeats }: Omit<Due, 'order'>): void {
    this.#order += 1;
    this.put({ at, order: this.#order, id, depth, repeats });
  }

  /** Queue one again that was taken out, in its old place. */
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

  /** Take the soonest out. */
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

/** Due times that wait for room, in the order in which they arrived; taking the first costs the same however many wait. */
export class Waiting {
  #list: Due[] = [];
  /** The position of the first: those before it are taken. */
  #first = 0;

  add(due: Due): void {
    this.#list.push(due);
  }

  /** Take the first out. */
  take(): Due | undefined {
    const due = this.#list[this.#first];
    if (due === undefined) return undefined;
    this.#first += 1;
    // Half of it is taken: moving the rest costs each of them one step.
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
