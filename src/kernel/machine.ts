import { fail } from './errors.ts';

/** One line of a state table: in these states, this trigger leads there and tells this event. */
export interface Transition<S extends string, T extends string, F extends string = string> {
  readonly from: readonly S[] | 'any' | 'none';
  readonly on: T;
  readonly to: S;
  readonly tells?: F;
}

/** A state machine as a list that a tester can read aloud. */
export interface Machine<S extends string, T extends string, F extends string = string> {
  readonly name: string;
  readonly transitions: readonly Transition<S, T, F>[];
}

/** The line that applies, or `undefined` when the trigger is not allowed in this state. `none` is before the row exists. */
export const transition = <S extends string, T extends string, F extends string>(
  machine: Machine<S, T, F>,
  from: S | undefined,
  on: T,
): Transition<S, T, F> | undefined =>
  machine.transitions.find(
    (t) => t.on === on && (from === undefined ? t.from === 'none' : t.from === 'any' || t.from.includes(from)),
  );

/** The line that applies; 409 `CONFLICT` naming state and trigger when none does. */
export function advance<S extends string, T extends string, F extends string>(
  machine: Machine<S, T, F>,
  from: S | undefined,
  on: T,
): Transition<S, T, F> {
  return (
    transition(machine, from, on) ??
    fail('CONFLICT', `${machine.name}: ${on} is not possible in state ${from ?? 'none'}`, {
      why: { rule: `${machine.name} transitions`, seen: from },
    })
  );
}
