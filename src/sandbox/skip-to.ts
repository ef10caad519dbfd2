import { DELIVERIES, type Delivery, isPaused } from '../areas/webhooks/index.ts';
import { parseDuration } from '../contract/duration-text.ts';
import { fail, failFields } from '../contract/errors.ts';
import { meetsType } from '../contract/faults.ts';
import { LATEST, stopwatch } from '../engine/clock.ts';
import { type Job, type JobRun, soonestFirst } from '../engine/scheduler.ts';
import type { World } from '../engine/world.ts';
import { inPlainWords } from './job-words.ts';
import type { Sandbox } from './sandbox.ts';

/** The most virtual time that is skipped, unless a caller says otherwise. */
export const WITHIN = 'P30D';
/** The most jobs of each kind that a refusal names. */
const NAMED = 5;

/** Returns the virtual milliseconds of a `within`; 400 `INVALID_INPUT` if the clock would end before. */
export function within(world: World, text: string): number {
  const ms = parseDuration(text) ?? 0;
  if (world.clock.now() + ms > LATEST)
    failFields([{ field: 'within', message: 'is too long: the clock ends with the year 9998' }]);
  return ms;
}

/** Returns whether a delivery is final: its receiver has it, it has no receiver, or it was given up. */
const isOver = ({ state }: Delivery): boolean => state !== 'WAITING' && state !== 'PENDING';

/** The event to skip to, and the limits: virtual time, and real milliseconds. */
interface Skip {
  readonly type: string;
  readonly span: string;
  readonly timeoutMs: number;
  readonly found: () => Delivery | undefined;
}

/**
 * Moves the clock from one due job to the next until an event that `found` returns is delivered, or emitted without a
 * receiver. 404 `REFERENCE_NOT_FOUND` if it does not happen within `span` virtual or `timeoutMs` real milliseconds. The
 * message and `details` then name the jobs that are still due, held or in the way, and the last ones that ran.
 */
export async function skipTo(
  sandbox: Sandbox,
  what: string,
  { type, span, timeoutMs, found }: Skip,
): Promise<Delivery> {
  const { world } = sandbox;
  const ms = within(world, span);
  const began = stopwatch();
  const isLate = (): boolean => stopwatch() - began >= timeoutMs;
  let isNew = true;
  let event: Delivery | undefined;
  // Searched again only after an event: the rows are many, and their number may stay the same.
  const unwatch = world.watch(({ what }) => {
    isNew ||= what === 'event';
  });
  const isThere = (): boolean => {
    if (!event && isNew) event = found();
    isNew = false;
    if (event) event = world.rows(DELIVERIES).get(event.id) ?? event;
    return event !== undefined && isOver(event);
  };
  let ran: JobRun[];
  try {
    ran = await world.scheduler.skip(ms, () => isThere() || isLate());
  } finally {
    unwatch();
  }
  await sandbox.freshStart;
  if (isThere() && event?.state !== 'ABANDONED') return event as Delivery;
  const done = ran.slice(-NAMED).map((job) => `${inPlainWords(world, job).does} at ${job.at}`);
  const time = isLate() ? `${timeoutMs} ms` : `${span} of virtual time`;
  return missing(sandbox, what, { type, event, time, ran: done });
}

/** The end of a skip that did not find its event. */
interface Missed {
  readonly type: string;
  readonly event: Delivery | undefined;
  readonly time: string;
  /** The last jobs that ran, in words. */
  readonly ran: string[];
}

function missing(sandbox: Sandbox, what: string, { type, event, time, ran }: Missed): never {
  const { world } = sandbox;
  const { due, held, broken } = jobsLeft(world);
  const obstacles = [
    ...(isPaused(world) ? ['deliveries are paused'] : []),
    ...sandbox.faults.list.flatMap(({ id, rule: { match } }) =>
      'webhook' in match && meetsType(match.webhook, type) ? [`fault ${id} is about ${match.webhook}`] : [],
    ),
  ];
  const parts = [
    event ? `${what} was emitted (${event.id}), but not delivered` : `no ${what} was emitted`,
    `within ${time}`,
    ...[
      ['still due', due],
      ['held', held],
      ['broken', broken],
      ['in the way', obstacles],
      ['done while the clock moved', ran],
    ].flatMap(([word, list]) => (list && list.length > 0 ? [`${word}: ${(list as string[]).join(', ')}`] : [])),
  ];
  const nothing = due.length + held.length + broken.length === 0 ? '; nothing more is due' : '';
  return fail(
    'REFERENCE_NOT_FOUND',
    `${parts.slice(0, 2).join(' ')}${nothing}${parts
      .slice(2)
      .map((p) => `; ${p}`)
      .join('')}`,
    {
      details: { due, held, broken, obstacles, ran, now: world.clock.iso() },
    },
  );
}

/** Returns the remaining jobs in words: the soonest, those that wait for a person, and those that broke. */
function jobsLeft(world: World): Record<'due' | 'held' | 'broken', string[]> {
  const left = { due: [] as Job[], held: [] as Job[], broken: [] as Job[] };
  for (const job of world.scheduler.jobs.rows())
    left[job.broken ? 'broken' : job.dueAt === null ? 'held' : 'due'].push(job);
  for (const jobs of Object.values(left)) jobs.sort(soonestFirst);
  const named = (jobs: readonly Job[], say: (job: Job) => string): string[] => [
    ...jobs.slice(0, NAMED).map(say),
    ...(jobs.length > NAMED ? [`${jobs.length - NAMED} more`] : []),
  ];
  const does = (job: Job): string => inPlainWords(world, job).does;
  return {
    due: named(left.due, (job) => `${does(job)} at ${new Date(job.dueAt ?? 0).toISOString()}`),
    held: named(left.held, does),
    broken: named(left.broken, does),
  };
}
