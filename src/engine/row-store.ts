const BITS = 10;
const CHUNK = 2 ** BITS;

const NONE: readonly never[] = [];

/** Rows by position, in chunks that copies of a table share until one of them writes there. */
export class RowStore<R> {
  #chunks: (R | undefined)[][] = [];
  /** Rows that are there, of each chunk. */
  #alive: number[] = [];
  /** Its chunks are another's, too, but for those that are its own by now. */
  #borrowed = false;
  #own: Set<number> | undefined;
  #size = 0;

  /** Rows that are there. */
  get size(): number {
    return this.#size;
  }

  at(seq: number): R | undefined {
    return this.#chunks[seq >>> BITS]?.[seq & (CHUNK - 1)];
  }

  /** The rows of its first positions: its first chunk. */
  get first(): readonly (R | undefined)[] {
    return this.#chunks[0] ?? NONE;
  }

  /** A store with the same rows: each goes on by itself, and copies what it changes. */
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

  /** Puts a row in its place, or empties it. */
  set(seq: number, row: R | undefined): void {
    const at = seq >>> BITS;
    const place = seq & (CHUNK - 1);
    const before = this.at(seq);
    if (row === undefined && before === undefined) return;
    // Without room to grow: many tables keep one row.
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
    // A chunk that is full grows no more: it gives back the room that it had for that.
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

  /** The positions of rows before an end, ascending. */
  *seqs(end: number): Generator<number> {
    for (let at = 0; at < this.#chunks.length; at += 1) {
      const from = at * CHUNK;
      for (let i = 0; i < (this.#chunks[at] as unknown[]).length && from + i < end; i += 1)
        if (this.#chunks[at]?.[i] !== undefined) yield from + i;
    }
  }

  /** The rows before an end, in their order. */
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
