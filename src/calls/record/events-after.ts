import { DELIVERIES } from '../../areas/webhooks/index.ts';
import { bodyOf } from '../../contract/domain-event.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { idsIn } from './ids.ts';
import { inSlices } from './slices.ts';
import { type Names, nameFor, textsIn } from './template.ts';

/** An event that a call led to, as a recording expects it. */
export interface ExpectedEvent {
  readonly type: string;
  /** Virtual time. */
  readonly at: string;
  /** The variable of the event's subject, if it has one by then. */
  readonly about: string | undefined;
  /** The ids that no reply shows and later calls use. */
  readonly captures: readonly { readonly variable: string; readonly path: readonly (string | number)[] }[];
}

interface Caused {
  readonly type: string;
  readonly at: string;
  readonly subject: string | undefined;
  readonly body: string;
}

/** The most events that a recording expects of one call: an import leads to hundreds. */
const MOST_EVENTS = 20;

/**
 * Returns the events that the calls of a recording led to, by the position of the call after which they exist. That is
 * a later call if a job emitted them only then.
 */
export async function eventsAfter(
  { world }: Sandbox,
  entries: readonly Entry[],
): Promise<ReadonlyMap<number, readonly Caused[]>> {
  const all = new Map<number, Caused[]>();
  await inSlices(entries, ({ caused }, i) => {
    for (const id of caused?.events.slice(0, MOST_EVENTS) ?? []) {
      const delivery = world.rows(DELIVERIES).get(id);
      if (!delivery) continue;
      const { type, timestamp: at, subject } = delivery;
      let place = i;
      while (place + 1 < entries.length && (entries[place + 1] as Entry).at < at) place += 1;
      const body = bodyOf(world.profile, delivery);
      const here = all.get(place);
      const one = { type, at, subject: body.includes(subject) ? subject : undefined, body };
      if (here) here.push(one);
      else all.set(place, [one]);
    }
  });
  return all;
}

/** Returns the ids in events, by the position of the call after which they are known. */
export const idsInEvents = (events: ReadonlyMap<number, readonly Caused[]>, i: number): string[] =>
  (events.get(i) ?? []).flatMap(({ body }) => idsIn(body));

/** Returns events with variables for their subjects, and captures of the ids that later calls use. */
export const named = (
  events: readonly Caused[] | undefined,
  names: Names,
  isUsed: (value: string) => boolean,
): ExpectedEvent[] =>
  (events ?? []).map(({ type, at, subject, body }) => {
    const about = subject === undefined ? undefined : names.of(subject);
    const captures = [...textsIn(JSON.parse(body))].flatMap(({ text, path }) => {
      const isId = idsIn(text)[0] === text;
      if (!isId || names.of(text) !== undefined || !isUsed(text)) return [];
      const member = String(path.findLast((part) => typeof part === 'string') ?? 'id');
      return [{ variable: names.add(text, nameFor(text, member)), path }];
    });
    return { type, at, about, captures };
  });
