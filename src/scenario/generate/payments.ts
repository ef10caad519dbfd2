import type { Draft } from '../../areas/transactions/index.ts';
import type { Steps } from '../../engine/slices.ts';
import type { World } from '../../engine/world.ts';
import { balanceOf, outsideAccount } from '../../ledger/ledger.ts';
import { reach } from '../history.ts';
import type { Scenario } from '../schema.ts';
import { Cardholders } from './cards.ts';
import type { Payee } from './payee.ts';
import { Payouts } from './payouts.ts';

type Kind = 'card' | 'out' | 'in';
/** Two bytes of the seed, which decide the payment's amount and its random outcomes. */
type Draw = readonly [number, number];

/** Rows between two steps. */
const STEP = 200;
/** The least amount of an outgoing or card payment, in minor units. */
const LEAST = 100;

/**
 * Makes up payments of the past from the seed, for the customers in turn: incoming payments, payouts and card payments,
 * in the wanted shares. It calls `before` before each, to move the clock; `now` is the start of the scenario.
 */
export function* generateTransactions(
  world: World,
  payees: readonly Payee[],
  wanted: Scenario['generate'],
  now: number,
  before: (i: number) => void,
): Steps {
  const { transactions: count = 0, outgoing = 0, cards = 0, failed = 0 } = wanted;
  const shares: readonly (readonly [Kind, number])[] = [
    ['card', cards],
    ['out', outgoing],
    ['in', 1 - cards - outgoing],
  ];
  const isPlain = cards === 0 && outgoing === 0;
  const made: Record<Kind, number> = { card: 0, out: 0, in: 0 };
  const payouts = new Payouts(failed, now);
  const cardholders = new Cardholders();
  for (let i = 0; i < count; i += 1) {
    if (i % STEP === STEP - 1) yield STEP;
    before(i);
    const payee = payees[i % payees.length] as Payee;
    const [a, b] = world.ids.bytes(2) as unknown as Draw;
    const drawn = LEAST + a * 256 + b;
    // A platform that pays out receives more at a time than it pays.
    const income = isPlain ? drawn : drawn * 5;
    const spendable = isPlain ? 0 : Math.floor(balanceOf(world, payee.account.id).available * 0.7);
    const amount = Math.min(drawn, spendable);
    const kind = amount < LEAST ? 'in' : kindOf(shares, made, i, b);
    const done =
      (kind === 'out' && payouts.pay(world, payee, amount)) ||
      (kind === 'card' && cardholders.pay(world, payee, amount, a));
    made[done ? kind : 'in'] += 1;
    if (!done) receive(world, payee, income);
  }
}

/** Returns the kind that is furthest behind its share; chance decides between kinds that are about equally far. */
function kindOf(
  shares: readonly (readonly [Kind, number])[],
  made: Readonly<Record<Kind, number>>,
  i: number,
  chance: number,
): Kind {
  const behind = shares.map(([kind, share], nth) => {
    const luck = ((chance * (nth + 1) * 37) % 256) / 64;
    return { kind, by: share === 0 ? Number.NEGATIVE_INFINITY : share * (i + 1) - made[kind] + luck * share };
  });
  return behind.reduce((most, one) => (one.by > most.by ? one : most)).kind;
}

function receive(world: World, { customer, account }: Payee, amount: number): void {
  const { currency } = account;
  const payer = outsideAccount('funding', currency);
  const money = { amount, currency };
  const draft: Draft = {
    type: 'INCOMING',
    source: { kind: 'REALTIME_FUNDING', currency, customerId: customer?.id },
    destination: { kind: 'ACCOUNT', accountId: account.id, currency },
    ...{ sent: money, received: money, fees: 0, platformFees: 0 },
    ...{ payer, payee: account.id, refundTo: payer },
    cancellable: false,
  };
  reach(world, customer, draft, { type: 'INCOMING', status: 'COMPLETED' });
}
