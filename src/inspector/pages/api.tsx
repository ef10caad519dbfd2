import { OPERATIONS } from '../../areas.ts';
import { CATALOGUE, type Listed } from '../../catalogue.ts';
import { lazy } from '../../contract/lazy.ts';
import { commands } from '../../sandbox/commands/index.ts';
import { Filter } from '../form.tsx';
import type { PageContext } from '../page-context.ts';
import { Badge, count, Missing, type PageParts, Panel, Rows } from '../parts.tsx';

const SUMMARIES = lazy(() => new Map(OPERATIONS.map((op) => [op.id, op.summary])));

/** Every operation of the service, by area: built or not, and how often called. */
export function api(visit: PageContext): PageParts {
  const areas = areasOf(visit.query('q')?.toLowerCase());
  return {
    title: 'API reference',
    lead: (
      <>
        {SUMMARIES().size} of {CATALOGUE.length} operations are built. Base URL{' '}
        <code>{`${visit.origin}${visit.host.basePath}`}</code> · <a href="/openapi.json">OpenAPI 3.1</a>
      </>
    ),
    call: visit.call(commands.emulator.operations),
    body: (
      <>
        <Filter
          visit={visit}
          path="/inspector/api"
          narrows="operations"
          label="Filter operations"
          placeholder="Filter by path, name or area"
        />
        <div id="operations" data-live="request reset" class="stack">
          {areas.size === 0 ? <Missing title="No operation passes this filter" /> : null}
          {[...areas].map(([tag, listed], i) => (
            <AreaCard visit={visit} id={`area-${i}`} tag={tag} listed={listed} />
          ))}
        </div>
      </>
    ),
  };
}

/** The operations that every word of a filter speaks of, by area. */
function areasOf(q: string | undefined): Map<string, Listed[]> {
  const areas = new Map<string, Listed[]>();
  const words = q?.split(/\s+/) ?? [];
  for (const listed of CATALOGUE) {
    const { method, path, id, tag } = listed;
    const text = `${method} ${path} ${id} ${tag} ${SUMMARIES().get(id) ?? ''}`.toLowerCase();
    if (words.every((word) => text.includes(word))) areas.set(tag, [...(areas.get(tag) ?? []), listed]);
  }
  return areas;
}

const AreaCard = (p: { visit: PageContext; id: string; tag: string; listed: readonly Listed[] }) => (
  <Panel id={p.id} title={p.tag} flush>
    <Rows of={p.listed.map((one) => <Line visit={p.visit} listed={one} summary={SUMMARIES().get(one.id)} />)} />
  </Panel>
);

const Line = ({ visit, listed, summary }: { visit: PageContext; listed: Listed; summary: string | undefined }) => {
  const calls = visit.sandbox.requestLog.calls.get(listed.id) ?? 0;
  return (
    <li class={summary === undefined ? 'row api-row unbuilt' : 'row api-row'} data-row={listed.id}>
      <span class="method">{listed.method}</span>
      <a class="row-link path" href={visit.to(`/inspector/api/${listed.id}`)} data-key={listed.id}>
        {listed.path}
      </a>
      <span class="row-note">{summary ?? listed.id}</span>
      <span class="ms">
        {summary === undefined ? (
          <Badge of="not built" />
        ) : calls > 0 ? (
          <a href={visit.to('/inspector/requests', { operation: listed.id })}>{count(calls)}×</a>
        ) : null}
      </span>
    </li>
  );
};
