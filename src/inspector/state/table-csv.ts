import type { Column, Resource } from '../../engine/resource.ts';
import { eachOf, inSlices, type Steps } from '../../engine/slices.ts';
import type { Row } from '../../engine/table.ts';
import { nameOf } from '../frame/kinds.ts';
import type { PageContext } from '../frame/page-context.ts';
import { escapeControlChars, moneyText } from '../frame/text.ts';

/** Writes rows as CSV (RFC 4180) in slices: name, id, and the columns that the page of their list has. */
export const csvOf = (visit: PageContext, kind: Resource, rows: Iterable<Row>): Promise<string> =>
  inSlices(writing(visit, kind, rows));

function* writing(visit: PageContext, kind: Resource, rows: Iterable<Row>): Steps<string> {
  const lines = [lineOf([kind.one, 'Id', ...kind.columns.map(({ name }) => name)])];
  yield* eachOf(rows, (row) => {
    const cells = kind.columns.map((column) => cellOf(column, column.of(row, visit.world)));
    lines.push(lineOf([nameOf(visit, { kind, row }) ?? '', row.id, ...cells]));
  });
  return lines.join('');
}

function cellOf({ as }: Column, value: unknown): string {
  if (value === undefined || value === null || value === '') return '';
  if (as === 'time' && typeof value === 'number') return new Date(value).toISOString();
  return as === 'money' ? moneyText(String(value)) : String(value);
}

const lineOf = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`;

/** Quotes a cell. One that a spreadsheet would run as a formula begins with an apostrophe. */
function quoted(cell: string): string {
  const text = escapeControlChars(/^[=+\-@\t\r]/.test(cell) && !/^-?[\d.,]+( [A-Z]+)?$/.test(cell) ? `'${cell}` : cell);
  return `"${text.replaceAll('"', '""')}"`;
}
