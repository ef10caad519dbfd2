import type * as z from 'zod';
import type { Shape } from './lazy.ts';
import type { Handler, Job } from './scheduler.ts';
import type { References } from './table.ts';
import type { World } from './world.ts';

type Payload = Readonly<Record<string, unknown>>;

/** What a kind of job does. */
export type JobHandler = Handler<World>;

/** One kind of delayed work, as an area declares it: what its jobs carry, and what they do. */
export interface JobKind {
  readonly payload: Shape<z.ZodType<Payload>>;
  /** Rows that its payload names and its handler relies on. */
  readonly refers: References<Payload>;
  readonly run: JobHandler;
}

/** Declare a kind of work. The handler is given the payload as its schema reads it; a job that carries another one breaks. */
export const job = <P extends Payload>(
  payload: Shape<z.ZodType<P>>,
  run: (world: World, payload: P, job: Job) => ReturnType<JobHandler>,
  refers: References<P> = {},
): JobKind => ({ payload, refers, run: (world, row) => run(world, payload().parse(row.payload), row) });
