import { fail } from '../../contract/errors.ts';
import type { World } from '../../engine/world.ts';
import { isUncollectable, PLANS } from './plans.ts';
import { PAYMENTS } from './row.ts';
import type { Transaction } from './row-shape.ts';
import { follow } from './rules.ts';

/** Returns whether money is under way that a bank may still stop. */
const stoppable = (t: Transaction): boolean =>
  (t.status === 'PENDING' || t.status === 'PROCESSING') &&
  (t.type === 'INCOMING' || t.debited === true) &&
  t.refund === undefined &&
  !(t.plan && PLANS[t.plan].cancelled);

/**
 * Asks the bank to stop a payment. 400 INVALID_INPUT for kinds of payment that cannot be stopped, 409
 * TRANSACTION_NOT_CANCELLABLE if it has settled, was never executed, or is already being cancelled (spec 3.4).
 */
export function cancel(world: World, t: Transaction): Transaction {
  if (!t.cancellable)
    fail('INVALID_INPUT', `transaction ${t.id} does not travel by bank: only bank transfers can be cancelled`, {
      why: { rule: 'reference 11.6: ACH push and pull, wire', seen: t.destination.kind },
    });
  if (!stoppable(t))
    fail('TRANSACTION_NOT_CANCELLABLE', `transaction ${t.id} is ${t.status} and cannot be cancelled`, {
      why: { rule: 'spec 3.4: cancellable until it settles', seen: t.status },
    });
  if (t.type === 'INCOMING') return follow(world, t, 'in cancelled');
  return follow(world, t, isUncollectable(t) ? 'out funding failed, cancelled' : 'out cancelled');
}

/**
 * Records when the customer got the receipt; a repeat overwrites it. 400 INVALID_INPUT for a payment that never
 * settled.
 */
export function confirm(world: World, t: Transaction, at: string | undefined): Transaction {
  if (t.settledAt === undefined)
    fail('INVALID_INPUT', `transaction ${t.id} is ${t.status}: there is a receipt for completed payments only`, {
      why: { rule: 'reference 11.7', expected: 'COMPLETED', seen: t.status },
    });
  const now = world.clock.iso();
  return world.rows(PAYMENTS).put({ ...t, receiptDeliveryConfirmedAt: at ?? now, updatedAt: now });
}
