import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CARD_PAYMENTS, type CardPayment, perUnit, pulled } from '../../../src/areas/transactions/index.ts';
import { balanceOf, POSTINGS } from '../../../src/ledger/ledger.ts';
import { WalletError } from '../../../src/testkit/index.ts';
import { type CardKit, cardKit, MERCHANT } from '../../kit/cards.ts';
import { effort } from '../../kit/effort.ts';
import { brokenRules } from '../../kit/ledger.ts';
import { type Delegate, delegateOf } from './wallet-card.ts';

/*
 * Random orders of everything that happens to cards. CARD_STEPS: how many steps at least; CARD_SEED: another history.
 *   CARD_STEPS=20000 CARD_SEED=7 npx vitest run test/areas/cards/simulation.test.ts
 */
const STEPS = Number(process.env['CARD_STEPS'] ?? effort(600, 20_000));
const SEED = Number(process.env['CARD_SEED'] ?? 1);
const [SHORTEST, LONGEST] = [40, 90];

const OPENING = [
  'authorization',
  'authorization',
  'financial_authorization',
  'credit_authorization',
  'financial_credit_authorization',
  'credit_authorization_advice',
] as const;
const which = fc.nat(30);
const amount = fc.integer({ min: 0, max: 4000 });

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('open' as const),
      card: which,
      how: fc.constantFrom(...OPENING),
      amount,
      suffix: fc.constantFrom('', '', '', '002', '003', '005', '006'),
      // What a card that a wallet pays for pays in: dollars, or the currency of the wallet.
      inCoins: fc.constantFrom(false, false, true),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('tell' as const),
      which,
      what: fc.constantFrom(
        'clearing',
        'clearing',
        'clearing',
        'authorization_advice',
        'return',
        'return',
        'return_reversal',
      ),
      // Often the very amount that completes what stands open.
      exact: fc.boolean(),
      amount,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('state' as const),
      card: which,
      state: fc.constantFrom('ACTIVE', 'ACTIVE', 'FROZEN', 'CLOSED'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pull' as const), which, outcome: fc.constantFrom('CONFIRMED', 'FAILED') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), for: fc.constantFrom('PT1S', 'PT30S', 'P1D', 'P7D') }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fund' as const), amount, wallet: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('issue' as const),
      suffix: fc.constantFrom('', '', '001', '002'),
      wallet: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('key' as const),
      card: which,
      act: fc.constantFrom('delegate', 'delegate', 'revoke'),
    }),
  },
);
type Step = (typeof step extends fc.Arbitrary<infer T> ? T : never) | { do: 'delete' };

interface Key {
  id: string;
  cardId: string;
  status: string;
}

/** A refusal is one of the things that may happen; anything else is not. */
function isRefusal(error: unknown): void {
  if (!(error instanceof WalletError)) throw error;
}

/** The states that each state may be followed by (reference 4.5). */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  AUTHORIZED: ['AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'EXCEPTION'],
  PARTIALLY_SETTLED: ['PARTIALLY_SETTLED', 'SETTLED', 'REFUNDED', 'EXCEPTION'],
  SETTLED: ['SETTLED', 'REFUNDED', 'EXCEPTION'],
  REFUNDED: ['REFUNDED', 'SETTLED', 'EXCEPTION'],
  EXCEPTION: ['EXCEPTION'],
};

/** What the service paid in place of the account: later pulls that failed without an exception. */
const borne = ({ pulls }: CardPayment): number =>
  pulls.slice(1).reduce((sum, { amount, stage }) => (stage === 'FAILED' ? sum + amount : sum), 0);

const isOpen = ({ status }: CardPayment): boolean => status === 'AUTHORIZED' || status === 'PARTIALLY_SETTLED';

/** Whether a payment as it stands can be told something (reference 4.1). */
function takes(t: CardPayment, what: string, amount: number): boolean {
  if (what === 'clearing') return isOpen(t);
  if (what === 'authorization_advice') return isOpen(t) && amount >= Math.max(1, t.settled);
  if (what === 'return_reversal') return t.status === 'REFUNDED';
  const returnable = t.direction === 'DEBIT' && (t.status === 'PARTIALLY_SETTLED' || t.status === 'SETTLED');
  return returnable && amount >= 1 && amount <= t.settled - t.refunded;
}

/** One history, with what is held against the world after every step. */
class History {
  readonly it: CardKit;
  readonly cards: { id: string; currency?: string }[] = [];
  readonly #delegate: Delegate;
  isDeleted = false;
  readonly #seen = new Map<string, CardPayment>();
  #events = 0;
  /** What the events of each payment said last. */
  readonly #told = new Map<string, string>();
  readonly statuses = new Set<string>();

  constructor(it: CardKit) {
    this.it = it;
    this.#delegate = delegateOf(it, it.accounts['USDB'].id);
  }

  get payments(): CardPayment[] {
    return [...this.it.sandbox.world.rows(CARD_PAYMENTS).rows()].filter(({ type }) => type === 'CARD');
  }

  #payment(i: number): CardPayment | undefined {
    const all = this.payments;
    return all[all.length - 1 - (i % Math.max(1, all.length))];
  }

  #card(i: number): History['cards'][number] {
    return this.cards[i % Math.max(1, this.cards.length)] ?? { id: 'Card:none' };
  }

  async act(s: Step): Promise<void> {
    const { it } = this;
    if (s.do === 'issue') {
      if (this.isDeleted) return;
      const platformCardId = `card-${this.cards.length}${s.suffix && `-${s.suffix}`}`;
      const fundingSources = [it.accounts[s.wallet ? 'USDB' : 'USD'].id];
      this.cards.push(await it.card({ platformCardId, fundingSources }));
    } else if (s.do === 'open') {
      const merchant = { ...MERCHANT, descriptor: `SHOP ${s.suffix}` };
      const card = this.#card(s.card);
      const code = s.inCoins && card.currency === 'USDB' ? 'USDB' : 'USD';
      const { status } = await it.tell(card, s.how, { amount: s.amount + 1, currency: { code }, merchant });
      expect(status).toBe(this.cards.length > 0 ? 202 : 404);
    } else if (s.do === 'tell') {
      const t = this.#payment(s.which);
      if (!t) return;
      const rest = s.what === 'return' ? t.settled - t.refunded : t.authorized - t.settled;
      const body = { cardTransactionId: t.id, amount: s.exact ? Math.max(0, rest) : s.amount };
      const answer = await it.tell({ id: t.cardId }, s.what, body);
      expect(answer.status, `${s.what} of ${body.amount} to ${t.status}`).toBe(
        takes(t, s.what, body.amount) ? 202 : 400,
      );
    } else if (s.do === 'state') await it.patch(`/cards/${this.#card(s.card).id}`, { state: s.state });
    else if (s.do === 'pull') {
      const t = this.#payment(s.which);
      if (t) await it.control('POST', `/transactions/${t.id}/pull`, { outcome: s.outcome });
    } else if (s.do === 'wait') await it.advance(s.for);
    else if (s.do === 'key') await this.#key(this.#card(s.card), s.act);
    else if (s.do === 'delete') await this.#deleteCustomer();
    else {
      // A dollar is a million of the smallest units of the wallet, and a hundred cents.
      const [account, amount] = s.wallet ? [it.accounts['USDB'], s.amount * 10_000] : [it.accounts['USD'], s.amount];
      const { status } = await it.post(`/sandbox/internal-accounts/${account.id}/fund`, { amount: amount + 1 });
      expect(status).toBe(this.isDeleted ? 404 : 200);
    }
  }

  /** The owner of the wallet lets a card spend, or the platform takes that back. */
  async #key(card: { id: string; currency?: string }, act: string): Promise<void> {
    if (card.currency !== 'USDB') return;
    if (act === 'delegate' && this.isDeleted) await expect(this.#delegate(card.id)).rejects.toThrow();
    else if (act === 'delegate') await this.#delegate(card.id).catch(isRefusal);
    else {
      const { data = [] } = (await this.it.get('/auth/delegated-keys', { accountId: this.it.accounts['USDB'].id }))
        .body;
      const active = data.find((key: Key) => key.cardId === card.id && key.status === 'ACTIVE');
      if (active) expect((await this.it.del(`/auth/delegated-keys/${active.id}`)).status).toBe(204);
    }
  }

  async #deleteCustomer(): Promise<void> {
    const { status } = await this.it.del(`/customers/${this.it.customer.id}`);
    expect(status).toBe(this.isDeleted ? 404 : 200);
    this.isDeleted = true;
  }

  /** What must hold after every step. */
  check(): void {
    const { world } = this.it.sandbox;
    // Among the rules: the lines of a payment in its account are its refunds less its pulls (X14).
    expect(brokenRules(world)).toEqual([]);
    this.#listen();
    const held = { USD: 0, USDB: 0 };
    const wrong: string[] = [];
    for (const t of this.payments) {
      held[t.accountCurrency as keyof typeof held] += t.pulls.reduce(
        (sum, { amount: one, stage }) => (stage === 'PENDING' ? sum + one : sum),
        0,
      );
      const before = this.#seen.get(t.id);
      if (before === t) continue;
      if (before && !NEXT[before.status]?.includes(t.status)) wrong.push(`${t.id}: ${before.status}, then ${t.status}`);
      this.#seen.set(t.id, t);
      this.statuses.add(t.accountCurrency === 'USDB' ? `${t.status} by a wallet` : t.status);
      // What was told last of a payment is how it stands.
      expect(this.#told.get(t.id)).toBe(t.status);
      expect(t.refunded).toBeLessThanOrEqual(t.settled);
      // Whoever pays by card gains nothing by it, whatever fails and whatever is returned.
      if (t.direction === 'DEBIT') expect(this.#gained(t)).toBeLessThanOrEqual(0);
      if (t.direction === 'CREDIT') expect([t.pulls, t.refunded]).toEqual([[], 0]);
      else if (t.status === 'SETTLED' || t.status === 'REFUNDED')
        // What failed once the card was closed, the service bears.
        expect(pulled(t) + borne(t)).toBe(t.settled * perUnit(t));
      else if (t.status !== 'EXCEPTION') expect(pulled(t)).toBe(t.authorized * perUnit(t));
      // All that was settled has come back, and nothing more is expected: then, and only then, it is REFUNDED.
      if (t.status === 'REFUNDED' || t.status === 'SETTLED')
        expect(t.settled > 0 && t.refunded === t.settled).toBe(t.status === 'REFUNDED');
      if (t.status === 'AUTHORIZED') expect(t.settled).toBe(0);
      if (t.status === 'PARTIALLY_SETTLED') expect(t.settled).toBeLessThan(t.authorized);
    }
    expect(wrong).toEqual([]);
    // Held money is that of pending pulls, and the network has what the payments say.
    for (const [currency, sum] of Object.entries(held)) {
      expect(balanceOf(world, this.it.accounts[currency].id).held).toBe(sum);
      const own = this.payments.filter((t) => t.accountCurrency === currency);
      const network = own.reduce((all, t) => all + this.#taken(t), 0);
      expect(balanceOf(world, `outside:card:${currency}`).available).toBe(network);
    }
  }

  /** What a payment brought the account that pays, by the ledger; what is held is not its own any more. */
  #gained({ id, accountId }: CardPayment): number {
    const lines = [...this.it.sandbox.world.rows(POSTINGS).all('cause', id)].flatMap((one) => one.lines);
    return lines.reduce(
      (sum, { account, amount: one, part }) => (account === accountId && part !== 'held' ? sum + one : sum),
      0,
    );
  }

  /** What the network has of a payment, in minor units of the account. */
  #taken(t: CardPayment): number {
    if (t.direction === 'CREDIT') return -t.settled * perUnit(t);
    const confirmed = t.pulls.reduce((sum, { amount: one, stage }) => (stage === 'CONFIRMED' ? sum + one : sum), 0);
    return confirmed - Math.min(t.refunded * perUnit(t), pulled(t));
  }

  #listen(): void {
    const all = this.it.events();
    for (const { type, data } of all.slice(this.#events)) {
      const [what, status = ''] = type.split('.');
      if (what !== 'CARD_TRANSACTION') continue;
      expect(data.status).toBe(status);
      this.#told.set(data.id, status);
    }
    this.#events = all.length;
  }
}

test('random orders of the messages of a card network lose no cent, and every change has its event', async () => {
  const seen = new Set<string>();
  let done = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: SHORTEST, maxLength: LONGEST }),
      fc.constantFrom('at once', 'at once', 'hold'),
      // Some customers are deleted on the way: what their cards authorized goes on.
      fc.option(fc.nat(LONGEST), { freq: 2 }),
      async (steps, pulls, end) => {
        const it = await cardKit({
          scenario: {
            platform: { currencies: ['USD', 'EUR', 'USDB'].map((code) => ({ code })) },
            policies: { 'card.pull': pulls },
          },
        });
        const history = new History(it);
        await history.act({ do: 'issue', suffix: '', wallet: false });
        await history.act({ do: 'issue', suffix: '', wallet: true });
        await history.act({ do: 'fund', amount: 20_000, wallet: true });
        await history.act({ do: 'key', card: 1, act: 'delegate' });
        for (const [i, one] of steps.entries()) {
          await history.act(i === end ? { do: 'delete' } : one);
          await it.settle();
          history.check();
        }
        await it.advance('P8D');
        history.check();
        // Once its hold is over, no authorization stands open.
        expect(history.payments.filter(isOpen).map(({ id }) => id)).toEqual([]);
        for (const status of history.statuses) seen.add(status);
        done += steps.length;
        it.host.close();
      },
    ),
    { seed: SEED, numRuns: Math.ceil(STEPS / ((SHORTEST + LONGEST) / 2)) },
  );
  if (process.env['CARD_STEPS']) console.info(`${done} steps`);
  const statuses = Object.keys(NEXT).flatMap((status) => [status, `${status} by a wallet`]);
  expect([...seen].sort()).toEqual(statuses.sort());
});
