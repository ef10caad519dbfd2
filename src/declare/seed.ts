import * as z from 'zod';
import { lazy, type Shape } from '../contract/lazy.ts';
import type { Resource } from '../engine/resource.ts';
import type { Row, TableToken } from '../engine/table.ts';
import type { World } from '../engine/world.ts';

/** The rows that the labels of a scenario stand for. */
export interface Labels {
  /** Id of the row with a label in a table; the scenario is refused at `member` of the seed when there is none. */
  idOf(table: TableToken<Row>, label: string, member: string): string;
  /** Refuses the scenario, at a member of the seed. */
  refuse(member: string, message: string): never;
}

/** A list in scenario files: rows of one table that are there from the start. */
export interface Seed {
  /** The key of the list in a scenario. */
  readonly key: string;
  readonly table: Resource;
  /** An entry of the list: its members, with `label` and, where ids have a prefix, `id`. */
  readonly entry: Shape<z.ZodType<SeedEntry>>;
  readonly about: string;
  /** An entry in YAML, on one line, for the file that `init` writes: its only customer is `ada`. */
  readonly example: string;
  /** Puts one entry in place, without events, and returns its id. What the API would refuse refuses the scenario. */
  readonly plant: (world: World, entry: SeedEntry, labels: Labels) => string;
}

/** An entry of such a list, parsed. */
export interface SeedEntry {
  readonly label?: string | undefined;
  readonly id?: string | undefined;
}

/** An id of a type that is the same whatever the seed of the sandbox. */
export const pinnedId = (type: string) =>
  z
    .string()
    .regex(new RegExp(`^${type}:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`), `must look like ${type}:<uuid>`)
    .optional()
    .describe('An id that is the same whatever the seed');

/** The label of an entry, for use elsewhere in its file. */
export const label = () => z.string().optional().describe('A name for use elsewhere in this file');

/** Declares a list of scenario files by the members of its entries. */
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
  // An entry reaches `plant` as this very shape has parsed it.
  return { table, entry, ...rest } as unknown as Seed;
};
