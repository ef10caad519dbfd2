import { DELIVERIES } from '../../areas/webhooks/index.ts';
import { bodyOf } from '../../contract/domain-event.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Names } from './template.ts';

/** An event that a call led to, as a recording expects it. */
export interface Told {
  readonly type: string;
  /** Virtual time. */
  readonly at: string;
  /** The variable of what it is about, where it has one by then. */
  readonly about: string | undefined;
}

interface Caused {
  readonly type: string;
  readonly at: string;
  readonly subject: string | undefined;
}

/**
 * Returns the events that the calls of a recording led to, by the position of the call after which they are there: with a
 * later call, where a job emitted them only then.
 */
export function toldAfter({ world }: Sandbox, entries: readonly Entry[]): ReadonlyMap<number, readonly Caused[]> {
  const all = new Map<number, Caused[]>();
  for (const [i, { caused }] of entries.entries())
    for (const id of caused?.events ?? []) {
      const told = world.rows(DELIVERIES).get(id);
      if (!told) continue;
      const { type, timestamp: at, subject } = told;
      let place = i;
      while (place + 1 < entries.length && (entries[place + 1] as Entry).at < at) place += 1;
      const isIn = bodyOf(world.profile, told).includes(subject);
      const here = all.get(place);
      const one = { type, at, subject: isIn ? subject : undefined };
      if (here) here.push(one);
      else all.set(place, [one]);
    }
  return all;
}

/** Events with what they are about as variables. */
export const named = (events: readonly Caused[] | undefined, names: Names): Told[] =>
  (events ?? []).map(({ type, at, subject }) => ({
    type,
    at,
    about: subject === undefined ? undefined : names.of(subject),
  }));
