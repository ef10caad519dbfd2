import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CARD_PAYMENTS, type CardPayment, perUnit, pulled } from '../../../src/areas/transactions/index.ts';
import { balanceOf } from '../../../src/ledger/ledger.ts';
import { type CardKit, cardKit, MERCHANT } from '../../kit/cards.ts';
import { effort } from '../../kit/effort.ts';
import { unbalanced } from '../../kit/sandbox.ts';

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
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fund' as const), amount }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('issue' as const), suffix: fc.constantFrom('', '', '001', '002') }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

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
  readonly cards: { id: string }[] = [];
  readonly #seen = new Map<string, CardPayment>();
  #events = 0;
  /** What the events of each payment said last. */
  readonly #told = new Map<string, string>();
  readonly statuses = new Set<string>();

  constructor(it: CardKit) {
    this.it = it;
  }

  get payments(): CardPayment[] {
    return [...this.it.sandbox.world.rows(CARD_PAYMENTS).rows()].filter(({ type }) => type === 'CARD');
  }

  #payment(i: number): CardPayment | undefined {
    const all = this.payments;
    return all[all.length - 1 - (i % Math.max(1, all.length))];
  }

  #card(i: number): { id: string } {
    return this.cards[i % Math.max(1, this.cards.length)] ?? { id: 'Card:none' };
  }

  async act(s: Step): Promise<void> {
    const { it } = this;
    if (s.do === 'issue') {
      const card = await it.card({ platformCardId: `card-${this.cards.length}${s.suffix && `-${s.suffix}`}` });
      this.cards.push(card);
    } else if (s.do === 'open') {
      const merchant = { ...MERCHANT, descriptor: `SHOP ${s.suffix}` };
      const { status } = await it.tell(this.#card(s.card), s.how, {
        amount: s.amount + 1,
        currency: { code: 'USD' },
        merchant,
      });
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
    else await it.post(`/sandbox/internal-accounts/${it.accounts['USD'].id}/fund`, { amount: s.amount + 1 });
  }

  /** What must hold after every step. */
  check(): void {
    const { world } = this.it.sandbox;
    expect(unbalanced(this.it.sandbox)).toEqual([]);
    this.#listen();
    let held = 0;
    const wrong: string[] = [];
    for (const t of this.payments) {
      held += t.pulls.reduce((sum, { amount: one, stage }) => (stage === 'PENDING' ? sum + one : sum), 0);
      const before = this.#seen.get(t.id);
      if (before === t) continue;
      if (before && !NEXT[before.status]?.includes(t.status)) wrong.push(`${t.id}: ${before.status}, then ${t.status}`);
      this.#seen.set(t.id, t);
      this.statuses.add(t.status);
      // What was told last of a payment is how it stands.
      expect(this.#told.get(t.id)).toBe(t.status);
      expect(t.refunded).toBeLessThanOrEqual(t.settled);
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
    expect(balanceOf(world, this.it.accounts['USD'].id).held).toBe(held);
    const network = this.payments.reduce((sum, t) => sum + this.#taken(t), 0);
    expect(balanceOf(world, 'outside:card:USD').available).toBe(network);
  }

  /** What the network has of a payment, in minor units of the account. */
  #taken(t: CardPayment): number {
    if (t.direction === 'CREDIT') return -t.settled;
    const confirmed = t.pulls.reduce((sum, { amount: one, stage }) => (stage === 'CONFIRMED' ? sum + one : sum), 0);
    return confirmed - t.refunded;
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

test('random orders of what a card network tells lose no cent, and every change is told', async () => {
  const seen = new Set<string>();
  let done = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: SHORTEST, maxLength: LONGEST }),
      fc.constantFrom('at once', 'at once', 'hold'),
      async (steps, pulls) => {
        const it = await cardKit({
          scenario: {
            platform: { currencies: ['USD', 'EUR', 'USDB'].map((code) => ({ code })) },
            policies: { 'card.pull': pulls },
          },
        });
        const history = new History(it);
        await history.act({ do: 'issue', suffix: '' });
        await history.act({ do: 'issue', suffix: '' });
        for (const one of steps) {
          await history.act(one);
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
  expect([...seen].sort()).toEqual(Object.keys(NEXT).sort());
});
