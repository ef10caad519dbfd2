import type { World } from '../../kernel/world.ts';
import { type ExternalAccount, isWallet, suffixOf } from '../external-accounts/index.ts';
import type { PlanName } from './plans.ts';

/** Wallets as destinations (spec 5.1 rule 8): whatever the flow, the last three characters of the address decide. */
export const WALLET_SUFFIXES: Readonly<Record<string, PlanName>> = {
  '003': 'out not deliverable',
  '005': 'out processing timeout',
};

/** Accounts that a customer takes incoming UMA payments with: how paying out to them ends, once they were approved. */
export const BANK_OFFRAMPS: Readonly<Record<string, PlanName>> = {
  '002': 'in offramp failed',
  '003': 'in slow',
  '004': 'in offramp failed',
  '005': 'in offramp failed',
  '007': 'in offramp and refund fail',
};
export const WALLET_OFFRAMPS: Readonly<Record<string, PlanName>> = {
  '003': 'in offramp failed',
  '005': 'in offramp failed',
};

/** The plan that an account's suffix chooses, if it does; `says` puts it in words for the log. */
export function planBySuffix(
  world: World,
  account: ExternalAccount,
  table: Readonly<Record<string, PlanName>>,
  says: (plan: PlanName) => string,
): PlanName | undefined {
  const suffix = suffixOf(account);
  const plan = Object.hasOwn(table, suffix) ? table[suffix] : undefined;
  if (plan) world.magic(`the identifier of ${account.id} ends in ${suffix}: ${says(plan)}`);
  return plan;
}

/** The plan that an account's suffix chooses for a payout to it: its own table for banks, the common one for wallets. */
export function payoutPlan(
  world: World,
  account: ExternalAccount,
  banks: Readonly<Record<string, PlanName>>,
): PlanName {
  const table = isWallet(account) ? WALLET_SUFFIXES : banks;
  const says = (plan: PlanName) => plan.replace('out ', 'the payment is to end as ');
  return planBySuffix(world, account, table, says) ?? 'out success';
}
