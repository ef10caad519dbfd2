import { commands } from '../../sandbox/commands/index.ts';
import { LOOKED_AT } from '../frame/bounded.ts';
import type { PageContext } from '../frame/page-context.ts';
import { count, type PageParts, Panel, times } from '../frame/parts.tsx';
import { JobRows } from './job-rows.tsx';

const MOST = 100;

/** Lists the scheduled jobs, soonest first. */
export function jobs(visit: PageContext): PageParts {
  const size = visit.world.scheduler.jobs.size;
  return {
    title: 'Scheduled jobs',
    lead: (
      <>
        Scheduled work, soonest first. Run a job now, or <a href={visit.to('/inspector/clock')}>advance the clock</a>{' '}
        past it.
      </>
    ),
    call: visit.call(commands.clock.jobs),
    body: (
      <Panel id="jobs" live="request fact delivery clock reset" title={titleOf(size)} flush>
        <JobRows visit={visit} most={MOST} />
      </Panel>
    ),
  };
}

/** Returns a title with the number of jobs, and of those shown. */
function titleOf(size: number): string {
  if (size <= MOST) return times(size, 'job');
  const of = size > LOOKED_AT ? ` of the ${count(LOOKED_AT)} that were scheduled first` : '';
  return `${times(size, 'job')}; the first ${MOST}${of}`;
}
