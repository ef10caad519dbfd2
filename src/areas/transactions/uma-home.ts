import type { World } from '../../engine/world.ts';
import { outsideAccount } from '../../ledger/ledger.ts';
import { accountsOf } from '../accounts/index.ts';
import { type ExternalAccount, umaDepositAccountOf } from '../external-accounts/index.ts';
import { offrampPlan } from './magic.ts';
import { PLANS, type PlanName } from './plans.ts';
import type { Transaction } from './row-shape.ts';

/** The account that takes UMA payments for a customer: ledger account, and the account elsewhere where one was chosen. */
export interface UmaHome {
  readonly payee: string;
  readonly chosen?: ExternalAccount;
}

/**
 * Returns where UMA payments of a currency go at this moment: to the account that the customer chose while it is `ACTIVE`, else to
 * the internal one, if there is one (reference 14).
 */
export function umaHome(world: World, customerId: string, currency: string): UmaHome | undefined {
  const chosen = umaDepositAccountOf(world, customerId);
  if (chosen?.currency === currency && chosen.status === 'ACTIVE')
    return { payee: outsideAccount('payout', currency), chosen };
  const payee = accountsOf(world, customerId).find((account) => account.currency === currency)?.id;
  return payee === undefined ? undefined : { payee };
}

/** Returns where a payment is credited now: what its receiver chose may have changed since it was announced. */
export function payeeOf(world: World, t: Transaction): string {
  if (t.type !== 'INCOMING' || t.destination.kind !== 'UMA_ADDRESS') return t.payee;
  return umaHome(world, t.customerId, t.received.currency)?.payee ?? t.payee;
}

/**
 * Returns the plan of a payment as things are now: until its money comes, an approved one goes by the account that would be paid
 * now, as its payee does.
 */
export const planNow = (world: World, t: Transaction): PlanName | undefined =>
  t.type === 'INCOMING' && t.status === 'PROCESSING' && t.approval && t.at === 0 ? planOnceApproved(world, t) : t.plan;

/** Returns the plan that follows the platform's yes: what the sender decides, else the suffix of the account that is paid. */
export function planOnceApproved(world: World, t: Transaction): PlanName {
  const { next = 'in success' } = t.approval ?? {};
  if (!PLANS[next].yields) return next;
  const chosen = umaHome(world, t.customerId, t.received.currency)?.chosen;
  return (chosen && offrampPlan(chosen)) ?? next;
}
