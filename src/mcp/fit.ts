/** The most characters of a result: as much as a model can read at once. */
export const MOST = 8000;

/** The bounds of a shortened value: levels, members of a list or an object, characters of a text. */
type Measure = readonly [depth: number, items: number, text: number];

/** The measures, from little left out to much. */
const MEASURES: readonly Measure[] = [
  [12, 100, 4000],
  [8, 40, 1000],
  [6, 20, 500],
  [5, 15, 300],
  [4, 12, 200],
  [3, 10, 150],
  [2, 8, 100],
  [1, 5, 100],
];

function shortened(value: unknown, [depth, items, text]: Measure): unknown {
  if (typeof value === 'string')
    return value.length > text ? `${value.slice(0, text)}… (${value.length} characters)` : value;
  if (typeof value !== 'object' || value === null) return value;
  const rest: Measure = [depth - 1, items, text];
  if (Array.isArray(value)) {
    if (depth === 0) return `… (${value.length} items)`;
    const more = value.length - items;
    return [...value.slice(0, items).map((one) => shortened(one, rest)), ...(more > 0 ? [`… (${more} more)`] : [])];
  }
  const members = Object.entries(value);
  if (depth === 0) return `… (${members.length} members)`;
  const kept = members.slice(0, Math.max(items, 30)).map(([name, member]) => [name, shortened(member, rest)]);
  const more = members.length - kept.length;
  return Object.fromEntries(more > 0 ? [...kept, ['…', `${more} more`]] : kept);
}

/** Returns a value whole, or shortened as much as necessary to fit into a number of characters of JSON. */
export function fitted(value: unknown, most = MOST): { value: unknown; short: boolean } {
  const whole = JSON.stringify(value) ?? 'null';
  if (whole.length <= most) return { value, short: false };
  for (const measure of MEASURES) {
    const part = shortened(value, measure);
    if (JSON.stringify(part).length <= most) return { value: part, short: true };
  }
  return { value: `${whole.slice(0, most)}…`, short: true };
}

/** The most characters of the rows of a page; the rest of the answer stands beside them. */
const PAGE = MOST - 500;

/** The measure of rows that do not all fit whole: nested lists and objects are named, not shown. */
const ROW: Measure = [2, 8, 100];

/**
 * Returns a page of a list, with its rows shortened if necessary. If they still do not all fit, it asks for as many as
 * do: a page that was cut behind its cursor would hide rows.
 */
export async function pageThatFits<P extends { readonly data: readonly unknown[] }>(
  ask: (limit: number) => Promise<P>,
  limit: number,
  lineOf: (row: P['data'][number]) => unknown = (row) => row,
): Promise<{ page: P; rows: readonly unknown[]; short: boolean }> {
  const page = await ask(limit);
  const whole = page.data.map(lineOf);
  for (const measure of [undefined, ...MEASURES.filter(([depth]) => depth > ROW[0]), ROW]) {
    const rows = measure ? whole.map((row) => shortened(row, measure)) : whole;
    if (JSON.stringify(rows).length <= PAGE) return { page, rows, short: measure !== undefined };
  }
  const rows = whole.map((row) => shortened(row, ROW));
  const lines = rows.map((row) => JSON.stringify(row));
  const fitting = linesThatFit(lines, 0, PAGE).length;
  if (fitting === rows.length) return { page, rows, short: true };
  return pageThatFits(ask, fitting, lineOf);
}

/** Returns as many whole lines as fit into a number of characters, from one of them on: at least that one. */
export function linesThatFit(lines: readonly string[], from: number, most: number): string[] {
  let [size, end] = [0, from];
  for (const line of lines.slice(from)) {
    size += line.length + 1;
    if (end > from && size > most) break;
    end += 1;
  }
  return lines.slice(from, end);
}

/** Returns the part of a value at a path such as `reply.body`; `undefined` if there is none. */
export function partOf(value: unknown, path: string): unknown {
  let part = value;
  for (const name of path.split('.')) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return undefined;
    part = (part as Record<string, unknown>)[name];
  }
  return part;
}
