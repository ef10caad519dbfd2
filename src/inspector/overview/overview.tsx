import type { Child } from 'hono/jsx';
import { inSlices } from '../../engine/slices.ts';
import { ClockButtons } from '../control/clock-buttons.tsx';
import { Command } from '../frame/act.tsx';
import { atMost } from '../frame/bounded.ts';
import { RESOURCES, sizesOf } from '../frame/kinds.ts';
import type { PageContext } from '../frame/page-context.ts';
import { Counts, Empty, type PageParts, Panel, Rows, times } from '../frame/parts.tsx';
import { RequestRow } from '../frame/rows.tsx';
import { escapeControlChars } from '../frame/text.ts';
import { Connect, firstCurl } from '../reference/connect.tsx';
import { type Balances, BalancesPanel, heldBy } from './balances.tsx';
import { FirstSteps } from './first-steps.tsx';
import { HookHealth } from './hook-health.tsx';
import { PaymentsPanel } from './payments.tsx';
import { volumesOf } from './volume.ts';
import { VolumePanel } from './volume-chart.tsx';
import { WaitingPanel } from './waiting-panel.tsx';

/** The most calls that the first page shows. */
const RECENT = 12;

/** Shows the first page: recent movements, what is waiting and why, the latest events, and possible actions. */
export const overview = async (visit: PageContext): Promise<PageParts> => ({
  title: 'Overview',
  lead: escapeControlChars(visit.sandbox.scenario.title ?? 'A sandbox of your own, on your own machine'),
  body: (
    <>
      <Part id="moved">
        <VolumePanel visit={visit} volumes={await inSlices(volumesOf(visit))} />
      </Part>
      <div class="columns">
        <div>
          <Part id="latest">
            <FirstSteps visit={visit} />
            <PaymentsPanel visit={visit} />
          </Part>
          <Recent visit={visit} />
        </div>
        <Aside visit={visit} held={await heldBy(visit)} />
      </div>
      <p class="fine">
        Up {uptime(visit.host.uptimeMs)} · {visit.world.profile.name === 'grid' ? 'profile grid' : 'profile spec'} ·{' '}
        {times(visit.host.count, 'sandbox', 'sandboxes')} in this process
      </p>
    </>
  ),
});

/** A panel that appears with its first payment, and stays up to date. */
const Part = (p: { id: string; children: Child }) => (
  <div id={p.id} class="part" data-live="request fact delivery clock reset">
    {p.children}
  </div>
);

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
        <Empty title="No requests yet">
          <p>Paste this into a terminal. The request, the customer and the webhook appear here at once.</p>
          <Command text={firstCurl(visit)} />
        </Empty>
      ) : (
        <Rows ordered rich of={recent.map((entry) => <RequestRow visit={visit} entry={entry} rich />)} />
      )}
    </Panel>
  );
};

/** A panel beside the requests: its part of the page, the changes that reload it, and the page with more. */
const CARDS = [
  {
    id: 'hooks-card',
    title: 'Webhooks',
    live: 'delivery fact clock reset',
    path: '/inspector/webhooks',
    more: 'All',
    Card: HookHealth,
  },
  { id: 'clock-card', title: 'Clock', live: 'clock reset', path: '/inspector/clock', more: 'More', Card: ClockButtons },
  { id: 'counts', title: 'State', live: 'request fact reset', path: '/inspector/state', more: 'All', Card: Sizes },
];

const Aside = ({ visit, held }: { visit: PageContext; held: Balances }) => (
  <div class="aside">
    <Part id="waits">
      <WaitingPanel visit={visit} />
    </Part>
    <Part id="holdings">
      <BalancesPanel visit={visit} held={held} />
    </Part>
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

const uptime = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000);
  return minutes < 1 ? 'for less than a minute' : minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
};

function Sizes({ visit }: { visit: PageContext }) {
  const sizes = sizesOf(visit);
  const main = RESOURCES.filter((kind) => kind.main);
  return (
    <Counts of={main.map(({ name, many }) => [visit.to(`/inspector/state/${name}`), many, sizes.get(name) ?? 0])} />
  );
}
