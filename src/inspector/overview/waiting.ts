import { CUSTOMERS, type Customer } from '../../areas/customers/index.ts';
import { type AnyTransaction, TRANSACTIONS } from '../../areas/transactions/index.ts';
import type { Job } from '../../engine/scheduler.ts';
import { atMost, chosen } from '../frame/bounded.ts';
import type { PageContext } from '../frame/page-context.ts';

/** The most rows of each kind that are searched. */
const LOOKED_AT = 2000;
/** The most examples of each kind that are shown. */
const SHOWN = 3;

/** The reason why something does not proceed, and the moment when it will, if known. */
interface Reason {
  readonly why: string;
  readonly at?: number | undefined;
}

/** A row that is waiting. */
export interface Waiter<R> extends Reason {
  readonly row: R;
}

/** The rows that are waiting, and the sizes of their lists: a few of each, newest first. */
export interface Waiting {
  readonly payments: { readonly total: number; readonly of: readonly Waiter<AnyTransaction>[] };
  readonly customers: { readonly total: number; readonly more: boolean; readonly of: readonly Waiter<Customer>[] };
  readonly held: number;
  readonly broken: number;
  /** True if there are more jobs than the page searches. */
  readonly moreJobs: boolean;
}

const UNDER_WAY = ['CREATED', 'PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING'];
const UNDECIDED = ['PENDING', 'UNVERIFIED', 'HOLD'];

/** Returns the rows that do not proceed by themselves, or not yet. */
export function waitingIn(visit: PageContext): Waiting {
  const { world } = visit;
  const jobs = [...atMost(world.scheduler.jobs.rows(), LOOKED_AT)];
  const customers = chosen(
    world.rows(CUSTOMERS).newest(),
    ({ kycStatus }) => UNDECIDED.includes(kycStatus),
    LOOKED_AT,
    LOOKED_AT,
  );
  return {
    payments: paymentsIn(visit, jobs),
    customers: {
      total: customers.length,
      more: world.rows(CUSTOMERS).size > LOOKED_AT,
      of: customers.slice(0, SHOWN).map((row) => ({ row, ...whyUndecided(row, jobs) })),
    },
    held: jobs.filter(({ dueAt, broken }) => dueAt === null && !broken).length,
    broken: jobs.filter(({ broken }) => broken !== undefined).length,
    moreJobs: world.scheduler.jobs.size > LOOKED_AT,
  };
}

function paymentsIn({ world }: PageContext, jobs: readonly Job[]): Waiting['payments'] {
  const table = world.rows(TRANSACTIONS);
  const waiting = UNDER_WAY.flatMap((status) => chosen(table.newest({ where: { status } }), () => true, SHOWN));
  return {
    total: UNDER_WAY.reduce((sum, status) => sum + table.count('status', status), 0),
    of: waiting
      .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
      .slice(0, SHOWN)
      .map((row) => ({ row, ...whyWaiting(row, jobs) })),
  };
}

function whyWaiting(t: AnyTransaction, jobs: readonly Job[]): Reason {
  if (t.type !== 'CARD' && t.approval) return { why: 'waits for approval' };
  if (t.status === 'PENDING_AUTHORIZATION') return { why: 'waits for its payer to authorize it' };
  const next = nextFor(t.id, jobs);
  if (next) return next;
  if (t.type === 'OUTGOING' && !t.debited) return { why: 'waits for its quote to be executed or funded' };
  return { why: 'waits for your decision' };
}

function whyUndecided(customer: Customer, jobs: readonly Job[]): Reason {
  const open = Object.entries(customer.contactVerification ?? {}).filter(([, state]) => state === 'PENDING');
  if (open.length > 0) return { why: `waits for its ${open.map(([channel]) => channel).join(' and ')} to be verified` };
  return nextFor(customer.id, jobs) ?? { why: 'waits to be submitted, or for your decision' };
}

/** Returns the next scheduled work for a row, as far as its job names it. */
function nextFor(id: string, jobs: readonly Job[]): Reason | undefined {
  const next = jobs.find(({ payload }) => Object.values(payload).includes(id));
  if (!next) return undefined;
  if (next.broken) return { why: 'its next step failed' };
  return next.dueAt === null ? { why: 'waits for your decision' } : { why: 'continues', at: next.dueAt };
}
