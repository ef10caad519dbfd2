import type { Keys } from '../../engine/index-list.ts';
import type { Resource } from '../../engine/resource.ts';
import type { Reference, Row } from '../../engine/table.ts';
import { chosen } from '../frame/bounded.ts';
import { type Found, RESOURCES } from '../frame/kinds.ts';
import type { PageContext } from '../frame/page-context.ts';

/** Rows of one kind that refer to a row. */
export interface Related {
  readonly kind: Resource;
  readonly rows: readonly Row[];
  readonly total: number;
  /** The address of the rest. */
  readonly all?: string | undefined;
}

/** The most rows shown per kind that refers to a resource. */
export const SHOWN = 8;
/** The most rows that are searched if no index leads to those that refer; older ones are left out. */
const LOOKED_AT = 20_000;

/** A table whose rows refer to those of another, and the index that leads to them. */
interface Referring {
  readonly kind: Resource;
  readonly by: string | undefined;
  readonly of: (row: Row) => Keys;
}

/** Returns the tables that refer to a table: by an index if there is one, otherwise by a scan. */
const referringTo = (name: string): Referring[] =>
  RESOURCES.flatMap((kind) => {
    const all = Object.entries(kind.refers).flatMap(([member, reference]) => {
      const { of, in: places, by = member } = detailed(member, reference);
      return places.includes(name) ? [{ kind, of, by: Object.hasOwn(kind.indexes, by) ? by : undefined }] : [];
    });
    const indexed = all.filter(({ by }, i) => by !== undefined && all.findIndex((one) => one.by === by) === i);
    return indexed.length > 0 ? indexed : all.slice(0, 1);
  });

const detailed = (member: string, reference: Reference<Row> | string): Reference<Row> =>
  typeof reference === 'string' ? { of: (row) => Reflect.get(row, member), in: [reference] } : reference;

/** Returns everything that refers to a row, the most useful kinds first. */
export const related = (visit: PageContext, { kind, row }: Found): Related[] =>
  referringTo(kind.name).flatMap((one) => {
    const found = one.by === undefined ? byLooking(visit, one, row.id) : byIndex(visit, one.kind, one.by, row.id);
    return found.rows.length > 0 ? [found] : [];
  });

/** Returns the rows to which an index leads: counted without reading them. */
function byIndex(visit: PageContext, kind: Resource, index: string, id: string): Related {
  const page = visit.world.rows(kind).page({ where: { [index]: id }, limit: SHOWN, withHidden: true });
  const all = page.hasMore ? visit.to(`/inspector/state/${kind.name}`, { by: index, is: id }) : undefined;
  return { kind, rows: page.data, total: page.totalCount, all };
}

function byLooking({ world }: PageContext, { kind, of }: Referring, id: string): Related {
  const refers = (row: Row): boolean => [of(row)].flat().includes(id);
  const rows = chosen(world.rows(kind).newest(), refers, SHOWN, LOOKED_AT);
  return { kind, rows, total: rows.length };
}

/** Returns whether a member of the rows of one kind may name a row of another. */
export function mayName(kind: Resource, member: string, of: string): boolean {
  const reference = kind.refers[member];
  return reference !== undefined && detailed(member, reference).in.includes(of);
}

/** Returns whether the story of rows of one kind is a chapter in that of rows of another that they refer to. */
export const isChapter = (kind: Resource, of: string): boolean =>
  (kind.chapterOf ?? []).some((member) => mayName(kind, member, of));
