import { commands } from '../../sandbox/commands/index.ts';
import { Command } from '../act.tsx';
import { atMost } from '../bounded.ts';
import { ClockButtons } from '../clock-buttons.tsx';
import { Connect, firstCurl } from '../connect.tsx';
import { type Standing, standingsOf } from '../hooks.ts';
import { RESOURCES, sizesOf } from '../kinds.ts';
import type { PageContext } from '../page-context.ts';
import { Counts, count, Empty, type PageParts, Panel, Rows, times } from '../parts.tsx';
import { RequestRow } from '../rows.tsx';
import { escapeControlChars } from '../text.ts';

/** Calls that the first page shows. */
const RECENT = 12;

/** The first page: what just happened, what it caused, and what can be done about it. */
export const overview = (visit: PageContext): PageParts => ({
  title: 'Overview',
  lead: escapeControlChars(visit.sandbox.scenario.title ?? 'A sandbox of your own, on your own machine'),
  body: (
    <>
      <div class="columns">
        <div>
          <Recent visit={visit} />
        </div>
        <Aside visit={visit} />
      </div>
      <p class="fine">
        Up {uptime(visit.host.uptimeMs)} · {visit.world.profile.name === 'grid' ? 'profile grid' : 'profile spec'} ·{' '}
        {times(visit.host.count, 'sandbox', 'sandboxes')} in this process
      </p>
    </>
  ),
});

const Recent = ({ visit }: { visit: PageContext }) => {
  const recent = [...atMost(visit.sandbox.requestLog.newest(), RECENT)];
  return (
    <Panel
      id="recent"
      title="Latest requests"
      live="request delivery fact reset faults"
      flush
      tools={<a href={visit.to('/inspector/requests')}>All requests</a>}
    >
      {recent.length === 0 ? (
        <Empty title="Nothing has called this sandbox yet">
          <p>Paste this into a terminal. The customer, the call and the webhook it causes appear here at once.</p>
          <Command text={firstCurl(visit)} />
          <Furnished visit={visit} />
        </Empty>
      ) : (
        <Rows ordered rich of={recent.map((entry) => <RequestRow visit={visit} entry={entry} rich />)} />
      )}
    </Panel>
  );
};

/** What is beside the requests: a part of the page, what changes it, and where there is more of it. */
const CARDS = [
  { id: 'clock-card', title: 'Clock', live: 'clock reset', path: '/inspector/clock', more: 'More', Card: ClockButtons },
  {
    id: 'hooks-card',
    title: 'Webhooks',
    live: 'delivery fact clock reset',
    path: '/inspector/webhooks',
    more: 'All',
    Card: Health,
  },
  { id: 'counts', title: 'State', live: 'request fact reset', path: '/inspector/state', more: 'All', Card: Sizes },
];

const Aside = ({ visit }: { visit: PageContext }) => (
  <div class="aside">
    {CARDS.map(({ id, title, live, path, more, Card }) => (
      <Panel id={id} title={title} live={live} tools={<a href={visit.to(path)}>{more}</a>}>
        <Card visit={visit} />
      </Panel>
    ))}
    <Panel id="connect" title="Connect">
      <Connect visit={visit} />
    </Panel>
  </div>
);

/** A sandbox that began with customers, from a scenario or as a fork, is worth a look before anything was called. */
const Furnished = ({ visit }: { visit: PageContext }) => {
  const sizes = sizesOf(visit);
  const [customers, payments] = [sizes.get('customers'), sizes.get('transactions')];
  if (!customers) return null;
  return (
    <p class="gap">
      It holds <a href={visit.to('/inspector/state/customers')}>{times(customers, 'customer')}</a>
      {payments ? (
        <>
          {' '}
          and <a href={visit.to('/inspector/state/transactions')}>{times(payments, 'payment')}</a>
        </>
      ) : null}{' '}
      already.
    </p>
  );
};

const uptime = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000);
  return minutes < 1 ? 'for less than a minute' : minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
};

/** How deliveries fare: of those remembered. */
function Health({ visit }: { visit: PageContext }) {
  const by = standingsOf(visit);
  const { url: endpoint, unsent } = visit.ask(commands.webhooks.endpoint, {});
  const of = (...standings: Standing[]) => standings.reduce((sum, one) => sum + (by.get(one) ?? 0), 0);
  return (
    <>
      <div class="tiles">
        <Tile n={of('DELIVERED')} label="delivered" tone="good" />
        <Tile n={of('PENDING', 'WAITING')} label="on the way" tone="warn" />
        <Tile n={of('RETRYING')} label="retrying" tone="bad" />
        <Tile n={of('ABANDONED')} label="given up" tone="bad" />
        <Tile n={of('UNSENT')} label="not sent" tone="plain" />
      </div>
      <p class="target">
        {endpoint ? (
          <>
            to <code>{escapeControlChars(endpoint)}</code>
            {unsent === undefined ? null : <>; nothing is sent there: {escapeControlChars(unsent)}</>}
          </>
        ) : (
          <>
            No endpoint is set. <a href={visit.to('/inspector/webhooks')}>Set one</a>, and every event is signed and
            sent.
          </>
        )}
      </p>
    </>
  );
}

const Tile = ({ n, label, tone }: { n: number; label: string; tone: string }) => (
  <div class={`tile ${n > 0 ? tone : 'none'}`}>
    <b>{count(n)}</b>
    <span>{label}</span>
  </div>
);

function Sizes({ visit }: { visit: PageContext }) {
  const sizes = sizesOf(visit);
  const main = RESOURCES.filter((kind) => kind.main);
  return (
    <Counts of={main.map(({ name, many }) => [visit.to(`/inspector/state/${name}`), many, sizes.get(name) ?? 0])} />
  );
}
