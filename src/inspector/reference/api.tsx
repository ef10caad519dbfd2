import { OPERATIONS } from '../../areas.ts';
import type { Operation } from '../../declare/operation.ts';
import { commands } from '../../sandbox/commands/index.ts';
import { Filter } from '../frame/form.tsx';
import type { PageContext } from '../frame/page-context.ts';
import { Breakable, count, Missing, type PageParts, Panel, Rows } from '../frame/parts.tsx';

/** Lists every operation of the service, by area, and how often it was called. */
export function api(visit: PageContext): PageParts {
  const areas = areasOf(visit.query('q')?.toLowerCase());
  return {
    title: 'API reference',
    lead: (
      <>
        {OPERATIONS.length} operations. Base URL <code>{`${visit.origin}${visit.host.basePath}`}</code> ·{' '}
        <a href="/openapi.json">OpenAPI 3.1</a>
      </>
    ),
    call: visit.call(commands.operations.find),
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

/** Returns the operations that match every word of a filter, by area. */
function areasOf(q: string | undefined): Map<string, Operation[]> {
  const areas = new Map<string, Operation[]>();
  const words = q?.split(/\s+/) ?? [];
  for (const listed of OPERATIONS) {
    const { method, path, id, tag, summary } = listed;
    const text = `${method} ${path} ${id} ${tag} ${summary}`.toLowerCase();
    if (words.every((word) => text.includes(word))) areas.set(tag, [...(areas.get(tag) ?? []), listed]);
  }
  return areas;
}

const AreaCard = (p: { visit: PageContext; id: string; tag: string; listed: readonly Operation[] }) => (
  <Panel id={p.id} title={p.tag} flush>
    <Rows of={p.listed.map((one) => <Line visit={p.visit} listed={one} />)} />
  </Panel>
);

const Line = ({ visit, listed }: { visit: PageContext; listed: Operation }) => {
  const calls = visit.sandbox.requestLog.calls.get(listed.id) ?? 0;
  return (
    <li class="row api-row" data-row={listed.id}>
      <span class="method">{listed.method}</span>
      <a class="row-link path" href={visit.to(`/inspector/api/${listed.id}`)} data-key={listed.id}>
        <Breakable text={listed.path} />
      </a>
      <span class="row-note">{listed.summary}</span>
      <span class="ms">
        {calls > 0 ? <a href={visit.to('/inspector/requests', { operation: listed.id })}>{count(calls)}×</a> : null}
      </span>
    </li>
  );
};
