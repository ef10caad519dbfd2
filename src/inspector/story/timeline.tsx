import type { Child } from 'hono/jsx';
import { type Delivery, nextTryOf } from '../../areas/webhooks/index.ts';
import { inWords } from '../../sandbox/job-words.ts';
import { maskTarget } from '../../sandbox/mask.ts';
import { find, nameOf } from '../frame/kinds.ts';
import { href } from '../frame/links.ts';
import type { PageContext } from '../frame/page-context.ts';
import { Badge, Breakable, count, Status, Time, times } from '../frame/parts.tsx';
import { Answered, HookBadge, milliseconds, pathOf } from '../frame/rows.tsx';
import { capital, escapeControlChars } from '../frame/text.ts';
import type { Item } from './gather.ts';

/** The number of attempts of one webhook that are listed: the first ones, and the last. */
const [FIRST, LAST] = [2, 2];

/** The past, oldest first, then the future: each entry with its requests and its webhooks. */
export const Timeline = ({ visit, of, items, older }: TimelineProps) => (
  <ol class="timeline">
    {older > 0 ? (
      <li class="moment left-out">{times(older, 'earlier moment is', 'earlier moments are')} left out</li>
    ) : null}
    {items.map((item, i) => (
      <li class={`moment ${toneOf(item)}${item.due ? ' to-come' : ''}`} data-row={`${i} ${markOf(item)}`}>
        <span class="moment-at">
          <When visit={visit} item={item} />
        </span>
        <span class="moment-mark" aria-hidden="true" />
        <div class="moment-body">
          <What visit={visit} item={item} of={of} />
          {item.hooks.length > 0 ? (
            <ul>
              {item.hooks.map((hook) => (
                <Hook visit={visit} hook={hook} />
              ))}
            </ul>
          ) : null}
        </div>
      </li>
    ))}
  </ol>
);

interface TimelineProps {
  visit: PageContext;
  /** The id of the page's own resource, which gets no link. */
  of: string;
  items: readonly Item[];
  older: number;
}

const markOf = ({ moment, entry, hooks, job }: Item): string =>
  entry?.id ?? moment?.what ?? hooks[0]?.id ?? job?.id ?? '';

function toneOf({ moment, entry, hooks }: Item): string {
  if (entry)
    return entry.status === 0 || entry.status >= 500 ? 'request bad' : entry.status >= 400 ? 'request warn' : 'request';
  if (moment) return moment.tone ?? 'plain';
  return hooks.length > 0 ? (toneOfEvent(hooks[0] as Delivery) ?? 'plain') : 'plain';
}

const When = ({ visit, item: { at, due, job } }: { visit: PageContext; item: Item }) => {
  if (job?.broken) return <Badge of="broken" />;
  if (job && job.dueAt === null) return <Badge of="held" />;
  if (at === undefined) return <span class="fine">{due ? 'then' : ''}</span>;
  return (
    <>
      {due ? <span class="visually-hidden">due </span> : null}
      <Time visit={visit} at={at} />
    </>
  );
};

const What = ({ visit, item, of }: { visit: PageContext; item: Item; of: string }) => {
  const { moment, entry, hooks, job } = item;
  if (entry)
    return (
      <p class="moment-request">
        <span class="method">{escapeControlChars(entry.method)}</span>{' '}
        <a
          class="path"
          href={visit.at('requests', entry.id)}
          title={escapeControlChars(maskTarget(entry))}
          data-key={entry.id}
        >
          <Breakable text={pathOf(visit, entry)} />
        </a>{' '}
        <Status of={entry.status} /> {entry.code ? <span class="fine">{escapeControlChars(entry.code)}</span> : null}
      </p>
    );
  if (moment)
    return (
      <p>
        <b>{escapeControlChars(moment.what)}</b>{' '}
        {moment.detail ? <span class="moment-detail">{escapeControlChars(moment.detail)}</span> : null}{' '}
        {moment.about === of ? null : <Link visit={visit} id={moment.about} />}
        {item.due ? <span class="visually-hidden">, to come</span> : null}
      </p>
    );
  if (job) return <p>{ofJob(visit, job)}</p>;
  return (
    <p>
      <b>{eventWords(hooks[0] as Delivery)}</b>
    </p>
  );
};

function ofJob(visit: PageContext, job: NonNullable<Item['job']>): Child {
  const { verb, name } = inWords(visit.world, job);
  const text = `${verb} ${name}`;
  return (
    <a href={visit.to('/inspector/jobs', { id: job.id })} data-key={job.id}>
      {escapeControlChars(capital(text))}
    </a>
  );
}

/** The link of a moment to its resource, by the name of its kind. */
const Link = ({ visit, id }: { visit: PageContext; id: string | undefined }) => {
  const found = find(visit, id);
  const to = href(visit, id);
  if (!found || !to) return null;
  const name = nameOf(visit, found);
  return (
    <a class="moment-link" href={to} title={escapeControlChars(id)} data-key={`story ${id}`}>
      {found.kind.one.toLowerCase()}
      {name && found.kind.one !== 'Posting' ? ` ${escapeControlChars(name)}` : ''}
    </a>
  );
};

/** Returns `OUTGOING_PAYMENT.REFUND_PENDING` as `Refund pending`; with the status in its data, if any. */
function eventWords({ type, data }: Delivery): string {
  const [head = '', end = head] = type.split('.');
  const words = end.replaceAll('_', ' ').toLowerCase();
  const { state } = (data ?? {}) as { state?: unknown };
  const status = typeof state === 'string' ? `: ${state.replaceAll('_', ' ').toLowerCase()}` : '';
  return escapeControlChars(capital(words) + status);
}

const toneOfEvent = ({ type }: Delivery): string | undefined =>
  /(?:FAILED|REJECTED|EXPIRED|EXCEPTION)$/.test(type)
    ? 'bad'
    : /(?:COMPLETED|APPROVED|SETTLED)$/.test(type)
      ? 'good'
      : undefined;

/** An event with every attempt to deliver it: its time, its response, and the time of the next. */
const Hook = ({ visit, hook }: { visit: PageContext; hook: Delivery }) => {
  const { attempts } = hook;
  const left = attempts.length - FIRST - LAST;
  const shown = left > 1 ? [...attempts.slice(0, FIRST), undefined, ...attempts.slice(-LAST)] : attempts;
  const next = nextTryOf(visit.world, hook.id);
  return (
    <li class="moment-hook">
      <a href={visit.at('webhooks', hook.id)} data-key={`story ${hook.id}`}>
        <Breakable text={hook.type} />
      </a>{' '}
      <HookBadge visit={visit} hook={hook} />
      {attempts.length > 0 ? (
        <ol class="tries" aria-label="Delivery attempts">
          {shown.map((tried) =>
            tried === undefined ? (
              <li class="fine">{count(left)} more</li>
            ) : (
              <li>
                <Answered status={tried.status} /> <Time visit={visit} at={tried.at} />{' '}
                <span class="fine">
                  {tried.byHand ? 'by hand' : tried.fault ? escapeControlChars(tried.fault) : milliseconds(tried.ms)}
                </span>
              </li>
            ),
          )}
          {typeof next?.dueAt === 'number' ? (
            <li class="fine">
              next <Time visit={visit} at={next.dueAt} />
            </li>
          ) : null}
        </ol>
      ) : null}
    </li>
  );
};
