import { type Delivery, deliveryOf, nextTryOf } from '../../areas/webhooks/index.ts';
import { bodyOf } from '../../contract/domain-event.ts';
import { jsonIn } from '../../contract/json.ts';
import { commands } from '../../sandbox/commands/index.ts';
import { Act, Copy } from '../frame/act.tsx';
import { Json } from '../frame/json.tsx';
import type { PageContext } from '../frame/page-context.ts';
import {
  Badge,
  Breakable,
  count,
  Empty,
  Facts,
  Id,
  type PageParts,
  Panel,
  Resource,
  Rows,
  Time,
} from '../frame/parts.tsx';
import { Answered, HookBadge, milliseconds, RequestRow } from '../frame/rows.tsx';
import { escapeControlChars } from '../frame/text.ts';
import { replay, SignatureCard, signed } from './signature.tsx';

type Attempt = Delivery['attempts'][number];

interface Shown {
  visit: PageContext;
  hook: Delivery;
}

/** Shows one event: its body, its attempts, the responses, and whether the signature is valid. */
export function webhook(visit: PageContext, [id = '']: readonly string[]): PageParts {
  const hook = deliveryOf(visit.world, id);
  const body = bodyOf(visit.world.profile, hook);
  const signature = signed(visit, body);
  const redeliver = visit.call(commands.webhooks.redeliver, { id: hook.id });
  const curl = replay(visit, body, signature.header, visit.ask(commands.webhooks.endpoint, {}).url);
  return {
    title: escapeControlChars(hook.type),
    up: { href: visit.to('/inspector/webhooks'), label: 'Webhooks' },
    heading: (
      <span class="path">
        <Breakable text={hook.type} />
      </span>
    ),
    lead: (
      <>
        about <Resource visit={visit} id={hook.subject} /> · <Time visit={visit} at={hook.timestamp} /> ·{' '}
        <code>{escapeControlChars(hook.id)}</code>
      </>
    ),
    tools: (
      <>
        <Copy text={curl} label="Copy as a signed curl call to the receiver" show="Copy as curl" mark="curl" />
        <Act main call={redeliver} does="Redeliver" />
      </>
    ),
    call: redeliver,
    body: (
      <div class="columns">
        <div>
          <Tries visit={visit} hook={hook} />
          <Panel id="payload" title="Body">
            <Json visit={visit} value={jsonIn(body)} label="Webhook body" />
          </Panel>
        </div>
        <div class="aside">
          <State visit={visit} hook={hook} />
          <SignatureCard visit={visit} of={signature} />
          <Cause visit={visit} id={id} />
        </div>
      </div>
    ),
  };
}

const Tries = ({ visit, hook }: Shown) => {
  const { attempts } = hook;
  const newest = [...attempts].reverse().slice(0, 200);
  return (
    <Panel id="attempts" title="Delivery attempts" live="delivery fact clock reset" flush>
      {newest.length > 0 ? (
        <ol class="rows">
          {newest.map((attempt, i) => (
            <Try visit={visit} attempt={attempt} n={attempts.length - i} />
          ))}
        </ol>
      ) : (
        <Empty title={hook.state === 'UNSENT' ? 'Not sent' : 'No attempts yet'}>
          <p>{waiting(hook)}</p>
        </Empty>
      )}
    </Panel>
  );
};

function waiting({ state, unsentReason }: Delivery): string {
  if (unsentReason !== undefined) return escapeControlChars(unsentReason);
  if (state === 'UNSENT') return 'There was no endpoint when it happened. Set one and redeliver it.';
  return state === 'WAITING' ? 'It waits behind an earlier event of the same resource.' : 'It is queued.';
}

const State = ({ visit, hook }: Shown) => {
  const endpoint = visit.ask(commands.webhooks.endpoint, {}).url;
  return (
    <Panel id="state" title="Delivery" live="delivery fact clock reset">
      <Facts
        rows={[
          ['State', <HookBadge visit={visit} hook={hook} />],
          ['Last response', hook.attempts.length > 0 ? <Answered status={hook.attempts.at(-1)?.status} /> : undefined],
          ['Attempts', count(hook.attempts.length)],
          ...(hook.decision === undefined ? [] : [['Decided', escapeControlChars(hook.decision)] as [string, string]]),
          ['Next', <Next visit={visit} id={hook.id} />],
          [
            'To',
            endpoint ? (
              <code>{escapeControlChars(endpoint)}</code>
            ) : (
              <a href={visit.to('/inspector/webhooks')}>no endpoint set</a>
            ),
          ],
        ]}
      />
    </Panel>
  );
};

const Try = ({ visit, attempt, n }: { visit: PageContext; attempt: Attempt; n: number }) => (
  <li class="row try">
    <b class="try-n">{n}</b>
    <Answered status={attempt.status} />
    <span class="try-how">
      {attempt.byHand ? <Badge of="by hand" /> : null}
      {attempt.duplicate ? <Badge of="duplicate" tone="warn" /> : null}
    </span>
    <span class="ms">{milliseconds(attempt.ms)}</span>
    <Time visit={visit} at={attempt.at} />
    {attempt.error || attempt.fault || attempt.body ? (
      <div class="try-said">
        {attempt.fault ? <p class="fault-said">fault: {escapeControlChars(attempt.fault)}</p> : null}
        {attempt.error ? <p>{escapeControlChars(attempt.error)}</p> : null}
        {attempt.body ? <pre tabindex={0}>{escapeControlChars(attempt.body)}</pre> : null}
      </div>
    ) : null}
  </li>
);

/** The time of the next attempt. */
const Next = ({ visit, id }: { visit: PageContext; id: string }) => {
  const job = nextTryOf(visit.world, id);
  if (!job) return <span class="none">no automatic retry</span>;
  return (
    <>
      {job.dueAt === null ? 'when you resume: delivery is paused' : <Time visit={visit} at={job.dueAt} />}{' '}
      <Id visit={visit} id={job.id} />
    </>
  );
};

/** The call that caused it. */
const Cause = ({ visit, id }: { visit: PageContext; id: string }) => {
  for (const entry of visit.sandbox.requestLog.newest()) {
    if (entry.undone || !entry.caused?.events.includes(id)) continue;
    return (
      <Panel id="cause" title="Caused by" flush>
        <Rows compact of={[<RequestRow visit={visit} entry={entry} />]} />
      </Panel>
    );
  }
  return null;
};
