import { copyOf, firstOf, type Positions, withOne, withoutOne } from './positions.ts';

export type Key = string | number | boolean;
export type Keys = Key | readonly Key[] | undefined;

/** The number of keys up to which a plain map is faster and small enough. */
const FEW = 256;
/** The most slots in use, of ten. */
const FULL = 8;
const GROWTH = 1.3;
const EMPTY = 0;
const LATELY = 64;

/** Recently hashed keys, by length: a row is looked up by the same keys just before it is inserted. */
const lately: Key[] = new Array<Key>(LATELY).fill('');
const lateHashes = new Int32Array(LATELY);

/** Returns a 32-bit hash of a key, never 0. */
function hashOf(key: Key): number {
  if (typeof key !== 'string' || key === '') return freshHash(key);
  const at = key.length % LATELY;
  if (lately[at] === key) return lateHashes[at] as number;
  const hash = freshHash(key);
  lately[at] = key;
  lateHashes[at] = hash;
  return hash;
}

function freshHash(key: Key): number {
  let h = 0x2545f491;
  if (typeof key === 'string') {
    const { length } = key;
    h ^= length;
    for (let i = 0; i < length; i += 2)
      h =
        Math.imul(h ^ (key.charCodeAt(i) | (i + 1 < length ? key.charCodeAt(i + 1) << 16 : 0)), 0x9e3779b1) ^
        (h >>> 15);
  } else {
    const number = Number(key);
    h = Math.imul(h ^ (number | 0), 0x9e3779b1) ^ Math.floor(number / 2 ** 32);
  }
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16) || 1;
}

/**
 * An index from key to positions. Large indexes store hashes beside positions, eight bytes per slot, and read the key
 * from the row at the position. An index of a million keys thus holds no objects and costs the garbage collector
 * nothing.
 */
export class KeyIndex<R> {
  readonly #keysOf: (row: R) => Keys;
  readonly #rowAt: (seq: number) => R | undefined;
  /** Maps a key to a run, or to the complement of an index into `lists`. */
  #few: Map<Key, number | undefined> | undefined;
  #hashes: Int32Array | undefined;
  #values: Int32Array | undefined;
  /** Keys whose hash collides with that of another key of the same row: the row could not tell them apart. */
  #alike: Map<Key, number | undefined> | undefined;
  #keys = 0;
  #lists: (Positions | undefined)[] = [];
  #free: number[] = [];
  /** True while another index reads the same memory, which must be copied before a change. */
  #shared = false;
  /** True while its lists, except those in `own`, belong to another index, too. */
  #borrowed = false;
  #own: Set<number> | undefined;

  constructor(keysOf: (row: R) => Keys, rowAt: (seq: number) => R | undefined) {
    this.#keysOf = keysOf;
    this.#rowAt = rowAt;
  }

  /** Returns a copy for a table with the same rows. The two share memory; each copies what it changes. */
  fork(rowAt: (seq: number) => R | undefined): KeyIndex<R> {
    const other = new KeyIndex(this.#keysOf, rowAt);
    other.#few = this.#few;
    other.#hashes = this.#hashes;
    other.#values = this.#values;
    other.#alike = this.#alike;
    other.#keys = this.#keys;
    other.#lists = this.#lists;
    other.#free = this.#free;
    for (const index of [this, other]) {
      index.#shared = true;
      index.#borrowed = true;
      index.#own = undefined;
    }
    return other;
  }

  /** Returns the positions of a key. */
  get(key: Key): Positions | undefined {
    const value = !this.#hashes
      ? this.#few?.get(key)
      : this.#alike?.has(key)
        ? this.#alike.get(key)
        : this.#valueAt(this.#slotOf(key, hashOf(key)));
    return value === undefined || value >= 0 ? value : this.#lists[~value];
  }

  #valueAt(slot: number): number | undefined {
    return this.#hashes?.[slot] === EMPTY ? undefined : this.#values?.[slot];
  }

  /** Adds a position to each of the keys; the row is already in place. */
  add(keys: Keys, seq: number): void {
    if (keys === undefined) return;
    this.#unshare();
    if (typeof keys === 'object') {
      if (this.#hashes && keys.length > 1) this.#name(keys);
      for (const key of keys) this.#change(key, seq, true);
    } else this.#change(keys, seq, true);
  }

  /** Removes a position from each of the keys; the row is still in place. */
  remove(keys: Keys, seq: number): void {
    if (keys === undefined) return;
    this.#unshare();
    if (typeof keys === 'object') for (const key of keys) this.#change(key, seq, false);
    else this.#change(keys, seq, false);
  }

  #unshare(): void {
    if (!this.#shared) return;
    this.#shared = false;
    this.#few = this.#few && new Map(this.#few);
    this.#alike = this.#alike && new Map(this.#alike);
    this.#hashes = this.#hashes?.slice();
    this.#values = this.#values?.slice();
    this.#lists = this.#lists.slice();
    this.#free = this.#free.slice();
  }

  /** Stores by name those keys of one row that share a hash, before a row has both. */
  #name(keys: readonly Key[]): void {
    const hashes = keys.map(hashOf);
    if (hashes.every((hash, i) => hashes.indexOf(hash, i + 1) < 0)) return;
    for (const [i, hash] of hashes.entries()) {
      const key = keys[i] as Key;
      if (hashes.indexOf(hash) === hashes.lastIndexOf(hash) || this.#alike?.has(key)) continue;
      const slot = this.#slotOf(key, hash);
      const value = this.#valueAt(slot);
      if (value !== undefined) this.#clear(slot);
      (this.#alike ??= new Map()).set(key, value);
    }
  }

  #change(key: Key, seq: number, isAdded: boolean): void {
    if (!this.#hashes) {
      this.#few ??= new Map();
      this.#changeNamed(this.#few, key, seq, isAdded);
      if (this.#few.size > FEW) this.#toHashes(this.#few);
      return;
    }
    if (this.#alike?.has(key)) {
      this.#changeNamed(this.#alike, key, seq, isAdded);
      return;
    }
    const hash = hashOf(key);
    const slot = this.#slotOf(key, hash);
    const isThere = this.#hashes[slot] !== EMPTY;
    const value = isThere ? this.#values?.[slot] : undefined;
    const next = this.#next(value, seq, isAdded);
    if (next === undefined) {
      if (isThere) this.#clear(slot);
    } else {
      (this.#values as Int32Array)[slot] = next;
      if (isThere) return;
      this.#hashes[slot] = hash;
      this.#keys += 1;
      if (this.#keys * 10 > this.#hashes.length * FULL) this.#resize(Math.ceil(this.#hashes.length * GROWTH));
    }
  }

  #changeNamed(named: Map<Key, number | undefined>, key: Key, seq: number, isAdded: boolean): void {
    const value = named.get(key);
    const next = this.#next(value, seq, isAdded);
    if (next === undefined) named.delete(key);
    else if (next !== value) named.set(key, next);
  }

  /** Returns the positions of a key after one was added or removed. */
  #next(value: number | undefined, seq: number, isAdded: boolean): number | undefined {
    const place = value !== undefined && value < 0 ? ~value : undefined;
    const before = place === undefined ? value : this.#ownList(place);
    const after = isAdded ? withOne(before, seq) : withoutOne(before, seq);
    if (typeof after === 'object') {
      const at = place ?? this.#free.pop() ?? this.#lists.length;
      this.#lists[at] = after;
      if (place === undefined && this.#borrowed) (this.#own ??= new Set()).add(at);
      return ~at;
    }
    if (place !== undefined) {
      this.#lists[place] = undefined;
      this.#free.push(place);
    }
    return after;
  }

  #ownList(place: number): Positions | undefined {
    const list = this.#lists[place];
    if (!this.#borrowed || this.#own?.has(place) || list === undefined) return list;
    (this.#own ??= new Set()).add(place);
    return copyOf(list);
  }

  /** Returns the slot of a key, or the one where it would be inserted. */
  #slotOf(key: Key, hash: number): number {
    const [hashes, values] = [this.#hashes as Int32Array, this.#values as Int32Array];
    const { length } = hashes;
    for (let slot = home(hash, length); ; slot = slot + 1 === length ? 0 : slot + 1) {
      const there = hashes[slot];
      if (there === EMPTY) return slot;
      if (there === hash && this.#isOf(key, values[slot] as number)) return slot;
    }
  }

  #isOf(key: Key, value: number): boolean {
    const positions = value >= 0 ? value : (this.#lists[~value] as Positions);
    const row = this.#rowAt(firstOf(positions));
    const keys = row === undefined ? undefined : this.#keysOf(row);
    return typeof keys === 'object' ? keys.includes(key) : keys === key;
  }

  /** Empties a slot; displaced entries behind it move up. */
  #clear(slot: number): void {
    const [hashes, values] = [this.#hashes as Int32Array, this.#values as Int32Array];
    const { length } = hashes;
    let hole = slot;
    for (let at = hole + 1; ; at += 1) {
      if (at === length) at = 0;
      const hash = hashes[at] as number;
      if (hash === EMPTY) break;
      const from = home(hash, length);
      const stays = hole <= at ? hole < from && from <= at : hole < from || from <= at;
      if (stays) continue;
      hashes[hole] = hash;
      values[hole] = values[at] as number;
      hole = at;
    }
    hashes[hole] = EMPTY;
    values[hole] = 0;
    this.#keys -= 1;
  }

  /** Allocates room for a number of keys in an empty index, so that it need not grow while it is filled. */
  reserve(keys: number): void {
    if (keys > FEW && this.#few === undefined && !this.#hashes) this.#allot(Math.ceil((keys * 10) / FULL) + 1);
  }

  #toHashes(few: ReadonlyMap<Key, number | undefined>): void {
    this.#few = undefined;
    this.#allot(FEW * 4);
    const hashes = new Map<number, Key>();
    for (const key of few.keys()) {
      const hash = hashOf(key);
      const other = hashes.get(hash);
      hashes.set(hash, key);
      if (other === undefined) continue;
      this.#alike ??= new Map();
      for (const one of [other, key]) this.#alike.set(one, few.get(one));
    }
    for (const [key, value] of few) {
      if (value === undefined || this.#alike?.has(key)) continue;
      this.#place(hashOf(key), value);
      this.#keys += 1;
    }
  }

  #resize(slots: number): void {
    const [hashes, values] = [this.#hashes as Int32Array, this.#values as Int32Array];
    this.#allot(slots);
    for (let slot = 0; slot < hashes.length; slot += 1)
      if (hashes[slot] !== EMPTY) this.#place(hashes[slot] as number, values[slot] as number);
  }

  #allot(slots: number): void {
    this.#hashes = new Int32Array(slots);
    this.#values = new Int32Array(slots);
  }

  #place(hash: number, value: number): void {
    const [hashes, values] = [this.#hashes as Int32Array, this.#values as Int32Array];
    let slot = home(hash, hashes.length);
    while (hashes[slot] !== EMPTY) slot = slot + 1 === hashes.length ? 0 : slot + 1;
    hashes[slot] = hash;
    values[slot] = value;
  }
}

/**
 * Returns the home slot of a hash, by its upper bits: a larger table keeps the order and is filled from start to end.
 */
const home = (hash: number, slots: number): number => Math.floor(((hash >>> 0) / 2 ** 32) * slots);
