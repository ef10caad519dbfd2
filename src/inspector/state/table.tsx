import { OPERATIONS } from '../../areas.ts';
import { fail } from '../../contract/errors.ts';
import type { Column, Resource } from '../../engine/resource.ts';
import { inSlices } from '../../engine/slices.ts';
import type { Row, Table } from '../../engine/table.ts';
import { commands } from '../../sandbox/commands/index.ts';
import { Command } from '../frame/act.tsx';
import { LOOKED_AT } from '../frame/bounded.ts';
import { kindOf } from '../frame/kinds.ts';
import type { PageContext } from '../frame/page-context.ts';
import { count, Empty, NonePass, type PageParts, Pager, Panel, times } from '../frame/parts.tsx';
import { escapeControlChars } from '../frame/text.ts';
import { firstCurl, loginOf } from '../reference/connect.tsx';
import { ListForm } from './list-form.tsx';
import { isNarrowed, keyOf, type ListRequest, listRequest, paramsOf } from './list-request.ts';
import { rowsOf, whereOf } from './list-rows.ts';
import { csvOf } from './table-csv.ts';
import { TableRows } from './table-rows.tsx';

const PAGE = 50;

/** Shows the rows of one kind, newest first, a page at a time. */
export async function table(visit: PageContext, [name = '']: readonly string[]): Promise<PageParts> {
  const kind = kindOf(name) ?? fail('REFERENCE_NOT_FOUND', `there is no table ${name}`);
  const rows = visit.world.rows(kind);
  const path = `/inspector/state/${encodeURIComponent(name)}`;
  const list = await inSlices(listRequest(visit, kind));
  if (list.q !== undefined && rows.get(list.q))
    return { title: kind.many, body: null, to: visit.at('state', name, list.q) };
  if (visit.query('format') === 'csv') {
    const text = await inSlices(csvOf(visit, kind, await inSlices(rowsOf(visit, kind, list))));
    return { title: kind.many, body: null, file: { name: `${kind.name}.csv`, text } };
  }
  const page = await pageOf(visit, rows, kind, list);
  const shown: Place = { visit, kind, path, list };
  return {
    title: escapeControlChars(kind.many),
    up: { href: visit.to('/inspector/state'), label: 'State' },
    lead: kind.about || 'A table of the inside, as it is kept; what is secret is masked.',
    ...(kind.view || kind.made ? { call: visit.call(commands.state.read) } : {}),
    body: (
      <>
        <ListForm {...shown} />
        <Panel id="rows" live={list.cursor === undefined && list.skip === 0 ? 'request fact reset' : ''} flush>
          {page.rows.length > 0 ? <Rows {...shown} page={page} whole={rows.size} /> : <Nothing {...shown} />}
        </Panel>
      </>
    ),
  };
}

interface Place {
  visit: PageContext;
  kind: Resource;
  path: string;
  list: ListRequest;
}

/** A part of a list, and the position of the next. */
interface Part {
  readonly rows: readonly Row[];
  readonly words: string;
  readonly next?: Readonly<Record<string, string | number>> | undefined;
}

const Rows = ({ visit, kind, path, list, page, whole }: Place & { page: Part; whole: number }) => {
  const params = paramsOf(visit, list);
  const of = whole > LOOKED_AT ? ` of the newest ${count(LOOKED_AT)}` : '';
  const sort = (column: Column) => {
    const key = keyOf(column.name);
    const now = list.sort?.column !== column ? undefined : list.sort.descending ? 'descending' : 'ascending';
    // The first press sorts numbers and moments in descending order.
    const first = column.as === 'money' || column.as === 'number' || column.as === 'time' ? `-${key}` : key;
    const turned = now === 'descending' ? key : `-${key}`;
    return { href: visit.to(path, { ...params, sort: now === undefined ? first : turned }), now } as const;
  };
  return (
    <>
      <TableRows visit={visit} kind={kind} rows={page.rows} sort={sort} />
      <p class="sieve">
        <a href={visit.to(path, { ...params, format: 'csv' })} download>
          Download CSV
        </a>
        {of}
      </p>
      <Pager
        shown={`${page.words}${isNarrowed(list) ? of : ''}`}
        newer={list.cursor === undefined && list.skip === 0 ? undefined : visit.to(path, params)}
        older={page.next && visit.to(path, { ...params, ...page.next })}
      />
    </>
  );
};

/** Returns the rows of a page; through the index if no filter or order applies, so that the cost follows the page. */
async function pageOf(visit: PageContext, rows: Table<Row>, kind: Resource, list: ListRequest): Promise<Part> {
  if (!isNarrowed(list)) {
    const { data, totalCount, nextCursor } = rows.page({
      where: whereOf(rows, list),
      limit: PAGE,
      cursor: list.cursor,
      withHidden: true,
    });
    return { rows: data, words: times(totalCount, 'row'), next: nextCursor ? { cursor: nextCursor } : undefined };
  }
  const all = await inSlices(rowsOf(visit, kind, list));
  const shown = all.slice(list.skip, list.skip + PAGE);
  const end = list.skip + shown.length;
  return {
    rows: shown,
    words: `${count(list.skip + 1)} to ${count(end)} of ${times(all.length, 'row')}`,
    next: end < all.length ? { skip: end } : undefined,
  };
}

/** The help in an empty list: remove the filter, or paste a call that creates a row. */
const Nothing = ({ visit, kind, path, list }: Place) => {
  if (isNarrowed(list) || list.is !== undefined)
    return <NonePass title="Nothing passes this filter" all={visit.to(path)} />;
  const op = OPERATIONS.find(({ id }) => id === kind.made);
  const title = `No ${kind.many.toLowerCase()} yet`;
  if (!op) return <Empty title={title} />;
  const plainly = `curl -s -u ${loginOf(visit)} -X ${op.method} ${visit.origin}${visit.host.basePath}${op.path}`;
  return (
    <Empty title={title}>
      <p>
        They are made by <a href={visit.to(`/inspector/api/${op.id}`)}>{op.id}</a>:
      </p>
      <Command text={op.id === 'createCustomer' ? firstCurl(visit) : plainly} />
    </Empty>
  );
};
