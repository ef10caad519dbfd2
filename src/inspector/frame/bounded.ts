/** Rows of one table that a page looks at where no index leads to what it wants; those beyond are left out. */
export const LOOKED_AT = 100_000;

/** So many of however many: nothing on a page walks a table to its end. */
export function* atMost<T>(rows: Iterable<T>, most = LOOKED_AT): Generator<T> {
  if (most <= 0) return;
  let looked = 0;
  for (const row of rows) {
    yield row;
    if ((looked += 1) === most) return;
  }
}

/** The first that pass, of those that are looked at. */
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
