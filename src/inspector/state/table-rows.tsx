import type { Child } from 'hono/jsx';
import type { Column, Resource } from '../../engine/resource.ts';
import type { Row } from '../../engine/table.ts';
import { nameOf } from '../frame/kinds.ts';
import { href } from '../frame/links.ts';
import type { PageContext } from '../frame/page-context.ts';
import { Badge, Breakable, Cell, count, DataTable, type Heading, Line, Name, Named, Time } from '../frame/parts.tsx';
import { escapeControlChars, moneyText, shortId } from '../frame/text.ts';

interface Shown {
  visit: PageContext;
  kind: Resource;
  rows: readonly Row[];
  /** The resource to which all rows refer, so that none repeats it. */
  of?: string;
  /** Returns the order to which each heading leads; without it headings are not links. */
  sort?: (column: Column) => NonNullable<Heading['sort']>;
}

/** Rows of one kind as a table; the first cell links to the row. */
export const TableRows = ({ visit, kind, rows, of, sort }: Shown) => {
  // The values that all rows of one resource share are already known.
  const columns = kind.columns.filter(
    (column) =>
      of === undefined || column.as !== 'id' || new Set(rows.map((row) => column.of(row, visit.world))).size > 1,
  );
  const headings = columns.map((column) => ({
    name: column.name,
    number: isNumber(column.as),
    ...(sort ? { sort: sort(column) } : {}),
  }));
  return (
    <DataTable columns={[{ name: kind.one }, ...headings]}>
      {rows.map((row) => (
        <Line of={row.id}>
          <Cell of={<RowLink visit={visit} kind={kind} row={row} />} />
          {columns.map((column) => (
            <Cell name={column.name} number={isNumber(column.as)} of={cell(visit, column, row)} />
          ))}
        </Line>
      ))}
    </DataTable>
  );
};

const isNumber = (as: Column['as']): boolean => as === 'number' || as === 'money';

/** A row by its name and its id. */
export const RowLink = ({ visit, kind, row }: { visit: PageContext; kind: Resource; row: Row }) => {
  const name = nameOf(visit, { kind, row });
  return (
    <a
      class="row-link"
      href={visit.at('state', kind.name, row.id)}
      title={escapeControlChars(row.id)}
      data-key={row.id}
    >
      {name ? <Name text={name} /> : <span class="id">{shortId(row.id)}</span>}
      {name ? <small class="id">{shortId(row.id)}</small> : null}
    </a>
  );
};

function cell(visit: PageContext, column: Column, row: Row): Child {
  const { as } = column;
  const value = column.of(row, visit.world);
  if (value === undefined || value === null || value === '') return <span class="none">–</span>;
  const text = escapeControlChars(value);
  if (as === 'status') return <Badge of={text} />;
  if (as === 'time') return <Time visit={visit} at={typeof value === 'number' ? value : text} />;
  if (as === 'id')
    return href(visit, text) ? <Named visit={visit} id={text} mark={`${row.id} ${text}`} /> : shortId(text);
  if (as === 'money') return moneyText(text);
  if (as === 'number') return count(Number(value));
  return <Breakable text={text.length > 60 ? `${text.slice(0, 60)}…` : text} />;
}
