import { fail, failFields } from '../../kernel/errors.ts';
import { advance } from '../../kernel/machine.ts';
import { policyDelay } from '../../kernel/policy.ts';
import type { World } from '../../kernel/world.ts';
import { platformOf } from '../platform/index.ts';
import { MACHINES, type Trigger } from './machine.ts';
import { credit, debit, refund, settle } from './money.ts';
import { kindOf, PLANS, type PlanName, type Step, stepOf } from './plans.ts';
import { identifierOf, type Side, TRANSACTIONS, type Transaction, transactionOf } from './row.ts';
import { FAILURES } from './schema.ts';
import { tellable } from './show.ts';

/** What a new payment is made of; the rest follows. */
export type Draft = Omit<
  Transaction,
  'id' | 'status' | 'at' | 'createdAt' | 'updatedAt' | 'customerId' | 'platformCustomerId' | 'plan' | 'debited'
> & { readonly customer: { readonly id: string; readonly platformCustomerId: string } | undefined };

/** Open a payment (spec 3.4). `on` says how: `quote` and `collect` tell nothing yet. */
export function openTransaction(
  world: World,
  { customer, ...draft }: Draft,
  on: 'quote' | 'accept' | 'announce' | 'collect',
): Transaction {
  const now = world.clock.iso();
  const line = advance(MACHINES[draft.type], undefined, on);
  const owner = customer?.id ?? platformOf(world).id;
  const opened = world.rows(TRANSACTIONS).insert({
    ...draft,
    id: world.newId('Transaction'),
    status: line.to,
    customerId: owner,
    platformCustomerId: customer?.platformCustomerId ?? owner,
    at: 0,
    createdAt: now,
    updatedAt: now,
  });
  if (on === 'accept') return execute(world, opened, line.tells);
  tell(world, opened, line.tells);
  return opened;
}

function tell(world: World, t: Transaction, end: string | undefined): void {
  if (end && world.audible) world.tell(`${t.type}_PAYMENT.${end}`, t.id, tellable(t));
}

/** The money leaves, and the payment is told (spec 3.4, 6); the bare type of spec 6 goes with it, once. */
function execute(world: World, t: Transaction, end: string | undefined): Transaction {
  const debited = world.rows(TRANSACTIONS).put({ ...t, debited: true, updatedAt: world.clock.iso() });
  tell(world, debited, end);
  if (world.profile.rules.bareOutgoingPayment) world.tell('OUTGOING_PAYMENT', debited.id, tellable(debited));
  debit(world, debited);
  return debited;
}

/** A quoted payment is executed, or its funds have come: from here on it goes as planned, `process` at once. */
export function executeTransaction(
  world: World,
  id: string,
  plan: PlanName,
  change?: Partial<Transaction>,
): Transaction {
  const t = transactionOf(world, id);
  const line = advance(MACHINES[t.type], t.status, 'execute');
  const planned = execute(world, { ...t, ...change, plan, at: 0 }, line.tells);
  if (stepOf(plan, 0)?.on === 'process') return step(world, planned);
  schedule(world, planned);
  return planned;
}

/** Let a payment go as planned from now on; what was planned before is void. */
export function follow(world: World, t: Transaction, plan: PlanName): Transaction {
  const planned = world.rows(TRANSACTIONS).put({ ...t, plan, at: 0 });
  schedule(world, planned);
  return planned;
}

/** The next step of the plan, as a job. Its policy decides when; without one, the plan does. */
function schedule(world: World, t: Transaction): void {
  const next = t.plan && stepOf(t.plan, t.at);
  if (!next) return;
  const kind = kindOf(next);
  const wanted = policyDelay(world.policy(kind));
  world.later(kind, { transactionId: t.id, plan: t.plan, at: t.at }, wanted === 0 ? (next.afterMs ?? 0) : wanted);
}

/** Take the next step of the plan, and schedule the one after. */
export function step(world: World, t: Transaction): Transaction {
  const next = t.plan && stepOf(t.plan, t.at);
  if (!next) return t;
  const moved = apply(world, { ...t, at: t.at + 1 }, next);
  schedule(world, moved);
  return moved;
}

/**
 * Put a trigger to a payment: status, money, event, in one (spec 3.4). 409 `CONFLICT` where the table has no line, 400
 * `INVALID_INPUT` for a reason that payments of its direction do not have.
 */
export function apply(world: World, t: Transaction, { on, reason, refundReason }: Step): Transaction {
  const reasons: readonly string[] = FAILURES[t.type];
  if (reason !== undefined && !reasons.includes(reason))
    failFields([{ field: 'reason', message: `no reason of an ${t.type} payment`, constraint: { enum: [...reasons] } }]);
  const line = advance(MACHINES[t.type], t.status, on);
  if (t.refund && (on === 'refund' || on === 'fail')) fail('CONFLICT', `transaction ${t.id} has a refund already`);
  const now = world.clock.iso();
  const moved = world
    .rows(TRANSACTIONS)
    .put({ ...t, ...changeOf(t, on, now, reason, refundReason), status: line.to, updatedAt: now });
  moveMoney(world, moved, on);
  tell(world, moved, line.tells);
  if (moved.twin !== undefined || moved.towards !== undefined)
    world.later('transaction.twin', { transactionId: moved.id }, 0);
  if (on === 'complete' && (moved.source.network ?? moved.destination.network)) hashLater(world, moved);
  return moved;
}

function changeOf(
  t: Transaction,
  on: Trigger,
  now: string,
  reason: Step['reason'],
  refundReason: Step['refundReason'],
): Partial<Transaction> {
  switch (on) {
    case 'complete':
      return { settledAt: now };
    case 'expire':
      return { failureReason: 'QUOTE_EXPIRED' };
    case 'fail':
    case 'return':
      return { failureReason: reason };
    case 'refund':
      return { refund: { initiatedAt: now, status: 'PENDING', reason: refundReason ?? 'TRANSACTION_FAILED' } };
    case 'refunded':
      return t.refund ? { refund: { ...t.refund, status: 'COMPLETED', settledAt: now } } : {};
    case 'refund failed':
      return t.refund ? { refund: { ...t.refund, status: 'FAILED' } } : {};
    default:
      return {};
  }
}

/** A payment that is delivered although it was refunded costs its customer nothing. */
function moveMoney(world: World, t: Transaction, on: Trigger): void {
  if (t.type === 'INCOMING' && on === 'complete') credit(world, t);
  if (t.type === 'OUTGOING' && on === 'complete' && t.refund === undefined) settle(world, t);
  if (t.type === 'OUTGOING' && on === 'refunded') refund(world, t);
  if (on === 'fail' && t.plan && PLANS[t.plan].uncollectable) refund(world, t);
}

/** A blockchain's hash comes a while after the end of the payment (spec 2.7). */
const HASH_AFTER_MS = 2000;

function hashLater(world: World, t: Transaction): void {
  const wanted = policyDelay(world.policy('transaction.onchain'));
  world.later('transaction.onchain', { transactionId: t.id }, wanted === 0 ? HASH_AFTER_MS : wanted);
}

/** Fill in the hash on whichever side is a wallet outside; no event says so (spec 2.7). */
export function fillHash(world: World, id: string): void {
  const t = world.rows(TRANSACTIONS).get(id);
  if (!t) return;
  const filled = (side: Side): Side =>
    side.network && !side.hash ? { ...side, hash: `${PLAIN.has(side.network) ? '' : '0x'}${world.ids.hex(32)}` } : side;
  const [source, destination, updatedAt] = [filled(t.source), filled(t.destination), world.clock.iso()];
  world.rows(TRANSACTIONS).put({ ...t, source, destination, updatedAt });
  // One transfer on the chain has one hash, whichever side of the platform looks at it.
  const other = t.twin === undefined ? undefined : world.rows(TRANSACTIONS).get(t.twin);
  if (other?.settledAt !== undefined && sameEnds(other, t))
    world.rows(TRANSACTIONS).put({ ...other, source, destination, updatedAt });
}

const sameEnds = (a: Transaction, b: Transaction): boolean =>
  identifierOf(a.destination) === identifierOf(b.destination) && a.source.kind === b.source.kind;

/** Chains whose hashes are written without 0x. */
const PLAIN: ReadonlySet<string> = new Set(['SOLANA', 'SPARK', 'BITCOIN', 'TRON']);
