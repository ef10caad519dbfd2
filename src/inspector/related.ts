import type { Entry } from '../host/journal.ts';
import { chosen } from './bounded.ts';
import { mentions } from './journal.ts';
import type { AnyRow, Kind } from './kind-list.ts';
import { type Found, kindOf, rowsOf } from './kinds.ts';
import type { Visit } from './visit.ts';

/** Rows of one kind that refer to a row. */
export interface Related {
  readonly kind: Kind;
  readonly rows: readonly AnyRow[];
  readonly total: number;
  /** Where the others are. */
  readonly all?: string | undefined;
}

/** Of each kind of what refers to a resource. */
export const SHOWN = 8;
/** Rows that are looked at where no index leads to those that refer; older ones are left out. */
const LOOKED_AT = 20_000;

/** Which tables refer to which, and by which index. */
const REFERRING: Readonly<Record<string, readonly (readonly [table: string, index: string])[]>> = {
  customers: [
    ['accounts', 'owner'],
    ['transactions', 'customer'],
    ['external-accounts', 'owner'],
    ['verifications', 'customerId'],
    ['owners', 'customerId'],
    ['documents', 'documentHolder'],
  ],
  accounts: [
    ['transactions', 'party'],
    ['postings', 'account'],
    ['credentials', 'account'],
    ['sessions', 'account'],
  ],
  'external-accounts': [['transactions', 'party']],
  transactions: [['postings', 'cause']],
  credentials: [['sessions', 'credential']],
  owners: [['documents', 'documentHolder']],
};

/** Those that only a look at each row finds. */
const LOOSELY: Readonly<
  Record<string, readonly (readonly [table: string, refers: (row: AnyRow, id: string) => boolean])[]>
> = {
  customers: [
    ['quotes', (row, id) => Array.isArray(row['customers']) && row['customers'].includes(id)],
    ['kyc-links', (row, id) => row['customerId'] === id],
  ],
  transactions: [['quotes', (row, id) => row['transactionId'] === id]],
};

/** Everything that refers to a row, most telling first. */
export const related = (visit: Visit, { kind, row }: Found): Related[] => [
  ...(REFERRING[kind.table] ?? []).flatMap(([table, index]) => byIndex(visit, table, index, row.id) ?? []),
  ...(LOOSELY[kind.table] ?? []).flatMap(([table, refers]) => byLooking(visit, table, (one) => refers(one, row.id))),
];

/** Rows that an index leads to: counted without a look at them. */
function byIndex(visit: Visit, table: string, index: string, id: string): Related | undefined {
  const kind = kindOf(table);
  const rows = rowsOf(visit, kind);
  if (!rows || !Object.hasOwn(rows.token.indexes, index)) return undefined;
  const page = rows.page({ where: { [index]: id }, limit: SHOWN, withHidden: true });
  if (page.data.length === 0) return undefined;
  const all = page.hasMore ? visit.to(`/inspector/state/${table}`, { by: index, is: id }) : undefined;
  return { kind, rows: page.data, total: page.totalCount, all };
}

function byLooking(visit: Visit, table: string, refers: (row: AnyRow) => boolean): Related[] {
  const kind = kindOf(table);
  const rows = chosen(rowsOf(visit, kind)?.newest() ?? [], refers, SHOWN, LOOKED_AT);
  return rows.length === 0 ? [] : [{ kind, rows, total: rows.length }];
}

/** The newest calls that speak of a resource; the log is short. */
export const callsAbout = (visit: Visit, id: string, most = SHOWN): Entry[] =>
  chosen(visit.sandbox.journal.newest(), (entry) => mentions(entry, id), most);
