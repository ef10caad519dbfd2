import type { Row, Table, Write } from './table.ts';

type Place = Table<Row> | number | Row | undefined;

/** List entries per write: its table, its position, and the row that was there before. */
const EACH = 3;
/** The most writes among which duplicates are looked for. */
const FEW_PAIRED = 32;
/** The most writes whose memory is kept for reuse. */
const FEW = 100;

/** Writes in order, in one list without an object for each: many are kept, and most are never read. */
export class Writes {
  #list: Place[] = [];
  /** The number of list entries in use. */
  #end = 0;

  get count(): number {
    return this.#end / EACH;
  }

  add(table: Table<Row>, seq: number, before: Row | undefined): void {
    const list = this.#list;
    const end = this.#end;
    list[end] = table;
    list[end + 1] = seq;
    list[end + 2] = before;
    this.#end = end + EACH;
  }

  /**
   * Gives each write of a row that was written more than once the row from before the first of them, because all are
   * undone together. Only for few writes, because it compares each pair.
   */
  join(): void {
    const [list, end] = [this.#list, this.#end];
    if (end > FEW_PAIRED * EACH) return;
    for (let i = EACH; i < end; i += EACH)
      for (let j = 0; j < i; j += EACH) {
        if (list[j + 1] !== list[i + 1] || list[j] !== list[i]) continue;
        if (list[j + 2] !== undefined) list[i + 2] = list[j + 2];
        break;
      }
  }

  append(others: Writes): void {
    const [list, from] = [this.#list, this.#end];
    for (let i = 0; i < others.#end; i += 1) list[from + i] = others.#list[i];
    this.#end = from + others.#end;
  }

  at(place: number): Write {
    const from = place * EACH;
    const [table, seq, before] = [this.#list[from], this.#list[from + 1], this.#list[from + 2]];
    return { table: table as Table<Row>, seq: seq as number, before: before as Row | undefined };
  }

  /** Removes and returns the writes from an index on. */
  take(place: number): Writes {
    const taken = new Writes();
    taken.#list = this.#list.slice(place * EACH, this.#end);
    taken.#end = taken.#list.length;
    this.#list.length = place * EACH;
    this.#end = this.#list.length;
    return taken;
  }

  /** Drops the oldest writes. */
  drop(count: number): void {
    this.#list = this.#list.slice(count * EACH, this.#end);
    this.#end = this.#list.length;
  }

  /** Drops all writes. */
  clear(): void {
    if (this.#end > FEW * EACH) this.#list = [];
    else this.#list.fill(undefined, 0, this.#end);
    this.#end = 0;
  }
}
