import type { Entry } from '../../host/journal.ts';
import { Choice, Filter } from '../form.tsx';
import { passes, type Sieve } from '../journal.ts';
import { Command, Empty, Head, Hint, type PageParts, Pager, Panel, times } from '../parts.tsx';
import { RequestRow } from '../rows.tsx';
import type { Visit } from '../visit.ts';
import { firstCurl } from './overview.tsx';

const PAGE = 50;
const STATUSES = [
  '2xx',
  '4xx',
  '5xx',
  '200',
  '201',
  '202',
  '204',
  '400',
  '401',
  '403',
  '404',
  '409',
  '429',
  '500',
  '501',
];
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** The request log, newest first, as it comes in. */
export function requests(visit: Visit): PageParts {
  const sieve: Sieve = {
    q: visit.query('q'),
    status: visit.query('status'),
    method: visit.query('method'),
    operation: visit.query('operation'),
  };
  const from = Math.max(0, Math.floor(Number(visit.query('from') ?? 0)) || 0);
  const found: Entry[] = [];
  let [passed, total] = [0, 0];
  for (const entry of visit.sandbox.journal.newest()) {
    total += 1;
    if (!passes(entry, sieve)) continue;
    if (passed >= from && found.length < PAGE) found.push(entry);
    passed += 1;
  }
  const filtered = Object.values(sieve).some((value) => value !== undefined);
  const params = { ...sieve };
  return {
    title: 'Requests',
    menu: 'requests',
    body: (
      <>
        <Head
          title="Requests"
          lead="Every call of the API with its reply, why it went so, and what it caused. The last 1,000 are remembered."
        />
        <Sieves visit={visit} sieve={sieve} />
        <Panel id="log" live={from === 0 ? 'request delivery reset' : ''} flush>
          {found.length > 0 ? (
            <>
              <ol class="rows log" data-rows>
                {found.map((entry) => (
                  <RequestRow visit={visit} entry={entry} />
                ))}
              </ol>
              <Pager
                shown={`${from + 1}–${from + found.length} of ${times(passed, 'request')}`}
                newer={from > 0 ? visit.to('/inspector/requests', params) : undefined}
                older={
                  from + PAGE < passed ? visit.to('/inspector/requests', { ...params, from: from + PAGE }) : undefined
                }
              />
            </>
          ) : filtered && total > 0 ? (
            <Empty title="No request passes this filter">
              <p>
                {times(total, 'request')} in the log. <a href={visit.to('/inspector/requests')}>Show all of them</a>
              </p>
            </Empty>
          ) : (
            <Empty title="No requests yet">
              <p>Call the API and watch the line appear here. This one works as it stands:</p>
              <Command text={firstCurl(visit)} />
            </Empty>
          )}
        </Panel>
        <Hint visit={visit} call={{ method: 'GET', path: '/requests' }} />
      </>
    ),
  };
}

const Sieves = ({ visit, sieve }: { visit: Visit; sieve: Sieve }) => {
  const operations = [...visit.sandbox.journal.calls.keys()].sort();
  if (sieve.operation && !operations.includes(sieve.operation)) operations.push(sieve.operation);
  return (
    <Filter
      visit={visit}
      path="/inspector/requests"
      narrows="log"
      label="Filter requests by text"
      placeholder="Filter by path, id, code or body"
      q={sieve.q}
    >
      <Choice name="method" label="Method" any="Any method" options={METHODS} value={sieve.method} />
      <Choice name="status" label="Status" any="Any status" options={STATUSES} value={sieve.status} />
      <Choice name="operation" label="Operation" any="Any operation" options={operations} value={sieve.operation} />
    </Filter>
  );
};
