import type * as z from 'zod';
import type { Shape } from '../contract/lazy.ts';
import type { Row, TableToken } from '../engine/table.ts';
import type { World } from '../engine/world.ts';
import type { Infer } from './operation.ts';

/** A decision that is possible as a row stands. */
export interface Choice {
  readonly label: string;
  readonly body: object;
  readonly danger?: boolean;
}

/** A decision of a tester about a row: `POST /_emulator/<table>/{id}/<name>`, and the buttons of its page. */
export interface Decision {
  readonly table: TableToken<Row>;
  readonly name: string;
  readonly about: string;
  readonly body: Shape<z.ZodObject>;
  /** Decides, and returns the resource as the API shows it. */
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
  // It gets rows of its own table, and a body that its shape has parsed.
}): Decision => declared as unknown as Decision;
