import { expect } from 'vitest';
import { accountsOf } from '../../../src/areas/accounts/index.ts';
import { PAYMENTS, type Side, type Transaction } from '../../../src/areas/transactions/index.ts';
import type { DomainEvent } from '../../../src/contract/domain-event.ts';
import type { World } from '../../../src/engine/world.ts';
import { BALANCES, POSTINGS } from '../../../src/ledger/ledger.ts';

/** Whether a side is an account of this platform. */
const inside = (side: Side): boolean => side.kind === 'ACCOUNT' && side.accountId.startsWith('InternalAccount:');

/** Where the platform's fee of a payment goes. */
const feeAccountOf = (world: World, { sent }: Transaction): string | undefined =>
  accountsOf(world).find(({ currency }) => currency === sent.currency)?.id;

/** What may be told after what, by the reference (12.1, 12.3); `-` is before the first event. */
const NEXT: Readonly<Record<'OUTGOING' | 'INCOMING', Readonly<Record<string, readonly string[]>>>> = {
  OUTGOING: {
    '-': ['PENDING', 'PENDING_AUTHORIZATION', 'EXPIRED'],
    PENDING: ['PENDING_AUTHORIZATION', 'PROCESSING', 'FAILED'],
    PENDING_AUTHORIZATION: ['PENDING_AUTHORIZATION', 'PENDING', 'PROCESSING', 'FAILED', 'EXPIRED'],
    PROCESSING: ['COMPLETED', 'FAILED', 'REFUND_PENDING'],
    COMPLETED: ['FAILED'],
    FAILED: ['REFUND_PENDING'],
    REFUND_PENDING: ['REFUND_COMPLETED', 'REFUND_FAILED'],
    REFUND_COMPLETED: ['COMPLETED'],
  },
  INCOMING: {
    '-': ['PENDING', 'COMPLETED', 'FAILED'],
    PENDING: ['COMPLETED', 'FAILED'],
    FAILED: ['REFUND_PENDING'],
    REFUND_PENDING: ['REFUND_COMPLETED', 'REFUND_FAILED'],
  },
};

/** The last event that a payment in this state must have told; nothing while it has told none. */
function lastOf(t: Transaction): string | undefined {
  if (t.type === 'OUTGOING' && !t.debited && t.status === 'PENDING') return undefined;
  if (t.status === 'COMPLETED' || t.status === 'EXPIRED') return t.status;
  if (t.refund) return `REFUND_${t.refund.status}`;
  if (t.status === 'REJECTED') return 'FAILED';
  if (t.type === 'OUTGOING') return t.status;
  if (t.status === 'FAILED') return t.status;
  return t.approval ? 'PENDING' : undefined;
}

/** Watches a world, and after every step says whether it is still in order. Looks only at what is new. */
export class Watch {
  readonly #world: World;
  readonly #told = new Map<string, string>();
  /** Everything told about a payment, in order. */
  readonly stories = new Map<string, string[]>();
  readonly #seen = new Map<string, Transaction>();
  readonly #sums = new Map<string, number>();
  readonly #wrong: string[] = [];
  #postings = 0;
  readonly close: () => void;

  constructor(world: World) {
    this.#world = world;
    this.close = world.watch((happening) => {
      if (happening.what === 'event') this.#hear(happening.event);
    });
  }

  #hear({ type, subject }: DomainEvent): void {
    const [kind, end] = type.split('_PAYMENT.');
    if (end === undefined) return;
    const before = this.#told.get(subject) ?? '-';
    if (!NEXT[kind as 'OUTGOING' | 'INCOMING'][before]?.includes(end))
      this.#wrong.push(`${subject} told ${type} after ${before}`);
    this.#told.set(subject, end);
    const story = this.stories.get(subject);
    if (story) story.push(type);
    else this.stories.set(subject, [type]);
  }

  /** What must hold after every step. */
  check(): void {
    expect(this.#wrong).toEqual([]);
    this.#ledger();
    for (const t of this.#world.rows(PAYMENTS).rows()) {
      if (this.#seen.get(t.id) === t) continue;
      this.#seen.set(t.id, t);
      this.#payment(t);
    }
  }

  /** Every posting sums to zero in every currency, balances are sums of postings, and none is negative. */
  #ledger(): void {
    const postings = [...this.#world.rows(POSTINGS).rows()].slice(this.#postings);
    this.#postings += postings.length;
    for (const posting of postings) {
      const sums = new Map<string, number>();
      for (const { account, currency, amount } of posting.lines) {
        sums.set(currency, (sums.get(currency) ?? 0) + amount);
        this.#sums.set(account, (this.#sums.get(account) ?? 0) + amount);
      }
      for (const [currency, sum] of sums) if (sum !== 0) this.#wrong.push(`${posting.id}: ${sum} ${currency}`);
    }
    for (const { id, available, held } of this.#world.rows(BALANCES).rows()) {
      if (available + held !== (this.#sums.get(id) ?? 0)) this.#wrong.push(`${id} is not the sum of its postings`);
      if (available < 0 && !id.startsWith('outside:')) this.#wrong.push(`${id} is negative: ${available}`);
    }
    expect(this.#wrong).toEqual([]);
  }

  /** Every change of state has been told, and the money is where the state says. */
  #payment(t: Transaction): void {
    const reasons = this.#world
      .rows(POSTINGS)
      .all('cause', t.id)
      .map((posting) => posting.reason);
    const times = (reason: string) => reasons.filter((one) => one === reason).length;
    const about = `${t.id} ${t.type} ${t.status} ${t.plan}`;
    // Authorized and not funded yet, a payment is pending again, which is not told.
    const told = this.#told.get(t.id);
    const last = lastOf(t) ?? (told === 'PENDING_AUTHORIZATION' && t.paymentInstructions ? told : undefined);
    if (told !== last) this.#wrong.push(`${about} told ${told} last`);
    const wanted =
      t.type === 'INCOMING'
        ? { credit: Number(t.status === 'COMPLETED'), debit: 0, refund: 0 }
        : {
            credit: 0,
            debit: Number(t.debited === true),
            // Money that never came has nobody to be refunded to: what stood for it goes back without a refund.
            refund: Number(
              t.refund?.status === 'COMPLETED' ||
                (t.plan?.startsWith('out funding failed') === true && t.status === 'FAILED'),
            ),
          };
    if (wanted.debit === 1) this.#amounts(t, wanted.refund === 1);
    for (const [reason, count] of Object.entries(wanted))
      if (times(reason) !== count) this.#wrong.push(`${about} has ${times(reason)} ${reason} for ${count}`);
    expect(this.#wrong).toEqual([]);
  }

  /** What left the payer is what was sent, and all of it comes back, fees included (X14). */
  #amounts(t: Transaction, isRefunded: boolean): void {
    const linesOf = (reason: string, account: string): number =>
      this.#world
        .rows(POSTINGS)
        .all('cause', t.id)
        .filter((posting) => posting.reason === reason)
        .flatMap(({ lines }) => lines)
        .reduce((sum, line) => (line.account === account ? sum + line.amount : sum), 0);
    const left = linesOf('debit', t.payer);
    if (left !== -t.sent.amount) this.#wrong.push(`${t.id} took ${-left} from its payer for ${t.sent.amount}`);
    if (!isRefunded) return;
    // The platform's own fee, where the platform pays, comes and goes in one account.
    const own = t.refundTo === feeAccountOf(this.#world, t) ? t.platformFees : 0;
    const back = linesOf('refund', t.refundTo);
    if (back !== t.sent.amount && back !== t.sent.amount - own)
      this.#wrong.push(`${t.id} gave back ${back} of ${t.sent.amount}`);
  }

  /** When nothing is left to happen: no payment is under way, and every failed payout was refunded, or told why not. */
  end(): void {
    this.check();
    for (const t of this.#world.rows(PAYMENTS).rows()) {
      if (t.status === 'PENDING' || t.status === 'PROCESSING')
        this.#wrong.push(`${t.id} ${t.plan} is ${t.status} still`);
      if (t.type === 'OUTGOING' && t.debited && t.status === 'FAILED' && t.refund?.status !== 'COMPLETED')
        if (t.plan !== 'out refund fails' || t.refund?.status !== 'FAILED')
          this.#wrong.push(`${t.id} ${t.plan} FAILED without a refund`);
      if (t.type === 'OUTGOING' && t.status === 'COMPLETED' && inside(t.destination) && t.twin === undefined)
        this.#wrong.push(`${t.id} was paid into an internal account that has no row for it`);
      const twin = t.twin && this.#world.rows(PAYMENTS).get(t.twin);
      if (twin && (t.status === 'COMPLETED') !== (twin.status === 'COMPLETED'))
        this.#wrong.push(`${t.id} is ${t.status}, its other side ${twin.status}`);
    }
    expect(this.#wrong).toEqual([]);
  }
}
