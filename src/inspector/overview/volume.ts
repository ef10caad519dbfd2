import { type AnyTransaction, TRANSACTIONS } from '../../areas/transactions/index.ts';
import { eachOf, type Steps } from '../../engine/slices.ts';
import type { PageContext } from '../frame/page-context.ts';

/** The number of days in the charts, including the present one. */
export const DAYS = 30;
const DAY_MS = 86_400_000;

/** The volume of one day in one currency, in its minor units. */
export interface Day {
  readonly date: string;
  in: number;
  out: number;
  payments: number;
}

/** The volume of one currency, in its minor units, day by day; a failed payment moved nothing. */
export interface Volume {
  readonly currency: string;
  readonly days: readonly Day[];
  in: number;
  out: number;
  payments: number;
  failed: number;
}

export interface Volumes {
  /** The volumes, the busiest currency first. */
  readonly of: readonly Volume[];
  /** The number of payments in the sandbox. */
  readonly total: number;
}

/** Adds up the volume of the last days, by currency: all of it, however many payments there are (W3). */
export function* volumesOf({ world }: PageContext): Steps<Volumes> {
  const table = world.rows(TRANSACTIONS);
  const dates = daysUntil(world.clock.now());
  const by = new Map<string, Volume>();
  const places = new Map(dates.map((date, i) => [date, i]));
  const [first = ''] = dates;
  // Copied at once: a write between two slices does not disturb the walk.
  const all: AnyTransaction[] = [];
  for (const t of table.newest()) {
    // Newest first: the rest is older still.
    if (t.createdAt < first) break;
    all.push(t);
  }
  yield* eachOf(all, (t) => {
    const day = places.get(t.createdAt.slice(0, 10));
    const moved = day === undefined ? undefined : movedBy(t);
    if (!moved || day === undefined) return;
    const volume = by.get(moved.currency) ?? empty(moved.currency, dates);
    by.set(moved.currency, volume);
    count(volume, volume.days[day] as Day, moved);
  });
  const of = [...by.values()].sort((a, b) => b.payments - a.payments || (a.currency < b.currency ? -1 : 1));
  return { of, total: table.size };
}

function count(volume: Volume, day: Day, { amount, comes, failed }: Moved): void {
  if (failed) {
    volume.failed += 1;
    return;
  }
  for (const sum of [volume, day]) {
    sum[comes ? 'in' : 'out'] += amount;
    sum.payments += 1;
  }
}

const empty = (currency: string, dates: readonly string[]): Volume => ({
  currency,
  days: dates.map((date) => ({ date, in: 0, out: 0, payments: 0 })),
  ...{ in: 0, out: 0, payments: 0, failed: 0 },
});

/** Returns the last days up to a moment, as dates, oldest first. */
function daysUntil(now: number): string[] {
  const today = Math.floor(now / DAY_MS);
  return Array.from({ length: DAYS }, (_, i) => new Date((today - DAYS + 1 + i) * DAY_MS).toISOString().slice(0, 10));
}

interface Moved {
  readonly amount: number;
  readonly currency: string;
  readonly comes: boolean;
  readonly failed: boolean;
}

/** Returns the volume of a payment; undefined while it has not begun to move. */
function movedBy(t: AnyTransaction): Moved | undefined {
  const failed = TRANSACTIONS.tones?.[t.status] === 'bad';
  if (t.type === 'CARD') {
    const amount = Number(t.authorized) || 0;
    return { amount, currency: String(t.currency), comes: t.direction === 'CREDIT', failed };
  }
  const comes = t.type === 'INCOMING';
  const { amount, currency } = (comes ? t.received : t.sent) ?? {};
  const began = comes ? t.status === 'COMPLETED' : t.debited === true;
  if (!began && !failed) return undefined;
  return { amount: Number(amount) || 0, currency: String(currency), comes, failed };
}
