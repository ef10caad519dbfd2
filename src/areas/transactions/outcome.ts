import { fail } from '../../contract/errors.ts';
import type { World } from '../../engine/world.ts';
import { POSTINGS } from '../../ledger/ledger.ts';
import { EXTERNAL_ACCOUNTS, suffixOf, umaDepositAccountOf } from '../external-accounts/index.ts';
import { offrampPlan } from './magic.ts';
import { isUncollectable, PLANS, type PlanName, type Step } from './plans.ts';
import { paymentOf, transactionOf } from './row.ts';
import type { Transaction } from './row-shape.ts';
import { apply, dropNextStep } from './rules.ts';
import { showTransaction } from './show.ts';
import { planNow, planOnceApproved } from './uma-home.ts';

export const OUTCOMES = ['COMPLETED', 'FAILED', 'RETURNED'] as const;
export type Outcome = (typeof OUTCOMES)[number];

function planOf(t: Transaction, outcome: Outcome): PlanName {
  if (t.type === 'OUTGOING' && outcome === 'RETURNED' && t.towards !== undefined)
    return fail('CONFLICT', `transaction ${t.id} stayed within this platform: no bank returns it`);
  if (t.type === 'OUTGOING' && outcome === 'FAILED' && isUncollectable(t)) return 'out funding failed, decided';
  if (t.type === 'OUTGOING') return `told ${outcome}`;
  if (outcome === 'RETURNED') return fail('CONFLICT', `transaction ${t.id} is incoming: only a payout is returned`);
  if (outcome === 'COMPLETED') return 'in success';
  return t.status === 'PROCESSING' ? 'in offramp failed' : 'in collection failed';
}

/**
 * Decides a payment by hand, refund included, whatever its plan. 404, or 409 CONFLICT if it was never executed, has
 * ended, or was refunded. `reason` replaces the usual reason of a failure; 400 INVALID_INPUT if payments of its
 * direction cannot have it.
 */
export function decideOutcome(world: World, id: string, outcome: Outcome, reason?: Step['reason']): Transaction {
  let t = paymentOf(world, id, 'CONFLICT');
  if (t.status === 'PENDING_AUTHORIZATION')
    fail('CONFLICT', `transaction ${id} waits for the challenge of its quote: authorize that, or let it expire`);
  if (t.type === 'OUTGOING' && !t.debited)
    fail('CONFLICT', `transaction ${id} was never executed: its quote can still be, or has expired`);
  const plan = planOf(t, outcome);
  dropNextStep(world, t);
  if (t.type === 'OUTGOING' && t.status === 'PENDING' && outcome === 'COMPLETED')
    t = apply(world, t, { on: 'process' });
  PLANS[plan].steps.forEach((step, i) => {
    const given = step.reason && reason ? { ...step, reason } : step;
    t = apply(world, { ...t, plan, at: i + 1 }, given);
  });
  return t;
}

/** Returns why a payment ends as it does: the magic value that chose its plan, or another reason. */
function becauseOf(world: World, t: Transaction): string | undefined {
  const plan = planNow(world, t) ?? (t.approval && planOnceApproved(world, t));
  if (!plan) return t.type === 'INCOMING' && t.twin ? 'the paying side decides' : undefined;
  const { because, ofSource } = PLANS[plan];
  if (because) return because;
  const chosen = t.type === 'INCOMING' ? umaDepositAccountOf(world, t.customerId) : undefined;
  const side = t.type === 'INCOMING' || ofSource ? t.source : t.destination;
  const account =
    chosen && offrampPlan(chosen) === plan
      ? chosen
      : side.kind === 'ACCOUNT'
        ? world.rows(EXTERNAL_ACCOUNTS).get(side.accountId)
        : undefined;
  if (account) return `the identifier of ${account.id} ends in ${suffixOf(account)}`;
  return side.kind === 'UMA_ADDRESS' ? `the UMA address is ${side.umaAddress}` : undefined;
}

/** Returns a payment with its plan, the reason for it, its progress, and every posting that it caused. */
export function inspectTransaction(world: World, id: string) {
  const t = transactionOf(world, id);
  const payment = t.type === 'CARD' ? undefined : t;
  const { at = 0 } = payment ?? {};
  const plan = payment && planNow(world, payment);
  const steps = plan ? PLANS[plan].steps : [];
  return {
    transaction: showTransaction(t),
    plan,
    because: payment && becauseOf(world, payment),
    done: steps.slice(0, at).map((step) => step.on),
    next: steps.slice(at).map((step) => step.on),
    postings: world.rows(POSTINGS).all('cause', id),
  };
}
