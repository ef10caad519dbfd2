import { TABLES } from '../../areas.ts';
import type { Resource } from '../../engine/resource.ts';
import { commands } from '../../sandbox/commands/index.ts';
import { RESOURCES, sizesOf } from '../frame/kinds.ts';
import type { PageContext } from '../frame/page-context.ts';
import { Counts, count, type PageParts, Panel } from '../frame/parts.tsx';
import { escapeControlChars } from '../frame/text.ts';

/** Shows every row of the sandbox, by kind. */
export const state = (visit: PageContext): PageParts => {
  const sizes = sizesOf(visit);
  return {
    title: 'State',
    lead: 'Everything in this sandbox. Open a resource to see it as the API returns it, with everything related to it.',
    call: visit.call(commands.state.read),
    body: (
      <>
        <div id="kinds" data-live="request fact reset">
          <ul class="kinds" data-rows>
            {RESOURCES.map((kind) => (
              <KindCard visit={visit} kind={kind} size={sizes.get(kind.name) ?? 0} />
            ))}
          </ul>
        </div>
        <Inside visit={visit} />
      </>
    ),
  };
};

const KindCard = ({ visit, kind, size }: { visit: PageContext; kind: Resource; size: number }) => (
  <li class={size > 0 ? 'kind' : 'kind zero'} data-row={kind.name}>
    <a class="row-link" href={visit.to(`/inspector/state/${kind.name}`)}>
      {kind.many} <b>{count(size)}</b>
    </a>
    <p>{kind.about}</p>
  </li>
);

/** The tables that no operation shows. */
const Inside = ({ visit }: { visit: PageContext }) => {
  // Those with a name for people have a page of their own.
  const inner = visit.world.tables().filter(({ name }) => TABLES.get(name)?.many === undefined);
  if (inner.length === 0) return null;
  return (
    <Panel id="inner" title="Internal: not visible in the API">
      <Counts of={inner.map(({ name, size }) => [visit.at('state', name), escapeControlChars(name), size])} />
    </Panel>
  );
};
