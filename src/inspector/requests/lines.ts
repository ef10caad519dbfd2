/** A line of two texts side by side: the same on both sides, or the line of each. */
export interface Pair {
  readonly left: string | undefined;
  readonly right: string | undefined;
  readonly same: boolean;
}

/** The most lines of each side that are compared; the rest is set side by side as it stands. */
const MOST = 600;

/** Compares two texts line by line, with their common lines side by side. */
export function pairs(left: string, right: string): Pair[] {
  const [a, b] = [left.split('\n'), right.split('\n')];
  if (a.length > MOST || b.length > MOST) return beside(a, b);
  const common = lengths(a, b);
  const made: Pair[] = [];
  let [i, j] = [0, 0];
  // Runs that differ are held back, so that old lines stand beside the new ones that replace them.
  let [gone, come]: [string[], string[]] = [[], []];
  const flush = () => {
    made.push(...beside(gone, come, false));
    [gone, come] = [[], []];
  };
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      flush();
      made.push({ left: a[i], right: b[j], same: true });
      [i, j] = [i + 1, j + 1];
    } else if (j >= b.length || (i < a.length && at(common, i + 1, j) >= at(common, i, j + 1))) {
      gone.push(a[i] as string);
      i += 1;
    } else {
      come.push(b[j] as string);
      j += 1;
    }
  }
  flush();
  return made;
}

const beside = (a: readonly string[], b: readonly string[], same?: false): Pair[] =>
  Array.from({ length: Math.max(a.length, b.length) }, (_, i) => ({
    left: a[i],
    right: b[i],
    same: same ?? a[i] === b[i],
  }));

const at = (table: readonly Uint16Array[], i: number, j: number): number => table[i]?.[j] ?? 0;

/** Returns the number of lines that the rests of both texts share, from each pair of lines on. */
function lengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      (table[i] as Uint16Array)[j] =
        a[i] === b[j] ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), at(table, i, j + 1));
  return table;
}
