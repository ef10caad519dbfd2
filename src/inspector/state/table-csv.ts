import type { Column, Resource } from '../../engine/resource.ts';
import { eachOf, type Steps } from '../../engine/slices.ts';
import type { Row } from '../../engine/table.ts';
import { find, nameOf } from '../frame/kinds.ts';
import type { PageContext } from '../frame/page-context.ts';
import { escapeControlChars, moneyText } from '../frame/text.ts';

/**
 * Writes rows as CSV (RFC 4180): name, id, and the columns of their list's page. A reference has two columns: its name
 * and its id.
 */
export function* csvOf(visit: PageContext, kind: Resource, rows: Iterable<Row>): Steps<string> {
  const headings = kind.columns.flatMap(({ name, as }) => (as === 'id' ? [name, `${name} id`] : [name]));
  const lines = [lineOf([kind.one, 'Id', ...headings])];
  yield* eachOf(rows, (row) => {
    const cells = kind.columns.flatMap((column) => cellsOf(visit, column, column.of(row, visit.world)));
    lines.push(lineOf([nameOf(visit, { kind, row }) ?? '', row.id, ...cells]));
  });
  return lines.join('');
}

function cellsOf(visit: PageContext, column: Column, value: unknown): string[] {
  if (column.as !== 'id') return [cellOf(column, value)];
  const found = find(visit, value);
  const id = typeof value === 'string' ? value : '';
  return found ? [nameOf(visit, found) ?? '', id] : [id, ''];
}

function cellOf({ as }: Column, value: unknown): string {
  if (value === undefined || value === null || value === '') return '';
  if (as === 'time' && typeof value === 'number') return new Date(value).toISOString();
  return as === 'money' ? moneyText(String(value)) : String(value);
}

const lineOf = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`;

/** Quotes a cell. One that a spreadsheet would run as a formula gets an apostrophe in front. */
function quoted(cell: string): string {
  const text = escapeControlChars(/^[=+\-@\t\r]/.test(cell) && !/^-?[\d.,]+( [A-Z]+)?$/.test(cell) ? `'${cell}` : cell);
  return `"${text.replaceAll('"', '""')}"`;
}
