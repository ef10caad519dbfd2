import type { World } from '../engine/world.ts';
import type { Scene } from './example.ts';

/**
 * A call of an operation by its example; what it lacks is called before it. Values may be words of examples, and texts
 * such as `$customer.id` are former results.
 */
export interface CallStep {
  readonly call: string;
  /** Members of the body on top of the example's; `whole`: in its place. */
  readonly body?: unknown;
  readonly whole?: true;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly as?: string;
  /** `--set` changes this one; without it the last call. */
  readonly main?: true;
}

/** Calls whatever an operation lacks, and not the operation. */
interface ReadyStep {
  readonly ready: string;
}

/** Sends the form of the hosted identity page, choosing how the check ends. */
interface PageStep {
  readonly page: string;
  readonly outcome: 'approve' | 'again' | 'reject' | 'pending';
}

/** A control by its name. */
interface ControlStep {
  readonly control: 'webhooks.pause' | 'webhooks.resume';
}

export type Step = CallStep | ReadyStep | PageStep | ControlStep;

/** One step towards an event; the name of an operation is a call of it by its example. */
export type Listed = string | Step;

/** The calls that lead to an event, or a sentence that says what the scenario lacks for it. */
export type After = readonly Listed[] | ((the: Scene, world: World) => readonly Listed[] | string);

/** The steps that lead to an event as a world is, or the sentence. */
export function stepsAfter(after: After, the: Scene, world: World): readonly Step[] | string {
  const listed = typeof after === 'function' ? after(the, world) : after;
  if (typeof listed === 'string') return listed;
  return listed.map((step) => (typeof step === 'string' ? { call: step } : step));
}
