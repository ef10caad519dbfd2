import type { World } from '../engine/world.ts';
import type { Scene } from './example.ts';

/**
 * A call of an operation by its example, after the calls that make what it lacks. Values may be words of examples; a
 * text such as `$customer.id` refers to an earlier result.
 */
export interface CallStep {
  readonly call: string;
  /** Members added to the example's body; with `whole`, the body in its place. */
  readonly body?: unknown;
  readonly whole?: true;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly as?: string;
  /** The call that `--set` changes; the last call if none is marked. */
  readonly main?: true;
}

/** Makes whatever an operation lacks without calling the operation. */
interface ReadyStep {
  readonly ready: string;
}

/** Submits the form of the hosted identity page with the outcome of the check. */
interface PageStep {
  readonly page: string;
  readonly outcome: 'approve' | 'again' | 'reject' | 'pending';
}

/** Calls a control by its name. */
interface ControlStep {
  readonly control: 'webhooks.pause' | 'webhooks.resume';
}

export type Step = CallStep | ReadyStep | PageStep | ControlStep;

/** One step towards an event; a plain operation name calls it by its example. */
export type Listed = string | Step;

/** The calls that lead to an event, or a sentence that says what the scenario lacks. */
export type After = readonly Listed[] | ((the: Scene, world: World) => readonly Listed[] | string);

/** Returns the steps that lead to an event in a world, or the sentence that says what is lacking. */
export function stepsAfter(after: After, the: Scene, world: World): readonly Step[] | string {
  const listed = typeof after === 'function' ? after(the, world) : after;
  if (typeof listed === 'string') return listed;
  return listed.map((step) => (typeof step === 'string' ? { call: step } : step));
}
