import { fail } from '../contract/errors.ts';
import type { Row, TableToken } from './table.ts';
import type { World } from './world.ts';

/** One line of a state table: from these states, a trigger leads to a new state and emits an event. */
export interface Transition<S extends string, T extends string> {
  readonly from: readonly S[] | 'any' | 'none';
  readonly on: T;
  readonly to: S;
  readonly emits?: string;
}

/** A state machine: what it describes, the rule that it implements, and transitions that a tester can read aloud. */
export interface Machine<S extends string, T extends string> {
  readonly name: string;
  readonly rule: string;
  readonly transitions: readonly Transition<S, T>[];
  /** The name of the schema of its states, if a profile shows only some of them. */
  readonly shownAs?: string;
}

/** Declares a state machine; its states and triggers are those of its transitions. */
export const machine = <S extends string, T extends string>(
  name: string,
  rule: string,
  transitions: readonly Transition<S, T>[],
  shownAs?: string,
): Machine<S, T> => ({ name, rule, transitions, ...(shownAs === undefined ? {} : { shownAs }) });

/** Returns the name of a state, unique among all machines: `outgoing transaction COMPLETED`. */
export const stateName = ({ name }: Pick<Machine<string, string>, 'name'>, state: string): string => `${name} ${state}`;

/** Publishes that a row has entered a state, if anyone counts states. */
export function enter(world: World, machine: Machine<string, string>, state: string): void {
  if (world.countsStates && world.emitsEvents) world.publish({ what: 'entered', machine, state });
}

/** The triggers of a machine. */
export type TriggerOf<M> = M extends Machine<string, infer T> ? T : never;

/**
 * Returns the transition that applies, or undefined if the state does not allow the trigger. `none` stands for a row
 * that does not exist yet.
 */
export const transition = <S extends string, T extends string>(
  machine: Machine<S, T>,
  from: S | undefined,
  on: T,
): Transition<S, T> | undefined => {
  for (const t of machine.transitions)
    if (t.on === on && (from === undefined ? t.from === 'none' : t.from === 'any' || t.from.includes(from))) return t;
  return undefined;
};

/** The state changes of one table's rows. Every change goes through `begin` or `move`. */
export interface Lifecycle<R extends Row, S extends string, T extends string> {
  readonly table: TableToken<R>;
  /** The member of the row that holds its state. */
  readonly state: keyof R & string;
  readonly machine: Machine<S, T>;
  /** Returns the type of the event for what a transition emits; undefined if this row has no such event. */
  event?(row: R, emits: string, world: World): string | undefined;
  /** Returns the resource as the event carries it. */
  view?(row: R, world: World): unknown;
  /** Runs the side effect of a trigger, such as moving money, before the event is emitted. */
  effect?(world: World, row: R, on: T): void;
}

/** Declares how the rows of a table change state. */
export const lifecycle = <R extends Row, K extends keyof R & string, S extends R[K] & string, T extends string>(
  table: TableToken<R>,
  declared: Omit<Lifecycle<R, S, T>, 'table'> & { readonly state: K },
): Lifecycle<R, S, T> => ({ table, ...declared });

/** Adds a row in the initial state of a trigger, and emits the transition's event. */
export function begin<R extends Row, S extends string, T extends string>(
  world: World,
  life: Lifecycle<R, S, T>,
  on: T,
  rowIn: (state: S) => R,
): R {
  const line = lineOf(life.machine, undefined, on);
  const begun = world.rows(life.table).insert(rowIn(line.to));
  enter(world, life.machine, line.to);
  emit(world, life, begun, line.emits);
  return begun;
}

/**
 * Adds a row that passes through two triggers at once, writing it only once. Returns a function that emits the second
 * transition's event. Throws if the first transition emits one or the lifecycle has an effect.
 */
export function beginMoved<R extends Row, S extends string, T extends string>(
  world: World,
  life: Lifecycle<R, S, T>,
  [first, then]: readonly [first: T, then: T],
  rowIn: (state: S) => R,
): { readonly row: R; readonly emit: () => void } {
  const { to, emits } = lineOf(life.machine, undefined, first);
  if (emits !== undefined || life.effect) throw new Error(`${life.machine.name}: ${first} has to be seen`);
  const line = lineOf(life.machine, to, then);
  const row = world.rows(life.table).insert(rowIn(line.to));
  enter(world, life.machine, line.to);
  return { row, emit: () => emit(world, life, row, line.emits) };
}

function lineOf<S extends string, T extends string>(machine: Machine<S, T>, from: S | undefined, on: T) {
  const line = transition(machine, from, on);
  if (!line)
    throw new Error(`${machine.name}: nothing ${from === undefined ? 'begins with' : `leaves ${from} by`} ${on}`);
  return line;
}

/**
 * Moves a row to the next state of its machine together with other changes, and emits the transition's event; sets
 * `updatedAt` if the row has one. 409 CONFLICT if the trigger is not allowed in this state.
 */
export function move<R extends Row, S extends string, T extends string>(
  world: World,
  life: Lifecycle<R, S, T>,
  row: R,
  on: T,
  change: Partial<R> = {},
): R {
  const { machine, state } = life;
  const from = row[state] as S;
  const line = transition(machine, from, on);
  if (!line)
    fail('CONFLICT', `${machine.name} ${row.id} is ${from}: ${on} is not possible`, {
      why: { rule: machine.rule, seen: from },
    });
  // Copied member by member: a literal with several spreads takes several times as long.
  const next = { ...row } as unknown as Record<string, unknown>;
  for (const name in change) next[name] = change[name];
  next[state] = line.to;
  if ('updatedAt' in row) next['updatedAt'] = world.clock.iso();
  const moved = world.rows(life.table).put(next as unknown as R);
  enter(world, machine, line.to);
  life.effect?.(world, moved, on);
  emit(world, life, moved, line.emits);
  return moved;
}

/**
 * Emits the event of a transition. Builds none while events are off: showing a resource costs more than changing it.
 */
function emit<R extends Row, S extends string, T extends string>(
  world: World,
  life: Lifecycle<R, S, T>,
  row: R,
  emits: string | undefined,
): void {
  const type = emits !== undefined && world.emitsEvents ? life.event?.(row, emits, world) : undefined;
  if (type !== undefined) world.emit(type, row.id, life.view?.(row, world));
}
