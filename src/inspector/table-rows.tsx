import type { Child } from 'hono/jsx';
import type { AnyRow, Column, Kind } from './kinds.ts';
import { Badge, count, Id, Time } from './parts.tsx';
import { href, moneyText, plain, shortId } from './text.ts';
import type { Visit } from './visit.ts';

interface Shown {
  visit: Visit;
  kind: Kind;
  rows: readonly AnyRow[];
  /** What all of them refer to, and need not say. */
  of?: string;
}

/** Rows of one kind as a table; the first cell leads to the row. */
export const TableRows = ({ visit, kind, rows, of }: Shown) => {
  // What all rows of one resource have in common is known already.
  const columns = kind.columns.filter(
    (column) => of === undefined || column.as !== 'id' || new Set(rows.map((row) => column.of(row, visit))).size > 1,
  );
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">{kind.one}</th>
            {columns.map(({ name, as }) => (
              <th scope="col" class={isNumber(as) ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody data-rows>
          {rows.map((row) => (
            <tr data-row={row.id}>
              <td>
                <RowLink visit={visit} kind={kind} row={row} />
              </td>
              {columns.map((column) => (
                <td class={isNumber(column.as) ? 'number' : undefined}>{cell(visit, column, row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const isNumber = (as: Column['as']): boolean => as === 'number' || as === 'money';

/** A row by its name and its id. */
export const RowLink = ({ visit, kind, row }: { visit: Visit; kind: Kind; row: AnyRow }) => {
  const name = kind.name?.(row);
  return (
    <a
      class="row-link"
      href={visit.to(`/inspector/state/${encodeURIComponent(kind.table)}/${encodeURIComponent(row.id)}`)}
      title={plain(row.id)}
      data-key={row.id}
    >
      {name ? plain(name) : <span class="id">{shortId(row.id)}</span>}
      {name ? <small class="id">{shortId(row.id)}</small> : null}
    </a>
  );
};

function cell(visit: Visit, { of, as }: Column, row: AnyRow): Child {
  const value = of(row, visit);
  if (value === undefined || value === null || value === '') return <span class="none">–</span>;
  const text = String(value);
  if (as === 'status') return <Badge of={text} />;
  if (as === 'time') return <Time visit={visit} at={typeof value === 'number' ? value : text} />;
  if (as === 'id') return href(visit, text) ? <Id visit={visit} id={text} mark={`${row.id} ${text}`} /> : shortId(text);
  if (as === 'money') return moneyText(text);
  if (as === 'number') return count(Number(value));
  return plain(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
