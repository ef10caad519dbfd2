import type * as z from 'zod';
import type { Shape } from '../contract/lazy.ts';
import type { Policy } from '../contract/policy.ts';
import { ODD, parseShape } from '../contract/shape-parse.ts';
import type { Handler, Job } from '../engine/scheduler.ts';
import type { References } from '../engine/table.ts';
import type { World } from '../engine/world.ts';

type Payload = Readonly<Record<string, unknown>>;

/** The handler of a kind of job. */
export type JobHandler = Handler<World>;
/** A kind of work in words: what is done, such as `approve`, and to what. */
export interface Wording<P> {
  readonly verb: string | ((payload: P, world: World) => string);
  /** The id of the resource that people know it is done to. */
  readonly about: (payload: P, world: World) => string;
  /** A name that a person knows that resource by. */
  readonly name: (world: World, id: string) => string | undefined;
}

/** One kind of delayed work, as an area declares it: what its jobs carry, and what they do. */
export interface JobKind {
  readonly payload: Shape<z.ZodType<Payload>>;
  /** Rows that its payload names and its handler relies on. */
  readonly refers: References<Payload>;
  readonly run: JobHandler;
  /** The moment unless the scenario sets another; without one, a scenario cannot. */
  readonly policy: Policy | undefined;
  readonly words: Wording<Payload>;
  /** It takes a while by itself, and waits for nobody: no number of jobs that wait for the outside world holds it up. */
  readonly ownWork: boolean;
}

/** The work of a kind of job: `run` may wait for the outside world first, `write` is one step with the end of the job. */
type Work<P> =
  | { readonly run: (world: World, payload: P, job: Job) => ReturnType<JobHandler> }
  | { readonly write: (world: World, payload: P) => void };

/** Declare a kind of work. The handler is given the payload as its schema reads it; a job that carries another one breaks. */
export function job<P extends Payload>(
  declared: {
    payload: Shape<z.ZodType<P>>;
    words: Wording<P>;
    refers?: References<P>;
    policy?: boolean | Policy;
    ownWork?: true;
  } & Work<P>,
): JobKind {
  const { payload, refers = {}, ownWork = false } = declared;
  const policy = declared.policy === true ? 'at once' : declared.policy || undefined;
  const run = 'run' in declared ? declared.run : (world: World, sent: P) => () => declared.write(world, sent);
  // Jobs of a kind carry what its schema says: they are scheduled with it, and held against it when they come from outside.
  const words = declared.words as Wording<Payload>;
  const read: JobHandler = (world, row) => run(world, payloadOf(payload(), row.payload), row);
  return { payload, refers, policy, words, ownWork, run: read };
}

/** A payload as its schema reads it; zod says what is wrong with another. */
function payloadOf<P>(schema: z.ZodType<P>, sent: Payload): P {
  const taken = parseShape(schema, sent);
  return taken === ODD ? schema.parse(sent) : taken;
}

/** A job of a kind in words: what it does, the id of what it is done to, and its name, where it has none its id. */
export function wordsOf(world: World, { words }: JobKind, payload: Payload) {
  const about = words.about(payload, world);
  const verb = typeof words.verb === 'string' ? words.verb : words.verb(payload, world);
  return { verb, about, name: words.name(world, about) ?? about };
}
