import { Hint } from '../act.tsx';
import { KINDS, type Kind } from '../kind-list.ts';
import { sizesOf } from '../kinds.ts';
import { count, Head, type PageParts, Panel } from '../parts.tsx';
import { plain } from '../text.ts';
import type { Visit } from '../visit.ts';

/** Tables that have a page of their own. */
const ELSEWHERE: ReadonlySet<string> = new Set(['webhooks', 'jobs', 'codes']);

/** Everything that the sandbox remembers, by kind. */
export const state = (visit: Visit): PageParts => {
  const sizes = sizesOf(visit);
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
            {KINDS.map((kind) => (
              <KindCard visit={visit} kind={kind} size={sizes.get(kind.table) ?? 0} />
            ))}
          </ul>
        </div>
        <Inside visit={visit} />
        <Hint visit={visit} call={{ method: 'GET', path: '/state' }} />
      </>
    ),
  };
};

const KindCard = ({ visit, kind, size }: { visit: Visit; kind: Kind; size: number }) => (
  <li class={size > 0 ? 'kind' : 'kind zero'} data-row={kind.table}>
    <a class="row-link" href={visit.to(`/inspector/state/${kind.table}`)}>
      {kind.title} <b>{count(size)}</b>
    </a>
    <p>{kind.about}</p>
  </li>
);

/** The tables that no operation shows. */
const Inside = ({ visit }: { visit: Visit }) => {
  const known = new Set([...KINDS.map(({ table }) => table), ...ELSEWHERE]);
  const inner = visit.world.tables().filter(({ name }) => !known.has(name));
  if (inner.length === 0) return null;
  return (
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
  );
};
