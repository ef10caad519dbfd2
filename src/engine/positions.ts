import { Bits } from './bits.ts';

/**
 * Positions that share an index key, ascending. A number stands for a run of up to eight that follow each other, which costs an
 * index no object: its first in the lower 28 bits, its length less one above them. Where they are many and close, they are bits.
 */
export type Positions = number | number[] | Bits;

const RUN = 28;
const LOW = 2 ** RUN - 1;
const LONGEST = 8;
/** Positions from which on bits are looked at as the smaller form. */
const MANY = 128;
/** Numbers take 64 bits a position. */
const CLOSE = 64;
/** Lists that are shorter are kept without room to grow: most will not. */
const SHORT = 16;

/** One position as a run, where it fits into one. */
const one = (seq: number): Positions => (seq <= LOW ? seq : [seq]);

/** The members of a run. */
function members(run: number): number[] {
  const first = run & LOW;
  return Array.from({ length: (run >>> RUN) + 1 }, (_, i) => first + i);
}

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

/** Returns how many there are. */
export function sizeOf(positions: Positions | undefined): number {
  if (positions === undefined) return 0;
  if (typeof positions === 'number') return (positions >>> RUN) + 1;
  return Array.isArray(positions) ? positions.length : positions.size;
}

/** The smallest that is at least `from`; -1 where there is none. */
export function above(positions: Positions | undefined, from: number): number {
  if (positions === undefined) return -1;
  if (typeof positions === 'number') {
    const first = positions & LOW;
    return from <= first ? first : from <= first + (positions >>> RUN) ? from : -1;
  }
  return Array.isArray(positions) ? (positions[lowerBound(positions, from)] ?? -1) : positions.above(from);
}

/** The largest that is less than `end`; -1 where there is none. */
export function below(positions: Positions | undefined, end: number): number {
  if (positions === undefined) return -1;
  if (typeof positions === 'number') {
    const first = positions & LOW;
    return end > first ? Math.min(end - 1, first + (positions >>> RUN)) : -1;
  }
  return Array.isArray(positions) ? (positions[lowerBound(positions, end) - 1] ?? -1) : positions.below(end);
}

/** Returns how many are less than `seq`. */
export function rankIn(positions: Positions | undefined, seq: number): number {
  if (positions === undefined) return 0;
  if (typeof positions === 'number') return Math.min(Math.max(0, seq - (positions & LOW)), (positions >>> RUN) + 1);
  return Array.isArray(positions) ? lowerBound(positions, seq) : positions.rank(seq);
}

/** Those of a rank from one up to but not including another, as a list. */
export function sliceOf(positions: Positions | undefined, from = 0, to = Number.POSITIVE_INFINITY): readonly number[] {
  if (positions === undefined) return [];
  if (typeof positions === 'number') return members(positions).slice(from, to);
  return positions.slice(from, to);
}

/** A copy that may be changed while this one stays as it is. */
export const copyOf = (positions: Positions): Positions =>
  typeof positions === 'number' ? positions : Array.isArray(positions) ? positions.slice() : positions.copy();

/** With one more. A list may be changed in place; what is returned holds. */
export function withOne(positions: Positions | undefined, seq: number): Positions {
  if (positions === undefined) return one(seq);
  if (typeof positions === 'number') return runWith(positions, seq);
  if (!Array.isArray(positions)) return positions.add(seq);
  const last = positions[positions.length - 1] as number;
  if (last < seq && positions.length < SHORT) return positions.concat(seq);
  if (last < seq) positions.push(seq);
  else {
    const at = lowerBound(positions, seq);
    if (positions[at] !== seq) positions.splice(at, 0, seq);
  }
  const { length } = positions;
  const isClose = length >= MANY && (positions[length - 1] as number) < length * CLOSE;
  return isClose ? Bits.of(positions) : positions;
}

function runWith(run: number, seq: number): Positions {
  const [first, length] = [run & LOW, (run >>> RUN) + 1];
  if (seq >= first && seq < first + length) return run;
  if (length < LONGEST && seq === first + length) return run + 2 ** RUN;
  if (length < LONGEST && seq === first - 1) return run - 1 + 2 ** RUN;
  return seq < first ? [seq].concat(members(run)) : members(run).concat(seq);
}

/** With one less; undefined where none is left. A list may be changed in place; what is returned holds. */
export function withoutOne(positions: Positions | undefined, seq: number): Positions | undefined {
  if (positions === undefined) return undefined;
  if (typeof positions === 'number') return runWithout(positions, seq);
  if (!Array.isArray(positions)) {
    const rest = positions.remove(seq);
    return Array.isArray(rest) ? orNumber(rest) : rest;
  }
  // Queues lose their head; the engine shortens an array from the left without moving it.
  if (positions[0] === seq) positions.shift();
  else if (positions[positions.length - 1] === seq) positions.pop();
  else {
    const at = lowerBound(positions, seq);
    if (positions[at] === seq) positions.splice(at, 1);
  }
  return orNumber(positions);
}

const orNumber = (list: number[]): Positions | undefined =>
  list.length > 1 ? list : list.length === 1 ? one(list[0] as number) : undefined;

function runWithout(run: number, seq: number): Positions | undefined {
  const [first, length] = [run & LOW, (run >>> RUN) + 1];
  if (seq < first || seq >= first + length) return run;
  if (length === 1) return undefined;
  if (seq === first) return run + 1 - 2 ** RUN;
  if (seq === first + length - 1) return run - 2 ** RUN;
  return members(run).filter((one) => one !== seq);
}

/** The smallest of all. */
export const firstOf = (positions: Positions): number =>
  typeof positions === 'number'
    ? positions & LOW
    : Array.isArray(positions)
      ? (positions[0] as number)
      : positions.above(0);

/** Two lists of which no position is in both, such as shown and hidden rows of one key. */
export type Two = readonly [Positions | undefined, Positions | undefined];

/** The smallest of two lists that is at least `from`; -1 where there is none. */
export function aboveIn([a, b]: Two, from: number): number {
  const x = above(a, from);
  if (b === undefined) return x;
  const y = above(b, from);
  return x < 0 ? y : y < 0 ? x : Math.min(x, y);
}

/** The largest of two lists that is less than `end`; -1 where there is none. */
export const belowIn = ([a, b]: Two, end: number): number =>
  b === undefined ? below(a, end) : Math.max(below(a, end), below(b, end));
