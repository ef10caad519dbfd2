import * as z from 'zod';
import { Duration, parseDuration } from '../contract/duration.ts';
import { fail } from '../contract/errors.ts';
import { lazy } from '../contract/lazy.ts';
import { SentMoment } from '../contract/shapes.ts';
import { LATEST } from '../engine/clock.ts';
import { control } from './control.ts';
import { told } from './job-words.ts';

const Move = lazy(() =>
  z.strictObject({
    advance: Duration().optional(),
    to: SentMoment().optional(),
    mode: z.enum(['live', 'held']).optional(),
    speed: z.number().min(0.001).max(1_000_000).optional(),
  }),
);

export const clockControls = [
  control('GET', '/clock', 'The virtual clock', ({ sandbox }) => sandbox.world.clock.state()),
  control(
    'POST',
    '/clock',
    'Move, hold, run or speed up the clock; the answer lists the jobs that ran, in order',
    async ({ sandbox: { world }, body }) => {
      const { clock, scheduler } = world;
      if (body.advance !== undefined && body.to !== undefined) fail('INVALID_INPUT', 'send advance or to, not both');
      const by = body.advance === undefined ? undefined : parseDuration(body.advance);
      const to = body.to === undefined ? undefined : Date.parse(body.to);
      if (to !== undefined && to < clock.now())
        fail('INVALID_INPUT', `to: the clock does not go back; it is ${clock.iso()}`);
      if ((to ?? clock.now() + (by ?? 0)) > LATEST) fail('INVALID_INPUT', 'the clock ends with the year 9998');
      if (body.mode) clock.setMode(body.mode);
      if (body.speed !== undefined) clock.setSpeed(body.speed);
      const ran =
        to !== undefined ? await scheduler.advanceTo(to) : by !== undefined ? await scheduler.advanceBy(by) : [];
      return { ...clock.state(), ran: ran.map((job) => told(world, job)) };
    },
    { body: Move },
  ),
  control(
    'GET',
    '/jobs',
    'What will happen later, in words, soonest first; a held job has no time',
    ({ sandbox: { world } }) => ({
      data: [...world.scheduler.jobs.rows()]
        .sort((a, b) => (a.dueAt ?? Number.POSITIVE_INFINITY) - (b.dueAt ?? Number.POSITIVE_INFINITY))
        .slice(0, 1000)
        .map((job) => ({ ...told(world, job), dueAt: job.dueAt === null ? null : new Date(job.dueAt).toISOString() })),
      totalCount: world.scheduler.jobs.size,
    }),
  ),
  control('POST', '/jobs/:id/run', 'Do it now', async ({ sandbox: { world }, params }) => {
    const id = params['id'] as string;
    return (await world.scheduler.run(id)) ?? fail('REFERENCE_NOT_FOUND', `there is no job ${id}`);
  }),
];
