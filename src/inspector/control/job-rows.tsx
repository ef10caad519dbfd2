import { DELIVERIES, type Delivery } from '../../areas/webhooks/index.ts';
import type { Job } from '../../engine/scheduler.ts';
import { commands } from '../../sandbox/commands/index.ts';
import { inPlainWords, inWords } from '../../sandbox/job-words.ts';
import { Act } from '../frame/act.tsx';
import { atMost } from '../frame/bounded.ts';
import { href } from '../frame/links.ts';
import type { PageContext } from '../frame/page-context.ts';
import { Badge, Breakable, Empty, Resource, Rows, Time, times } from '../frame/parts.tsx';
import { Answered } from '../frame/rows.tsx';
import { capital, escapeControlChars, textOf } from '../frame/text.ts';

const dueOf = (job: Job): number => (job.broken ? Number.MAX_VALUE : (job.dueAt ?? Number.POSITIVE_INFINITY));

/** Returns the soonest of the first 100,000 jobs, without sorting them all. */
export function soonest(visit: PageContext, most: number): Job[] {
  const first: Job[] = [];
  for (const job of atMost(visit.world.scheduler.jobs.rows())) {
    const due = dueOf(job);
    if (first.length === most && due >= dueOf(first[most - 1] as Job)) continue;
    let at = first.length;
    while (at > 0 && dueOf(first[at - 1] as Job) > due) at -= 1;
    first.splice(at, 0, job);
    if (first.length > most) first.pop();
  }
  return first;
}

/** Jobs with their due times and subjects, and a button that runs each now. */
export const JobRows = ({ visit, most }: { visit: PageContext; most: number }) => {
  const jobs = soonest(visit, most);
  if (jobs.length === 0)
    return (
      <Empty title="Nothing is scheduled">
        <p>Decisions, settlements, expiries and webhook retries are listed here until they are due.</p>
      </Empty>
    );
  return <Rows ordered of={jobs.map((job) => <JobRow visit={visit} job={job} />)} />;
};

const JobRow = ({ visit, job }: { visit: PageContext; job: Job }) => (
  <li class={`row job-row${job.id === visit.query('id') ? ' picked' : ''}`} data-row={job.id}>
    <Does visit={visit} job={job} />
    <span class="job-due">
      <Due visit={visit} job={job} />
    </span>
    <Act
      small
      label={`Run now: ${inPlainWords(visit.world, job).does}`}
      call={visit.call(commands.clock.runJob, { id: job.id })}
      does="Run now"
    />
    {job.broken ? (
      <pre class="job-broken" tabindex={0}>
        {escapeControlChars(job.broken.slice(0, 2000))}
      </pre>
    ) : null}
  </li>
);

/** The work of a job in words, with the name of its resource; the tooltip has the name that the control API uses. */
const Does = ({ visit, job }: { visit: PageContext; job: Job }) => {
  const { verb, about, name } = inWords(visit.world, job);
  const hook = visit.world.rows(DELIVERIES).get(about);
  return (
    <span class="job-does" title={`${escapeControlChars(job.kind)} · ${escapeControlChars(details(job))}`}>
      {escapeControlChars(capital(verb))} <About visit={visit} id={about} name={name} />
      {hook ? <Tried visit={visit} hook={hook} /> : null}
    </span>
  );
};

const About = ({ visit, id, name }: { visit: PageContext; id: string; name: string }) => {
  const to = href(visit, id);
  // The type of an event has no space at which it could break.
  const text = /\s/.test(name) ? escapeControlChars(name) : <Breakable text={name} />;
  return to ? <a href={to}>{text}</a> : <b>{text}</b>;
};

/** The subject of an event, and the results of earlier attempts. */
const Tried = ({ visit, hook: { subject, attempts } }: { visit: PageContext; hook: Delivery }) => {
  const last = attempts.at(-1);
  return (
    <small>
      {' about '}
      <Resource visit={visit} id={subject} />
      {last === undefined ? null : (
        <>
          {', again after '}
          {times(attempts.length, 'try', 'tries')}, the last response <Answered status={last.status} />
        </>
      )}
    </small>
  );
};

const Due = ({ visit, job }: { visit: PageContext; job: Job }) => {
  if (job.broken) return <Badge of="broken" />;
  return job.dueAt === null ? <Badge of="held" /> : <Time visit={visit} at={job.dueAt} />;
};

const details = (job: Job): string =>
  Object.entries(job.payload)
    .map(([name, value]) => `${name} ${textOf(value)}`)
    .join(' · ')
    .slice(0, 300);
