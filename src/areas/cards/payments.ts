import { fail, failFields } from '../../contract/errors.ts';
import { moneyText } from '../../contract/money.ts';
import { decideLater } from '../../engine/decide-later.ts';
import { begin, lifecycle, move, type TriggerOf } from '../../engine/machine.ts';
import type { World } from '../../engine/world.ts';
import {
  CARD_PAYMENTS,
  type CardPayment,
  credited,
  type PullFate,
  perUnit,
  pulled,
  showCardPayment,
} from '../transactions/index.ts';
import { CARD_HOLD } from './limits.ts';
import { PAYMENT } from './machine.ts';
import { byPinnedId, LATE_MS, PARENTS } from './magic.ts';
import { covers, shift } from './money.ts';
import { unpayable } from './payer.ts';
import { CARDS } from './row.ts';

/** Cancels the job that ends a hold, once no more clearings are expected. */
function forgetHold(world: World, t: CardPayment): void {
  const id = holdJobOf(t.id);
  if (!isOpen(t) && world.scheduler.jobs.get(id)) world.scheduler.cancel(id);
}

/** Status changes of a card payment (reference 4.5). */
const PAYMENTS = lifecycle(CARD_PAYMENTS, {
  state: 'status',
  machine: PAYMENT,
  event: (_t, end) => `CARD_TRANSACTION.${end}`,
  view: showCardPayment,
  effect: forgetHold,
});
type Trigger = TriggerOf<typeof PAYMENT>;

/** Returns the id of the job that ends a hold, derived from the payment's id. */
const holdJobOf = (id: string): string => id.replace('CardTransaction:', 'Job:');

/** Returns whether more clearings are expected. */
export const isOpen = ({ status }: CardPayment): boolean => status === 'AUTHORIZED' || status === 'PARTIALLY_SETTLED';

/** The data of a new payment; the rest follows from it. */
export type Draft = Pick<
  CardPayment,
  | 'direction'
  | 'customerId'
  | 'platformCustomerId'
  | 'cardId'
  | 'accountId'
  | 'issuerTransactionToken'
  | 'merchant'
  | 'currency'
  | 'authorized'
  | 'accountCurrency'
>;

/** Returns an amount in minor units of the account. 400 AMOUNT_OUT_OF_RANGE if that is not a safe integer. */
export function countable(t: Pick<CardPayment, 'currency' | 'accountCurrency'>, amount: number): number {
  const units = amount * perUnit(t);
  if (!Number.isSafeInteger(units)) fail('AMOUNT_OUT_OF_RANGE', 'amount: more than can be counted exactly');
  return units;
}

interface Opening {
  readonly clears?: boolean;
  /** True if it is history: its pull has been confirmed. */
  readonly past?: boolean;
  readonly fate?: PullFate | undefined;
  readonly id?: string | undefined;
}

/**
 * Opens an approved payment (reference 4.3): a debit holds its money and pulls it, a credit waits for its clearing.
 * With `clears` it is settled in the same message. A scenario may pin the id.
 */
export function openPayment(
  world: World,
  draft: Draft,
  { clears = false, past = false, fate, id }: Opening = {},
): CardPayment {
  const now = world.clock.iso();
  const units = countable(draft, draft.authorized);
  const debit = draft.direction === 'DEBIT';
  const opened = begin(
    world,
    PAYMENTS,
    clears ? 'authorize and clear' : 'authorize',
    (status): CardPayment => ({
      ...draft,
      id: id ?? world.newId('CardTransaction'),
      type: 'CARD',
      status,
      settled: clears ? draft.authorized : 0,
      refunded: 0,
      clearings: clears ? 1 : 0,
      returns: 0,
      pulls: debit ? [{ amount: units, stage: 'PENDING' }] : [],
      createdAt: now,
      updatedAt: now,
      lastEventAt: debit || clears ? now : undefined,
    }),
  );
  const pulling = debit ? startPull(world, opened, 0, fate, past) : opened;
  if (!debit && clears) shift(world, opened, 'card credit', { from: 'network', to: 'available', amount: units });
  if (!clears)
    world.schedule('card.hold', { transactionId: opened.id }, world.lasting(CARD_HOLD), holdJobOf(opened.id));
  return pulling;
}

/** Holds the money of a pull until it is confirmed: at once, later, or never. A past pull is decided at once. */
function startPull(
  world: World,
  t: CardPayment,
  index: number,
  fate: PullFate | undefined,
  past: boolean,
): CardPayment {
  shift(world, t, 'card hold', { from: 'available', to: 'held', amount: t.pulls[index]?.amount ?? 0 });
  const fails = fate === 'CONFIRMATION_FAILS';
  if (past) return confirmPull(world, t, index, fails);
  const payload = { transactionId: t.id, pull: index, fails };
  decideLater(world, 'card.pull', payload, { afterMs: fate === 'DELAYED' ? LATE_MS : 0 });
  return t;
}

/** Returns the fate of the next pull: as decided by hand, or as the ending of a pinned id says. */
const fateOf = (t: CardPayment): PullFate | undefined => t.nextPull ?? byPinnedId(PARENTS, t.id);

/**
 * Returns whether the service bears what a clearing's pull fails to collect: it does once the card is `CLOSED`
 * (reference 3.4).
 */
const isBorne = (world: World, t: CardPayment): boolean => world.rows(CARDS).get(t.cardId)?.cardState === 'CLOSED';

/** Notes in the request log what the service bears. */
const noteBorne = (world: World, { accountCurrency }: CardPayment, amount: number): void =>
  world.magic(`a pull of ${moneyText(amount, accountCurrency)} failed: the card is CLOSED, and the service bears it`);

/**
 * Returns why an account cannot pay an amount more for a card now, as a sentence; undefined if it can. For a past
 * payment only the balance is checked: a scenario plants keys after the payments made with them.
 */
function lacks(
  world: World,
  { cardId, accountId, accountCurrency }: CardPayment,
  amount: number,
  past = false,
): string | undefined {
  const [, why] = (past ? undefined : unpayable(world, cardId, accountId)) ?? [];
  if (why !== undefined || covers(world, accountId, amount)) return why;
  return `${accountId} does not hold the ${moneyText(amount, accountCurrency)}`;
}

/**
 * Pulls an amount beyond the hold, and moves the payment on. If the account cannot pay it, or its fate is to fail, the
 * payment ends as `EXCEPTION` (reference 4.4), unless the service bears it.
 */
function pullMore(
  world: World,
  t: CardPayment,
  on: Trigger,
  change: Partial<CardPayment>,
  amount: number,
  past = false,
): CardPayment {
  const fate = fateOf(t);
  const why = lacks(world, t, amount, past);
  const fails = fate === 'FAILS' || why !== undefined;
  const pulls = [...t.pulls, { amount, stage: fails ? ('FAILED' as const) : ('PENDING' as const) }];
  const borne = fails && on === 'clear' && isBorne(world, t);
  const moved = move(world, PAYMENTS, t, fails && !borne ? 'fail' : on, { ...change, pulls, nextPull: undefined });
  if (!fails) return startPull(world, moved, pulls.length - 1, fate, past);
  if (why !== undefined) world.magic(why);
  if (borne) {
    noteBorne(world, t, amount);
    return moved;
  }
  world.magic(`a pull of ${moneyText(amount, t.accountCurrency)} failed: the payment is an EXCEPTION`);
  return moved;
}

/** Reduces the pulls by an amount, the last one first; returns how much of it was held and how much already taken. */
function lessen(pulls: CardPayment['pulls'], amount: number) {
  const next = [...pulls];
  const back = { held: 0, network: 0 };
  for (let i = next.length - 1; i >= 0 && amount > 0; i -= 1) {
    const pull = next[i];
    if (!pull || pull.stage === 'FAILED') continue;
    const part = Math.min(pull.amount, amount);
    amount -= part;
    back[pull.stage === 'PENDING' ? 'held' : 'network'] += part;
    next[i] = { amount: pull.amount - part, stage: pull.amount === part ? 'CONFIRMED' : pull.stage };
  }
  return { pulls: next, back };
}

/** Moves a payment on and releases what was pulled beyond `units`, in minor units of the account. */
function release(world: World, t: CardPayment, on: Trigger, change: Partial<CardPayment>, units: number): CardPayment {
  const rest = pulled(t) - units;
  const { pulls, back } = lessen(t.pulls, t.direction === 'DEBIT' ? rest : 0);
  const moved = move(world, PAYMENTS, t, on, { ...change, pulls });
  shift(
    world,
    moved,
    'card release',
    { from: 'held', to: 'available', amount: back.held },
    { from: 'network', to: 'available', amount: back.network },
  );
  return moved;
}

/** Returns the trigger that ends a payment without more clearings; all that was cleared may already be refunded. */
const ending = ({ refunded, settled }: CardPayment): Trigger =>
  refunded > 0 && refunded === settled ? 'return' : 'clear';

/** Ends an authorization: the rest of its hold is released (reference 4.4). */
export const expire = (world: World, t: CardPayment): CardPayment =>
  release(world, t, ending(t), { lastEventAt: world.clock.iso() }, t.settled * perUnit(t));

/** Applies a clearing (reference 4.4); 0 ends the authorization. 400 AMOUNT_OUT_OF_RANGE. */
export function clear(world: World, t: CardPayment, amount: number, past = false): CardPayment {
  if (amount === 0) return expire(world, t);
  const settled = t.settled + amount;
  const units = countable(t, settled);
  const change = { settled, clearings: t.clearings + 1, lastEventAt: world.clock.iso() };
  const on = settled < t.authorized ? 'clear a part' : 'clear';
  if (t.direction === 'CREDIT') {
    const moved = move(world, PAYMENTS, t, on, change);
    shift(world, moved, 'card credit', { from: 'network', to: 'available', amount: amount * perUnit(t) });
    return moved;
  }
  const extra = on === 'clear' ? units - pulled(t) : 0;
  return extra > 0 ? pullMore(world, t, on, change, extra, past) : move(world, PAYMENTS, t, on, change);
}

/**
 * Changes the total of an authorization (reference 4.1): pulls or releases the difference; this completes a payment
 * that is cleared up to the new total. An increase is declined without effect while the account may not pay. 400
 * INVALID_INPUT for less than was cleared, 400 AMOUNT_OUT_OF_RANGE.
 */
export function resize(world: World, t: CardPayment, authorized: number): CardPayment {
  const units = countable(t, authorized);
  if (authorized < t.settled)
    failFields(
      [{ field: 'amount', message: `less than the ${moneyText(t.settled, t.currency)} that were cleared` }],
      'INVALID_INPUT',
      'reference 4.1',
    );
  const on = authorized === t.settled ? ending(t) : 'resize';
  const extra = t.direction === 'DEBIT' ? units - pulled(t) : 0;
  // A new total that moves no money is neither pull, clearing nor return (reference 4.2).
  const change = extra === 0 ? { authorized } : { authorized, lastEventAt: world.clock.iso() };
  const declined = extra > 0 ? unpayable(world, t.cardId, t.accountId) : undefined;
  if (declined) {
    world.magic(`declined, ${declined[0]}: ${declined[1]}`);
    return t;
  }
  return extra > 0 ? pullMore(world, t, on, change, extra) : release(world, t, on, change, units);
}

/** Returns how much can still be returned, in minor units of the payment. */
export const returnable = ({ direction, status, settled, refunded }: CardPayment): number =>
  direction === 'CREDIT' || status === 'EXCEPTION' ? 0 : settled - refunded;

/** Returns an amount to the account, up to what it paid (reference 4.1). 400 INVALID_INPUT for more than is left. */
export function giveBack(world: World, t: CardPayment, amount: number): CardPayment {
  if (amount > returnable(t))
    failFields(
      [{ field: 'amount', message: `more than the ${moneyText(returnable(t), t.currency)} that can be returned` }],
      'INVALID_INPUT',
      'reference 4.1',
    );
  const refunded = t.refunded + amount;
  const whole = refunded === t.settled && !isOpen(t);
  const change = { refunded, returns: t.returns + 1, lastEventAt: world.clock.iso() };
  const moved = move(world, PAYMENTS, t, whole ? 'return' : 'return a part', change);
  shift(world, moved, 'card return', { from: 'network', to: 'available', amount: credited(moved) - credited(t) });
  return moved;
}

/** Reverses the returns of a refunded payment: the account pays again, or the payment is an `EXCEPTION`. */
export function reverseReturn(world: World, t: CardPayment): CardPayment {
  const amount = credited(t);
  const lastEventAt = world.clock.iso();
  const why = lacks(world, t, amount);
  if (why !== undefined) {
    world.magic(`${why}: the return is not taken back, and the payment is an EXCEPTION`);
    return move(world, PAYMENTS, t, 'fail', { lastEventAt });
  }
  const moved = move(world, PAYMENTS, t, 'reverse the return', { refunded: 0, returns: 0, lastEventAt });
  shift(world, moved, 'card return reversed', { from: 'available', to: 'network', amount });
  return moved;
}

/** Confirms a pending pull, or makes its confirmation fail (reference 4.4); does nothing if it is already decided. */
export function confirmPull(world: World, t: CardPayment, index: number, fails: boolean): CardPayment {
  const pull = t.pulls[index];
  if (pull?.stage !== 'PENDING') return t;
  const pulls = t.pulls.map(
    (one, i) => (i === index ? { ...one, stage: fails ? 'FAILED' : 'CONFIRMED' } : one) as typeof one,
  );
  const now = world.clock.iso();
  const { amount } = pull;
  const borne = fails && index > 0 && isBorne(world, t);
  if (borne) noteBorne(world, t, amount);
  const decided =
    fails && !borne
      ? move(world, PAYMENTS, t, 'fail', { pulls, lastEventAt: now })
      : world.rows(CARD_PAYMENTS).put({ ...t, pulls, lastEventAt: now, updatedAt: now });
  if (!fails) shift(world, decided, 'card pull', { from: 'held', to: 'network', amount });
  else
    shift(
      world,
      decided,
      'card pull failed',
      { from: 'held', to: 'available', amount },
      // Takes back what a merchant returned of money that never arrived.
      { from: 'available', to: 'network', amount: credited(t) - credited(decided) },
    );
  return decided;
}
