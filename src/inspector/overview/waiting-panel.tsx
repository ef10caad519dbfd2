import type { Child } from 'hono/jsx';
import { CUSTOMERS } from '../../areas/customers/index.ts';
import { TRANSACTIONS } from '../../areas/transactions/index.ts';
import type { Row } from '../../engine/table.ts';
import { nameOf } from '../frame/kinds.ts';
import { href } from '../frame/links.ts';
import type { PageContext } from '../frame/page-context.ts';
import { count, Panel, Time, times } from '../frame/parts.tsx';
import { escapeControlChars, shortId } from '../frame/text.ts';
import { partiesOf } from './payments.tsx';
import { type Waiter, type Waiting, waitingIn } from './waiting.ts';

/** Everything that is waiting, and why. */
export const WaitingPanel = ({ visit }: { visit: PageContext }) => {
  const waiting = waitingIn(visit);
  const { payments, customers, held, broken } = waiting;
  return (
    <Panel id="waiting" title="Waiting">
      {payments.total + customers.total + held + broken === 0 ? (
        <p class="none">Nothing is pending.</p>
      ) : (
        <ul class="waits">
          <Payments visit={visit} payments={payments} />
          <Customers visit={visit} customers={customers} />
          <Jobs visit={visit} waiting={waiting} />
        </ul>
      )}
    </Panel>
  );
};

const Wait = (p: { tone: 'warn' | 'bad'; title: Child; children?: Child }) => (
  <li>
    <p>
      <span class={`dot ${p.tone}`} aria-hidden="true" /> {p.title}
    </p>
    {p.children}
  </li>
);

const Examples = <R extends Row>(p: {
  visit: PageContext;
  of: readonly Waiter<R>[];
  more: number;
  name: (row: R) => string;
}) => (
  <ul>
    {p.of.map(({ row, why, at }) => (
      <li>
        <a href={href(p.visit, row.id)} data-key={`waits ${row.id}`}>
          {p.name(row)}
        </a>{' '}
        {why}
        {at === undefined ? null : (
          <>
            {' '}
            at <Time visit={p.visit} at={at} />
          </>
        )}
      </li>
    ))}
    {p.more > 0 ? <li>{`and ${count(p.more)} more`}</li> : null}
  </ul>
);

const Payments = ({ visit, payments: { total, of } }: { visit: PageContext; payments: Waiting['payments'] }) => {
  if (total === 0) return null;
  const name = (row: (typeof of)[number]['row']) => {
    const [from, to] = partiesOf(visit, row);
    const who = row.type === 'INCOMING' ? `for ${to}` : `of ${from}`;
    return `${nameOf(visit, { kind: TRANSACTIONS, row }) ?? shortId(row.id)} ${escapeControlChars(who)}`;
  };
  return (
    <Wait
      tone="warn"
      title={
        <a href={visit.to('/inspector/state/transactions', { q: 'ING' })}>{times(total, 'payment')} in progress</a>
      }
    >
      <Examples visit={visit} of={of} more={total - of.length} name={name} />
    </Wait>
  );
};

const Customers = ({ visit, customers }: { visit: PageContext; customers: Waiting['customers'] }) => {
  const { total, more, of } = customers;
  if (total === 0) return null;
  return (
    <Wait
      tone="warn"
      title={
        <a href={visit.to('/inspector/state/customers', { q: 'PENDING' })}>
          {times(total, 'customer')}
          {more ? ' of the newest 2,000' : ''} undecided
        </a>
      }
    >
      <Examples
        visit={visit}
        of={of}
        more={total - of.length}
        name={(row) => escapeControlChars(nameOf(visit, { kind: CUSTOMERS, row }) ?? shortId(row.id))}
      />
    </Wait>
  );
};

const Jobs = ({ visit, waiting: { held, broken, moreJobs } }: { visit: PageContext; waiting: Waiting }) => {
  const of = moreJobs ? ' of the first 2,000' : '';
  return (
    <>
      {held > 0 ? (
        <Wait
          tone="warn"
          title={
            <a
              href={visit.to('/inspector/jobs')}
            >{`${times(held, 'job')}${of} on hold until you run ${held === 1 ? 'it' : 'them'}`}</a>
          }
        />
      ) : null}
      {broken > 0 ? (
        <Wait tone="bad" title={<a href={visit.to('/inspector/jobs')}>{`${times(broken, 'job')}${of} broke`}</a>} />
      ) : null}
    </>
  );
};
