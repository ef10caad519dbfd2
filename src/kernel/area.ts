import type { Fact, FactGroup } from './facts.ts';
import type { JobKind } from './job.ts';
import type { Limit } from './limit.ts';
import type { Operation } from './operation.ts';
import type { Row, TableToken } from './table.ts';
import type { Hook, Reaction, World } from './world.ts';

/** One part of the API: everything that the rest of the house knows of it. */
export interface Area {
  readonly name: string;
  readonly tables: readonly TableToken<Row>[];
  readonly operations: readonly Operation[];
  /** Kinds of delayed work, by name. */
  readonly jobs: Readonly<Record<string, JobKind>>;
  readonly limits: readonly Limit[];
  readonly events: readonly FactGroup[];
  /** What it does when something happens in a lower area. */
  readonly reactions: readonly Reaction[];
  /** Called with every event, inside its transaction. */
  readonly outbox: ((world: World, fact: Fact) => void) | undefined;
}

const NOTHING: Omit<Area, 'name'> = {
  tables: [],
  operations: [],
  jobs: {},
  limits: [],
  events: [],
  reactions: [],
  outbox: undefined,
};

/** Declares an area; what it does not name it does not have. */
export const area = (name: string, declared: Partial<Omit<Area, 'name'>>): Area => ({ ...NOTHING, ...declared, name });

/** Declares what an area does when something happens in a lower one. */
export const on = <A extends readonly unknown[]>(
  hook: Hook<A>,
  react: (world: World, ...args: A) => void,
): Reaction => ({ hook, run: (world, args) => react(world, ...(args as A)) });
