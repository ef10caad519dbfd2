import { fail } from '../../contract/errors.ts';
import { moneyText } from '../../contract/money.ts';
import type { World } from '../../engine/world.ts';
import type { Agent, Policy } from './row.ts';
import type { Permission } from './schema.ts';
import { type Money, usageOf, worthIn } from './usage.ts';

/** A payment that an agent wants to make. */
export interface Payment extends Money {
  /** The internal account whose rule applies: the one that the money leaves, else the one where it arrives. */
  readonly accountId: string | undefined;
}

/** The action that an agent wants to take; checks of missing members pass. */
interface Wish {
  /** True if it does more than read. */
  readonly acts?: boolean;
  readonly permission?: Permission | undefined;
  /** Internal accounts that it pays from or into. */
  readonly accounts?: readonly string[];
  readonly payment?: Payment;
}

/** The result of a failed check: what the policy expects, and what the agent wants. */
interface Finding {
  readonly expected: unknown;
  readonly seen: unknown;
  readonly says: string;
}

interface Check {
  /** The `details.reason` of the refusal. */
  readonly reason: string;
  readonly against: (world: World, agent: Agent, wish: Wish) => Finding | undefined;
}

type AccountRule = NonNullable<NonNullable<Policy['accountRestrictions']>['accountRules']>[number];

const ruleOf = ({ policy }: Agent, { accountId }: Payment): AccountRule | undefined =>
  policy.accountRestrictions?.accountRules?.find((rule) => rule.accountId === accountId);

/**
 * Declares a monetary limit. `mostOf` returns the limit, and `spentOf` what already counts towards it, both in minor
 * units of the limits' currency.
 */
const moneyLimit = (
  reason: string,
  what: string,
  mostOf: (agent: Agent, payment: Payment) => number | null | undefined,
  spentOf: (world: World, agent: Agent) => number,
): Check => ({
  reason,
  against: (world, agent, { payment }) => {
    if (!payment) return undefined;
    const { currency } = agent.policy.spendingLimits;
    // Payments without a limit are still counted, and a number must not count further than this.
    const most = mostOf(agent, payment) ?? Number.MAX_SAFE_INTEGER;
    const would = spentOf(world, agent) + worthIn(world, payment, currency);
    const [expected, seen] = [`at most ${moneyText(most, currency)}`, moneyText(would, currency)];
    return would > most ? { expected, seen, says: `${what} would come to ${seen}: ${expected}` } : undefined;
  },
});

/** The checks of a policy, in order (reference 7.1); the first that fails is reported. */
const CHECKS: readonly Check[] = [
  {
    reason: 'AGENT_PAUSED',
    against: (_world, { isPaused }, { acts }) =>
      acts && isPaused ? { expected: 'an agent that is not paused', seen: 'paused', says: 'it is paused' } : undefined,
  },
  {
    reason: 'PERMISSION_MISSING',
    against: (_world, { policy }, { permission }) =>
      permission === undefined || policy.permissions.includes(permission)
        ? undefined
        : { expected: permission, seen: policy.permissions, says: `it lacks the permission ${permission}` },
  },
  {
    reason: 'ACCOUNT_NOT_ALLOWED',
    against: (_world, { policy }, { accounts = [] }) => {
      const expected = policy.accountRestrictions?.allowedAccountIds ?? undefined;
      const seen = expected && accounts.find((id) => !expected.includes(id));
      return seen === undefined ? undefined : { expected, seen, says: `it may not use ${seen}` };
    },
  },
  moneyLimit(
    'PER_TRANSACTION_LIMIT_EXCEEDED',
    'this payment',
    (agent, payment) => ruleOf(agent, payment)?.perTransactionLimit ?? agent.policy.spendingLimits.perTransactionLimit,
    () => 0,
  ),
  {
    reason: 'DAILY_TRANSACTION_LIMIT_EXCEEDED',
    against: (world, agent, { payment }) => {
      const most = agent.policy.spendingLimits.dailyTransactionLimit;
      const seen = usageOf(world, agent).count;
      if (!payment || most === undefined || seen < most) return undefined;
      return { expected: `at most ${most} payments a day`, seen, says: `it has made ${seen} payments today` };
    },
  },
  moneyLimit(
    'DAILY_LIMIT_EXCEEDED',
    'the payments of this day',
    ({ policy }) => policy.spendingLimits.dailyLimit,
    (world, agent) => usageOf(world, agent).daySpend,
  ),
  moneyLimit(
    'MONTHLY_LIMIT_EXCEEDED',
    'the payments of this month',
    ({ policy }) => policy.spendingLimits.monthlyLimit,
    (world, agent) => usageOf(world, agent).monthSpend,
  ),
];

/**
 * Refuses what the policy of an agent does not allow: 403 FORBIDDEN; `details.reason` names the check (reference 7.1).
 */
export function checkPolicy(world: World, agent: Agent, wish: Wish): void {
  for (const { reason, against } of CHECKS) {
    const found = against(world, agent, wish);
    if (found)
      fail('FORBIDDEN', `agent ${agent.name} may not do this: ${found.says}`, {
        details: { reason },
        why: { rule: 'reference 7.1', expected: found.expected, seen: found.seen },
      });
  }
}

/**
 * Returns whether a payment needs approval: by the mode of its account or else the agent's, or above the threshold
 * (reference 7.1).
 */
export function needsApproval(world: World, agent: Agent, payment: Payment): boolean {
  const { defaultExecutionMode, approvalThresholds: { amount, currency } = {} } = agent.policy;
  if ((ruleOf(agent, payment)?.executionMode ?? defaultExecutionMode) === 'APPROVAL_REQUIRED') return true;
  return typeof amount === 'number' && currency !== undefined && worthIn(world, payment, currency) > amount;
}
