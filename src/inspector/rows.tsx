import type { Delivery } from '../areas/webhooks/index.ts';
import type { Entry } from '../host/journal.ts';
import { caused, decode, touched } from './journal.ts';
import { Badge, Breakable, Resource, Status, Time } from './parts.tsx';
import { plain } from './text.ts';
import type { Visit } from './visit.ts';

/** Webhooks of one call that are named in a list; the rest are counted. */
const NAMED = 3;

export const milliseconds = (ms: number): string => (ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`);

/** The path of a call without what every call has in common. */
function pathOf(visit: Visit, entry: Entry): string {
  const { basePath } = visit.host;
  const path = entry.path.startsWith(`${basePath}/`) ? entry.path.slice(basePath.length) : entry.path;
  return shortened(path + decode(entry.query));
}

/** Ids inside a path, short: the whole one is where it leads. */
const shortened = (path: string): string =>
  path.replaceAll(/([A-Z]\w+)(:|%3A)([0-9a-f-]{24,})/gi, (id, type: string, _colon: string, rest: string) =>
    rest.length > 30 ? `${type}:…${rest.slice(-6)}` : id,
  );

/** One call in a list, and what it caused. */
export const RequestRow = ({ visit, entry, rich }: { visit: Visit; entry: Entry; rich?: boolean }) => {
  const hooks = caused(visit, entry);
  const told = entry.trace?.facts.length ?? 0;
  const about = rich ? touched(visit, entry, 2).filter((id) => !entry.path.includes(id) || entry.method !== 'GET') : [];
  return (
    <li class="row request-row" data-row={entry.id}>
      <span class="method">{plain(entry.method)}</span>
      <a
        class="row-link path"
        href={visit.to(`/inspector/requests/${encodeURIComponent(entry.id)}`)}
        data-key={entry.id}
        title={plain(entry.path + entry.query)}
      >
        <Breakable text={pathOf(visit, entry)} />
      </a>
      <span class="row-note">{entry.code ? plain(entry.code) : rich ? '' : (entry.operation ?? '')}</span>
      {rich ? null : told > 0 ? (
        <span class="count" title={`${told} webhooks caused`}>
          ↳ {told}
        </span>
      ) : (
        <span class="count" />
      )}
      <Status of={entry.status} />
      <span class="ms">{milliseconds(entry.ms)}</span>
      <Time visit={visit} at={entry.at} />
      {rich && (hooks.length > 0 || about.length > 0 || entry.fault || entry.trace?.magic.length) ? (
        <ul class="effects" aria-label="What it caused">
          {entry.fault ? <li class="effect fault">fault: {plain(entry.fault)}</li> : null}
          {(entry.trace?.magic ?? []).slice(0, 1).map((magic) => (
            <li class="effect magic">{plain(magic)}</li>
          ))}
          {hooks.slice(0, NAMED).map((hook) => (
            <li class="effect">
              <HookLink visit={visit} hook={hook} within={entry.id} />
            </li>
          ))}
          {told > NAMED ? <li class="effect more">and {told - Math.min(NAMED, hooks.length)} more</li> : null}
          {entry.method === 'GET'
            ? null
            : about.map((id) => (
                <li class="effect">
                  <Resource visit={visit} id={id} mark={`${entry.id} ${id}`} />
                </li>
              ))}
        </ul>
      ) : null}
    </li>
  );
};

/** An event by its type and what became of it. */
export const HookLink = ({ visit, hook, within }: { visit: Visit; hook: Delivery; within: string }) => (
  <a
    class="hook"
    href={visit.to(`/inspector/webhooks/${encodeURIComponent(hook.id)}`)}
    data-key={`${within} ${hook.id}`}
  >
    <span class={`dot ${hook.state}`} aria-hidden="true" />
    {plain(hook.type)}
    <span class="visually-hidden">, {hook.state.toLowerCase()}</span>
  </a>
);

/** One delivery in a list. */
export const HookRow = ({ visit, hook }: { visit: Visit; hook: Delivery }) => {
  const last = hook.attempts.at(-1);
  return (
    <li class="row hook-row" data-row={hook.id}>
      <Badge of={hook.state} />
      <a class="row-link type" href={visit.to(`/inspector/webhooks/${encodeURIComponent(hook.id)}`)} data-key={hook.id}>
        <Breakable text={hook.type} />
      </a>
      <span class="row-note">
        <Resource visit={visit} id={hook.subject} mark={`${hook.id} about`} />
      </span>
      <span class="answered">
        {last ? (
          last.status === undefined ? (
            <span class="status bad">no answer</span>
          ) : (
            <Status of={last.status} />
          )
        ) : null}
      </span>
      <span class="ms" title={`${hook.attempts.length} tries`}>
        {hook.attempts.length > 0 ? `${hook.attempts.length}×` : ''}
      </span>
      <Time visit={visit} at={hook.timestamp} />
    </li>
  );
};
