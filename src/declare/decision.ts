import type * as z from 'zod';
import type { Shape } from '../contract/lazy.ts';
import type { Row, TableToken } from '../engine/table.ts';
import type { World } from '../engine/world.ts';
import type { Infer } from './operation.ts';

/** A decision that the present state of a row allows. */
export interface Choice {
  readonly label: string;
  readonly body: object;
  readonly danger?: boolean;
}

/** A decision that a tester makes about a row: `POST /_emulator/<table>/{id}/<name>`, and buttons on its page. */
export interface Decision {
  readonly table: TableToken<Row>;
  readonly name: string;
  readonly about: string;
  readonly body: Shape<z.ZodObject>;
  /** Applies the decision and returns the resource as the API shows it. */
  readonly decide: (world: World, id: string, body: unknown) => unknown;
  readonly choices: (world: World, row: Row) => readonly Choice[];
}

/** Declares a decision about the rows of a table. */
export const decision = <R extends Row, B extends Shape<z.ZodObject>>(declared: {
  table: TableToken<R>;
  name: string;
  about: string;
  body: B;
  decide: (world: World, id: string, body: Infer<B>) => unknown;
  choices: (world: World, row: R) => readonly Choice[];
  // `decide` receives rows of its own table, and a body that its own schema has parsed.
}): Decision => declared as unknown as Decision;
