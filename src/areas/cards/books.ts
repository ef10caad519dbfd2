import { moneyText } from '../../contract/money.ts';
import type { LedgerRule } from '../../ledger/audit.ts';
import type { Finding } from '../../ledger/book.ts';
import type { Posting } from '../../ledger/ledger.ts';
import { type CardPayment, credited, perUnit, pulled, TRANSACTIONS } from '../transactions/index.ts';

/**
 * Returns what the account of a payment should have gained or lost for it, in its minor units; `held` waits for
 * confirmation.
 */
function shouldBe(t: CardPayment): { available: number; held: number } {
  if (t.direction === 'CREDIT') return { available: t.settled * perUnit(t), held: 0 };
  const held = t.pulls.reduce((sum, { amount, stage }) => (stage === 'PENDING' ? sum + amount : sum), 0);
  return { available: credited(t) - pulled(t), held };
}

/** Yields what is wrong with the postings of one payment. */
function* wrongs(t: CardPayment, postings: Iterable<Posting>): Generator<Finding> {
  if (!Number.isInteger(perUnit(t)))
    yield {
      account: t.accountId,
      message: `${t.id}: ${t.accountCurrency} has no unit as small as that of ${t.currency}`,
    };
  const right = shouldBe(t);
  const is = { available: 0, held: 0 };
  let last: { posting?: string } = {};
  for (const { id: posting, lines } of postings)
    for (const { account, amount, part = 'available' } of lines) {
      if (account !== t.accountId) continue;
      is[part] += amount;
      last = { posting };
    }
  const text = (amount: number): string => moneyText(amount, t.accountCurrency);
  for (const part of ['available', 'held'] as const)
    if (is[part] !== right[part]) {
      const message = `${t.id}: its ${part} lines sum to ${text(is[part])}, and it says ${text(right[part])}`;
      yield { ...last, account: t.accountId, message };
    }
}

/** Checks a card payment against what the ledger moved for it. */
export const cardLines: LedgerRule = {
  name: 'cards',
  says: 'For each card payment, the entries of the account that pays equal its refunds minus its pulls, or the credit',
  table: TRANSACTIONS,
  among: ['type', 'CARD'],
  wrongs: (row, postings) => ((row as CardPayment).type === 'CARD' ? wrongs(row as CardPayment, postings) : []),
};
