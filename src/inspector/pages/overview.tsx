import { platformOf } from '../../areas/platform/index.ts';
import { DELIVERIES } from '../../areas/webhooks/index.ts';
import type { Entry } from '../../host/journal.ts';
import { ClockButtons } from '../clock-buttons.tsx';
import { KINDS, kindOf, rowsOf } from '../kinds.ts';
import { Command, Copy, count, Empty, Facts, Head, type PageParts, Panel, times } from '../parts.tsx';
import { RequestRow } from '../rows.tsx';
import { plain } from '../text.ts';
import type { Visit } from '../visit.ts';

/** Calls that the first page shows. */
const RECENT = 12;

/** The first page: what just happened, what it caused, and what can be done about it. */
export function overview(visit: Visit): PageParts {
  const { sandbox, world } = visit;
  const recent: Entry[] = [];
  for (const entry of sandbox.journal.newest()) {
    if (recent.length === RECENT) break;
    recent.push(entry);
  }
  return {
    title: 'Overview',
    menu: 'overview',
    body: (
      <>
        <Head title="Overview" lead={plain(sandbox.scenario.title ?? 'A sandbox of your own, on your own machine')} />
        <div class="columns">
          <div>
            <Panel
              id="recent"
              title="Latest requests"
              live="request delivery fact reset faults"
              flush
              tools={<a href={visit.to('/inspector/requests')}>All requests</a>}
            >
              {recent.length === 0 ? (
                <Empty title="Nothing has called this sandbox yet">
                  <p>
                    Paste this into a terminal. The customer, the call and the webhook it causes appear here at once.
                  </p>
                  <Command text={firstCurl(visit)} />
                  <Furnished visit={visit} />
                </Empty>
              ) : (
                <ol class="rows rich" data-rows>
                  {recent.map((entry) => (
                    <RequestRow visit={visit} entry={entry} rich />
                  ))}
                </ol>
              )}
            </Panel>
          </div>
          <div class="aside">
            <Panel
              id="clock-card"
              title="Clock"
              live="clock reset"
              tools={<a href={visit.to('/inspector/clock')}>More</a>}
            >
              <ClockButtons visit={visit} />
            </Panel>
            <Panel
              id="hooks-card"
              title="Webhooks"
              live="delivery fact clock reset"
              tools={<a href={visit.to('/inspector/webhooks')}>All</a>}
            >
              <Health visit={visit} />
            </Panel>
            <Panel
              id="counts"
              title="State"
              live="request fact reset"
              tools={<a href={visit.to('/inspector/state')}>All</a>}
            >
              <Counts visit={visit} />
            </Panel>
            <Panel id="connect" title="Connect">
              <Connect visit={visit} />
            </Panel>
          </div>
        </div>
        <p class="fine">
          Up {uptime(visit.host.uptimeMs)} · {world.profile.name === 'grid' ? 'profile grid' : 'profile spec'} ·{' '}
          {times(visit.host.count, 'sandbox', 'sandboxes')} in this process
        </p>
      </>
    ),
  };
}

/** A scenario that brought customers is worth a look before anything was called. */
const Furnished = ({ visit }: { visit: Visit }) => {
  const [customers, payments] = ['customers', 'transactions'].map((name) => rowsOf(visit, kindOf(name))?.size ?? 0);
  if (!customers) return null;
  return (
    <p class="gap">
      The scenario brought <a href={visit.to('/inspector/state/customers')}>{times(customers, 'customer')}</a>
      {payments ? (
        <>
          {' '}
          and <a href={visit.to('/inspector/state/transactions')}>{times(payments, 'payment')}</a>
        </>
      ) : null}{' '}
      with it.
    </p>
  );
};

const uptime = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000);
  return minutes < 1 ? 'for less than a minute' : minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
};

/** Basic credentials of the sandbox as curl takes them. */
export const loginOf = ({ sandbox }: Visit): string => {
  const [credential] = sandbox.credentials;
  return `${credential?.tokenId ?? sandbox.id}:${credential?.secret ?? 'anything'}`;
};

export const firstCurl = (visit: Visit): string =>
  `curl -s -u ${loginOf(visit)} ${visit.origin}${visit.host.basePath}/customers \\\n` +
  `  -H 'content-type: application/json' \\\n` +
  `  -d '{"customerType":"INDIVIDUAL","fullName":"Alice Doe","birthDate":"1990-01-02"}'`;

/** How deliveries fare: of those remembered. */
const Health = ({ visit }: { visit: Visit }) => {
  const { world } = visit;
  const deliveries = world.rows(DELIVERIES);
  const by = new Map<string, number>();
  for (const { state } of deliveries.rows()) by.set(state, (by.get(state) ?? 0) + 1);
  const endpoint = platformOf(world).webhookEndpoint;
  const of = (...states: string[]) => states.reduce((sum, state) => sum + (by.get(state) ?? 0), 0);
  return (
    <>
      <div class="tiles">
        <Tile n={of('DELIVERED')} label="delivered" tone="good" />
        <Tile n={of('PENDING', 'WAITING')} label="on the way" tone="warn" />
        <Tile n={of('ABANDONED')} label="given up" tone="bad" />
        <Tile n={of('UNSENT')} label="not sent" tone="plain" />
      </div>
      <p class="target">
        {endpoint ? (
          <>
            to <code>{plain(endpoint)}</code>
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
};

const Tile = ({ n, label, tone }: { n: number; label: string; tone: string }) => (
  <div class={`tile ${n > 0 ? tone : 'none'}`}>
    <b>{count(n)}</b>
    <span>{label}</span>
  </div>
);

const Counts = ({ visit }: { visit: Visit }) => {
  const rows = KINDS.slice(0, 5).map((kind) => ({ kind, size: rowsOf(visit, kind)?.size ?? 0 }));
  return (
    <ul class="counts">
      {rows.map(({ kind, size }) => (
        <li>
          <a href={visit.to(`/inspector/state/${kind.table}`)}>{kind.title}</a>
          <span>{count(size)}</span>
        </li>
      ))}
    </ul>
  );
};

const Connect = ({ visit }: { visit: Visit }) => {
  const [credential] = visit.sandbox.credentials;
  const base = `${visit.origin}${visit.host.basePath}`;
  return (
    <>
      <Facts
        rows={[
          ['Base URL', <Value text={base} what="the base URL" />],
          ['User', <Value text={credential?.tokenId ?? visit.sandbox.id} what="the user" />],
          ['Password', credential?.secret ? <Value text={credential.secret} what="the password" /> : 'anything'],
        ]}
      />
      <details class="more-curl">
        <summary>A call to paste</summary>
        <Command text={firstCurl(visit)} />
      </details>
    </>
  );
};

const Value = ({ text, what }: { text: string; what: string }) => (
  <span class="value">
    <code>{plain(text)}</code>
    <Copy text={text} label={`Copy ${what}`} />
  </span>
);
