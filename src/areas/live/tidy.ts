import type { World } from '../../engine/world.ts';
import { type Line, POSTINGS, type Posting } from '../../ledger/ledger.ts';
import { TRANSACTIONS } from '../transactions/index.ts';
import { LIVE_PAYMENTS } from './row.ts';

/** The cause of postings that stand for earlier ones. */
const EARLIER = 'live.earlier';

const UNDER_WAY: ReadonlySet<string> = new Set(['PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING']);

/**
 * Deletes payments that live traffic made longer ago than this many virtual milliseconds, and that are over. Balances stay.
 * Postings that follow one another become their sum, at the place of the last: no account is below zero in between.
 */
export function tidy(world: World, keepMs: number): void {
  const payments = world.rows(LIVE_PAYMENTS);
  const transactions = world.rows(TRANSACTIONS);
  const until = world.clock.now() - keepMs;
  const old = new Set<string>();
  for (const { id, at } of payments.rows()) {
    if (at > until) break;
    const transaction = transactions.get(id);
    if (!transaction || (!UNDER_WAY.has(transaction.status) && !isRefunding(transaction))) old.add(id);
  }
  if (old.size === 0) return;
  fold(world, old);
  for (const id of old) {
    transactions.remove(id);
    payments.remove(id);
  }
}

const isRefunding = (transaction: object): boolean =>
  (transaction as { refund?: { status?: string } }).refund?.status === 'PENDING';

/** Makes one posting of each run of postings that old payments caused. */
function fold(world: World, old: ReadonlySet<string>): void {
  const postings = world.rows(POSTINGS);
  let run: Posting[] = [];
  const end = (): void => {
    const last = run.at(-1);
    if (last && (run.length > 1 || last.cause !== EARLIER)) {
      for (const { id } of run.slice(0, -1)) postings.remove(id);
      const lines = sumOf(run);
      if (lines.length === 0) postings.remove(last.id);
      else postings.put({ ...last, reason: 'Earlier live payments', cause: EARLIER, lines });
    }
    run = [];
  };
  for (const posting of [...postings.rows()])
    if (posting.cause === EARLIER || old.has(posting.cause)) run.push(posting);
    else end();
  end();
}

/** Returns the lines of several postings as one line for each part of an account; those that sum to nothing are left out. */
function sumOf(run: readonly Posting[]): Line[] {
  const sums = new Map<string, Line>();
  for (const line of run.flatMap(({ lines }) => lines)) {
    const key = `${line.account} ${line.part ?? 'available'} ${line.currency}`;
    sums.set(key, { ...line, amount: (sums.get(key)?.amount ?? 0) + line.amount });
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0);
}
