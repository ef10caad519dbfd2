import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PLANS, TRANSACTIONS, type Transaction } from '../../../src/areas/transactions/index.ts';
import { BALANCES, POSTINGS } from '../../../src/kernel/ledger.ts';
import { moneyKit } from '../../kit/money.ts';
import { unbalanced } from '../../kit/sandbox.ts';

const SUFFIXES = ['999', '002', '003', '004', '005', '006', '007'];

type Step =
  | { do: 'fund'; amount: number }
  | { do: 'out' | 'in'; suffix: number; amount: number }
  | { do: 'quote'; suffix: number; amount: number; target: 'bank' | 'inner' | 'wallet'; now: boolean; fee: number }
  | { do: 'jit'; suffix: number; amount: number; off: boolean }
  | { do: 'execute' | 'cancel' | 'confirm'; which: number }
  | { do: 'drain' }
  | { do: 'clock'; seconds: number };

const suffix = fc.nat(SUFFIXES.length - 1);
const amount = fc.integer({ min: 1, max: 30_000 });
const which = fc.nat(40);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fund' as const), amount }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('out' as const, 'in' as const), suffix, amount }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('quote' as const),
      suffix,
      amount,
      target: fc.constantFrom('bank' as const, 'inner' as const, 'wallet' as const),
      now: fc.boolean(),
      fee: fc.nat(300),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('jit' as const), suffix, amount, off: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('execute' as const, 'execute' as const, 'cancel' as const, 'confirm' as const),
      which,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drain' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('clock' as const),
      seconds: fc.constantFrom(0, 0, 1, 29, 31, 60, 299, 361),
    }),
  },
);

/** Ana with one account of each suffix, and the calls that a step stands for. */
async function world() {
  const it = await moneyKit();
  const usd = (await it.account('USD')).id as string;
  const eur = (await it.account('EUR')).id as string;
  const own = (await it.account('USD', 'platform')).id as string;
  const banks = {
    USD: SUFFIXES.map((s) => it.bank('USD', s).id),
    EUR: SUFFIXES.map((s) => it.bank('EUR', s).id),
    wallet: SUFFIXES.map((s) => it.wallet(s).id),
    own: it.bank('USD', '999', { customerId: undefined }).id,
  };
  return { it, usd, eur, own, banks, quotes: [] as string[] };
}
type Sim = Awaited<ReturnType<typeof world>>;

const refer = (accountId: string | undefined) => ({ accountId });

async function act(sim: Sim, s: Step): Promise<void> {
  const { it, usd, eur, own, banks, quotes } = sim;
  const post = (path: string, body?: object) => it.overlapping('POST', path, body ?? {});
  const some = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];
  const transactions = () => [...it.sandbox.world.rows(TRANSACTIONS).rows()];
  switch (s.do) {
    case 'fund':
      await post(`/sandbox/internal-accounts/${usd}/fund`, { amount: s.amount });
      return;
    case 'out':
      await post('/transfer-out', { source: refer(usd), destination: refer(banks.USD[s.suffix]), amount: s.amount });
      return;
    case 'in':
      await post('/transfer-in', { source: refer(banks.USD[s.suffix]), destination: refer(usd), amount: s.amount });
      return;
    case 'drain':
      await post('/transfer-out', { source: refer(own), destination: refer(banks.own) });
      return;
    case 'quote':
    case 'jit': {
      const target = s.do === 'jit' || s.target === 'bank' ? banks.EUR : s.target === 'wallet' ? banks.wallet : [eur];
      const { body } = await post('/quotes', {
        source:
          s.do === 'jit'
            ? { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: it.customer.id }
            : { sourceType: 'ACCOUNT', accountId: usd },
        destination: { destinationType: 'ACCOUNT', accountId: some(target, s.suffix) },
        lockedCurrencySide: s.amount % 2 ? 'SENDING' : 'RECEIVING',
        lockedCurrencyAmount: s.amount,
        immediatelyExecute: s.do === 'quote' && s.now,
        ...(s.do === 'quote'
          ? {
              platformFeeOverride: { platformFixedFee: { amount: s.fee, currency: 'USD' }, platformVariableFeeBps: 20 },
            }
          : {}),
      });
      if (body.id) quotes.push(body.id);
      if (s.do === 'jit' && body.id)
        await post('/sandbox/send', { quoteId: body.id, currencyCode: 'USD', ...(s.off ? { currencyAmount: 7 } : {}) });
      return;
    }
    case 'execute':
      await post(`/quotes/${some(quotes, s.which) ?? 'Quote:x'}/execute`);
      return;
    case 'cancel':
    case 'confirm':
      await post(`/transactions/${some(transactions(), s.which)?.id ?? 'x'}/${s.do}`);
      return;
    case 'clock':
      await it.advance(`PT${s.seconds}S`);
  }
}

/** What must hold after every step. */
function check({ it }: Sim): void {
  const { world: w } = it.sandbox;
  expect(unbalanced(it.sandbox)).toEqual([]);
  for (const balance of w.rows(BALANCES).rows())
    if (!balance.id.startsWith('outside:')) expect(balance.available, balance.id).toBeGreaterThanOrEqual(0);
  for (const t of w.rows(TRANSACTIONS).rows()) {
    const reasons = w
      .rows(POSTINGS)
      .all('cause', t.id)
      .map((posting) => posting.reason);
    const refunds = reasons.filter((reason) => reason === 'refund').length;
    if (t.type === 'INCOMING') expect(reasons, t.id).toEqual(t.status === 'COMPLETED' ? ['credit'] : []);
    else {
      expect(refunds, `${t.id} ${t.plan}`).toBe(t.refund?.status === 'COMPLETED' ? 1 : 0);
      expect(reasons.filter((reason) => reason === 'debit').length, t.id).toBe(t.debited ? 1 : 0);
    }
  }
}

/** The events that a plan tells, in their order, after the first. */
const TELLS: Readonly<Record<string, string>> = {
  process: 'PROCESSING',
  complete: 'COMPLETED',
  fail: 'FAILED',
  return: 'FAILED',
  refund: 'REFUND_PENDING',
  refunded: 'REFUND_COMPLETED',
  'refund failed': 'REFUND_FAILED',
};

/** Everything has come to its end: each payment told what its plan says, once and in order. */
function checkEnd({ it }: Sim): void {
  const told = new Map<string, string[]>();
  for (const event of it.events())
    if (event.type.includes('_PAYMENT.'))
      told.set(event.data.id, [...(told.get(event.data.id) ?? []), event.type.split('.')[1] as string]);
  for (const t of it.sandbox.world.rows(TRANSACTIONS).rows())
    expect(told.get(t.id) ?? [], `${t.id} ${t.plan}`).toEqual(expectedOf(t, told.get(t.id) ?? []));
}

function expectedOf(t: Transaction, seen: readonly string[]): string[] {
  if (t.type === 'INCOMING') return [t.status];
  if (!t.debited) return ['EXPIRED'];
  const steps = PLANS[t.plan ?? 'out success'].map((one) => TELLS[one.on] as string);
  const processed = t.plan === 'out cancelled' && seen[1] === 'PROCESSING' ? ['PROCESSING'] : [];
  return ['PENDING', ...processed, ...steps];
}

/** Ends that a run of this length has to have seen, or it proves little. */
const ENDS = [
  'out success COMPLETED',
  'out returned FAILED',
  'out timeout FAILED',
  'out user cancellation COMPLETED',
  'out refund fails FAILED',
  'out cancelled FAILED',
  'out wrong amount FAILED',
  'out slow COMPLETED',
  'undefined EXPIRED',
  'in success COMPLETED',
  'in cancelled FAILED',
];

test('a random payday keeps every cent and tells every change once and in order', async () => {
  const ends = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const sim = await world();
      await act(sim, { do: 'fund', amount: 90_000 });
      for (const one of steps) {
        await act(sim, one);
        check(sim);
      }
      await sim.it.advance('PT20M');
      check(sim);
      checkEnd(sim);
      for (const t of sim.it.sandbox.world.rows(TRANSACTIONS).rows()) ends.add(`${t.plan} ${t.status}`);
      sim.it.host.close();
    }),
    { seed: Number(process.env['SIMULATION_SEED'] ?? 20260105), numRuns: Number(process.env['SIMULATION_RUNS'] ?? 60) },
  );
  expect(ENDS.filter((end) => !ends.has(end))).toEqual([]);
}, 600_000);
