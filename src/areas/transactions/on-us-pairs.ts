import type { World } from '../../engine/world.ts';
import { CUSTOMERS, type Customer } from '../customers/index.ts';
import { hasRoom } from './money.ts';
import { PLANS } from './plans.ts';
import { PAYMENTS, paymentIn, paymentOf } from './row.ts';
import type { Transaction } from './row-shape.ts';
import { apply, follow, openTransaction } from './rules.ts';
import { announceUma, toldOfPayer } from './uma.ts';
import { umaHome } from './uma-home.ts';

const open = (t: Transaction): boolean => t.status === 'PENDING' || t.status === 'PROCESSING';

/** Returns whether a payment fails whatever its receiver decides: a payment that never arrives is not announced. */
const failsAnyway = (t: Transaction): boolean =>
  t.plan !== undefined && PLANS[t.plan].steps.some(({ on }) => on === 'fail');

const senderOf = (world: World, t: Transaction): Customer | undefined => world.rows(CUSTOMERS).get(t.customerId);

/** Opens the incoming payment to a customer's UMA address; undefined if the customer can no longer be paid. */
function announce(world: World, t: Transaction): Transaction | undefined {
  const customer = world.rows(CUSTOMERS).get(t.towards as string);
  const home = customer && umaHome(world, customer.id, t.received.currency);
  if (!customer || !home || customer.isDeleted || customer.kycStatus !== 'APPROVED') return undefined;
  const sender = senderOf(world, t);
  const { currency } = t.sent;
  return announceUma(world, {
    customer,
    home,
    source: sender ? { kind: 'UMA_ADDRESS', umaAddress: sender.umaAddress, currency } : t.source,
    sent: { amount: t.sent.amount - t.fees, currency },
    received: t.received,
    exchangeRate: t.exchangeRate,
    counterparty: toldOfPayer(world, t, sender),
    description: t.description,
    twin: t.id,
  });
}

/** Opens the incoming payment to an internal account: it needs no approval, and ends as the outgoing payment does. */
function collect(world: World, t: Transaction, accountId: string): Transaction {
  const sender = t.customerId === t.towards ? undefined : senderOf(world, t);
  return openTransaction(
    world,
    world.rows(CUSTOMERS).get(t.towards as string),
    {
      type: 'INCOMING',
      source: t.source,
      destination: t.destination,
      sent: { amount: t.sent.amount - t.fees, currency: t.sent.currency },
      received: t.received,
      fees: 0,
      platformFees: 0,
      payer: t.payee,
      payee: accountId,
      refundTo: t.payee,
      cancellable: false,
      quoteId: t.quoteId,
      exchangeRate: t.exchangeRate,
      description: t.description,
      counterparty: sender && toldOfPayer(world, t, sender),
      twin: t.id,
    },
    'collect',
  );
}

/** Opens the receiving side of a payment within this platform, and links the two rows. */
function deliver(world: World, t: Transaction): Transaction | undefined {
  const { destination } = t;
  const arrived = destination.kind === 'ACCOUNT' ? collect(world, t, destination.accountId) : announce(world, t);
  if (arrived) world.rows(PAYMENTS).put({ ...t, twin: arrived.id });
  return arrived;
}

/**
 * Makes both sides of a payment within this platform end alike. Money to a UMA address has arrived once the receiving
 * side has accepted and credited it, and is returned if it has not. An internal account is credited when the payment
 * completes. Does nothing if the sides already agree.
 */
export function syncOnUsPair(world: World, id: string): void {
  const t = paymentOf(world, id);
  if (t.type === 'INCOMING') answerSender(world, t);
  else if (t.towards !== undefined) tellReceiver(world, t);
}

function answerSender(world: World, t: Transaction): void {
  const out = paymentIn(world, t.twin);
  if (out?.status !== 'PROCESSING' || out.refund || open(t)) return;
  // With its plan done, what an older plan had scheduled no longer applies.
  if (t.status === 'COMPLETED') apply(world, { ...out, plan: 'out to a customer', at: 1 }, { on: 'complete' });
  else follow(world, out, 'out not accepted');
}

function tellReceiver(world: World, t: Transaction): void {
  if (t.twin === undefined && (t.status === 'PROCESSING' || t.status === 'COMPLETED')) {
    if (failsAnyway(t)) return;
    const arrived = deliver(world, t);
    if (!arrived && t.status === 'PROCESSING') follow(world, t, 'out not accepted');
    if (t.status === 'PROCESSING') return;
  }
  const twin = paymentIn(world, paymentOf(world, t.id).twin);
  if (!twin || !open(twin)) return;
  const reason = t.destination.kind === 'ACCOUNT' ? 'QUOTE_EXECUTION_FAILED' : 'PAY_REQUEST_FAILED';
  // Other money may have arrived since the payer's side completed.
  if (t.status === 'COMPLETED' && !hasRoom(world, twin, 'complete')) {
    apply(world, { ...twin, plan: 'in not countable', at: 1 }, { on: 'fail', reason });
    follow(world, t, 'out not countable, completed');
    return;
  }
  if (t.status === 'COMPLETED') apply(world, { ...twin, plan: 'in success', at: 1 }, { on: 'complete' });
  if (t.status === 'FAILED') apply(world, { ...twin, plan: 'in success', at: 1 }, { on: 'fail', reason });
}
