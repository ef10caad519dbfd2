import { type Delivery, nextTryOf } from '../../areas/webhooks/index.ts';
import { decode } from '../../contract/decode.ts';
import { maskTarget } from '../../sandbox/mask.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import { undoneText } from '../../sandbox/undone.ts';
import { affectedIds, caused } from '../requests/request-filter.ts';
import { STANDINGS, standingOf } from '../webhooks/hooks.ts';
import type { PageContext } from './page-context.ts';
import { Badge, Breakable, Resource, Status, Time } from './parts.tsx';
import { escapeControlChars } from './text.ts';

/** The most webhooks of one call that a list names; it counts the rest. */
const NAMED = 3;

export const milliseconds = (ms: number): string => (ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`);

/** Returns the path of a call without the prefix that all calls share. */
export function pathOf(visit: PageContext, entry: Entry): string {
  const { basePath } = visit.host;
  const target = maskTarget(entry);
  return shortened(decode(target.startsWith(`${basePath}/`) ? target.slice(basePath.length) : target));
}

/** Returns a path with its ids shortened: the link leads to the whole one. */
const shortened = (path: string): string =>
  path.replaceAll(/([A-Z]\w+)(:|%3A)([0-9a-f-]{24,})/gi, (id, type: string, _colon: string, rest: string) =>
    rest.length > 30 ? `${type}:…${rest.slice(-6)}` : id,
  );

/** One call in a list, and its consequences; `choose` is the form in which it can be selected. */
export const RequestRow = (p: { visit: PageContext; entry: Entry; rich?: boolean; choose?: string }) => {
  const { visit, entry, rich } = p;
  return (
    <li class="row request-row" data-row={entry.id}>
      {p.choose === undefined ? null : (
        <label class="choose">
          <input
            type="checkbox"
            name="r"
            value={entry.id}
            form={p.choose}
            aria-label={`Choose ${entry.id}`}
            autocomplete="off"
            data-key={`choose ${entry.id}`}
          />
        </label>
      )}
      <span class="method">{escapeControlChars(entry.method)}</span>
      <a
        class="row-link path"
        href={visit.at('requests', entry.id)}
        data-key={entry.id}
        title={escapeControlChars(maskTarget(entry))}
      >
        <Breakable text={pathOf(visit, entry)} />
      </a>
      <span class="row-note">{entry.code ? escapeControlChars(entry.code) : rich ? '' : (entry.operation ?? '')}</span>
      {rich ? null : <EventCount n={eventsOf(entry)} />}
      <Status of={entry.status} />
      <Took entry={entry} />
      <Time visit={visit} at={entry.at} />
      {rich ? <Effects visit={visit} entry={entry} /> : null}
    </li>
  );
};

/** The time that a call took; for one that a rewind undid, a note of that. */
const Took = ({ entry }: { entry: Entry }) =>
  entry.undone ? (
    <span class="ms" title={undoneText(entry)}>
      <Badge of="undone" />
    </span>
  ) : (
    <span class="ms">{milliseconds(entry.ms)}</span>
  );

const eventsOf = (entry: Entry): number => (entry.undone ? 0 : (entry.caused?.events.length ?? 0));

const EventCount = ({ n }: { n: number }) =>
  n > 0 ? (
    <span class="count" title={`${n} webhooks caused`}>
      ↳ {n}
    </span>
  ) : (
    <span class="count" />
  );

/** The fault or magic value behind a call, the first webhooks it caused, and the resources that it changed. */
const Effects = ({ visit, entry }: { visit: PageContext; entry: Entry }) => {
  const hooks = caused(visit, entry);
  const about = entry.method === 'GET' || entry.undone ? [] : affectedIds(visit, entry, 2);
  const [magic] = entry.caused?.magic ?? [];
  const more = eventsOf(entry) - Math.min(NAMED, hooks.length);
  if (hooks.length === 0 && about.length === 0 && !entry.fault && magic === undefined) return null;
  return (
    <ul class="effects" aria-label="What it caused">
      {entry.fault ? <li class="effect fault">fault: {escapeControlChars(entry.fault)}</li> : null}
      {magic === undefined ? null : <li class="effect magic">{escapeControlChars(magic)}</li>}
      {hooks.slice(0, NAMED).map((hook) => (
        <li class="effect">
          <HookLink visit={visit} hook={hook} within={entry.id} />
        </li>
      ))}
      {eventsOf(entry) > NAMED ? <li class="effect more">and {more} more</li> : null}
      {about.map((id) => (
        <li class="effect">
          <Resource visit={visit} id={id} mark={`${entry.id} ${id}`} />
        </li>
      ))}
    </ul>
  );
};

/** An event by its type and the state of its delivery. */
export const HookLink = ({ visit, hook, within }: { visit: PageContext; hook: Delivery; within: string }) => (
  <a class="hook" href={visit.at('webhooks', hook.id)} data-key={`${within} ${hook.id}`}>
    <span class={`dot ${STANDINGS[standingOf(hook)].tone}`} aria-hidden="true" />
    {escapeControlChars(hook.type)}
    <span class="visually-hidden">, {STANDINGS[standingOf(hook)].words}</span>
  </a>
);

/** One delivery in a list. */
export const HookRow = ({ visit, hook }: { visit: PageContext; hook: Delivery }) => {
  const last = hook.attempts.at(-1);
  return (
    <li class="row hook-row" data-row={hook.id}>
      <HookBadge visit={visit} hook={hook} />
      <a class="row-link type" href={visit.at('webhooks', hook.id)} data-key={hook.id}>
        <Breakable text={hook.type} />
      </a>
      <span class="row-note">
        <Resource visit={visit} id={hook.subject} mark={`${hook.id} about`} />
      </span>
      <span class="answered">{last ? <Answered status={last.status} /> : null}</span>
      <span class="ms" title={`${hook.attempts.length} tries`}>
        {hook.attempts.length > 0 ? `${hook.attempts.length}×` : ''}
      </span>
      <Time visit={visit} at={hook.timestamp} />
    </li>
  );
};

/** The state of a delivery, and the time of its next attempt. */
export const HookBadge = ({ visit, hook }: { visit: PageContext; hook: Delivery }) => {
  const standing = standingOf(hook);
  const { words, tone } = STANDINGS[standing];
  const next = standing === 'RETRYING' || standing === 'PENDING' ? nextTryOf(visit.world, hook.id) : undefined;
  return (
    <span class="standing">
      <Badge of={next?.dueAt === null ? 'held' : words} tone={tone} />
      {standing === 'RETRYING' && typeof next?.dueAt === 'number' ? (
        <span class="next">
          next <Time visit={visit} at={next.dueAt} />
        </span>
      ) : null}
    </span>
  );
};

/** The response of a receiver, if there is one. */
export const Answered = ({ status }: { status: number | undefined }) =>
  status === undefined ? <span class="status bad">no answer</span> : <Status of={status} />;
