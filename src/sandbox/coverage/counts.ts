import { DELIVERIES } from '../../areas/webhooks/index.ts';
import { type Machine, stateName } from '../../engine/machine.ts';
import type { CommittedEvent, World } from '../../engine/world.ts';

/** Encounters by name, each with its number. */
export type Tally = Record<string, number>;

/** The encounters of a suite: replies by operation, events, magic values, states. */
export interface Counts {
  /** By operation, then by reply: `201`, or `400 INVALID_INPUT`. */
  operations: Record<string, Tally>;
  events: Tally;
  magic: Tally;
  states: Tally;
}

/** Returns counts without an encounter. */
export const noCounts = (): Counts => ({ operations: {}, events: {}, magic: {}, states: {} });

const count = (tally: Tally, name: string, times: number): void => {
  tally[name] = (Object.hasOwn(tally, name) ? (tally[name] as number) : 0) + times;
};

/** Adds the counts of another process or sandbox. */
export function addCounts(to: Counts, from: Counts): void {
  for (const [operation, answers] of Object.entries(from.operations)) {
    to.operations[operation] ??= {};
    for (const [answer, times] of Object.entries(answers)) count(to.operations[operation], answer, times);
  }
  for (const part of ['events', 'magic', 'states'] as const)
    for (const [name, times] of Object.entries(from[part])) count(to[part], name, times);
}

/** Increments the count of a name. */
const countIn = <K>(tally: Map<K, number>, name: K): void => void tally.set(name, (tally.get(name) ?? 0) + 1);

/** Returns the tally of a name, a new one for a new name. */
function tallyIn<K, N>(tallies: Map<K, Map<N, number>>, name: K): Map<N, number> {
  const known = tallies.get(name);
  if (known) return known;
  const made = new Map<N, number>();
  tallies.set(name, made);
  return made;
}

/**
 * The encounters of all sandboxes of a process. It keeps one number per name, so that it does not grow with the calls.
 */
export class Coverage {
  /** By operation, then by status, or by status and code. No text is built for a call that succeeds. */
  readonly #answers = new Map<string, Map<number | string, number>>();
  readonly #events = new Map<string, number>();
  readonly #magic = new Map<string, number>();
  readonly #states = new Map<object, Map<string, number>>();

  /** All encounters so far. */
  get counts(): Counts {
    const states = [...this.#states].flatMap(([machine, tally]) =>
      [...tally].map(([state, times]) => [stateName(machine as Machine<string, string>, state), times] as const),
    );
    const answers = [...this.#answers].map(([operation, tally]) => {
      const named = [...tally].map(([answer, times]) => [answer === 0 ? 'no reply' : String(answer), times]);
      return [operation, Object.fromEntries(named)];
    });
    return {
      operations: Object.fromEntries(answers),
      events: Object.fromEntries(this.#events),
      magic: Object.fromEntries(this.#magic),
      states: Object.fromEntries(states),
    };
  }

  /** Counts a reply of the API; status 0 is one that a fault dropped. */
  answered(operation: string, status: number, code: string | undefined): void {
    const isPlain = code === undefined || status === 0;
    countIn(tallyIn(this.#answers, operation), isPlain ? status : `${status} ${code}`);
  }

  /** Counts events, magic values and states of a life from now on; those of its scenario do not count for the suite. */
  follow(world: World): void {
    world.countsStates = true;
    world.watch((event) => this.#note(world, event));
  }

  #note(world: World, event: CommittedEvent): void {
    if (event.what === 'entered') countIn(tallyIn(this.#states, event.machine), event.state);
    else if (event.what === 'magic') {
      if (event.value !== undefined) countIn(this.#magic, event.value);
    } else if (event.what === 'delivery') this.#event(world, event.id, 'DELIVERED');
    else if (event.what === 'event') this.#event(world, event.event.id, 'UNSENT');
  }

  /** Counts an event once it is delivered, or when it is emitted without a receiver. */
  #event(world: World, id: string, when: 'DELIVERED' | 'UNSENT'): void {
    const delivery = world.rows(DELIVERIES).get(id);
    if (delivery?.state === when) countIn(this.#events, delivery.type);
  }
}
