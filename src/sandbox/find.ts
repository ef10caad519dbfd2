import { TABLES } from '../areas.ts';
import { isResource, type Resource } from '../engine/resource.ts';
import type { Row } from '../engine/table.ts';
import type { World } from '../engine/world.ts';

const BY_PREFIX = new Map(
  [...TABLES.values()]
    .filter(isResource)
    .flatMap((kind) => [kind.prefix ?? []].flat().map((prefix) => [prefix, kind] as const)),
);

/** Returns the kind of resource that an id names, by its prefix. */
export const kindOfId = (id: string): Resource | undefined => BY_PREFIX.get(id.slice(0, id.indexOf(':')));

export interface Found {
  readonly kind: Resource;
  readonly row: Row;
}

/** Returns the resource of an id, if it exists. */
export function find(world: World, id: string): Found | undefined {
  const kind = kindOfId(id);
  const row = kind && world.rows(kind).get(id);
  return kind && row ? { kind, row } : undefined;
}
