import { TABLES } from '../../areas.ts';
import { isResource, type Resource } from '../../engine/resource.ts';
import type { Row, TableToken } from '../../engine/table.ts';
import { type Found, find as found } from '../../sandbox/find.ts';
import type { PageContext } from './page-context.ts';

/** Every table with its presentation; one that is not meant for people has a plain one. */
const KINDS = new Map([...TABLES.values()].map((token) => [token.name, isResource(token) ? token : plainly(token)]));

/** Tables with a presentation for people, the main ones first. */
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

/** Returns the presentation of a table; undefined if no area declares it. */
export const kindOf = (name: string): Resource | undefined => KINDS.get(name);

/** Returns the number of rows in each table. */
export const sizesOf = ({ world }: PageContext): ReadonlyMap<string, number> =>
  new Map(world.tables().map(({ name, size }) => [name, size]));

export type { Found };

/** Returns the name by which a person would know a row, if it has one. */
export const nameOf = ({ world }: PageContext, { kind, row }: Found): string | undefined => kind.label?.(row, world);

/** Returns the resource of an id, if it exists. */
export const find = ({ world }: PageContext, id: unknown): Found | undefined =>
  typeof id === 'string' ? found(world, id) : undefined;
