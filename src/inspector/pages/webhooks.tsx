import { platformOf } from '../../areas/platform/index.ts';
import { DELIVERIES, type Delivery, heldDeliveries, isPaused } from '../../areas/webhooks/index.ts';
import { CallForm, Choice, Field, Filter } from '../form.tsx';
import { Act, Badge, Command, count, Empty, Head, Hint, type PageParts, Pager, Panel, times } from '../parts.tsx';
import { HookRow } from '../rows.tsx';
import { plain } from '../text.ts';
import type { Visit } from '../visit.ts';
import { firstCurl } from './overview.tsx';

const PAGE = 50;
const STATES = ['DELIVERED', 'PENDING', 'WAITING', 'ABANDONED', 'UNSENT'];

/** Every event with what became of its delivery, newest first. */
export function webhooks(visit: Visit): PageParts {
  const { world } = visit;
  const state = visit.query('state');
  const q = visit.query('q')?.toLowerCase();
  const cursor = visit.query('cursor');
  const passes = (d: Delivery) =>
    (state === undefined || d.state === state) &&
    (q === undefined || `${d.id} ${d.type} ${d.subject}`.toLowerCase().includes(q));
  const filter = state === undefined && q === undefined ? undefined : passes;
  const page = world.rows(DELIVERIES).page({ filter, limit: PAGE, cursor });
  const endpoint = platformOf(world).webhookEndpoint;
  const params = { state, q };
  return {
    title: 'Webhooks',
    menu: 'webhooks',
    body: (
      <>
        <Head
          title="Webhooks"
          lead="Every event, signed and sent in the order of its resource, with every try. Failed ones are tried again for 7 virtual days."
        />
        <div class="columns even">
          <Panel id="endpoint" title="Endpoint" live="reset">
            {endpoint ? null : <p class="none">Events are kept, and sent to nobody, until there is an endpoint.</p>}
            <noscript>
              <p>
                <code>{endpoint ? plain(endpoint) : 'none'}</code>
              </p>
            </noscript>
            <CallForm
              visit={visit}
              method="PUT"
              path="/webhooks/endpoint"
              body={{ url: endpoint ?? null }}
              label="Webhook endpoint"
            >
              <Field
                label="Where webhooks go"
                name="url"
                type="url"
                value={endpoint}
                empty="null"
                placeholder="http://127.0.0.1:3000/hooks"
                grow
              />
              <button type="submit" class="button main">
                Save
              </button>
            </CallForm>
          </Panel>
          <Panel id="flow" title="Flow" live="delivery fact clock reset">
            <Flow visit={visit} />
          </Panel>
        </div>
        <Filter
          visit={visit}
          path="/inspector/webhooks"
          narrows="hooks"
          label="Filter webhooks by type or id"
          placeholder="Filter by type, resource or id"
          q={visit.query('q')}
        >
          <Choice name="state" label="State" any="Any state" options={STATES} value={state} />
        </Filter>
        <Panel id="hooks" live={cursor === undefined ? 'delivery fact reset' : ''} flush>
          {page.data.length > 0 ? (
            <>
              <ol class="rows" data-rows>
                {page.data.map((hook) => (
                  <HookRow visit={visit} hook={hook} />
                ))}
              </ol>
              <Pager
                shown={times(page.totalCount, 'event')}
                newer={cursor === undefined ? undefined : visit.to('/inspector/webhooks', params)}
                older={
                  page.nextCursor ? visit.to('/inspector/webhooks', { ...params, cursor: page.nextCursor }) : undefined
                }
              />
            </>
          ) : filter ? (
            <Empty title="No event passes this filter">
              <p>
                <a href={visit.to('/inspector/webhooks')}>Show all of them</a>
              </p>
            </Empty>
          ) : (
            <Empty title="No events yet">
              <p>
                Change something that the service tells about. A new customer is decided on at once, and that is an
                event:
              </p>
              <Command text={firstCurl(visit)} />
              <p>
                No receiver at hand? <code>npx sandbox-emulator listen</code> verifies and prints what comes.
              </p>
            </Empty>
          )}
        </Panel>
        <Hint visit={visit} call={{ method: 'GET', path: '/webhooks' }} />
      </>
    ),
  };
}

/** Whether deliveries go by themselves, and the buttons that change it. */
const Flow = ({ visit }: { visit: Visit }) => {
  const paused = isPaused(visit.world);
  const held = heldDeliveries(visit.world).length;
  return (
    <>
      <p>
        <Badge of={paused ? 'held' : 'ACTIVE'} />{' '}
        {paused
          ? `${count(held)} ${held === 1 ? 'delivery waits' : 'deliveries wait'} for you.`
          : 'Deliveries go by themselves.'}
      </p>
      <div class="buttons gap">
        {paused ? (
          <>
            <Act visit={visit} main call={{ method: 'POST', path: '/webhooks/step' }}>
              Step: send the oldest
            </Act>
            <Act visit={visit} call={{ method: 'POST', path: '/webhooks/resume' }}>
              Resume
            </Act>
          </>
        ) : (
          <Act visit={visit} call={{ method: 'POST', path: '/webhooks/pause' }}>
            Pause
          </Act>
        )}
      </div>
      <Hint visit={visit} call={{ method: 'POST', path: paused ? '/webhooks/step' : '/webhooks/pause' }} />
    </>
  );
};
