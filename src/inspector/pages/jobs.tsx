import { JobRows } from '../job-rows.tsx';
import { Head, Hint, type PageParts, Panel, times } from '../parts.tsx';
import type { Visit } from '../visit.ts';

const MOST = 100;

/** What will happen later, soonest first. */
export function jobs(visit: Visit): PageParts {
  const size = visit.world.scheduler.jobs.size;
  return {
    title: 'Scheduled jobs',
    menu: 'jobs',
    body: (
      <>
        <Head
          title="Scheduled jobs"
          lead={
            <>
              What will happen later, soonest first. Run one now, or{' '}
              <a href={visit.to('/inspector/clock')}>advance the clock</a> past it.
            </>
          }
        />
        <Panel
          id="jobs"
          live="request fact delivery clock reset"
          title={size > MOST ? `${times(size, 'job')}; the first ${MOST}` : times(size, 'job')}
          flush
        >
          <JobRows visit={visit} most={MOST} />
        </Panel>
        <Hint visit={visit} call={{ method: 'GET', path: '/jobs' }} />
      </>
    ),
  };
}
