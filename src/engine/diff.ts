import { eachOf, type Steps } from './slices.ts';
import type { Row, TableState } from './table.ts';
import type { Snapshot } from './world.ts';

/** A member that differs, by its path in the row. */
export interface FieldChange {
  path: string;
  before?: unknown;
  after?: unknown;
}

/** The changes of one table between two states. */
export interface TableChange {
  name: string;
  added: string[];
  removed: string[];
  changed: { id: string; fields: FieldChange[] }[];
  /** The number of further changes of each kind, which are not listed. */
  more?: { added: number; removed: number; changed: number };
}

/** The differences between two states of a world. */
export interface Differences {
  clock: { before: string; after: string };
  settings: FieldChange[];
  tables: TableChange[];
}

/**
 * Compares two states of a world, in slices. States share unchanged rows, so these cost nothing. Lists at most `most`
 * changes of each kind per table, and counts the rest.
 */
export function* diff(before: Snapshot, after: Snapshot, most = Number.POSITIVE_INFINITY): Steps<Differences> {
  const names = [...new Set([...before.tables, ...after.tables].map((t) => t.name))].sort();
  const find = (snapshot: Snapshot, name: string) => snapshot.tables.find((t) => t.name === name);
  const tables: TableChange[] = [];
  for (const name of names) {
    const change = yield* tableChange(name, find(before, name), find(after, name));
    if (change.added.length + change.removed.length + change.changed.length > 0) tables.push(shortened(change, most));
  }
  return {
    clock: { before: before.clock.now, after: after.clock.now },
    settings: fieldsOf(before.settings, after.settings),
    tables,
  };
}

function* tableChange(name: string, before: TableState | undefined, after: TableState | undefined): Steps<TableChange> {
  const change: TableChange = { name, added: [], removed: [], changed: [] };
  const [rows, now] = [before?.rows ?? [], after?.rows ?? []];
  // As a rule, rows in both states come first and in the same order; only what follows is looked up by id.
  const old = new Map<string, Row>();
  let same = 0;
  while (same < rows.length && rows[same] === now[same]) {
    same += 1;
    if (same % UNTOUCHED === 0) yield UNTOUCHED;
  }
  yield* eachOf(rows.slice(same), (row) => old.set(row.id, row));
  yield* eachOf(now.slice(same), (row) => {
    const was = old.get(row.id);
    old.delete(row.id);
    if (!was) change.added.push(row.id);
    else if (was !== row) {
      const fields = fieldsOf(was, row);
      if (fields.length > 0) change.changed.push({ id: row.id, fields });
    }
  });
  change.removed = [...old.keys()];
  return change;
}

/** Unchanged rows between two looks at the clock. */
const UNTOUCHED = 100_000;

function shortened({ name, added, removed, changed }: TableChange, most: number): TableChange {
  const over = (list: readonly unknown[]) => Math.max(0, list.length - most);
  const more = { added: over(added), removed: over(removed), changed: over(changed) };
  const cut = { name, added: added.slice(0, most), removed: removed.slice(0, most), changed: changed.slice(0, most) };
  return more.added + more.removed + more.changed > 0 ? { ...cut, more } : cut;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Returns the members in which two values differ, by their deepest path: `details.fullName`. */
export function fieldsOf(before: Row | object, after: Row | object, path = ''): FieldChange[] {
  const [a, b] = [before as Record<string, unknown>, after as Record<string, unknown>];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) => {
    const [was, is] = [a[key], b[key]];
    if (Object.is(was, is)) return [];
    const name = path === '' ? key : `${path}.${key}`;
    if (isObject(was) && isObject(is)) return fieldsOf(was, is, name);
    return [{ path: name, ...(was === undefined ? {} : { before: was }), ...(is === undefined ? {} : { after: is }) }];
  });
}
