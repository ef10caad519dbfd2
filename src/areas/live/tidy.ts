import type { World } from '../../engine/world.ts';
import { type Line, POSTINGS, type Posting } from '../../ledger/ledger.ts';
import { TRANSACTIONS } from '../transactions/index.ts';
import { LIVE_PAYMENTS } from './row.ts';

/** The cause of a posting that replaces earlier ones. */
const EARLIER = 'live.earlier';

const UNDER_WAY: ReadonlySet<string> = new Set(['PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING']);

/**
 * Deletes finished payments that live traffic made longer ago than `keepMs` virtual milliseconds. Balances stay.
 * Consecutive postings become their sum, at the place of the last: no account is below zero in between.
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

/** Merges each run of postings that old payments caused into one posting. */
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

/** Returns the lines of several postings as one line per part of an account, without those that sum to zero. */
function sumOf(run: readonly Posting[]): Line[] {
  const sums = new Map<string, Line>();
  for (const line of run.flatMap(({ lines }) => lines)) {
    const key = `${line.account} ${line.part ?? 'available'} ${line.currency}`;
    sums.set(key, { ...line, amount: (sums.get(key)?.amount ?? 0) + line.amount });
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0);
}
