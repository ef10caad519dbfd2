import { magicName } from '../../contract/suffix.ts';
import type { World } from '../../engine/world.ts';
import { type ExternalAccount, isWallet, suffixOf } from '../external-accounts/index.ts';
import type { PlanName } from './plans.ts';

/** Wallets as destinations (spec 5.1 rule 8): whatever the flow, the last three characters of the address decide. */
export const WALLET_SUFFIXES: Readonly<Record<string, PlanName>> = {
  '003': 'out not deliverable',
  '005': 'out processing timeout',
};

/** Accounts that a customer takes incoming UMA payments with: how paying out to them ends, once they were approved. */
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

/** The plan that an account's suffix chooses in a table of suffixes, if it chooses one. */
export const planIn = (table: Readonly<Record<string, PlanName>>, account: ExternalAccount): PlanName | undefined => {
  const suffix = suffixOf(account);
  return Object.hasOwn(table, suffix) ? table[suffix] : undefined;
};

/** The plan that the suffix of the account chooses that a customer takes incoming UMA payments with, if it chooses one. */
export const offrampPlan = (account: ExternalAccount): PlanName | undefined =>
  planIn(isWallet(account) ? WALLET_OFFRAMPS : BANK_OFFRAMPS, account);

/** Note for the request log that an account's suffix chose a plan, and what the plan does. */
export const notePlan = (world: World, account: ExternalAccount, says: string): void =>
  world.magic(
    `the identifier of ${account.id} ends in ${suffixOf(account)}: ${says}`,
    magicName('account identifier', suffixOf(account)),
  );

/** The plan that an account's suffix chooses for a payout to it: its own table for banks, the common one for wallets. */
export function payoutPlan(
  world: World,
  account: ExternalAccount,
  banks: Readonly<Record<string, PlanName>>,
): PlanName {
  const plan = planIn(isWallet(account) ? WALLET_SUFFIXES : banks, account);
  if (plan) notePlan(world, account, `the outcome of the payment will be "${plan.slice(4)}"`);
  return plan ?? 'out success';
}

/** The suffixes of accounts at which payouts end other than well. */
export const MAGIC = () => [
  {
    field: 'account identifier',
    values: [...new Set([WALLET_SUFFIXES, BANK_OFFRAMPS, WALLET_OFFRAMPS].flatMap((table) => Object.keys(table)))],
  },
];
