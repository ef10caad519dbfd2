import * as z from 'zod';
import { type AnswerOf, commands } from '../../sandbox/commands/index.ts';
import { WITHIN } from '../../sandbox/skip-to.ts';
import type { Client } from '../client.ts';
import { needed, texts, things, tool } from '../tool.ts';

/** The most jobs that are named, of those that ran and of those pending. */
const NAMED = 20;

type Job = AnswerOf<typeof commands.clock.jobs>['data'][number];

const shown = (at: string | null | undefined, { id, does, about }: Pick<Job, 'id' | 'does' | 'about'>) => ({
  at: at ?? 'held',
  does,
  about,
  id,
});

/** Returns the pending jobs, soonest first. */
async function upcoming(client: Client) {
  const { data, totalCount } = await client.ask(commands.clock.jobs, {});
  return { upcoming: data.slice(0, NAMED).map((job) => shown(job.dueAt, job)), upcomingTotal: totalCount };
}

export const clock = tool(
  'clock',
  {
    title: 'Virtual clock',
    answers: () => ({ ...texts('now', 'mode'), ...things('upcoming', 'ran', 'waiting') }),
    about:
      'The virtual clock of the sandbox, and what is due. advance and move_to move time at once and run everything that falls due (settlements, expiries, webhook retries). hold stops the clock; run starts it, faster with speed. settle runs all jobs due within a time and stops at the last one; run_job runs one now. Time never goes back: use snapshots for that.',
  },
  () => ({
    act: z
      .enum(['read', 'advance', 'move_to', 'settle', 'hold', 'run', 'run_job'])
      .default('read')
      .describe('What to do'),
    by: z
      .string()
      .max(50)
      .optional()
      .describe('advance: how far, such as 90s, 2h, 7d or PT15M; settle: within this time (P30D)'),
    to: z.string().max(50).optional().describe('move_to: an ISO 8601 moment'),
    speed: z.number().optional().describe('run: virtual seconds per real second (1)'),
    job: z.string().max(200).optional().describe('run_job: its id'),
  }),
  async (client, { act, by, to, speed, job }) => {
    if (act === 'run_job') {
      const ran = await client.ask(commands.clock.runJob, { id: needed(job, 'job', act) });
      return { ran, ...(await upcoming(client)) };
    }
    if (act === 'read') return { ...(await client.ask(commands.clock.read, {})), ...(await upcoming(client)) };
    const { ran, waiting, ...now } = await client.ask(commands.clock.move, {
      ...(act === 'advance' ? { advance: needed(by, 'by, such as "1h"', act) } : {}),
      ...(act === 'move_to' ? { to: needed(to, 'to, an ISO 8601 moment', act) } : {}),
      ...(act === 'settle' ? { settle: by ?? WITHIN } : {}),
      ...(act === 'hold' ? { mode: 'held' as const } : {}),
      ...(act === 'run' ? { mode: 'live' as const, speed: speed ?? 1 } : {}),
    });
    return {
      ...now,
      ran: ran.slice(0, NAMED).map((one) => shown(one.at, one)),
      ranTotal: ran.length,
      ...(waiting ? { waiting: waiting.slice(0, NAMED).map((job) => shown(job.dueAt, job)) } : {}),
      next:
        ran.length > 0
          ? 'webhooks {act: "list"} shows the events that were sent'
          : 'clock {act: "read"} shows what is due and when',
    };
  },
);
