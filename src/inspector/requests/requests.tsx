import { commands } from '../../sandbox/commands/index.ts';
import { Command } from '../frame/act.tsx';
import { Choice, Filter } from '../frame/form.tsx';
import type { PageContext } from '../frame/page-context.ts';
import { Empty, NonePass, type PageParts, Pager, Panel, Rows, times } from '../frame/parts.tsx';
import { RequestRow } from '../frame/rows.tsx';
import { firstCurl } from '../reference/connect.tsx';
import { changed, subjectIn } from '../story/about.ts';
import { AboutChoice } from '../story/about-choice.tsx';
import { RecordForm } from './record-requests.tsx';
import { passes, placeOf, type RequestFilter } from './request-filter.ts';

const PAGE = 50;
const CODES = [200, 201, 202, 204, 400, 401, 403, 404, 409, 429, 500, 501];
const STATUSES = ['2xx', '4xx', '5xx', ...CODES.map(String)];
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** Shows the request log, newest first, as it grows. */
export function requests(visit: PageContext): PageParts {
  const filter: RequestFilter = {
    q: visit.query('q'),
    status: visit.query('status'),
    method: visit.query('method'),
    operation: visit.query('operation'),
    about: visit.query('about'),
  };
  const from = placeOf(visit);
  return {
    title: 'Requests',
    lead: 'Every API request with its response, the reason for it, and what it caused. The log keeps the last 1,000.',
    call: visit.call(commands.requests.list),
    body: (
      <>
        <Filters visit={visit} filter={filter} />
        <RecordForm visit={visit} />
        <Panel id="log" live={from === 0 ? 'request delivery reset' : ''} flush>
          <Log visit={visit} filter={filter} from={from} />
        </Panel>
      </>
    ),
  };
}

/** The log is short, so that the page can read and count all of it. */
const Log = ({ visit, filter, from }: { visit: PageContext; filter: RequestFilter; from: number }) => {
  const log = [...visit.sandbox.requestLog.newest()];
  const about = subjectIn(visit);
  const passed = log.filter((entry) => passes(entry, filter) && (!about || changed(visit, entry, about)));
  const found = passed.slice(from, from + PAGE);
  if (found.length === 0) return <NoRequests visit={visit} total={log.length} />;
  const path = '/inspector/requests';
  const more = from + PAGE < passed.length;
  return (
    <>
      <Rows ordered of={found.map((entry) => <RequestRow visit={visit} entry={entry} choose="record" />)} />
      <Pager
        shown={`${from + 1}–${from + found.length} of ${times(passed.length, 'request')}`}
        newer={from > 0 ? visit.to(path, { ...filter }) : undefined}
        older={more ? visit.to(path, { ...filter, from: from + PAGE }) : undefined}
      />
    </>
  );
};

const NoRequests = ({ visit, total }: { visit: PageContext; total: number }) =>
  total > 0 ? (
    <NonePass title="No requests match this filter" all={visit.to('/inspector/requests')}>
      {times(total, 'request')} in the log.{' '}
    </NonePass>
  ) : (
    <Empty title="No requests yet">
      <p>Call the API and watch the line appear here. This one works as it stands:</p>
      <Command text={firstCurl(visit)} />
    </Empty>
  );

const Filters = ({ visit, filter }: { visit: PageContext; filter: RequestFilter }) => {
  const operations = [...visit.sandbox.requestLog.calls.keys()].sort();
  if (filter.operation && !operations.includes(filter.operation)) operations.push(filter.operation);
  return (
    <Filter
      visit={visit}
      path="/inspector/requests"
      narrows="log"
      label="Filter requests by text"
      placeholder="Filter by path, id, code or body"
    >
      <Choice name="method" label="Method" any="Any method" options={METHODS} value={filter.method} />
      <Choice name="status" label="Status" any="Any status" options={STATUSES} value={filter.status} />
      <Choice name="operation" label="Operation" any="Any operation" options={operations} value={filter.operation} />
      <AboutChoice visit={visit} />
    </Filter>
  );
};
