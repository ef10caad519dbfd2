const BITS = 10;
const CHUNK = 2 ** BITS;

const NONE: readonly never[] = [];

/** Rows by position, in chunks that copies of a table share until one of them writes. */
export class RowStore<R> {
  #chunks: (R | undefined)[][] = [];
  /** The number of rows in each chunk. */
  #alive: number[] = [];
  /** True while its chunks, except those in `own`, belong to another store, too. */
  #borrowed = false;
  #own: Set<number> | undefined;
  #size = 0;

  /** The number of rows. */
  get size(): number {
    return this.#size;
  }

  at(seq: number): R | undefined {
    return this.#chunks[seq >>> BITS]?.[seq & (CHUNK - 1)];
  }

  /** The rows of the first chunk. */
  get first(): readonly (R | undefined)[] {
    return this.#chunks[0] ?? NONE;
  }

  /** Returns a store with the same rows. The two share memory; each copies what it changes. */
  fork(): RowStore<R> {
    const other = new RowStore<R>();
    other.#chunks = this.#chunks.slice();
    other.#alive = this.#alive.slice();
    other.#size = this.#size;
    for (const store of [this, other]) {
      store.#borrowed = true;
      store.#own = undefined;
    }
    return other;
  }

  /** Puts a row at a position, or empties it. */
  set(seq: number, row: R | undefined): void {
    const at = seq >>> BITS;
    const place = seq & (CHUNK - 1);
    const before = this.at(seq);
    if (row === undefined && before === undefined) return;
    // Allocated without room to grow: many tables keep one row.
    if (seq === 0 && row !== undefined && this.#chunks.length === 0) {
      if (this.#borrowed) (this.#own ??= new Set()).add(0);
      [this.#chunks, this.#alive, this.#size] = [[[row]], [1], 1];
      return;
    }
    while (this.#chunks.length <= at) {
      if (this.#borrowed) (this.#own ??= new Set()).add(this.#chunks.length);
      this.#chunks.push([]);
      this.#alive.push(0);
    }
    const chunk = this.#ownChunk(at);
    while (chunk.length < place) chunk.push(undefined);
    chunk[place] = row;
    const change = (row === undefined ? 0 : 1) - (before === undefined ? 0 : 1);
    if (change === 0) return;
    this.#size += change;
    this.#alive[at] = (this.#alive[at] as number) + change;
    if (this.#alive[at] === 0 && at < this.#chunks.length - 1) this.#chunks[at] = [];
    // A full chunk grows no more, so its spare capacity is given back.
    else if (change > 0 && place === CHUNK - 1) this.#chunks[at] = chunk.slice();
  }

  #ownChunk(at: number): (R | undefined)[] {
    const chunk = this.#chunks[at] as (R | undefined)[];
    if (!this.#borrowed || this.#own?.has(at)) return chunk;
    (this.#own ??= new Set()).add(at);
    const copy = chunk.slice();
    this.#chunks[at] = copy;
    return copy;
  }

  /** Yields the positions of rows before an end, ascending. */
  *seqs(end: number): Generator<number> {
    for (let at = 0; at < this.#chunks.length; at += 1) {
      const from = at * CHUNK;
      for (let i = 0; i < (this.#chunks[at] as unknown[]).length && from + i < end; i += 1)
        if (this.#chunks[at]?.[i] !== undefined) yield from + i;
    }
  }

  /** Returns the rows before an end, in order. */
  rows(end: number): R[] {
    const rows: R[] = [];
    for (let at = 0; at < this.#chunks.length; at += 1) {
      const chunk = this.#chunks[at] as (R | undefined)[];
      const before = Math.min(chunk.length, end - at * CHUNK);
      for (let i = 0; i < before; i += 1) {
        const row = chunk[i];
        if (row !== undefined) rows.push(row);
      }
    }
    return rows;
  }
}
