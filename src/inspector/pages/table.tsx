import { OPERATIONS } from '../../areas.ts';
import { fail } from '../../kernel/errors.ts';
import type { Page } from '../../kernel/page.ts';
import type { Table } from '../../kernel/table.ts';
import { Filter } from '../form.tsx';
import { type AnyRow, type Kind, kindOf, rowsOf } from '../kinds.ts';
import { Command, Empty, Head, Hint, Id, type PageParts, Pager, Panel, times } from '../parts.tsx';
import { TableRows } from '../table-rows.tsx';
import { plain } from '../text.ts';
import type { Visit } from '../visit.ts';
import { firstCurl, loginOf } from './overview.tsx';

const PAGE = 50;

/** The rows of one kind, newest first, a page at a time. */
export function table(visit: Visit, [name = '']: readonly string[]): PageParts {
  const kind = kindOf(name);
  const rows = rowsOf(visit, kind);
  if (!rows && kind.about === '') fail('REFERENCE_NOT_FOUND', `there is no table ${name}`);
  const path = `/inspector/state/${encodeURIComponent(name)}`;
  const [q, by, is, cursor] = ['q', 'by', 'is', 'cursor'].map((key) => visit.query(key));
  const whole = q !== undefined && rows?.get(q) ? q : undefined;
  if (whole) return { title: kind.title, body: null, to: visit.to(`${path}/${encodeURIComponent(whole)}`) };
  const page = rows && pageOf(rows, kind, { q, by, is, cursor });
  return {
    title: kind.title,
    menu: 'state',
    body: (
      <>
        <Head
          up={{ href: visit.to('/inspector/state'), label: 'State' }}
          title={plain(kind.title)}
          lead={kind.about || 'A table of the inside, as it is kept; what is secret is masked.'}
        />
        <Filter
          visit={visit}
          path={path}
          narrows="rows"
          label="Filter by name, status or id"
          placeholder="Filter by name, status or id"
          q={q}
        />
        {by && is ? (
          <p class="sieve">
            Only of <Id visit={visit} id={is} /> · <a href={visit.to(path)}>show all</a>
          </p>
        ) : null}
        <Panel id="rows" live={cursor === undefined ? 'request fact reset' : ''} flush>
          {page && page.data.length > 0 ? (
            <>
              <TableRows visit={visit} kind={kind} rows={page.data} />
              <Pager
                shown={q === undefined ? times(page.totalCount, 'row') : `${times(page.data.length, 'row')} shown`}
                newer={cursor === undefined ? undefined : visit.to(path, { q, by, is })}
                older={page.nextCursor ? visit.to(path, { q, by, is, cursor: page.nextCursor }) : undefined}
              />
            </>
          ) : q || is ? (
            <Empty title="Nothing passes this filter">
              <p>
                <a href={visit.to(path)}>Show all of them</a>
              </p>
            </Empty>
          ) : (
            <Nothing visit={visit} kind={kind} />
          )}
        </Panel>
        {kind.read || kind.made ? <Hint visit={visit} call={{ method: 'GET', path: '/state' }} /> : null}
      </>
    ),
  };
}

interface Asked {
  q: string | undefined;
  by: string | undefined;
  is: string | undefined;
  cursor: string | undefined;
}

/** A page costs what it shows: counted from the index, except where a text is looked for. */
function pageOf(rows: Table<AnyRow>, kind: Kind, { q, by, is, cursor }: Asked): Page<AnyRow> {
  const where =
    by !== undefined && is !== undefined && Object.hasOwn(rows.token.indexes, by) ? { [by]: is } : undefined;
  if (q === undefined) return rows.page({ where, limit: PAGE, cursor, withHidden: true });
  // A text is looked for until the page is full, not counted in every row there is.
  const text = new RegExp(q.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i');
  const data: AnyRow[] = [];
  for (const row of rows.newest({ where, withHidden: true })) {
    if (!speaks(row, kind, text)) continue;
    data.push(row);
    if (data.length === PAGE) break;
  }
  return { data, hasMore: false, totalCount: data.length };
}

const SEARCHED = ['platformCustomerId', 'email', 'umaAddress', 'status', 'kycStatus', 'verificationStatus', 'type'];

function speaks(row: AnyRow, kind: Kind, text: RegExp): boolean {
  if (text.test(row.id)) return true;
  const name = kind.name?.(row);
  if (name !== undefined && text.test(name)) return true;
  for (const member of SEARCHED) {
    const value = row[member];
    if (typeof value === 'string' && text.test(value)) return true;
  }
  return false;
}

/** What to paste so that there is one. */
const Nothing = ({ visit, kind }: { visit: Visit; kind: Kind }) => {
  const op = OPERATIONS.find(({ id }) => id === kind.made);
  const title = `No ${kind.title.toLowerCase()} yet`;
  if (!op) return <Empty title={title} />;
  return (
    <Empty title={title}>
      <p>
        They are made by <a href={visit.to(`/inspector/api/${op.id}`)}>{op.id}</a>:
      </p>
      <Command
        text={
          op.id === 'createCustomer'
            ? firstCurl(visit)
            : `curl -s -u ${loginOf(visit)} -X ${op.method} ${visit.origin}${visit.host.basePath}${op.path}`
        }
      />
    </Empty>
  );
};
