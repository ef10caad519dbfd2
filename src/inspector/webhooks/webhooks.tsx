import { DELIVERIES, type Delivery, isPaused } from '../../areas/webhooks/index.ts';
import { commands } from '../../sandbox/commands/index.ts';
import { Act, Command, Hint } from '../frame/act.tsx';
import { chosen } from '../frame/bounded.ts';
import { CallForm, Choice, Field, Filter, Pick, Submit } from '../frame/form.tsx';
import type { PageContext } from '../frame/page-context.ts';
import { Badge, count, Empty, NonePass, type PageParts, Pager, Panel, Rows, times } from '../frame/parts.tsx';
import { HookRow } from '../frame/rows.tsx';
import { escapeControlChars } from '../frame/text.ts';
import { firstCurl } from '../reference/connect.tsx';
import { placeOf } from '../requests/request-filter.ts';
import { type Subject, subjectIn, tellsOf } from '../story/about.ts';
import { AboutChoice } from '../story/about-choice.tsx';
import { heldOf, STANDINGS, standingOf } from './hooks.ts';

const PATH = '/inspector/webhooks';
const PAGE = 50;
const STATES = Object.entries(STANDINGS).map(([standing, { words }]) => [standing, words] as const);

/** Lists every event with the state of its delivery, newest first. */
export async function webhooks(visit: PageContext): Promise<PageParts> {
  const list = listOf(visit);
  const { data: types } = await visit.ask(commands.operations.events, {});
  return {
    title: 'Webhooks',
    lead: 'Every event, signed and delivered in order for each resource, with its delivery attempts. Failed deliveries are retried for 7 virtual days.',
    call: visit.call(commands.webhooks.list),
    body: (
      <>
        <div class="columns even">
          <Endpoint visit={visit} />
          <Panel id="flow" title="Sending" live="delivery fact clock reset">
            <Flow visit={visit} />
          </Panel>
        </div>
        <Panel id="send-one" title="Send an event">
          <SendOne visit={visit} types={types.map(({ type }) => type)} />
        </Panel>
        <Filter
          visit={visit}
          path={PATH}
          narrows="hooks"
          label="Filter webhooks by type or id"
          placeholder="Filter by type, resource or id"
        >
          <Choice name="state" label="State" any="Any state" options={STATES} value={visit.query('state')} />
          <AboutChoice visit={visit} />
        </Filter>
        <Panel id="hooks" live={list.newer === undefined ? 'delivery fact reset' : ''} flush>
          <Hooks visit={visit} list={list} />
        </Panel>
      </>
    ),
  };
}

interface List {
  readonly hooks: readonly Delivery[];
  readonly shown: string;
  readonly newer?: string | undefined;
  readonly older?: string | undefined;
}

/** Returns a page of all events, or of those that pass a filter. */
function listOf(visit: PageContext): List {
  const [state, q] = [visit.query('state'), visit.query('q')?.toLowerCase()];
  const about = subjectIn(visit);
  if (state !== undefined || q !== undefined || about) return filtered(visit, state, q, about);
  const cursor = visit.query('cursor');
  const page = visit.world.rows(DELIVERIES).page({ limit: PAGE, cursor });
  return {
    hooks: page.data,
    shown: times(page.totalCount, 'event'),
    newer: cursor === undefined ? undefined : visit.to(PATH),
    older: page.nextCursor && visit.to(PATH, { cursor: page.nextCursor }),
  };
}

function filtered(
  visit: PageContext,
  state: string | undefined,
  q: string | undefined,
  about: Subject | undefined,
): List {
  const passes = (d: Delivery) =>
    (state === undefined || standingOf(d) === state) &&
    (!about || tellsOf(d, about)) &&
    (q === undefined ||
      `${escapeControlChars(d.id)} ${escapeControlChars(d.type)} ${escapeControlChars(d.subject)}`
        .toLowerCase()
        .includes(q));
  const from = placeOf(visit);
  const here = { state, q, about: about?.found.row.id };
  const found = chosen(visit.world.rows(DELIVERIES).newest(), passes, Number.POSITIVE_INFINITY);
  return {
    hooks: found.slice(from, from + PAGE),
    shown: times(found.length, 'event'),
    newer: from === 0 ? undefined : visit.to(PATH, here),
    older: from + PAGE < found.length ? visit.to(PATH, { ...here, from: from + PAGE }) : undefined,
  };
}

const Endpoint = ({ visit }: { visit: PageContext }) => {
  const { url: endpoint, unsent } = visit.ask(commands.webhooks.endpoint, {});
  return (
    <Panel id="endpoint" title="Endpoint" live="reset">
      {endpoint ? null : <p class="none">Events are stored but not sent until you set an endpoint.</p>}
      {unsent === undefined ? null : (
        <p class="none">Events are kept, and nothing is sent: {escapeControlChars(unsent)}</p>
      )}
      <noscript>
        <p>
          <code>{endpoint ? escapeControlChars(endpoint) : 'none'}</code>
        </p>
      </noscript>
      <CallForm call={visit.call(commands.webhooks.setEndpoint, { url: endpoint })} label="Webhook endpoint">
        <Field
          label="Endpoint URL"
          name="url"
          type="url"
          value={endpoint === null ? undefined : escapeControlChars(endpoint)}
          empty="null"
          required={endpoint === null}
          placeholder="http://127.0.0.1:3000/hooks"
          grow
        />
        <Submit label="Save" main />
      </CallForm>
    </Panel>
  );
};

/** A form that sends any event for real: it makes the calls that lead to it, by the usual rules (W19). */
const SendOne = ({ visit, types }: { visit: PageContext; types: readonly string[] }) => (
  <>
    <p class="none">
      Makes the calls that lead to the event, and sends it to the endpoint, signed. A held clock advances to the jobs on
      the way.
    </p>
    <noscript>
      <p>
        <code>
          npx sandbox-emulator trigger {types[0]} --url {visit.origin}
        </code>{' '}
        does the same.
      </p>
    </noscript>
    <CallForm call={visit.call(commands.operations.trigger, { event: types[0] ?? '' })} label="Send an event">
      <Pick label="Event" name="event" options={types.map((type) => [type, type] as const)} />
      <Submit label="Send" main />
    </CallForm>
  </>
);

const Hooks = ({ visit, list: { hooks, ...pager } }: { visit: PageContext; list: List }) => {
  if (hooks.length === 0) return <NoHooks visit={visit} />;
  return (
    <>
      <Rows ordered of={hooks.map((hook) => <HookRow visit={visit} hook={hook} />)} />
      <Pager {...pager} />
    </>
  );
};

const NoHooks = ({ visit }: { visit: PageContext }) =>
  visit.query('state') || visit.query('q') || visit.query('about') ? (
    <NonePass title="No events match this filter" all={visit.to(PATH)} />
  ) : (
    <Empty title="No events yet">
      <p>Do something that emits an event. A new customer, for example, is approved at once:</p>
      <Command text={firstCurl(visit)} />
      <p>
        No receiver at hand? <code>npx sandbox-emulator listen --register --url {visit.origin}</code> verifies and
        prints each webhook.
      </p>
    </Empty>
  );

/** The state of deliveries, paused or not, and the buttons that change it. */
const Flow = ({ visit }: { visit: PageContext }) => {
  const paused = isPaused(visit.world);
  const held = paused ? heldOf(visit) : 0;
  return (
    <>
      <p>
        <Badge of={paused ? 'held' : 'ACTIVE'} />{' '}
        {paused
          ? `${held === undefined ? 'Many' : count(held)} ${held === 1 ? 'delivery waits' : 'deliveries wait'} for you.`
          : 'Events are sent automatically.'}
      </p>
      <div class="buttons gap">
        {paused ? (
          <>
            <Act main call={visit.call(commands.webhooks.step)} does="Step: send the oldest" />
            <Act call={visit.call(commands.webhooks.resume)} does="Resume" />
          </>
        ) : (
          <Act call={visit.call(commands.webhooks.pause)} does="Pause" />
        )}
      </div>
      {paused ? (
        <Hint call={visit.call(commands.webhooks.step)} of="Step: send the oldest" />
      ) : (
        <Hint call={visit.call(commands.webhooks.pause)} />
      )}
    </>
  );
};
