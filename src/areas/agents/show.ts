import type { World } from '../../engine/world.ts';
import { CUSTOMERS } from '../customers/index.ts';
import { quoteOf, showQuote } from '../quotes/index.ts';
import { paymentOf, showPayment } from '../transactions/index.ts';
import type { Action, Agent, DeviceCode } from './row.ts';
import { showUsage } from './usage.ts';

/** Returns an agent as replies show it, with its usage so far. */
export const showAgent = (world: World, agent: Agent) => ({
  id: agent.id,
  name: agent.name,
  customerId: agent.customerId,
  isPaused: agent.isPaused,
  isConnected: agent.tokenHash !== undefined,
  policy: agent.policy,
  usage: showUsage(world, agent),
  createdAt: agent.createdAt,
  updatedAt: agent.updatedAt,
});

/** Returns a device code as replies show it. */
export const showCode = ({ code, agentId, expiresAt, status }: DeviceCode) => ({
  code,
  agentId,
  expiresAt,
  redeemed: status === 'REDEEMED',
});

function showTransfer({ transfer }: Action) {
  if (!transfer) return undefined;
  const { paymentRail: _, ...details } = transfer;
  return details;
}

/** Returns an action as replies and webhooks show it, with the present state of its quote and its transaction. */
export const showAction = (world: World, action: Action) => ({
  id: action.id,
  agentId: action.agentId,
  customerId: action.customerId,
  platformCustomerId: world.rows(CUSTOMERS).get(action.customerId)?.platformCustomerId ?? action.customerId,
  status: action.status,
  type: action.type,
  quote: action.quoteId === undefined ? undefined : showQuote(world, quoteOf(world, action.quoteId)),
  transferDetails: showTransfer(action),
  transaction: action.transactionId === undefined ? undefined : showPayment(paymentOf(world, action.transactionId)),
  rejectionReason: action.rejectionReason,
  createdAt: action.createdAt,
  updatedAt: action.updatedAt,
});
