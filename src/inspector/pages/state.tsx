import { KINDS, rowsOf } from '../kinds.ts';
import { count, Head, Hint, type PageParts, Panel } from '../parts.tsx';
import { plain } from '../text.ts';
import type { Visit } from '../visit.ts';

/** Tables that have a page of their own. */
const ELSEWHERE: ReadonlySet<string> = new Set(['webhooks', 'jobs', 'codes']);

/** Everything that the sandbox remembers, by kind. */
export function state(visit: Visit): PageParts {
  const kinds = KINDS.map((kind) => ({ kind, size: rowsOf(visit, kind)?.size ?? 0 }));
  const known = new Set(KINDS.map(({ table }) => table));
  const inner = visit.world.tables().filter(({ name }) => !known.has(name) && !ELSEWHERE.has(name));
  return {
    title: 'State',
    menu: 'state',
    body: (
      <>
        <Head
          title="State"
          lead="Everything this sandbox remembers. Open a kind, then one of them: as the API shows it, with all that refers to it."
        />
        <div id="kinds" data-live="request fact reset">
          <ul class="kinds" data-rows>
            {kinds.map(({ kind, size }) => (
              <li class={size > 0 ? 'kind' : 'kind zero'} data-row={kind.table}>
                <a class="row-link" href={visit.to(`/inspector/state/${kind.table}`)}>
                  {kind.title} <b>{count(size)}</b>
                </a>
                <p>{kind.about}</p>
              </li>
            ))}
          </ul>
        </div>
        {inner.length > 0 ? (
          <Panel id="inner" title="Inside: what the API never shows">
            <ul class="counts">
              {inner.map(({ name, size }) => (
                <li>
                  <a href={visit.to(`/inspector/state/${encodeURIComponent(name)}`)}>{plain(name)}</a>
                  <span>{count(size)}</span>
                </li>
              ))}
            </ul>
          </Panel>
        ) : null}
        <Hint visit={visit} call={{ method: 'GET', path: '/state' }} />
      </>
    ),
  };
}
