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
/** A kind of work in words: a verb such as `approve`, and its object. */
export interface Wording<P> {
  readonly verb: string | ((payload: P, world: World) => string);
  /** Returns the id of the resource that the work is done to. */
  readonly about: (payload: P, world: World) => string;
  /** Returns the name by which a person knows that resource. */
  readonly name: (world: World, id: string) => string | undefined;
}

/** One kind of delayed work, as its area declares it: what its jobs carry, and what they do. */
export interface JobKind {
  readonly payload: Shape<z.ZodType<Payload>>;
  /** Rows that the payload names and the handler relies on. */
  readonly refers: References<Payload>;
  readonly run: JobHandler;
  /** The default delay, which a scenario may change; without one, a scenario cannot. */
  readonly policy: Policy | undefined;
  readonly words: Wording<Payload>;
  /**
   * True if the job's delay is its own work, not a wait for the outside world: jobs that do wait for that never delay
   * it.
   */
  readonly ownWork: boolean;
}

/**
 * The work of a kind of job. `run` may first wait for the outside world; `write` is one step with the end of the job.
 */
type Work<P> =
  | { readonly run: (world: World, payload: P, job: Job) => ReturnType<JobHandler> }
  | { readonly write: (world: World, payload: P) => void };

/**
 * Declares a kind of work. The handler receives the payload as its schema parses it; a job with any other payload
 * fails.
 */
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
  // A job carries what its schema says: it is scheduled with that, and checked against it when it arrives from outside.
  const words = declared.words as Wording<Payload>;
  const read: JobHandler = (world, row) => run(world, payloadOf(payload(), row.payload), row);
  return { payload, refers, policy, words, ownWork, run: read };
}

/** Returns a payload as its schema parses it; throws zod's error for any other. */
function payloadOf<P>(schema: z.ZodType<P>, sent: Payload): P {
  const taken = parseShape(schema, sent);
  return taken === ODD ? schema.parse(sent) : taken;
}

/** Returns a job in words: its verb, the id of its object, and the object's name, or the id if it has none. */
export function wordsOf(world: World, { words }: JobKind, payload: Payload) {
  const about = words.about(payload, world);
  const verb = typeof words.verb === 'string' ? words.verb : words.verb(payload, world);
  return { verb, about, name: words.name(world, about) ?? about };
}
