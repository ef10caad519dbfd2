import { TABLES } from '../../areas.ts';
import { isResource, type Resource } from '../../engine/resource.ts';
import type { Row, TableToken } from '../../engine/table.ts';
import { type Found, find as found } from '../../sandbox/find.ts';
import type { PageContext } from './page-context.ts';

/** Every table as people look at it; one that is not meant for them is shown plainly. */
const KINDS = new Map([...TABLES.values()].map((token) => [token.name, isResource(token) ? token : plainly(token)]));

/** Tables that people look at, those first that they look for first. */
export const RESOURCES = [...TABLES.values()]
  .filter(isResource)
  .sort((a, b) => Number(b.main ?? false) - Number(a.main ?? false));

function plainly(token: TableToken<Row>): Resource {
  const created = { name: 'Created', of: (row: Row) => Reflect.get(row, 'createdAt'), as: 'time' as const };
  return {
    ...token,
    many: token.many ?? token.name,
    one: token.name,
    about: '',
    columns: [created],
    sought: [],
    filters: [],
  };
}

/** Returns the presentation of a table; undefined where no area declares it. */
export const kindOf = (name: string): Resource | undefined => KINDS.get(name);

/** Returns how many rows there are of each table. */
export const sizesOf = ({ world }: PageContext): ReadonlyMap<string, number> =>
  new Map(world.tables().map(({ name, size }) => [name, size]));

export type { Found };

/** The name that a person would know a row by, if it has one. */
export const nameOf = ({ world }: PageContext, { kind, row }: Found): string | undefined => kind.label?.(row, world);

/** The resource of an id, if it exists. */
export const find = ({ world }: PageContext, id: unknown): Found | undefined =>
  typeof id === 'string' ? found(world, id) : undefined;
