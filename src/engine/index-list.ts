/**
 * The positions of the rows that share an index key, ascending. One alone is a bare number, so that an index
 * of unique keys costs no object a row.
 */
export type IndexList = number | number[];

export const NOTHING: readonly number[] = [];

export const asList = (list: IndexList | undefined): readonly number[] =>
  list === undefined ? NOTHING : typeof list === 'number' ? [list] : list;

/** The first index in `list` whose value is at least `value`. */
export function lowerBound(list: readonly number[], value: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function addTo(list: IndexList | undefined, seq: number): IndexList {
  if (list === undefined) return seq;
  if (typeof list === 'number') return list < seq ? [list, seq] : [seq, list];
  if ((list[list.length - 1] as number) < seq) list.push(seq);
  else list.splice(lowerBound(list, seq), 0, seq);
  return list;
}

function takeFrom(list: IndexList | undefined, seq: number): IndexList | undefined {
  if (list === undefined || typeof list === 'number') return list === seq ? undefined : list;
  // Queues lose their head; the engine shortens an array from the left without moving it.
  if (list[0] === seq) list.shift();
  else if (list[list.length - 1] === seq) list.pop();
  else {
    const at = lowerBound(list, seq);
    if (list[at] === seq) list.splice(at, 1);
  }
  return list.length > 1 ? list : list[0];
}

export type Key = string | number | boolean;
export type Keys = Key | readonly Key[] | undefined;

/** Index key to positions. */
export class IndexMap {
  readonly #byKey = new Map<Key, IndexList>();

  get(key: Key): IndexList | undefined {
    return this.#byKey.get(key);
  }

  size(key: Key): number {
    const list = this.#byKey.get(key);
    return list === undefined ? 0 : typeof list === 'number' ? 1 : list.length;
  }

  add(keys: Keys, seq: number): void {
    if (keys === undefined) return;
    if (typeof keys === 'object') for (const key of keys) this.#byKey.set(key, addTo(this.#byKey.get(key), seq));
    else this.#byKey.set(keys, addTo(this.#byKey.get(keys), seq));
  }

  remove(keys: Keys, seq: number): void {
    if (keys === undefined) return;
    for (const key of typeof keys === 'object' ? keys : [keys]) {
      const rest = takeFrom(this.#byKey.get(key), seq);
      if (rest === undefined) this.#byKey.delete(key);
      else this.#byKey.set(key, rest);
    }
  }
}

export type Two = readonly [readonly number[], readonly number[]];

/** Walk two ascending lists as one, descending, over the positions of `low` up to but not including `high`. */
export function* descending([a, b]: Two, low: number, high: number): Generator<number> {
  let i = lowerBound(a, high) - 1;
  let j = lowerBound(b, high) - 1;
  for (;;) {
    const x = i >= 0 ? (a[i] as number) : -1;
    const y = j >= 0 ? (b[j] as number) : -1;
    const next = Math.max(x, y);
    if (next < low || next < 0) return;
    if (x > y) i -= 1;
    else j -= 1;
    yield next;
  }
}

/** The same, ascending. */
export function* ascending([a, b]: Two, low: number, high: number): Generator<number> {
  let i = lowerBound(a, low);
  let j = lowerBound(b, low);
  for (;;) {
    const x = a[i] ?? Number.POSITIVE_INFINITY;
    const y = b[j] ?? Number.POSITIVE_INFINITY;
    const next = Math.min(x, y);
    if (next >= high) return;
    if (x < y) i += 1;
    else j += 1;
    yield next;
  }
}
