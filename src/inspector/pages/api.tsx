import { OPERATIONS } from '../../areas.ts';
import { CATALOGUE, type Listed } from '../../catalogue.ts';
import { Filter } from '../form.tsx';
import { Badge, count, Empty, Head, Hint, type PageParts, Panel } from '../parts.tsx';
import type { Visit } from '../visit.ts';

/** Every operation of the service, by area: built or not, and how often called. */
export function api(visit: Visit): PageParts {
  const summaries = new Map(OPERATIONS.map((op) => [op.id, op.summary]));
  const q = visit.query('q')?.toLowerCase();
  const areas = new Map<string, Listed[]>();
  let shown = 0;
  for (const listed of CATALOGUE) {
    const text = `${listed.method} ${listed.path} ${listed.id} ${listed.tag} ${summaries.get(listed.id) ?? ''}`;
    if (q && !q.split(/\s+/).every((word) => text.toLowerCase().includes(word))) continue;
    areas.set(listed.tag, [...(areas.get(listed.tag) ?? []), listed]);
    shown += 1;
  }
  return {
    title: 'API reference',
    menu: 'api',
    body: (
      <>
        <Head
          title="API reference"
          lead={
            <>
              {summaries.size} of {CATALOGUE.length} operations are built. Base URL{' '}
              <code>{`${visit.origin}${visit.host.basePath}`}</code> · <a href="/openapi.json">OpenAPI 3.1</a>
            </>
          }
        />
        <Filter
          visit={visit}
          path="/inspector/api"
          narrows="operations"
          label="Filter operations"
          placeholder="Filter by path, name or area"
          q={visit.query('q')}
        />
        <div id="operations" data-live="request reset" class="stack">
          {shown === 0 ? (
            <div class="panel">
              <Empty title="No operation passes this filter" />
            </div>
          ) : null}
          {[...areas].map(([tag, listed], i) => (
            <Panel id={`area-${i}`} title={tag} flush>
              <ul class="rows" data-rows>
                {listed.map((one) => (
                  <Line visit={visit} listed={one} summary={summaries.get(one.id)} />
                ))}
              </ul>
            </Panel>
          ))}
        </div>
        <Hint visit={visit} call={{ method: 'GET', path: '/operations' }} />
      </>
    ),
  };
}

const Line = ({ visit, listed, summary }: { visit: Visit; listed: Listed; summary: string | undefined }) => {
  const calls = visit.sandbox.journal.calls.get(listed.id) ?? 0;
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
