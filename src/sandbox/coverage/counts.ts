import { DELIVERIES } from '../../areas/webhooks/index.ts';
import type { CommittedEvent, World } from '../../engine/world.ts';

/** Encounters by name, each with its number. */
export type Tally = Record<string, number>;

/** The encounters of a suite: answers by operation, events, magic values, states. */
export interface Counts {
  /** By operation, then by answer: `201`, or `400 INVALID_INPUT`. */
  operations: Record<string, Tally>;
  events: Tally;
  magic: Tally;
  states: Tally;
}

/** Counts without an encounter. */
export const noCounts = (): Counts => ({ operations: {}, events: {}, magic: {}, states: {} });

const count = (tally: Tally, name: string, times = 1): void => {
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

/** The encounters of all sandboxes of a process. It keeps one number for each name, so that it does not grow with the calls. */
export class Coverage {
  readonly counts: Counts = noCounts();

  /** Count an answer of the API; status 0 is one that a fault dropped. */
  answered(operation: string, status: number, code: string | undefined): void {
    const answers = (this.counts.operations[operation] ??= {});
    count(answers, status === 0 ? 'no reply' : code === undefined ? String(status) : `${status} ${code}`);
  }

  /** Count events, magic values and states of a life from now on. Those of its scenario are none of the suite's. */
  follow(world: World): void {
    world.countsStates = true;
    world.watch((event) => this.#note(world, event));
  }

  #note(world: World, event: CommittedEvent): void {
    if (event.what === 'entered') count(this.counts.states, event.state);
    else if (event.what === 'magic') {
      if (event.value !== undefined) count(this.counts.magic, event.value);
    } else if (event.what === 'delivery') this.#event(world, event.id, 'DELIVERED');
    else if (event.what === 'event') this.#event(world, event.event.id, 'UNSENT');
  }

  /** An event counts once it is delivered, or when it is emitted where nobody receives it. */
  #event(world: World, id: string, when: 'DELIVERED' | 'UNSENT'): void {
    const delivery = world.rows(DELIVERIES).get(id);
    if (delivery?.state === when) count(this.counts.events, delivery.type);
  }
}
