import type * as z from 'zod';
import { lazy } from '../contract/lazy.ts';
import { ascending, asList, descending, IndexMap, type Key, type Keys, lowerBound, NOTHING } from './index-list.ts';
import { decodeCursor, encodeCursor, type Page } from './page.ts';

export interface Row {
  readonly id: string;
}

/** The schema of the rows of a table, built when a foreign state is first held against it. */
export type RowShape<R> = () => z.ZodType<R>;

/**
 * What an index keeps a row under. A method's type: the tables of all areas stand in one list, and each is only ever asked of
 * rows of its own.
 */
type KeyOf<R> = { of(row: R): Keys }['of'];

/** A member that holds ids of rows elsewhere: which it holds, and in which tables each may be. */
export interface Reference<R> {
  readonly of: KeyOf<R>;
  /** Names of tables; the row may be in any of them. */
  readonly in: readonly string[];
  /** The index that leads back, where it is not called as the member. */
  readonly by?: string;
}
/** References by the member they stand in; `customerId: 'customers'` is short for the member of that name. */
export type References<R> = Readonly<Record<string, Reference<R> | string>>;

/** What an area declares about its rows: what a row is, and the lookups it will ask for. */
export interface Declared<R extends Row, I extends string> {
  readonly row: RowShape<R>;
  /** What people call them, where they look at them at all. */
  readonly many?: string;
  readonly indexes?: Readonly<Record<I, KeyOf<R>>>;
  /** Rows for which this holds are kept but left out of lookups and lists unless asked for. */
  hidden?(row: R): boolean;
  /** Rows that must be there when this one is. */
  readonly refers?: References<R>;
  /** It holds one row, always. */
  readonly single?: boolean;
  /** What is wrong between members that are each right, in a few words; nothing if they agree. */
  conflict?(row: R): string | undefined;
}

/** A declared table. */
export interface TableToken<R extends Row, I extends string = string> extends Declared<R, I> {
  readonly name: string;
  readonly indexes: Readonly<Record<I, KeyOf<R>>>;
  readonly refers: References<R>;
}

/** Declare a table. Rows are values: replaced whole, never changed in place. */
export const table = <R extends Row, I extends string = never>(
  name: string,
  declared: Declared<R, I>,
): TableToken<R, I> => ({ indexes: {} as Record<I, KeyOf<R>>, refers: {}, ...declared, name });

/** A value that is never changed in place, all the way down. */
type Frozen<T> = unknown extends T ? T : { readonly [K in keyof T]: Frozen<T[K]> };

/** The schema of rows, built at first use; `RowOf` is their type. */
export const lazyRow = <S extends z.ZodType<Row>>(build: () => S) =>
  lazy(build) as unknown as RowShape<Frozen<z.output<S>>>;

/** The rows that a schema describes. */
export type RowOf<S extends RowShape<Row>> = z.output<ReturnType<S>>;

/** The members that the kinds of a row have in common. */
export type MembersOf<S extends () => z.core.$ZodLooseShape> = Frozen<z.output<z.ZodObject<ReturnType<S>>>>;

/** Members of a row's type that its schema does not list. */
type Unlisted<R, S extends z.ZodType> = Exclude<keyof R, KeysOf<z.output<S>>>;
type KeysOf<T> = T extends unknown ? keyof T : never;

/**
 * The schema of a row's type, where the type says what no schema of it could; everywhere else `lazyRow`. The compiler holds each
 * against the other: a member that only the type has would be refused in every saved state, so it does not compile.
 */
export const rowShape =
  <R extends Row>() =>
  <S extends z.ZodType<R>>(
    build: () => S & ([Unlisted<R, S>] extends [never] ? unknown : Unlisted<R, S>),
  ): RowShape<R> =>
    lazy(build);

/** One write, as the undo log keeps it. */
export interface Write {
  readonly table: Table<Row>;
  readonly seq: number;
  readonly before: Row | undefined;
}

export interface Question<R extends Row, I extends string> {
  /** Index equals key; all must hold. An `undefined` key is no condition. */
  where?: { [K in I]?: Key | undefined } | undefined;
  filter?: ((row: R) => boolean) | undefined;
  /** Rows of a span of time, both ends included; for tables whose rows are added in order of that time. */
  between?: { by: (row: R) => string; from?: string | undefined; to?: string | undefined } | undefined;
  withHidden?: boolean | undefined;
}

export interface TableState {
  name: string;
  next: number;
  rows: readonly Row[];
  /** Positions of `rows`, when they are not simply 0, 1, 2, ... */
  seqs?: readonly number[];
}

const CHUNK = 1024;
const ALL = '';
/** The ids of every table that nothing has read yet; always empty. */
const UNOPENED = new Map<string, number>();

/**
 * Rows in the order in which they came, each with a position that never changes, so a cursor stays true while
 * rows come and go and a page costs what it shows, not what is stored.
 */
export class Table<R extends Row, I extends string = string> {
  readonly name: string;
  readonly token: TableToken<R, I>;
  #log: (write: Write) => void;
  /** What it was restored with, until it is opened: few tables of a saved state are read. */
  #saved: TableState | undefined;
  #names: readonly I[] = [];
  #keysOf: readonly ((row: R) => Keys)[] = [];
  #shown: readonly IndexMap[] = [];
  #hidden: readonly IndexMap[] = [];
  #byId: Map<string, number> = UNOPENED;
  #chunks: (R | undefined)[][] = [];
  #alive: number[] = [];
  #next = 0;

  constructor(token: TableToken<R, I>, log: (write: Write) => void = () => {}) {
    this.name = token.name;
    this.token = token;
    this.#log = log;
  }

  /** The table itself, its indexes built, for any use beyond its size and its state. */
  open(): this {
    if (this.#byId !== UNOPENED) return this;
    this.#byId = new Map();
    this.#names = Object.keys(this.token.indexes) as I[];
    this.#keysOf = [...this.#names.map((name) => this.token.indexes[name]), () => ALL];
    this.#shown = this.#keysOf.map(() => new IndexMap());
    this.#hidden = this.#keysOf.map(() => new IndexMap());
    if (this.#saved) this.#fill(this.#saved);
    this.#saved = undefined;
    return this;
  }

  /** Rows that exist, hidden ones included. */
  get size(): number {
    return this.#saved?.rows.length ?? this.#byId.size;
  }

  /** Whether a row was ever inserted: an emptied table still knows which positions it has given out. */
  get used(): boolean {
    return (this.#saved?.next ?? this.#next) > 0;
  }

  get(id: string): R | undefined {
    const seq = this.#byId.get(id);
    return seq === undefined ? undefined : this.#at(seq);
  }

  /** The oldest shown row with this key. */
  find(index: I, key: Key): R | undefined {
    const list = this.#shown[this.#names.indexOf(index)]?.get(key);
    if (list === undefined) return undefined;
    return this.#at(typeof list === 'number' ? list : (list[0] as number));
  }

  /** The oldest shown row of all. */
  first(): R | undefined {
    const list = this.#shown[this.#names.length]?.get(ALL);
    return list === undefined ? undefined : this.#at(typeof list === 'number' ? list : (list[0] as number));
  }

  /** Every shown row with this key, oldest first. */
  all(index: I, key: Key): R[] {
    return asList(this.#shown[this.#names.indexOf(index)]?.get(key)).map((seq) => this.#at(seq) as R);
  }

  /** How many shown rows have this key. */
  count(index: I, key: Key): number {
    return this.#shown[this.#names.indexOf(index)]?.size(key) ?? 0;
  }

  /** Every row, oldest first, hidden ones included. */
  *rows(): Generator<R> {
    for (const seq of this.#seqs()) yield this.#at(seq) as R;
  }

  insert(row: R): R {
    if (this.#byId.has(row.id)) throw new Error(`${this.name}: ${row.id} exists already`);
    const seq = this.#next;
    this.#log({ table: this as unknown as Table<Row>, seq, before: undefined });
    this.#next += 1;
    this.#write(seq, row);
    return row;
  }

  /** Replace the row of the same id. */
  put(row: R): R {
    const seq = this.#byId.get(row.id);
    if (seq === undefined) throw new Error(`${this.name}: no ${row.id} to replace`);
    this.#log({ table: this as unknown as Table<Row>, seq, before: this.#at(seq) });
    this.#write(seq, row);
    return row;
  }

  /** Forget a row; one that is not there is no error. */
  remove(id: string): void {
    const seq = this.#byId.get(id);
    if (seq === undefined) return;
    this.#log({ table: this as unknown as Table<Row>, seq, before: this.#at(seq) });
    this.#write(seq, undefined);
  }

  /** Take back one logged write; the world calls this newest first. Returns the row that it had made. */
  undo(seq: number, before: R | undefined): R | undefined {
    const after = this.#at(seq);
    this.#write(seq, before);
    if (before === undefined && seq === this.#next - 1) this.#next = seq;
    return after;
  }

  /** Make a write that was taken back again; the caller puts `next` right. */
  redo(seq: number, row: R | undefined): void {
    this.#write(seq, row);
  }

  /** The position that the next row gets. */
  get next(): number {
    return this.#saved?.next ?? this.#next;
  }

  set next(next: number) {
    this.#next = next;
  }

  /** Belong to another world, which hears of its writes from now on. */
  moveTo(log: (write: Write) => void): void {
    this.#log = log;
  }

  /** How many rows answer the question; from the index alone where it has one condition at most. */
  total(question: Question<R, I> = {}): number {
    const { lists, low, high, test } = this.#plan(question);
    if (!test) return lists.reduce((sum, list) => sum + lowerBound(list, high) - lowerBound(list, low), 0);
    let total = 0;
    for (const seq of ascending(lists, low, high)) if (test(this.#at(seq) as R)) total += 1;
    return total;
  }

  /** Rows that answer the question, newest first, one at a time. */
  *newest(question: Question<R, I> = {}): Generator<R> {
    const { lists, low, high, test } = this.#plan(question);
    for (const seq of descending(lists, low, high)) {
      const row = this.#at(seq) as R;
      if (!test || test(row)) yield row;
    }
  }

  /**
   * One page (spec 2.7), newest first unless told otherwise. Refuses a cursor that this list did not give out.
   */
  page(question: Question<R, I> & { limit: number; cursor?: string | undefined; oldestFirst?: boolean }): Page<R> {
    const { lists, low, high, test } = this.#plan(question);
    const from = question.cursor === undefined ? undefined : decodeCursor(this.name, question.cursor);
    const walk = question.oldestFirst
      ? ascending(lists, Math.max(low, (from ?? -1) + 1), high)
      : descending(lists, low, Math.min(high, from ?? high));
    const data: R[] = [];
    let last = 0;
    let hasMore = false;
    for (const seq of walk) {
      const row = this.#at(seq) as R;
      if (test && !test(row)) continue;
      if (data.length === question.limit) {
        hasMore = true;
        break;
      }
      data.push(row);
      last = seq;
    }
    const page: Page<R> = { data, hasMore, totalCount: this.total(question) };
    if (hasMore) page.nextCursor = encodeCursor(this.name, last);
    return page;
  }

  /** The rows as data, oldest first. Rows are shared, not copied: they are values. */
  state(): TableState {
    if (this.#saved) return this.#saved;
    const seqs = [...this.#seqs()];
    const state: TableState = { name: this.name, next: this.#next, rows: seqs.map((seq) => this.#at(seq) as R) };
    return seqs.length === this.#next ? state : { ...state, seqs };
  }

  /** Hold these rows, as a new table that nothing has read yet: they are indexed when it is opened. */
  restore(state: TableState): void {
    this.#saved = state;
  }

  #fill(state: TableState): void {
    state.rows.forEach((row, i) => {
      this.#write(state.seqs?.[i] ?? i, row as R);
    });
    this.#next = state.next;
  }

  #at(seq: number): R | undefined {
    return this.#chunks[seq >>> 10]?.[seq & (CHUNK - 1)];
  }

  *#seqs(): Generator<number> {
    const every = this.#names.length;
    const lists = [asList(this.#shown[every]?.get(ALL)), asList(this.#hidden[every]?.get(ALL))] as const;
    yield* ascending(lists, 0, this.#next);
  }

  /** The one place that changes anything: slot, id and every index together. */
  #write(seq: number, row: R | undefined): void {
    const at = seq >>> 10;
    const before = this.#at(seq);
    if (before !== undefined) {
      const side = this.token.hidden?.(before) ? this.#hidden : this.#shown;
      const same = row !== undefined && (this.token.hidden?.(row) ?? false) === (side === this.#hidden);
      for (let i = 0; i < side.length; i += 1) {
        const keys = (this.#keysOf[i] as (row: R) => Keys)(before);
        if (same && sameKeys(keys, (this.#keysOf[i] as (row: R) => Keys)(row as R))) continue;
        side[i]?.remove(keys, seq);
      }
      if (row === undefined || row.id !== before.id) this.#byId.delete(before.id);
    }
    if (row === undefined) {
      const chunk = this.#chunks[at];
      if (chunk && before !== undefined) {
        chunk[seq & (CHUNK - 1)] = undefined;
        this.#alive[at] = (this.#alive[at] as number) - 1;
        if (this.#alive[at] === 0 && at < this.#chunks.length - 1) this.#chunks[at] = [];
      }
      return;
    }
    while (this.#chunks.length <= at) {
      this.#chunks.push([]);
      this.#alive.push(0);
    }
    const chunk = this.#chunks[at] as (R | undefined)[];
    while (chunk.length < (seq & (CHUNK - 1))) chunk.push(undefined);
    chunk[seq & (CHUNK - 1)] = row;
    if (before === undefined) this.#alive[at] = (this.#alive[at] as number) + 1;
    this.#byId.set(row.id, seq);
    const wasHidden = before !== undefined && (this.token.hidden?.(before) ?? false);
    const hidden = this.token.hidden?.(row) ?? false;
    const side = hidden ? this.#hidden : this.#shown;
    for (let i = 0; i < side.length; i += 1) {
      const keys = (this.#keysOf[i] as (row: R) => Keys)(row);
      if (before !== undefined && wasHidden === hidden) {
        if (sameKeys(keys, (this.#keysOf[i] as (row: R) => Keys)(before))) continue;
      }
      side[i]?.add(keys, seq);
    }
  }

  /** The smallest lists that hold every answer, and the test that is left, if any. */
  #plan(question: Question<R, I>): {
    lists: readonly [readonly number[], readonly number[]];
    low: number;
    high: number;
    test: ((row: R) => boolean) | undefined;
  } {
    const conditions = Object.entries(question.where ?? {}).filter((c): c is [I, Key] => c[1] !== undefined);
    const every = this.#names.length;
    let best = every;
    let key: Key = ALL;
    let size = Number.POSITIVE_INFINITY;
    for (const [name, value] of conditions) {
      const i = this.#names.indexOf(name);
      const count = (this.#shown[i]?.size(value) ?? 0) + (this.#hidden[i]?.size(value) ?? 0);
      if (count < size) [best, key, size] = [i, value, count];
    }
    // A condition that every shown row meets is none; without it the count comes from the index alone.
    const meetsAll = ([name, value]: [I, Key]) =>
      !question.withHidden && this.#shown[this.#names.indexOf(name)]?.size(value) === this.#shown[every]?.size(ALL);
    const rest = conditions.filter((c) => this.#names.indexOf(c[0]) !== best && !meetsAll(c));
    const { filter } = question;
    const test =
      rest.length === 0
        ? filter
        : (row: R) => rest.every(([n, v]) => hasKey(this.token.indexes[n](row), v)) && (filter?.(row) ?? true);
    const lists = [
      asList(this.#shown[best]?.get(key)),
      question.withHidden ? asList(this.#hidden[best]?.get(key)) : NOTHING,
    ] as const;
    const { by, from, to } = question.between ?? {};
    const low = by && from !== undefined ? this.#firstWhere(lists, (row) => by(row) >= from) : 0;
    const high = by && to !== undefined ? this.#firstWhere(lists, (row) => by(row) > to) : this.#next;
    // A span that ends before it begins holds nothing.
    return { lists, low, high: Math.max(low, high), test };
  }

  /** The lowest position from which on `holds` is true, in lists along which it turns true once. */
  #firstWhere(lists: readonly (readonly number[])[], holds: (row: R) => boolean): number {
    let first = this.#next;
    for (const list of lists) {
      let low = 0;
      let high = list.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (holds(this.#at(list[middle] as number) as R)) high = middle;
        else low = middle + 1;
      }
      if (low < list.length) first = Math.min(first, list[low] as number);
    }
    return first;
  }
}

const hasKey = (keys: Keys, key: Key): boolean =>
  typeof keys === 'object' ? keys.includes(key) : keys !== undefined && keys === key;

function sameKeys(a: Keys, b: Keys): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a.length !== b.length) return false;
  return a.every((key, i) => key === b[i]);
}
