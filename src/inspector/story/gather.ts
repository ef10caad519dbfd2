import { DELIVERIES, type Delivery } from '../../areas/webhooks/index.ts';
import { decode } from '../../contract/decode.ts';
import type { Job } from '../../engine/scheduler.ts';
import type { Moment } from '../../engine/story.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import { chosen } from '../frame/bounded.ts';
import type { Found } from '../frame/kinds.ts';
import type { PageContext } from '../frame/page-context.ts';

import { callsAbout, madeBy, type Subject } from './about.ts';

/** The most events, requests and jobs that a story takes, each. */
const MOST = 60;
/** The most rows that are searched for them. */
const LOOKED_AT = 20_000;
/** The most past moments that are shown; older ones are counted. */
const SHOWN = 60;

/** One line of a story: a moment of a row's own, a request, an event without such a moment, or a job. */
export interface Item {
  /** Virtual milliseconds; undefined for a future moment without a time. */
  readonly at: number | undefined;
  readonly due: boolean;
  readonly moment?: Moment;
  readonly hooks: readonly Delivery[];
  readonly entry?: Entry;
  readonly job?: Job;
}

interface Placed extends Item {
  /** The order among lines at the same moment of the clock. */
  order: number;
  /** The time of the preceding moment in the story of its row, if its own is unknown. */
  after?: number | undefined;
  /** The id of the row whose story has it. */
  of?: string;
}

/**
 * Returns the timeline of a row, oldest first, followed by the future; and the number of older moments that are left
 * out.
 */
export function storyOf(visit: PageContext, subject: Subject): { items: readonly Item[]; older: number } {
  const { found, own, chapters, ids } = subject;
  const hooks = hooksOf(visit, ids);
  const jobs = jobsOf(visit, ids);
  const calls = callsAbout(visit, subject, MOST).reverse();
  const gathered: Gathered = { hooks, jobs, calls, led: new Map() };
  const items = [
    ...momentsOf(visit, found, own, gathered),
    ...chapters.flatMap((child, i) => momentsOf(visit, child, new Set([child.row.id]), gathered, i + 1)),
  ];
  const order = new Map(hooks.map(({ id }, i) => [id, i]));
  for (const hook of hooks)
    if (!items.some((item) => item.hooks.includes(hook)))
      items.push({ at: Date.parse(hook.timestamp), due: false, hooks: [hook], order: order.get(hook.id) ?? 0 });
  for (const job of jobs)
    if (!items.some((item) => item.job === job))
      items.push({ at: job.dueAt ?? undefined, due: true, hooks: [], job, order: 0 });
  items.push(...callsOf(gathered, items, order));
  const past = items.filter(({ due }) => !due).sort((a, b) => placeOf(a) - placeOf(b) || a.order - b.order);
  const to = items.filter(({ due }) => due).sort((a, b) => (a.at ?? 1e16) - (b.at ?? 1e16));
  return { items: [...past.slice(-SHOWN), ...to], older: Math.max(0, past.length - SHOWN) };
}

/** The parts of a story, oldest first, and the moment that each call led to. */
interface Gathered {
  readonly hooks: readonly Delivery[];
  readonly jobs: readonly Job[];
  readonly calls: readonly Entry[];
  readonly led: Map<Entry, Placed>;
}

const placeOf = ({ at, after = 0 }: Placed): number => at ?? after;

/** Returns the events about some rows, oldest first; the affairs of a customer have timelines of their own. */
const hooksOf = ({ world }: PageContext, ids: ReadonlySet<string>): Delivery[] =>
  chosen(world.rows(DELIVERIES).newest(), ({ subject }) => ids.has(subject), MOST, LOOKED_AT).reverse();

/** Returns the scheduled jobs about some rows, except for webhooks, which show their next attempt themselves. */
const jobsOf = ({ world }: PageContext, ids: ReadonlySet<string>): Job[] =>
  chosen(
    world.scheduler.jobs.rows(),
    ({ payload }) => Object.values(payload).some((value) => typeof value === 'string' && ids.has(value)),
    MOST,
    LOOKED_AT,
  );

/** Returns the part of an event's type after the dot. */
const endOf = ({ type }: Delivery): string => type.split('.')[1] ?? '';

/** Returns the moments of a row, each with its events, which also give its exact time. */
function momentsOf(
  { world }: PageContext,
  { kind, row }: Found,
  ids: ReadonlySet<string>,
  { hooks, jobs, calls, led }: Gathered,
  chapter = 0,
): Placed[] {
  const taken = new Set<Delivery>();
  const take = ({ at, events: ends = [], loose }: Moment): Delivery[] => {
    const all = hooks.filter((hook) => ids.has(hook.subject) && ends.includes(endOf(hook)) && !taken.has(hook));
    const fit = at === undefined || loose ? all : all.filter(({ timestamp }) => timestamp >= at);
    // For a loose moment the last such event counts, otherwise the first.
    const matching = ends.flatMap((end) => {
      const ofType = fit.filter((hook) => endOf(hook) === end);
      return (loose ? ofType.at(-1) : ofType[0]) ?? [];
    });
    for (const hook of matching) taken.add(hook);
    return matching;
  };
  // Before the first event; chapters in sequence.
  let last = -1e6 + chapter;
  let after: number | undefined;
  const moments = kind.story?.(row, world) ?? [];
  return moments.map((moment): Placed => {
    if (moment.due !== undefined) {
      const job = jobs.find((one) => one.kind === moment.due);
      const at = job ? (job.dueAt ?? undefined) : moment.at === undefined ? undefined : Date.parse(moment.at);
      return { at, due: true, moment, hooks: [], ...(job ? { job } : {}), order: 0 };
    }
    const emitted = take(moment);
    const [first] = emitted;
    const call = moment.by && calls.find((entry) => !led.has(entry) && leads(entry, moment, row.id));
    const at = (moment.loose && first?.timestamp) || (moment.at ?? first?.timestamp ?? call?.at);
    last = first ? hooks.indexOf(first) : last + 1e-3;
    after = at === undefined ? after : Date.parse(at);
    const placed: Placed = {
      at: at === undefined ? undefined : Date.parse(at),
      after,
      due: false,
      of: row.id,
      // The first moment of a row links to the row.
      moment: { ...moment, at, about: moment.about ?? (moments[0] === moment ? row.id : undefined) },
      hooks: emitted,
      order: last,
    };
    if (call) led.set(call, placed);
    return placed;
  });
}

/** Returns whether a call succeeded, is one of a moment's operations, and names no other row of its kind. */
const leads = (entry: Entry, { by = [], replied = '' }: Moment, id: string): boolean =>
  entry.status < 300 &&
  by.includes(entry.operation ?? '') &&
  entry.reply.includes(replied) &&
  !decode(entry.path)
    .split('/')
    .some((part) => part !== id && part.startsWith(prefixOf(id)));

const prefixOf = (id: string): string => id.slice(0, id.indexOf(':') + 1);

/** Returns the requests that made or changed a row, each before its consequences. */
function callsOf({ calls, led }: Gathered, items: readonly Placed[], order: ReadonlyMap<string, number>): Placed[] {
  let last = -2e6;
  let reached = last;
  return calls.map((entry): Placed => {
    const by = led.get(entry);
    const to = by ?? ledTo(entry, items, order);
    // A request without consequences follows those of earlier ones.
    last = Math.max(last + 1e-4, by ? by.order - 5e-4 : to ? to.order - 0.5 : reached + 0.5);
    if (to) reached = Math.max(reached, to.order);
    for (const id of entry.caused?.events ?? []) reached = Math.max(reached, order.get(id) ?? reached);
    // The log notes it with its reply, which on a running clock is later than its effects.
    const at = Math.min(Date.parse(entry.at), to?.at ?? Number.POSITIVE_INFINITY);
    return { at, due: false, hooks: [], entry, order: to ? Math.min(last, to.order - 1e-4) : last };
  });
}

/** Returns the first moment that a request led to: its creation, or the events about it. */
function ledTo(entry: Entry, items: readonly Placed[], order: ReadonlyMap<string, number>): Placed | undefined {
  const event = entry.caused?.events.find((id) => order.has(id));
  const emitter = event === undefined ? undefined : items.find(({ hooks }) => hooks.some(({ id }) => id === event));
  const made = madeBy(entry);
  // The reply to an act on a resource begins with its id, too: that request named the id in its path.
  const makes = made !== undefined && !decode(entry.path).includes(made);
  const began = items.find(({ due, of, moment }) => makes && !due && (of === made || moment?.about === made));
  return emitter && began ? (began.order < emitter.order ? began : emitter) : (emitter ?? began);
}
