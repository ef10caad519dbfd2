import { DELIVERIES, type Delivery } from '../areas/webhooks/index.ts';
import type { Entry } from '../host/journal.ts';
import { mentions } from './journal.ts';
import { type AnyRow, type Found, type Kind, kindOf, rowsOf } from './kinds.ts';
import type { Visit } from './visit.ts';

/** Rows of one kind that refer to a row. */
export interface Related {
  readonly kind: Kind;
  readonly rows: readonly AnyRow[];
  readonly total: number;
  /** Where the others are. */
  readonly all?: string | undefined;
}

const SHOWN = 8;
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
    ['quotes', (row, id) => (row['customers'] as readonly string[] | undefined)?.includes(id) ?? false],
    ['kyc-links', (row, id) => row['customerId'] === id],
  ],
  transactions: [['quotes', (row, id) => row['transactionId'] === id]],
};

/** Everything that refers to a row, most telling first. */
export function related(visit: Visit, { kind, row }: Found): Related[] {
  const found: Related[] = [];
  for (const [table, index] of REFERRING[kind.table] ?? []) {
    const other = kindOf(table);
    const rows = rowsOf(visit, other);
    if (!rows || !Object.hasOwn(rows.token.indexes, index)) continue;
    const page = rows.page({ where: { [index]: row.id }, limit: SHOWN, withHidden: true });
    if (page.data.length === 0) continue;
    const all = page.hasMore ? visit.to(`/inspector/state/${table}`, { by: index, is: row.id }) : undefined;
    found.push({ kind: other, rows: page.data, total: page.totalCount, all });
  }
  for (const [table, refers] of LOOSELY[kind.table] ?? []) {
    const other = kindOf(table);
    const rows: AnyRow[] = [];
    let looked = 0;
    for (const one of rowsOf(visit, other)?.newest() ?? []) {
      if ((looked += 1) > LOOKED_AT || rows.length === SHOWN) break;
      if (refers(one, row.id)) rows.push(one);
    }
    if (rows.length > 0) found.push({ kind: other, rows, total: rows.length });
  }
  return found;
}

/** The newest events about a resource, or that carry one of a customer's. */
export function hooksAbout(visit: Visit, id: string, most = SHOWN): Delivery[] {
  const hooks: Delivery[] = [];
  let looked = 0;
  for (const hook of visit.world.rows(DELIVERIES).newest()) {
    if ((looked += 1) > LOOKED_AT || hooks.length === most) break;
    if (hook.subject === id || (hook.data as { customerId?: unknown }).customerId === id) hooks.push(hook);
  }
  return hooks;
}

/** The newest calls that speak of a resource. */
export function callsAbout(visit: Visit, id: string, most = SHOWN): Entry[] {
  const calls: Entry[] = [];
  for (const entry of visit.sandbox.journal.newest()) {
    if (calls.length === most) break;
    if (mentions(entry, id)) calls.push(entry);
  }
  return calls;
}
