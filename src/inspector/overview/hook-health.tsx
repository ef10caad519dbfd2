import { DELIVERIES, type Delivery, nextTryOf } from '../../areas/webhooks/index.ts';
import { commands } from '../../sandbox/commands/index.ts';
import { chosen } from '../frame/bounded.ts';
import type { PageContext } from '../frame/page-context.ts';
import { count, Time, times } from '../frame/parts.tsx';
import { Answered } from '../frame/rows.tsx';
import { escapeControlChars } from '../frame/text.ts';
import { counts, type Standing, standingOf, standingsOf } from '../webhooks/hooks.ts';

/** The most deliveries that are searched for the next attempt. */
const LOOKED_AT = 2000;

/** The results of the deliveries on record: in numbers, and the worst in words. */
export const HookHealth = ({ visit }: { visit: PageContext }) => {
  const by = standingsOf(visit);
  const of = (...standings: Standing[]) => standings.reduce((sum, one) => sum + (by.get(one) ?? 0), 0);
  return (
    <>
      <div class="tiles">
        <Tile n={of('DELIVERED')} label="delivered" tone="good" />
        <Tile n={of('PENDING', 'WAITING')} label="pending" tone="warn" />
        <Tile n={of('RETRYING')} label="retrying" tone="bad" />
        <Tile n={of('ABANDONED')} label="abandoned" tone="bad" />
        <Tile n={of('UNSENT')} label="not sent" tone="plain" />
      </div>
      <Words visit={visit} retrying={of('RETRYING')} givenUp={of('ABANDONED')} delivered={of('DELIVERED')} />
      <Target visit={visit} />
    </>
  );
};

const Tile = ({ n, label, tone }: { n: number; label: string; tone: string }) => (
  <div class={`tile ${n > 0 ? tone : 'none'}`}>
    <b>{count(n)}</b>
    <span>{label}</span>
  </div>
);

/** Returns the newest events with that standing; a TEST event is attempted once, and nobody misses it (W8). */
const newestOf = (visit: PageContext, standing: Standing, most: number): Delivery[] =>
  chosen(
    visit.world.rows(DELIVERIES).newest(),
    (hook) => standingOf(hook) === standing && counts(hook),
    most,
    LOOKED_AT,
  );

/** The worst news first: retries, then deliveries that were given up, or else the result of the last one. */
const Words = (p: { visit: PageContext; retrying: number; givenUp: number; delivered: number }) => {
  const { visit } = p;
  if (p.retrying > 0) return <Retrying visit={visit} n={p.retrying} />;
  const [lost] = p.givenUp > 0 ? newestOf(visit, 'ABANDONED', 1) : [];
  if (lost) {
    const to = visit.to('/inspector/webhooks', { state: 'ABANDONED' });
    return (
      <p class="health bad">
        <a href={to}>{times(p.givenUp, 'event')} not delivered</a>: the last one after{' '}
        {times(lost.attempts.length, 'try', 'tries')}
      </p>
    );
  }
  const last = p.delivered > 0 ? newestOf(visit, 'DELIVERED', 1)[0]?.attempts.at(-1) : undefined;
  if (!last) return null;
  return (
    <p class="health good">
      Delivered. Last at <Time visit={visit} at={last.at} />, response <Answered status={last.status} />
    </p>
  );
};

/** `2 retrying, next 19:38:11, last 500`. */
const Retrying = ({ visit, n }: { visit: PageContext; n: number }) => {
  const retried = newestOf(visit, 'RETRYING', LOOKED_AT);
  const due = retried.flatMap(({ id }) => nextTryOf(visit.world, id)?.dueAt ?? []);
  const next = due.reduce((soonest, at) => Math.min(soonest, at), Number.POSITIVE_INFINITY);
  const last = retried[0]?.attempts.at(-1);
  return (
    <p class="health bad">
      <a href={visit.to('/inspector/webhooks', { state: 'RETRYING' })}>{times(n, 'event')} retrying</a>
      {Number.isFinite(next) ? (
        <>
          , next <Time visit={visit} at={next} />
        </>
      ) : null}
      {last ? (
        <>
          , last <Answered status={last.status} />
        </>
      ) : null}
    </p>
  );
};

const Target = ({ visit }: { visit: PageContext }) => {
  const { url: endpoint, unsent } = visit.ask(commands.webhooks.endpoint, {});
  return (
    <p class="target">
      {endpoint ? (
        <>
          to <code>{escapeControlChars(endpoint)}</code>
          {unsent === undefined ? null : <>; nothing is sent there: {escapeControlChars(unsent)}</>}
        </>
      ) : (
        <>
          No endpoint is set. <a href={visit.to('/inspector/webhooks')}>Set one</a>, and every event is signed and sent.
        </>
      )}
    </p>
  );
};
