import { Failure, fail } from '../../contract/errors.ts';
import { moneyText } from '../../contract/money.ts';
import { policyDelay } from '../../contract/policy.ts';
import type { Infer } from '../../declare/operation.ts';
import { begin, lifecycle, move } from '../../engine/machine.ts';
import { mapPage } from '../../engine/page.ts';
import { rowOr404 } from '../../engine/resource.ts';
import type { World } from '../../engine/world.ts';
import { agentOf, forgetAgent } from './agents.ts';
import { checkPolicy, needsApproval } from './checks.ts';
import { withdrawCodes } from './codes.ts';
import { AGENT_ACTION } from './machine.ts';
import { permissionFor, type Ready, weigh } from './orders.ts';
import type { Action, Agent } from './row.ts';
import type { ApprovalQuery } from './schema.ts';
import { showAction } from './show.ts';
import { ACTIONS, AGENTS } from './tables.ts';
import { withPayment } from './usage.ts';

const ACTION = lifecycle(ACTIONS, {
  state: 'status',
  machine: AGENT_ACTION,
  event: (_action, end) => `AGENT_ACTION.${end}`,
  view: (action, world) => showAction(world, action),
});

/** The kind of job that decides on an action. */
export const DECIDE = 'agent.decide';

const found = rowOr404(ACTIONS, 'REFERENCE_NOT_FOUND', 'agent action');

/** Returns one action of an agent. 404 REFERENCE_NOT_FOUND, also for another agent's action. */
export function actionOf(world: World, agent: Agent, id: string): Action {
  const action = found(world, id);
  if (action.agentId !== agent.id)
    fail('REFERENCE_NOT_FOUND', `no agent action ${id}`, { why: { rule: 'spec 7, status 404', seen: action.agentId } });
  return action;
}

/** Returns a page of actions that wait for approval, newest first by default. */
export function approvalPage(world: World, query: Infer<typeof ApprovalQuery>) {
  const { agentId, customerId, startDate, endDate, sortOrder, limit, cursor } = query;
  const page = world.rows(ACTIONS).page({
    where: { status: 'PENDING_APPROVAL', agent: agentId, customer: customerId },
    between: { by: (a) => a.createdAt, from: startDate, to: endDate },
    oldestFirst: sortOrder === 'asc',
    limit,
    cursor,
  });
  return mapPage(page, (action) => showAction(world, action));
}

/** Carries out an order and counts it; returns the id of its transaction. */
function carryOut(world: World, agent: Agent, { payment, run }: Ready): string {
  const transactionId = run();
  world.rows(AGENTS).put({ ...agent, usage: withPayment(world, agent, payment) });
  return transactionId;
}

/**
 * Accepts an order that `weigh` has passed: carries it out in this call, or lets it wait for approval, as the policy
 * says (reference 7.1). If its operation refuses, the call is refused and leaves no action.
 */
export function submit(world: World, agent: Agent, ready: Ready): Action {
  const waits = needsApproval(world, agent, ready.payment);
  const transactionId = waits ? undefined : carryOut(world, agent, ready);
  const id = world.newId('AgentAction');
  const now = world.clock.iso();
  return begin(world, ACTION, waits ? 'ask' : 'run', (status) => ({
    id,
    agentId: agent.id,
    customerId: agent.customerId,
    status,
    ...ready.kept,
    transactionId,
    decision: waits ? world.schedule(DECIDE, { actionId: id }, policyDelay(world.policy(DECIDE))) : undefined,
    createdAt: now,
    updatedAt: now,
  }));
}

/** Refuses an action that does not wait for approval: 409 CONFLICT (reference 6.2). */
export function undecided(action: Action): void {
  if (action.status !== 'PENDING_APPROVAL')
    fail('CONFLICT', `agent action ${action.id} is ${action.status} and is not waiting for approval`, {
      why: { rule: 'reference 6.2', expected: 'PENDING_APPROVAL', seen: action.status },
    });
}

const settle = (world: World, { decision }: Action): void => {
  if (decision !== undefined) world.scheduler.cancel(decision);
};

/**
 * Approves an action (reference 6.2): checks everything again, then carries it out. If a check fails by now, the action
 * is `FAILED` and nothing else happens. 409 CONFLICT if it does not wait for approval.
 */
export function approve(world: World, action: Action): Action {
  undecided(action);
  settle(world, action);
  try {
    const transactionId = world.transact(() => {
      const agent = agentOf(world, action.agentId);
      checkPolicy(world, agent, { acts: true, permission: permissionFor(action.type) });
      return carryOut(world, agent, weigh(world, agent, action));
    });
    return move(world, ACTION, action, 'approve', { transactionId });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, message, details } = error;
    const reason = typeof details?.['reason'] === 'string' ? details['reason'] : undefined;
    return move(world, ACTION, action, 'fail', { failure: { code, message, ...(reason ? { reason } : {}) } });
  }
}

/** Rejects an action: it is never carried out. 409 CONFLICT if it does not wait for approval. */
export function reject(world: World, action: Action, rejectionReason: string | undefined): Action {
  undecided(action);
  settle(world, action);
  return move(world, ACTION, action, 'reject', { rejectionReason });
}

/** Deletes an agent: its token and its codes become invalid, and actions that wait for approval are rejected. */
export function deleteAgent(world: World, agent: Agent): void {
  withdrawCodes(world, agent);
  for (const action of world.rows(ACTIONS).all('agent', agent.id))
    if (action.status === 'PENDING_APPROVAL') reject(world, action, 'the agent was deleted');
  forgetAgent(world, agent);
}

/** Returns the name of an action within a sentence: `the 600.00 USD of agent Payroll`. */
export function actionName(world: World, id: string): string | undefined {
  const action = world.rows(ACTIONS).get(id);
  const agent = action && world.rows(AGENTS).get(action.agentId);
  if (!action || !agent) return undefined;
  const { transfer, quoteId } = action;
  const quoted = quoteId === undefined ? undefined : showAction(world, action).quote;
  const [amount, currency] = transfer
    ? [transfer.amount, transfer.currency]
    : [quoted?.totalSendingAmount ?? 0, quoted?.sendingCurrency.code ?? 'USD'];
  return `the ${moneyText(amount, currency)} of agent ${agent.name}`;
}
