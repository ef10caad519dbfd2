import * as z from 'zod';
import { Duration } from '../../contract/duration.ts';
import { parseDuration, tooLong } from '../../contract/duration-text.ts';
import { fail, failFields } from '../../contract/errors.ts';
import { SentMoment } from '../../contract/shapes.ts';
import { type Clock, LATEST } from '../../engine/clock.ts';
import { type JobRun, soonestFirst } from '../../engine/scheduler.ts';
import type { World } from '../../engine/world.ts';
import type { Done } from '../acts.ts';
import { aboutOf, inPlainWords } from '../job-words.ts';
import { within } from '../skip-to.ts';
import { byId, command, noted } from './command.ts';

const settings = () => ({
  mode: z.enum(['live', 'held']).optional().describe('live: it moves by itself; held: only when you move it'),
  speed: z.number().min(0.001).max(1_000_000).optional().describe('Virtual seconds a real one'),
});

const END = 'the clock ends with the year 9998';

/** Returns the number of whole days by which the clock can still advance. */
const daysLeft = (clock: Clock): number => Math.floor((LATEST - clock.now()) / 86_400_000);

/** Returns a job as a recording finds it again: its kind, its subject, and its position among those that share both. */
function runOf(world: World, id: string): Done | undefined {
  const job = world.scheduler.jobs.get(id);
  if (!job) return undefined;
  const { kind } = job;
  const about = aboutOf(world, job);
  const alike = [...world.scheduler.jobs.rows()]
    .filter((one) => one.kind === kind && aboutOf(world, one) === about)
    .sort(soonestFirst);
  return { what: 'ran', kind, about, at: alike.findIndex((one) => one.id === id) };
}

function adjust(clock: Clock, { mode, speed }: { mode?: 'live' | 'held' | undefined; speed?: number | undefined }) {
  if (mode) clock.setMode(mode);
  if (speed !== undefined) clock.setSpeed(speed);
  return clock.state();
}

/** Returns the pending jobs in words, soonest first; at most 1,000. */
const jobsOf = (world: World) =>
  [...world.scheduler.jobs.rows()]
    .sort(soonestFirst)
    .slice(0, 1000)
    .map((job) => ({
      ...inPlainWords(world, job),
      dueAt: job.dueAt === null ? null : new Date(job.dueAt).toISOString(),
    }));

/** Returns where the clock stands after a move, the jobs that ran, and, if requested, those still pending. */
function answered(world: World, ran: readonly JobRun[], waiting?: ReturnType<typeof jobsOf>) {
  return { ...world.clock.state(), ran: ran.map((job) => inPlainWords(world, job)), ...(waiting ? { waiting } : {}) };
}

export const clock = {
  read: command('The virtual clock', ({ sandbox }) => sandbox.world.clock.state()),
  set: command('Hold, run or speed up the clock', settings, ({ sandbox: { world } }, setting) =>
    adjust(world.clock, setting),
  ),
  move: command(
    'Move, hold, run or speed up the clock; the answer lists the jobs that ran, in order',
    () => ({
      advance: Duration().optional().describe('Move on by this, such as 2h, 90s or PT15M'),
      to: SentMoment().optional().describe('Move on to this moment'),
      settle: Duration().optional().describe('Move on from job to job until nothing is due within this, such as P30D'),
      ...settings(),
    }),
    async ({ sandbox }, { advance, to: moment, settle, ...setting }) => {
      const { world } = sandbox;
      const { clock, scheduler } = world;
      if ([advance, moment, settle].filter((one) => one !== undefined).length > 1)
        fail('INVALID_INPUT', 'send one of advance, to and settle');
      if (settle !== undefined) {
        const span = within(world, settle);
        adjust(clock, setting);
        const settled = answered(world, await scheduler.skip(span), jobsOf(world));
        await sandbox.freshStart;
        return settled;
      }
      const by = advance === undefined ? undefined : parseDuration(advance);
      const to = moment === undefined ? undefined : Date.parse(moment);
      if (to !== undefined && to < clock.now())
        fail('INVALID_INPUT', `to: the clock does not go back; it is ${clock.iso()}`);
      if (to !== undefined && to > LATEST) failFields([{ field: 'to', message: END }]);
      if (clock.now() + (by ?? 0) > LATEST)
        failFields([{ field: 'advance', message: `${tooLong(`${daysLeft(clock)}d`)}, for ${END}` }]);
      adjust(clock, setting);
      const ran =
        to !== undefined ? await scheduler.advanceTo(to) : by !== undefined ? await scheduler.advanceBy(by) : [];
      const moved = answered(world, ran);
      await sandbox.freshStart;
      return moved;
    },
  ),
  settle: command('Wait until nothing is due or under way at the present moment', ({ sandbox }) =>
    sandbox.world.scheduler.settle(),
  ),
  jobs: command(
    'What will happen later, in words, soonest first; a held job has no time',
    ({ sandbox: { world } }) => ({ data: jobsOf(world), totalCount: world.scheduler.jobs.size }),
  ),
  runJob: noted(
    command('Run a job now', byId('job'), async ({ sandbox }, { id }) => {
      const ran = await sandbox.world.scheduler.run(id);
      await sandbox.freshStart;
      return ran ?? fail('REFERENCE_NOT_FOUND', `there is no job ${id}`);
    }),
    ({ sandbox: { world } }, { id }) => runOf(world, id),
  ),
};
