/** The most rows of one table that a page scans if no index leads to those it wants; it leaves out the rest. */
export const LOOKED_AT = 100_000;

/** Returns at most that many rows: no page scans a whole table. */
export function* atMost<T>(rows: Iterable<T>, most = LOOKED_AT): Generator<T> {
  if (most <= 0) return;
  let looked = 0;
  for (const row of rows) {
    yield row;
    if ((looked += 1) === most) return;
  }
}

/** Returns the first rows that pass, of those that are scanned. */
export function chosen<T>(rows: Iterable<T>, passes: (row: T) => boolean, wanted: number, most = LOOKED_AT): T[] {
  const found: T[] = [];
  if (wanted <= 0) return found;
  for (const row of atMost(rows, most)) {
    if (!passes(row)) continue;
    found.push(row);
    if (found.length === wanted) break;
  }
  return found;
}
