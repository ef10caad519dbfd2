import { Bits } from './bits.ts';

/**
 * The positions of one index key, ascending. A number is a run of up to eight consecutive positions, which costs an
 * index no object. Its lower 28 bits hold the first position, the bits above them its length less one. Many close
 * positions are bits.
 */
export type Positions = number | number[] | Bits;

const RUN = 28;
const LOW = 2 ** RUN - 1;
const LONGEST = 8;
/** The number of positions from which bits may be smaller. */
const MANY = 128;
/** The bits that a number takes per position. */
const CLOSE = 64;
/** Shorter lists are kept without room to grow: most never will. */
const SHORT = 16;

/** Returns one position as a run, if it fits into one. */
const one = (seq: number): Positions => (seq <= LOW ? seq : [seq]);

/** Returns the positions of a run. */
function members(run: number): number[] {
  const first = run & LOW;
  return Array.from({ length: (run >>> RUN) + 1 }, (_, i) => first + i);
}

/** Returns the first index in `list` whose value is at least `value`. */
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

/** Returns the number of positions. */
export function sizeOf(positions: Positions | undefined): number {
  if (positions === undefined) return 0;
  if (typeof positions === 'number') return (positions >>> RUN) + 1;
  return Array.isArray(positions) ? positions.length : positions.size;
}

/** Returns the smallest position that is at least `from`; -1 if there is none. */
export function above(positions: Positions | undefined, from: number): number {
  if (positions === undefined) return -1;
  if (typeof positions === 'number') {
    const first = positions & LOW;
    return from <= first ? first : from <= first + (positions >>> RUN) ? from : -1;
  }
  return Array.isArray(positions) ? (positions[lowerBound(positions, from)] ?? -1) : positions.above(from);
}

/** Returns the largest position that is less than `end`; -1 if there is none. */
export function below(positions: Positions | undefined, end: number): number {
  if (positions === undefined) return -1;
  if (typeof positions === 'number') {
    const first = positions & LOW;
    return end > first ? Math.min(end - 1, first + (positions >>> RUN)) : -1;
  }
  return Array.isArray(positions) ? (positions[lowerBound(positions, end) - 1] ?? -1) : positions.below(end);
}

/** Returns the number of positions less than `seq`. */
export function rankIn(positions: Positions | undefined, seq: number): number {
  if (positions === undefined) return 0;
  if (typeof positions === 'number') return Math.min(Math.max(0, seq - (positions & LOW)), (positions >>> RUN) + 1);
  return Array.isArray(positions) ? lowerBound(positions, seq) : positions.rank(seq);
}

/** Returns the positions of the ranks `from` up to but not including `to`, as a list. */
export function sliceOf(positions: Positions | undefined, from = 0, to = Number.POSITIVE_INFINITY): readonly number[] {
  if (positions === undefined) return [];
  if (typeof positions === 'number') return members(positions).slice(from, to);
  return positions.slice(from, to);
}

/** Returns a copy; changes to it leave the original as it is. */
export const copyOf = (positions: Positions): Positions =>
  typeof positions === 'number' ? positions : Array.isArray(positions) ? positions.slice() : positions.copy();

/** Adds a position. Use the returned value: a list may be changed in place. */
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

/** Removes a position; returns undefined if none is left. Use the returned value: a list may be changed in place. */
export function withoutOne(positions: Positions | undefined, seq: number): Positions | undefined {
  if (positions === undefined) return undefined;
  if (typeof positions === 'number') return runWithout(positions, seq);
  if (!Array.isArray(positions)) {
    const rest = positions.remove(seq);
    return Array.isArray(rest) ? orNumber(rest) : rest;
  }
  // Queues lose their head; the engine shortens an array from the left without moving its items.
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

/** Returns the smallest position. */
export const firstOf = (positions: Positions): number =>
  typeof positions === 'number'
    ? positions & LOW
    : Array.isArray(positions)
      ? (positions[0] as number)
      : positions.above(0);

/** Two disjoint lists of positions, such as the shown and the hidden rows of one key. */
export type Two = readonly [Positions | undefined, Positions | undefined];

/** Returns the smallest position of two lists that is at least `from`; -1 if there is none. */
export function aboveIn([a, b]: Two, from: number): number {
  const x = above(a, from);
  if (b === undefined) return x;
  const y = above(b, from);
  return x < 0 ? y : y < 0 ? x : Math.min(x, y);
}

/** Returns the largest position of two lists that is less than `end`; -1 if there is none. */
export const belowIn = ([a, b]: Two, end: number): number =>
  b === undefined ? below(a, end) : Math.max(below(a, end), below(b, end));
