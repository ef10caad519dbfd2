import { fail, failFields } from '../../contract/errors.ts';
import { decidedByHand, decideLater } from '../../engine/decide-later.ts';
import { begin, enter, lifecycle, type Machine, move, transition } from '../../engine/machine.ts';
import type { World } from '../../engine/world.ts';
import { platformOf } from '../platform/index.ts';
import { INCOMING, OUTGOING, REFUND, type Status, type Trigger } from './machine.ts';
import { credit, debit, hasRoom, refund, refundAccount, settle } from './money.ts';
import { isUncollectable, kindOf, type PlanName, type Step, stepOf } from './plans.ts';
import { identifierOf, PAYMENTS, paymentIn, paymentOf } from './row.ts';
import type { Side, Transaction } from './row-shape.ts';
import { FAILURES } from './schema.ts';
import { tellable } from './show.ts';
import { payeeOf } from './uma-home.ts';

const payments = (machine: Machine<Status, Trigger>) =>
  lifecycle(PAYMENTS, {
    state: 'status',
    machine,
    event: ({ type }, end) => `${type}_PAYMENT.${end}`,
    view: tellable,
    effect: moveMoney,
  });

/** Status changes of payments in each direction (spec 3.4). */
const LIFECYCLES = { OUTGOING: payments(OUTGOING), INCOMING: payments(INCOMING) } as const;

/** The data of a new payment; the rest follows from it. */
export type Draft = Omit<
  Transaction,
  'id' | 'status' | 'at' | 'createdAt' | 'updatedAt' | 'customerId' | 'platformCustomerId' | 'plan' | 'debited'
>;

/**
 * Opens a payment of a customer, or of the platform (spec 3.4), with the trigger `on`; `quote` and `collect` emit
 * nothing yet.
 */
export function openTransaction(
  world: World,
  customer: { readonly id: string; readonly platformCustomerId: string } | undefined,
  draft: Draft,
  on: 'quote' | 'accept' | 'announce' | 'collect',
): Transaction {
  const now = world.clock.iso();
  const owner = customer?.id ?? platformOf(world).id;
  const opened = begin(world, LIFECYCLES[draft.type], on, (status) => ({
    ...draft,
    id: world.newId('Transaction'),
    status,
    customerId: owner,
    platformCustomerId: customer?.platformCustomerId ?? owner,
    at: 0,
    createdAt: now,
    updatedAt: now,
    ...(on === 'accept' ? DEBITED : {}),
  }));
  if (on === 'accept') takeFromPayer(world, opened);
  return opened;
}

const DEBITED = { debited: true } as const;

/** Debits the payer, after the payment's event (spec 3.4, 6), and emits the bare type of spec 6 once. */
function takeFromPayer(world: World, t: Transaction): void {
  if (world.profile.rules.bareOutgoingPayment) world.emit('OUTGOING_PAYMENT', t.id, tellable(t));
  debit(world, t);
}

/**
 * Executes a quoted payment, whose funds may have arrived from outside: it follows its plan from here, with `process`
 * at once.
 */
export function executeTransaction(
  world: World,
  id: string,
  plan: PlanName,
  change?: Partial<Transaction>,
): Transaction {
  const t = paymentOf(world, id);
  const planned = move(world, LIFECYCLES[t.type], t, 'execute', { ...change, plan, at: 0, ...DEBITED });
  takeFromPayer(world, planned);
  if (stepOf(plan, 0)?.on === 'process') return step(world, planned);
  schedule(world, planned);
  return planned;
}

/** Cancels the next step of a payment's plan, because a person decided or another plan replaces it. */
export function dropNextStep(world: World, { id, plan, at }: Transaction): void {
  const next = plan && stepOf(plan, at);
  if (next) decidedByHand(world, kindOf(next), { transactionId: id, plan, at });
}

/** Makes a payment follow a new plan from now on, instead of its old one. */
export function follow(world: World, t: Transaction, plan: PlanName): Transaction {
  dropNextStep(world, t);
  const planned = world.rows(PAYMENTS).put({ ...t, plan, at: 0 });
  schedule(world, planned);
  return planned;
}

/** The outcomes that can be scheduled for a payment under way, with the plan that leads to each from `PROCESSING`. */
const LATER = {
  COMPLETED: 'out success',
  FAILED: 'out rejected by the bank',
  RETURNED: 'out returned',
} as const satisfies Readonly<Record<string, PlanName>>;
export type LaterOutcome = keyof typeof LATER;
export const LATER_OUTCOMES = Object.keys(LATER) as [LaterOutcome, ...LaterOutcome[]];

/** Makes a `PROCESSING` payment move on `afterMs` virtual milliseconds from now, whatever the policies say. */
export function moveOnLater(world: World, t: Transaction, outcome: LaterOutcome, afterMs: number): Transaction {
  const plan = LATER[outcome];
  // The first step, `process`, is already done.
  const planned = world.rows(PAYMENTS).put({ ...t, plan, at: 1 });
  const next = stepOf(plan, 1);
  if (next) world.schedule(kindOf(next), { transactionId: t.id, plan, at: 1 }, afterMs);
  return planned;
}

/** Schedules the next step of the plan as a job. The policy of its kind decides when; without one, the plan does. */
function schedule(world: World, t: Transaction): void {
  const next = t.plan && stepOf(t.plan, t.at);
  if (!next) return;
  decideLater(world, kindOf(next), { transactionId: t.id, plan: t.plan, at: t.at }, { afterMs: next.afterMs });
}

/** Returns the other side of a payment within this platform, unless it has already ended. */
const openTwin = (world: World, { twin }: Transaction): Transaction | undefined => {
  const other = paymentIn(world, twin);
  return other && (other.status === 'PENDING' || other.status === 'PROCESSING') ? other : undefined;
};

/** Returns the plan that replaces a completion whose balance would not be a safe integer. */
const uncountable = ({ type, status }: Transaction): PlanName => {
  if (type === 'OUTGOING') return 'out not countable';
  return status === 'PENDING' ? 'in not countable' : 'in not countable, accepted';
};

/**
 * Takes the next step of the plan, and schedules the one after. If a balance would no longer be a safe integer, the
 * payment fails and is refunded; a refund in that case fails.
 */
export function step(world: World, t: Transaction): Transaction {
  const next = t.plan && stepOf(t.plan, t.at);
  if (!next) return t;
  const fits = hasRoom(world, t, next.on, openTwin(world, t));
  if (!fits && next.on === 'complete')
    return step(world, world.rows(PAYMENTS).put({ ...t, plan: uncountable(t), at: 0 }));
  const moved = apply(world, { ...t, at: t.at + 1 }, fits ? next : { on: 'refund failed' });
  schedule(world, moved);
  return moved;
}

/**
 * Applies a trigger to a payment: status, money and event together (spec 3.4). 409 CONFLICT if the state does not allow
 * it, 400 INVALID_INPUT for a reason that payments of its direction cannot have.
 */
export function apply(world: World, t: Transaction, taken: Pick<Step, 'on' | 'reason' | 'refundReason'>): Transaction {
  const { on, reason } = taken;
  const reasons: readonly string[] = FAILURES[t.type];
  if (reason !== undefined && !reasons.includes(reason))
    failFields([{ field: 'reason', message: `no reason of an ${t.type} payment`, constraint: { enum: [...reasons] } }]);
  if (t.refund && (on === 'refund' || on === 'fail')) fail('CONFLICT', `transaction ${t.id} has a refund already`);
  const change = changeOf(world, t, taken);
  if (change.refund) enter(world, REFUND, change.refund.status);
  const moved = move(world, LIFECYCLES[t.type], t, on, change);
  if (moved.twin !== undefined || moved.towards !== undefined)
    world.schedule('transaction.twin', { transactionId: moved.id }, 0);
  if (on === 'complete' && (moved.source.network ?? moved.destination.network))
    decideLater(world, 'transaction.onchain', { transactionId: moved.id }, { afterMs: HASH_AFTER_MS });
  return moved;
}

function changeOf(world: World, t: Transaction, { on, reason, refundReason }: Step): Partial<Transaction> {
  const now = world.clock.iso();
  switch (on) {
    case 'complete': {
      const payee = payeeOf(world, t);
      return payee === t.payee ? { settledAt: now } : { payee, settledAt: now };
    }
    case 'expire':
      return { failureReason: 'QUOTE_EXPIRED' };
    case 'fail':
    case 'return':
      return { failureReason: reason };
    default: {
      const back = on === 'refunded' ? refundAccount(world, t) : t.refundTo;
      const moves = back === t.refundTo ? {} : { refundTo: back };
      const status = transition(REFUND, t.refund?.status, on)?.to;
      if (status === undefined) return {};
      const begun = t.refund ?? { initiatedAt: now, status, reason: refundReason ?? 'TRANSACTION_FAILED' };
      return { ...moves, refund: { ...begun, status, ...(status === 'COMPLETED' ? { settledAt: now } : {}) } };
    }
  }
}

/** Moves the money of a step. A payment that is delivered after its refund costs its customer nothing. */
function moveMoney(world: World, t: Transaction, on: Trigger): void {
  if (t.type === 'INCOMING' && on === 'complete') credit(world, t);
  if (t.type === 'OUTGOING' && on === 'complete' && t.refund === undefined) settle(world, t);
  if (t.type === 'OUTGOING' && on === 'refunded') refund(world, t);
  if (on === 'fail' && isUncollectable(t)) refund(world, t);
}

/** The delay of a blockchain's hash after the payment has completed, in virtual milliseconds (spec 2.7). */
const HASH_AFTER_MS = 2000;

/** Sets the hash on each side that is an external wallet; no event follows (spec 2.7). */
export function fillHash(world: World, id: string): void {
  const t = paymentIn(world, id);
  if (!t) return;
  const filled = (side: Side): Side =>
    side.network && !side.hash ? { ...side, hash: `${PLAIN.has(side.network) ? '' : '0x'}${world.ids.hex(32)}` } : side;
  const [source, destination, updatedAt] = [filled(t.source), filled(t.destination), world.clock.iso()];
  world.rows(PAYMENTS).put({ ...t, source, destination, updatedAt });
  // One transfer on the chain has one hash, on whichever side of the platform.
  const other = paymentIn(world, t.twin);
  if (other?.settledAt !== undefined && sameEnds(other, t))
    world.rows(PAYMENTS).put({ ...other, source, destination, updatedAt });
}

const sameEnds = (a: Transaction, b: Transaction): boolean =>
  identifierOf(a.destination) === identifierOf(b.destination) && a.source.kind === b.source.kind;

/** Blockchains whose hashes are written without 0x. */
const PLAIN: ReadonlySet<string> = new Set(['SOLANA', 'SPARK', 'BITCOIN', 'TRON']);
