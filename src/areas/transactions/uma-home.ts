import type { World } from '../../engine/world.ts';
import { outsideAccount } from '../../ledger/ledger.ts';
import { accountsOf } from '../accounts/index.ts';
import { type ExternalAccount, umaDepositAccountOf } from '../external-accounts/index.ts';
import { offrampPlan } from './magic.ts';
import { PLANS, type PlanName } from './plans.ts';
import type { Transaction } from './row-shape.ts';

/**
 * The account that receives a customer's UMA payments: a ledger account, and the external account if the customer chose
 * one.
 */
export interface UmaHome {
  readonly payee: string;
  readonly chosen?: ExternalAccount;
}

/**
 * Returns the account that receives UMA payments in a currency now (reference 14): the one that the customer chose
 * while it is `ACTIVE`, else the internal one, if any.
 */
export function umaHome(world: World, customerId: string, currency: string): UmaHome | undefined {
  const chosen = umaDepositAccountOf(world, customerId);
  if (chosen?.currency === currency && chosen.status === 'ACTIVE')
    return { payee: outsideAccount('payout', currency), chosen };
  const payee = accountsOf(world, customerId).find((account) => account.currency === currency)?.id;
  return payee === undefined ? undefined : { payee };
}

/** Returns the ledger account to credit now: the receiver's choice may have changed since the announcement. */
export function payeeOf(world: World, t: Transaction): string {
  if (t.type !== 'INCOMING' || t.destination.kind !== 'UMA_ADDRESS') return t.payee;
  return umaHome(world, t.customerId, t.received.currency)?.payee ?? t.payee;
}

/**
 * Returns the plan of a payment as of now. Until the money of an approved payment arrives, its plan and its payee
 * depend on the account that would be paid now.
 */
export const planNow = (world: World, t: Transaction): PlanName | undefined =>
  t.type === 'INCOMING' && t.status === 'PROCESSING' && t.approval && t.at === 0 ? planOnceApproved(world, t) : t.plan;

/**
 * Returns the plan after the platform's approval: as the sender decides, else by the suffix of the receiving account.
 */
export function planOnceApproved(world: World, t: Transaction): PlanName {
  const { next = 'in success' } = t.approval ?? {};
  if (!PLANS[next].yields) return next;
  const chosen = umaHome(world, t.customerId, t.received.currency)?.chosen;
  return (chosen && offrampPlan(chosen)) ?? next;
}
