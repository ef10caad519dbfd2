import type * as z from 'zod';
import { lazy } from '../contract/lazy.ts';
import { type Key, KeyIndex, type Keys } from './index-list.ts';
import { decodeCursor, encodeCursor, type Page } from './page.ts';
import {
  above,
  aboveIn,
  belowIn,
  firstOf,
  type Positions,
  rankIn,
  sizeOf,
  sliceOf,
  type Two,
  withOne,
} from './positions.ts';
import { RowStore } from './row-store.ts';

export interface Row {
  readonly id: string;
}

/** The schema of a table's rows, built when a foreign state is first checked against it. */
export type RowShape<R> = () => z.ZodType<R>;

/**
 * Returns the index keys of a row. The type of a method, which is checked loosely: one list holds the tables of all
 * areas, and each method only receives its own rows.
 */
type KeyOf<R> = { of(row: R): Keys }['of'];

/** A member that holds ids of other rows: the ids, and the tables that may hold those rows. */
export interface Reference<R> {
  readonly of: KeyOf<R>;
  /** Names of tables; the row may be in any of them. */
  readonly in: readonly string[];
  /** The name of the index that leads back, if it differs from the member's. */
  readonly by?: string;
}
/** References by the name of their member; `customerId: 'customers'` is short for the member of that name. */
export type References<R> = Readonly<Record<string, Reference<R> | string>>;

/** An area's declaration of its rows: their schema, and the indexes that it needs. */
export interface Declared<R extends Row, I extends string> {
  readonly row: RowShape<R>;
  /** The plural name for people, if people see the rows. */
  readonly many?: string;
  readonly indexes?: Readonly<Record<I, KeyOf<R>>>;
  /** Returns whether a row is hidden: kept, but left out of lookups and lists unless requested. */
  hidden?(row: R): boolean;
  /** Rows that must exist if this one does. */
  readonly refers?: References<R>;
  /** True if the table always holds exactly one row. */
  readonly single?: boolean;
  /** Converts a row of an earlier release to its present form; returns any other row as it is. */
  older?(row: unknown): unknown;
  /** Returns a short message if members that are each valid contradict each other; undefined if they agree. */
  conflict?(row: R): string | undefined;
  /** Returns the accounts whose money a row has moved or may still move, each with the currency in which it does. */
  moves?(row: R): readonly (readonly [account: string, currency: string])[];
}

/** A declared table. */
export interface TableToken<R extends Row, I extends string = string> extends Declared<R, I> {
  readonly name: string;
  readonly indexes: Readonly<Record<I, KeyOf<R>>>;
  readonly refers: References<R>;
}

/** Declares a table. Rows are values: replaced whole, never changed in place. */
export const table = <R extends Row, I extends string = never>(
  name: string,
  declared: Declared<R, I>,
): TableToken<R, I> => ({ indexes: {} as Record<I, KeyOf<R>>, refers: {}, ...declared, name });

/** A value that is deeply immutable. */
type Frozen<T> = unknown extends T ? T : { readonly [K in keyof T]: Frozen<T[K]> };

/** Returns the schema of rows, built at first use; `RowOf` is their type. */
export const lazyRow = <S extends z.ZodType<Row>>(build: () => S) =>
  lazy(build) as unknown as RowShape<Frozen<z.output<S>>>;

/** The type of the rows that a schema describes. */
export type RowOf<S extends RowShape<Row>> = z.output<ReturnType<S>>;

/** The members that all kinds of a row share. */
export type MembersOf<S extends () => z.core.$ZodLooseShape> = Frozen<z.output<z.ZodObject<ReturnType<S>>>>;

/** Members of a row's type that its schema does not list. */
type Unlisted<R, S extends z.ZodType> = Exclude<keyof R, KeysOf<z.output<S>>>;
type KeysOf<T> = T extends unknown ? keyof T : never;

/**
 * Returns the schema of a hand-written row type, for what a schema cannot express; use `lazyRow` everywhere else. The
 * compiler checks each against the other: a saved state would refuse a member that only the type has, so that does not
 * compile.
 */
export const rowShape =
  <R extends Row>() =>
  <S extends z.ZodType<R>>(
    build: () => S & ([Unlisted<R, S>] extends [never] ? unknown : Unlisted<R, S>),
  ): RowShape<R> =>
    lazy(build);

/** One write: where it was made, and the row that was there before. */
export interface Write {
  readonly table: Table<Row>;
  readonly seq: number;
  readonly before: Row | undefined;
}

/** Called for each write, before it is made. */
export type WriteLog = (table: Table<Row>, seq: number, before: Row | undefined) => void;

export interface Question<R extends Row, I extends string> {
  /** Index equals key; all conditions must hold. An `undefined` key imposes no condition. */
  where?: { [K in I]?: Key | undefined } | undefined;
  filter?: ((row: R) => boolean) | undefined;
  /** Rows of a time span, both ends included; for tables whose rows are added in order of that time. */
  between?: { by: (row: R) => string; from?: string | undefined; to?: string | undefined } | undefined;
  withHidden?: boolean | undefined;
}

export interface TableState {
  name: string;
  next: number;
  rows: readonly Row[];
  /** The positions of `rows`, if they are not simply 0, 1, 2, ... */
  seqs?: readonly number[];
}

const NONE: readonly never[] = [];
const ALL = '';
const everyRow = () => ALL;
const idOf = ({ id }: Row) => id;

/** The number of positions up to which a table is scanned: most tables of most sandboxes need no index. */
const FEW = 8;

/**
 * The contents of a table when its state was taken. It is kept as long as that state, and shared with every life that
 * begins from it.
 */
interface Image {
  readonly rows: RowStore<Row>;
  /** Undefined for a table of few rows, which has no index. */
  readonly byId: KeyIndex<Row> | undefined;
  readonly shown: readonly KeyIndex<Row>[];
  readonly hidden: readonly KeyIndex<Row>[];
}
const images = new WeakMap<TableState, Image>();

/** The names of a table's indexes and their key functions; the last index holds all rows. */
interface Lookups<R, I> {
  readonly names: readonly I[];
  readonly keysOf: readonly ((row: R) => Keys)[];
}
const lookups = new WeakMap<object, Lookups<never, string>>();

function lookupsOf<R extends Row, I extends string>(token: TableToken<R, I>): Lookups<R, I> {
  const known = lookups.get(token);
  if (known) return known as unknown as Lookups<R, I>;
  const names = Object.keys(token.indexes) as I[];
  const made: Lookups<R, I> = { names, keysOf: [...names.map((name) => token.indexes[name]), everyRow] };
  lookups.set(token, made as Lookups<never, string>);
  return made;
}

/** Returns the number of rows in a state, without listing them. */
const rowsIn = (state: TableState): number => images.get(state)?.rows.size ?? state.rows.length;

/**
 * Rows in order of arrival. Each has a position that never changes, so a cursor stays valid while rows are added and
 * removed. A page costs what it shows, not what is stored.
 */
export class Table<R extends Row, I extends string = string> {
  readonly name: string;
  readonly token: TableToken<R, I>;
  #log: WriteLog;
  /** The state it was restored from, until it is opened: few tables of a saved state are ever read. */
  #saved: TableState | undefined;
  #isOpen = false;
  #names: readonly I[] = NONE;
  #keysOf: readonly ((row: R) => Keys)[] = NONE;
  #rows: RowStore<R>;
  /** Undefined, like all indexes, until a row's position exceeds the limit for scans. */
  #byId: KeyIndex<R> | undefined;
  /** In the order of the index names; the last index holds all rows. */
  #shown: readonly KeyIndex<R>[] = NONE;
  #hidden: readonly KeyIndex<R>[] = NONE;
  #next = 0;

  constructor(token: TableToken<R, I>, log: WriteLog = () => {}) {
    this.name = token.name;
    this.token = token;
    this.#log = log;
    this.#rows = new RowStore<R>();
  }

  /** Returns the table itself with its indexes built, ready for more than its size and its state. */
  open(): this {
    if (this.#isOpen) return this;
    this.#isOpen = true;
    const { names, keysOf } = lookupsOf(this.token);
    this.#names = names;
    this.#keysOf = keysOf;
    const saved = this.#saved;
    if (!saved) return this;
    this.#saved = undefined;
    const image = images.get(saved);
    if (image) this.#take(saved, image);
    else this.#fill(saved);
    return this;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Indexes the existing rows. */
  #index(): void {
    const rowAt = (seq: number) => this.#rows.at(seq);
    this.#byId = new KeyIndex<R>(idOf, rowAt);
    this.#shown = this.#keysOf.map((of) => new KeyIndex(of, rowAt));
    this.#hidden = this.token.hidden ? this.#keysOf.map((of) => new KeyIndex(of, rowAt)) : NONE;
    for (const [seq, row] of this.#rows.first.entries()) if (row) this.#enter(seq, row);
  }

  /** Adds a row that is already in place to the indexes. */
  #enter(seq: number, row: R): void {
    const side = this.token.hidden?.(row) ? this.#hidden : this.#shown;
    this.#byId?.add(row.id, seq);
    for (let i = 0; i < side.length; i += 1) side[i]?.add((this.#keysOf[i] as (row: R) => Keys)(row), seq);
  }

  /** Takes over the contents of another table, sharing its memory. */
  #take(saved: TableState, image: Image): void {
    this.#rows = (image.rows as RowStore<Row> as RowStore<R>).fork();
    const rowAt = (seq: number) => this.#rows.at(seq);
    const fork = (index: KeyIndex<Row>) => (index as unknown as KeyIndex<R>).fork(rowAt);
    this.#byId = image.byId && fork(image.byId);
    this.#shown = image.shown.map(fork);
    this.#hidden = image.hidden.map(fork);
    this.#next = saved.next;
  }

  /** The number of rows, hidden ones included. */
  get size(): number {
    return this.#saved ? rowsIn(this.#saved) : this.#rows.size;
  }

  /** Returns whether a row was ever inserted: an emptied table still knows which positions it has assigned. */
  get used(): boolean {
    return (this.#saved?.next ?? this.#next) > 0;
  }

  get(id: string): R | undefined {
    const seq = this.#seqOf(id);
    return seq === undefined ? undefined : this.#rows.at(seq);
  }

  #seqOf(id: string): number | undefined {
    if (!this.#byId) {
      const rows = this.#rows.first;
      for (let seq = 0; seq < rows.length; seq += 1) if (rows[seq]?.id === id) return seq;
      return undefined;
    }
    const found = this.#byId.get(id);
    return found === undefined ? undefined : firstOf(found);
  }

  #positions(index: I | undefined, key: Key): Positions | undefined {
    return this.#under(index === undefined ? this.#names.length : this.#names.indexOf(index), key);
  }

  /** Returns the positions of the shown or the hidden rows with a key, by the number of the index. */
  #under(i: number, key: Key, ofHidden = false): Positions | undefined {
    if (this.#byId) return (ofHidden ? this.#hidden : this.#shown)[i]?.get(key);
    const { hidden } = this.token;
    const of = this.#keysOf[i];
    if (!of || (ofHidden && !hidden)) return undefined;
    let found: Positions | undefined;
    const rows = this.#rows.first;
    for (let seq = 0; seq < rows.length; seq += 1) {
      const row = rows[seq];
      if (row === undefined || (hidden !== undefined && hidden(row) !== ofHidden)) continue;
      if (hasKey(of(row), key)) found = withOne(found, seq);
    }
    return found;
  }

  /** Returns the oldest shown row with this key. */
  find(index: I, key: Key): R | undefined {
    const found = this.#positions(index, key);
    return found === undefined ? undefined : this.#rows.at(firstOf(found));
  }

  /** Returns the oldest shown row. */
  first(): R | undefined {
    const found = this.#positions(undefined, ALL);
    return found === undefined ? undefined : this.#rows.at(firstOf(found));
  }

  /** Returns every shown row with this key, oldest first. */
  all(index: I, key: Key): R[] {
    return this.#rowsAt(sliceOf(this.#positions(index, key)));
  }

  #rowsAt(seqs: readonly number[]): R[] {
    return seqs.map((seq) => this.#rows.at(seq) as R);
  }

  /** Returns the number of shown rows with this key. */
  count(index: I, key: Key): number {
    return sizeOf(this.#positions(index, key));
  }

  /** Returns the number of shown rows that arrived before a row; only those with a key if one is named. */
  rank(id: string, [index, key]: readonly [index?: I, key?: Key] = []): number {
    const seq = this.#seqOf(id);
    return seq === undefined ? 0 : rankIn(this.#positions(index, key ?? ALL), seq);
  }

  /**
   * Returns shown rows by rank, oldest first, from one up to but not including another; only those with a key if one is
   * named.
   */
  ranked(from: number, to: number, [index, key]: readonly [index?: I, key?: Key] = []): R[] {
    return this.#rowsAt(sliceOf(this.#positions(index, key ?? ALL), Math.max(0, from), Math.max(0, to)));
  }

  /** Yields every row, oldest first, hidden ones included. The current row may be removed on the way. */
  *rows(): Generator<R> {
    for (const seq of this.#rows.seqs(this.#next)) {
      const row = this.#rows.at(seq);
      if (row !== undefined) yield row;
    }
  }

  insert(row: R): R {
    if (this.#seqOf(row.id) !== undefined) throw new Error(`${this.name}: ${row.id} exists already`);
    const seq = this.#next;
    this.#log(this as unknown as Table<Row>, seq, undefined);
    this.#next += 1;
    this.#write(seq, row);
    return row;
  }

  /** Replaces the row with the same id. Throws if there is none. */
  put(row: R): R {
    const seq = this.#seqOf(row.id);
    if (seq === undefined) throw new Error(`${this.name}: no ${row.id} to replace`);
    this.#log(this as unknown as Table<Row>, seq, this.#rows.at(seq));
    this.#write(seq, row);
    return row;
  }

  /** Removes a row; does nothing if there is none. */
  remove(id: string): void {
    const seq = this.#seqOf(id);
    if (seq === undefined) return;
    this.#log(this as unknown as Table<Row>, seq, this.#rows.at(seq));
    this.#write(seq, undefined);
  }

  /** Undoes one logged write; the world calls this newest first. Returns the row that the write had made. */
  undo(seq: number, before: R | undefined): R | undefined {
    const after = this.#rows.at(seq);
    this.#write(seq, before);
    if (before === undefined && seq === this.#next - 1) this.#next = seq;
    return after;
  }

  /** Repeats a write that was undone; the caller corrects `next`. */
  redo(seq: number, row: R | undefined): void {
    this.#write(seq, row);
  }

  /** The position of the next row. */
  get next(): number {
    return this.#saved?.next ?? this.#next;
  }

  set next(next: number) {
    this.#next = next;
  }

  /** Moves the table to another world, whose log receives its writes from now on. */
  moveTo(log: WriteLog): void {
    this.#log = log;
  }

  /** Returns the number of rows that match; from the index alone if there is at most one condition. */
  total(question: Question<R, I> = {}): number {
    return this.#total(this.#plan(question));
  }

  #total({ lists, low, high, test }: Plan<R>): number {
    if (!test) return lists.reduce<number>((sum, list) => sum + rankIn(list, high) - rankIn(list, low), 0);
    let total = 0;
    for (let seq = aboveIn(lists, low); seq >= 0 && seq < high; seq = aboveIn(lists, seq + 1))
      if (test(this.#rows.at(seq) as R)) total += 1;
    return total;
  }

  /** Yields the rows that match, newest first. */
  *newest(question: Question<R, I> = {}): Generator<R> {
    const { lists, low, high, test } = this.#plan(question);
    for (let seq = belowIn(lists, high); seq >= low; seq = belowIn(lists, seq)) {
      const row = this.#rows.at(seq) as R;
      if (!test || test(row)) yield row;
    }
  }

  /**
   * Returns one page (spec 2.7), newest first by default. 400 INVALID_INPUT for a cursor that this list did not issue.
   */
  page(question: Question<R, I> & { limit: number; cursor?: string | undefined; oldestFirst?: boolean }): Page<R> {
    const plan = this.#plan(question);
    const { lists, low, high, test } = plan;
    const { limit, cursor, oldestFirst = false } = question;
    const from = cursor === undefined ? undefined : decodeCursor(this.name, cursor);
    const data: R[] = [];
    let last = 0;
    let hasMore = false;
    let seq = oldestFirst
      ? aboveIn(lists, Math.max(low, (from ?? -1) + 1))
      : belowIn(lists, Math.min(high, from ?? high));
    for (; seq >= low && seq < high; seq = oldestFirst ? aboveIn(lists, seq + 1) : belowIn(lists, seq)) {
      const row = this.#rows.at(seq) as R;
      if (test && !test(row)) continue;
      if (data.length === limit) {
        hasMore = true;
        break;
      }
      data.push(row);
      last = seq;
    }
    const page: Page<R> = { data, hasMore, totalCount: this.#total(plan) };
    if (hasMore) page.nextCursor = encodeCursor(this.name, last);
    return page;
  }

  /**
   * Returns the current rows as data, oldest first. This costs nothing until the rows are listed. They and their
   * indexes are shared with this table and with those restored from the state; each writer copies what it changes.
   */
  state(): TableState {
    if (this.#saved) return this.#saved;
    this.open();
    const rows = this.#rows.fork();
    const next = this.#next;
    const rowAt = (seq: number) => rows.at(seq);
    const state = stateOf(this.name, next, rows);
    const fork = (index: KeyIndex<R>) => index.fork(rowAt);
    const byId = this.#byId && fork(this.#byId);
    const image = { rows, byId, shown: this.#shown.map(fork), hidden: this.#hidden.map(fork) };
    images.set(state, image as unknown as Image);
    return state;
  }

  /** Takes rows from a state, as a new table that has not been read yet: they are indexed when it is opened. */
  restore(state: TableState): void {
    this.#saved = state;
  }

  #fill(state: TableState): void {
    if (state.next > FEW) this.#index();
    this.#byId?.reserve(state.rows.length);
    state.rows.forEach((row, i) => {
      this.#write(state.seqs?.[i] ?? i, row as R);
    });
    this.#next = state.next;
  }

  /** Writes a row to its slot, the id index and every other index: the only method that changes anything. */
  #write(seq: number, row: R | undefined): void {
    if (!this.#byId) {
      if (seq < FEW) {
        this.#rows.set(seq, row);
        return;
      }
      this.#index();
    }
    this.#writeIndexed(this.#byId as unknown as KeyIndex<R>, seq, row);
  }

  #writeIndexed(byId: KeyIndex<R>, seq: number, row: R | undefined): void {
    const { hidden } = this.token;
    const before = this.#rows.at(seq);
    const sideBefore = before !== undefined && hidden?.(before) ? this.#hidden : this.#shown;
    const side = row !== undefined && hidden?.(row) ? this.#hidden : this.#shown;
    const isMoved = before !== undefined && row !== undefined && side === sideBefore;
    // An index reads keys from the rows in place: a row is removed from it before it leaves, and added after it
    // arrives.
    let same = 0;
    if (before !== undefined) {
      for (let i = 0; i < sideBefore.length; i += 1) {
        const of = this.#keysOf[i] as (row: R) => Keys;
        const keys = of(before);
        if (isMoved && sameKeys(keys, of(row))) same |= 1 << i;
        else sideBefore[i]?.remove(keys, seq);
      }
      if (row?.id !== before.id) byId.remove(before.id, seq);
    }
    this.#rows.set(seq, row);
    if (row === undefined) return;
    if (before?.id !== row.id) byId.add(row.id, seq);
    for (let i = 0; i < side.length; i += 1)
      if ((same & (1 << i)) === 0) side[i]?.add((this.#keysOf[i] as (row: R) => Keys)(row), seq);
  }

  /** Returns the smallest lists that contain every match, and the remaining test, if any. */
  #plan(question: Question<R, I>): Plan<R> {
    const { where, withHidden, filter } = question;
    const every = this.#names.length;
    const conditions: [at: number, key: Key][] = [];
    for (const name in where) {
      const key = where[name];
      if (key !== undefined) conditions.push([this.#names.indexOf(name), key]);
    }
    let best = every;
    let key: Key = ALL;
    let size = Number.POSITIVE_INFINITY;
    for (const [i, value] of conditions) {
      const count = sizeOf(this.#under(i, value)) + sizeOf(this.#under(i, value, true));
      if (count < size) [best, key, size] = [i, value, count];
    }
    // A condition that every shown row meets can be dropped; the count then needs the index alone.
    const meetsAll = ([i, value]: readonly [number, Key]) =>
      !withHidden && sizeOf(this.#under(i, value)) === sizeOf(this.#under(every, ALL));
    const rest = conditions.filter((c) => c[0] !== best && !meetsAll(c));
    const test =
      rest.length === 0
        ? filter
        : (row: R) =>
            rest.every(([i, value]) => hasKey((this.#keysOf[i] as (row: R) => Keys)(row), value)) &&
            (filter?.(row) ?? true);
    const lists = [this.#under(best, key), withHidden ? this.#under(best, key, true) : undefined] as const;
    const { by, from, to } = question.between ?? {};
    const low = by && from !== undefined ? this.#firstWhere(lists, (row) => by(row) >= from) : 0;
    const high = by && to !== undefined ? this.#firstWhere(lists, (row) => by(row) > to) : this.#next;
    // A span that ends before it begins holds nothing.
    return { lists, low, high: Math.max(low, high), test };
  }

  /** Returns the lowest position from which on `holds` is true, for lists along which it turns true once. */
  #firstWhere(lists: Two, holds: (row: R) => boolean): number {
    let first = this.#next;
    for (const list of lists) {
      let low = 0;
      let high = this.#next;
      // Halves positions, not ranks: each step looks at the next position that is in the list.
      while (low < high) {
        const seq = above(list, (low + high) >>> 1);
        if (seq < 0 || seq >= high || holds(this.#rows.at(seq) as R)) high = (low + high) >>> 1;
        else low = seq + 1;
      }
      const found = above(list, low);
      if (found >= 0) first = Math.min(first, found);
    }
    return first;
  }
}

/** The plan of a lookup: lists, a range of positions, and a test that rows must pass. */
interface Plan<R> {
  readonly lists: Two;
  readonly low: number;
  readonly high: number;
  readonly test: ((row: R) => boolean) | undefined;
}

/** Returns a state that lists its rows when they are first read. */
function stateOf(name: string, next: number, store: RowStore<Row>): TableState {
  let rows: readonly Row[] | undefined;
  const state: TableState = {
    name,
    next,
    get rows() {
      rows ??= store.rows(next);
      return rows;
    },
  };
  if (store.size === next) return state;
  let seqs: readonly number[] | undefined;
  return Object.defineProperty(state, 'seqs', {
    enumerable: true,
    get: () => {
      seqs ??= [...store.seqs(next)];
      return seqs;
    },
  });
}

const hasKey = (keys: Keys, key: Key): boolean =>
  typeof keys === 'object' ? keys.includes(key) : keys !== undefined && keys === key;

function sameKeys(a: Keys, b: Keys): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a.length !== b.length) return false;
  return a.every((key, i) => key === b[i]);
}
