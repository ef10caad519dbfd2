import type { Row, Table, Write } from './table.ts';

type Place = Table<Row> | number | Row | undefined;

/** Places that a write takes: its table, its position, and the row that was there before. */
const EACH = 3;
/** Writes among which pairs are looked for. */
const FEW_PAIRED = 32;
/** Writes whose room is kept for others to come. */
const FEW = 100;

/** Writes in the order in which they were made, in one list without an object for each: many are kept, and most never read. */
export class Writes {
  #list: Place[] = [];
  /** Places of the list that are taken. */
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
   * Merges the writes of a row that was written more than once: each keeps what was there before the first, because all of
   * them are taken back together. Only where there are few writes, for it looks at each pair.
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

  /** Take out those from a place on. */
  take(place: number): Writes {
    const taken = new Writes();
    taken.#list = this.#list.slice(place * EACH, this.#end);
    taken.#end = taken.#list.length;
    this.#list.length = place * EACH;
    this.#end = this.#list.length;
    return taken;
  }

  /** Forget the oldest. */
  drop(count: number): void {
    this.#list = this.#list.slice(count * EACH, this.#end);
    this.#end = this.#list.length;
  }

  /** Forget all. */
  clear(): void {
    if (this.#end > FEW * EACH) this.#list = [];
    else this.#list.fill(undefined, 0, this.#end);
    this.#end = 0;
  }
}
