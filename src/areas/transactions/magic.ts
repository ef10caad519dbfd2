import { magicName } from '../../contract/suffix.ts';
import type { World } from '../../engine/world.ts';
import { type ExternalAccount, isWallet, suffixOf } from '../external-accounts/index.ts';
import type { PlanName } from './plans.ts';

/** Wallets as destinations (spec 5.1 rule 8): in every flow, the last three characters of the address decide. */
export const WALLET_SUFFIXES: Readonly<Record<string, PlanName>> = {
  '003': 'out not deliverable',
  '005': 'out processing timeout',
};

/** Accounts that receive a customer's incoming UMA payments: the outcome of paying out to them, after approval. */
const BANK_OFFRAMPS: Readonly<Record<string, PlanName>> = {
  '002': 'in offramp failed',
  '003': 'in slow',
  '004': 'in offramp failed',
  '005': 'in offramp failed',
  '007': 'in offramp and refund fail',
};
const WALLET_OFFRAMPS: Readonly<Record<string, PlanName>> = {
  '003': 'in offramp failed',
  '005': 'in offramp failed',
};

/** Returns the plan that an account's suffix chooses in a table, if any. */
export const planIn = (table: Readonly<Record<string, PlanName>>, account: ExternalAccount): PlanName | undefined => {
  const suffix = suffixOf(account);
  return Object.hasOwn(table, suffix) ? table[suffix] : undefined;
};

/** Returns the plan chosen by the suffix of the account that receives a customer's UMA payments, if any. */
export const offrampPlan = (account: ExternalAccount): PlanName | undefined =>
  planIn(isWallet(account) ? WALLET_OFFRAMPS : BANK_OFFRAMPS, account);

/** Notes in the request log that an account's suffix chose a plan, and what the plan does. */
export const notePlan = (world: World, account: ExternalAccount, says: string): void =>
  world.magic(
    `the identifier of ${account.id} ends in ${suffixOf(account)}: ${says}`,
    magicName('account identifier', suffixOf(account)),
  );

/**
 * Returns the plan that an account's suffix chooses for a payout to it: by `banks` for bank accounts, by the common
 * table for wallets.
 */
export function payoutPlan(
  world: World,
  account: ExternalAccount,
  banks: Readonly<Record<string, PlanName>>,
): PlanName {
  const plan = planIn(isWallet(account) ? WALLET_SUFFIXES : banks, account);
  if (plan) notePlan(world, account, `the outcome of the payment will be "${plan.slice(4)}"`);
  return plan ?? 'out success';
}

/** The suffixes of accounts to which payouts do not simply succeed. */
export const MAGIC = () => [
  {
    field: 'account identifier',
    values: [...new Set([WALLET_SUFFIXES, BANK_OFFRAMPS, WALLET_OFFRAMPS].flatMap((table) => Object.keys(table)))],
  },
];
