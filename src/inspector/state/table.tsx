import { OPERATIONS } from '../../areas.ts';
import { fail } from '../../contract/errors.ts';
import type { Page } from '../../engine/page.ts';
import type { Resource } from '../../engine/resource.ts';
import type { Row, Table } from '../../engine/table.ts';
import { commands } from '../../sandbox/commands/index.ts';
import { Command } from '../frame/act.tsx';
import { chosen, LOOKED_AT } from '../frame/bounded.ts';
import { Filter } from '../frame/form.tsx';
import { kindOf, nameOf } from '../frame/kinds.ts';
import type { PageContext } from '../frame/page-context.ts';
import { count, Empty, Id, NonePass, type PageParts, Pager, Panel, times } from '../frame/parts.tsx';
import { escapeControlChars } from '../frame/text.ts';
import { firstCurl, loginOf } from '../reference/connect.tsx';
import { csvOf } from './table-csv.ts';
import { TableRows } from './table-rows.tsx';

const PAGE = 50;

/** What a list is asked for: a text, only what an index leads to, and from where on. */
interface Asked {
  q: string | undefined;
  by: string | undefined;
  is: string | undefined;
  cursor: string | undefined;
}

/** The rows of one kind, newest first, a page at a time. */
export async function table(visit: PageContext, [name = '']: readonly string[]): Promise<PageParts> {
  const kind = kindOf(name) ?? fail('REFERENCE_NOT_FOUND', `there is no table ${name}`);
  const rows = visit.world.rows(kind);
  const path = `/inspector/state/${encodeURIComponent(name)}`;
  const asked = askedOf(visit);
  if (asked.q !== undefined && rows.get(asked.q))
    return { title: kind.many, body: null, to: visit.to(`${path}/${encodeURIComponent(asked.q)}`) };
  if (visit.query('format') === 'csv')
    return {
      title: kind.many,
      body: null,
      file: { name: `${kind.name}.csv`, text: await csvOf(visit, kind, allOf(visit, rows, kind, asked)) },
    };
  const page = pageOf(visit, rows, kind, asked);
  return {
    title: escapeControlChars(kind.many),
    up: { href: visit.to('/inspector/state'), label: 'State' },
    lead: kind.about || 'A table of the inside, as it is kept; what is secret is masked.',
    ...(kind.view || kind.made ? { call: visit.call(commands.state.read) } : {}),
    body: (
      <>
        <Narrowed visit={visit} path={path} asked={asked} />
        <Panel id="rows" live={asked.cursor === undefined ? 'request fact reset' : ''} flush>
          {page.data.length > 0 ? (
            <Rows visit={visit} kind={kind} path={path} asked={asked} page={page} whole={rows.size} />
          ) : (
            <Nothing visit={visit} kind={kind} path={path} filtered={Boolean(asked.q || asked.is)} />
          )}
        </Panel>
      </>
    ),
  };
}

function askedOf(visit: PageContext): Asked {
  const [q, by, is, cursor] = ['q', 'by', 'is', 'cursor'].map((key) => visit.query(key));
  return { q, by, is, cursor };
}

interface Place {
  visit: PageContext;
  kind: Resource;
  path: string;
}

/** The filter, and what the rows are only of. */
const Narrowed = ({ visit, path, asked: { by, is } }: { visit: PageContext; path: string; asked: Asked }) => (
  <>
    <Filter
      visit={visit}
      path={path}
      narrows="rows"
      label="Filter by name, status or id"
      placeholder="Filter by name, status or id"
    />
    {by && is ? (
      <p class="sieve">
        Only of <Id visit={visit} id={is} /> · <a href={visit.to(path)}>show all</a>
      </p>
    ) : null}
  </>
);

const Rows = (p: Place & { asked: Asked; page: Page<Row>; whole: number }) => {
  const { visit, path, page } = p;
  const { cursor, ...filter } = p.asked;
  const csv = visit.to(path, { ...filter, format: 'csv' });
  const of = p.whole > LOOKED_AT ? `, of the newest ${count(LOOKED_AT)}` : '';
  return (
    <>
      <TableRows visit={visit} kind={p.kind} rows={page.data} />
      <p class="sieve">
        <a href={csv} download>
          Download CSV
        </a>
        {p.whole > LOOKED_AT ? ` of the newest ${count(LOOKED_AT)}` : ''}
      </p>
      <Pager
        shown={filter.q === undefined ? times(page.totalCount, 'row') : `${times(page.data.length, 'row')} shown${of}`}
        newer={cursor === undefined ? undefined : visit.to(path, filter)}
        older={page.nextCursor ? visit.to(path, { ...filter, cursor: page.nextCursor }) : undefined}
      />
    </>
  );
};

/** A page costs what it shows: counted from the index, except where a text is looked for. */
function pageOf(visit: PageContext, rows: Table<Row>, kind: Resource, { q, by, is, cursor }: Asked): Page<Row> {
  if (q === undefined) return rows.page({ where: whereOf(rows, by, is), limit: PAGE, cursor, withHidden: true });
  // A text is looked for until the page is full, and in so many rows at most.
  const data = allOf(visit, rows, kind, { q, by, is }, PAGE);
  return { data, hasMore: false, totalCount: data.length };
}

const whereOf = (rows: Table<Row>, by: string | undefined, is: string | undefined) =>
  by !== undefined && is !== undefined && Object.hasOwn(rows.token.indexes, by) ? { [by]: is } : undefined;

/** Returns the rows that a list is asked for, newest first, so many at most. */
function allOf(
  visit: PageContext,
  rows: Table<Row>,
  kind: Resource,
  { q, by, is }: Omit<Asked, 'cursor'>,
  most = LOOKED_AT,
): Row[] {
  const text = q === undefined ? undefined : new RegExp(q.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i');
  const passes = (row: Row): boolean => text === undefined || speaks(visit, row, kind, text);
  return chosen(rows.newest({ where: whereOf(rows, by, is), withHidden: true }), passes, most);
}

function speaks(visit: PageContext, row: Row, kind: Resource, text: RegExp): boolean {
  const values = [row.id, nameOf(visit, { kind, row }), ...kind.sought.map((member) => Reflect.get(row, member))];
  return values.some((value) => typeof value === 'string' && text.test(value));
}

/** What to do about an empty list: leave the filter, or paste what makes one. */
const Nothing = ({ visit, kind, path, filtered }: Place & { filtered: boolean }) => {
  if (filtered) return <NonePass title="Nothing passes this filter" all={visit.to(path)} />;
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
