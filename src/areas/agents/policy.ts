import { type FieldError, failFields } from '../../contract/errors.ts';
import { CURRENCIES } from '../../contract/money.ts';
import { present } from '../../contract/shapes.ts';
import type { Infer } from '../../declare/operation.ts';
import type { World } from '../../engine/world.ts';
import { accountsOf } from '../accounts/index.ts';
import { MAX_AMOUNT } from '../transactions/index.ts';
import type { Agent, Policy } from './row.ts';
import type { AgentPolicyUpdate } from './schema.ts';
import { type Money, usageOf, worthIn } from './usage.ts';

type Update = Infer<typeof AgentPolicyUpdate>;

/** A value of a refused request without its invalid parts at any depth; a bad list item leaves a gap. */
type Rest<T> = T extends readonly (infer Item)[]
  ? readonly (Rest<Item> | undefined)[]
  : T extends object
    ? { readonly [K in keyof T]?: Rest<T[K]> | undefined }
    : T;
export type SentPolicy = Rest<Policy>;

/** Yields the errors in a policy's currencies. */
function* currencyErrors({ spendingLimits, approvalThresholds }: SentPolicy): Generator<FieldError> {
  const spent = spendingLimits?.currency;
  if (spent !== undefined && !CURRENCIES.has(spent))
    yield { field: 'spendingLimits.currency', message: 'not a currency of this service' };
  const { amount, currency } = approvalThresholds ?? {};
  if (currency !== undefined && !CURRENCIES.has(currency))
    yield { field: 'approvalThresholds.currency', message: 'not a currency of this service' };
  if (typeof amount === 'number' && currency === undefined)
    yield { field: 'approvalThresholds.currency', message: 'required with an amount' };
}

/** Yields the errors in the accounts that a policy names: each must be an internal account of the customer. */
function* accountErrors(world: World, customerId: string, policy: SentPolicy): Generator<FieldError> {
  const own = new Set(accountsOf(world, customerId).map((account) => account.id));
  const { allowedAccountIds, accountRules = [] } = policy.accountRestrictions ?? {};
  for (const [i, id] of (allowedAccountIds ?? []).entries())
    if (id !== undefined && !own.has(id))
      yield { field: `accountRestrictions.allowedAccountIds.${i}`, message: 'no internal account of the customer' };
  const seen = new Set<string>();
  for (const [i, { accountId } = {}] of accountRules.entries()) {
    if (accountId === undefined) continue;
    const field = `accountRestrictions.accountRules.${i}.accountId`;
    if (!own.has(accountId)) yield { field, message: 'no internal account of the customer' };
    if (seen.has(accountId)) yield { field, message: 'has a rule already' };
    seen.add(accountId);
  }
}

/** Returns the contradictions in a policy (reference 6.1); accounts are not checked without a customer. */
export const wrongPolicy = (
  world: World,
  customerId: string | undefined,
  policy: SentPolicy,
  at = 'policy.',
): readonly FieldError[] =>
  [...currencyErrors(policy), ...(customerId === undefined ? [] : accountErrors(world, customerId, policy))].map(
    ({ field, message }) => ({ field: `${at}${field}`, message }),
  );

/** Returns a policy without repeated permissions. 400 INVALID_INPUT if it contradicts itself (reference 6.1). */
export function checkedPolicy(world: World, customerId: string, policy: Policy, at = 'policy.'): Policy {
  const errors = wrongPolicy(world, customerId, policy, at);
  if (errors.length > 0) failFields(errors, 'INVALID_INPUT', 'reference 6.1');
  return { ...policy, permissions: [...new Set(policy.permissions)] };
}

/** Returns an amount converted to another currency, capped at the largest that a policy can name. */
const countedIn = (world: World, money: Money, other: string): number =>
  Math.min(worthIn(world, money, other), MAX_AMOUNT);

/**
 * Returns a policy with its limits converted to another currency at the present rate, so that they stay equivalent.
 * Limits that are sent along are taken as they are.
 */
function recast(world: World, policy: Policy, currency: string): Policy {
  const { spendingLimits: limits, accountRestrictions } = policy;
  const turned = <T extends number | null | undefined>(amount: T) =>
    typeof amount === 'number' ? countedIn(world, { amount, currency: limits.currency }, currency) : amount;
  const rules = accountRestrictions?.accountRules?.map((rule) =>
    present({ ...rule, perTransactionLimit: turned(rule.perTransactionLimit) }),
  );
  return {
    ...policy,
    spendingLimits: {
      ...limits,
      ...present({
        currency,
        perTransactionLimit: turned(limits.perTransactionLimit) as number,
        dailyLimit: turned(limits.dailyLimit),
        monthlyLimit: turned(limits.monthlyLimit),
      }),
    },
    ...(accountRestrictions && rules ? { accountRestrictions: { ...accountRestrictions, accountRules: rules } } : {}),
  };
}

/**
 * Returns a policy after a change, and the usage in its currency (reference 6.1). Members not sent stay, lists are
 * replaced, `null` removes a limit; a new currency converts limits and usage. 400 INVALID_INPUT as for a new policy.
 */
export function changedPolicy(world: World, agent: Agent, change: Update): Pick<Agent, 'policy' | 'usage'> {
  const { currency } = change.spendingLimits ?? {};
  const before = agent.policy.spendingLimits.currency;
  const recasts = currency !== undefined && currency !== before && CURRENCIES.has(currency);
  const base = recasts ? recast(world, agent.policy, currency) : agent.policy;
  const { spendingLimits, accountRestrictions, approvalThresholds, ...rest } = present(change);
  const policy: Policy = {
    ...base,
    ...present(rest),
    spendingLimits: { ...base.spendingLimits, ...present(spendingLimits ?? {}) },
    ...(accountRestrictions
      ? { accountRestrictions: { ...base.accountRestrictions, ...present(accountRestrictions) } }
      : {}),
    ...(approvalThresholds
      ? { approvalThresholds: { ...base.approvalThresholds, ...present(approvalThresholds) } }
      : {}),
  };
  const checked = checkedPolicy(world, agent.customerId, policy, '');
  if (!recasts) return { policy: checked, usage: agent.usage };
  const usage = usageOf(world, agent);
  const turned = (amount: number) => countedIn(world, { amount, currency: before }, currency);
  return {
    policy: checked,
    usage: { ...usage, daySpend: turned(usage.daySpend), monthSpend: turned(usage.monthSpend) },
  };
}
