import * as z from 'zod';
import { lazy, type Shape } from '../contract/lazy.ts';
import type { Resource } from '../engine/resource.ts';
import type { Row, TableToken } from '../engine/table.ts';
import type { World } from '../engine/world.ts';

/** Resolves the labels of a scenario to rows. */
export interface Labels {
  /**
   * Returns the id of the row with a label in a table; refuses the scenario at `member` of the entry if there is none.
   */
  idOf(table: TableToken<Row>, label: string, member: string): string;
  /** Refuses the scenario at a member of the entry. */
  refuse(member: string, message: string): never;
}

/** A list in scenario files: rows of one table that exist from the start. */
export interface Seed {
  /** The key of the list in a scenario. */
  readonly key: string;
  readonly table: Resource;
  /** The schema of an entry: its members, `label`, and `id` if ids have a prefix. */
  readonly entry: Shape<z.ZodType<SeedEntry>>;
  readonly about: string;
  /** An entry as one line of YAML, for the file that `init` writes; the only customer in it is `ada`. */
  readonly example: string;
  /** Plants one entry, without events, and returns its id. Refuses the scenario where the API would refuse the call. */
  readonly plant: (world: World, entry: SeedEntry, labels: Labels) => string;
}

/** An entry of such a list, parsed. */
export interface SeedEntry {
  readonly label?: string | undefined;
  readonly id?: string | undefined;
}

/** Returns the schema of an id that stays the same whatever the sandbox's seed. */
export const pinnedId = (type: string) =>
  z
    .string()
    .regex(new RegExp(`^${type}:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`), `must look like ${type}:<uuid>`)
    .optional()
    .describe('An id that is the same whatever the seed');

/** Returns the schema of an entry's label, for use elsewhere in its file. */
export const label = () => z.string().optional().describe('A name for use elsewhere in this file');

/** Declares a scenario-file list by the members of its entries. */
export const seed = <R extends Row, M extends z.ZodRawShape>(
  table: Resource<R>,
  declared: {
    key: string;
    about: string;
    example: string;
    members: () => M;
    plant: (world: World, entry: SeedEntry & z.output<z.ZodObject<M, z.core.$strict>>, labels: Labels) => string;
  },
): Seed => {
  const { members, ...rest } = declared;
  const [prefix] = [table.prefix ?? []].flat();
  const entry = lazy(() =>
    z.strictObject({ label: label(), ...(prefix === undefined ? {} : { id: pinnedId(prefix) }), ...members() }),
  );
  // `plant` receives an entry that this very schema has parsed.
  return { table, entry, ...rest } as unknown as Seed;
};
