/**
 * Agents: programs that pay for a customer, within a policy that the platform sets (reference 6, 7).
 * Chosen where the reference is silent:
 * - Limits and thresholds apply to what a payment sends, fees included, converted to their currency at the present
 *   rate. Collections count like payouts. Payments that fail or are returned stay counted. Money pushed for an agent's
 *   quote does not count as a payment of the agent. Neither does a quote of the agent that the platform executes.
 * - An account rule applies to the account that money leaves, else to the one where it arrives; its limit is in the
 *   currency of the policy. Restrictions say what may be paid from and into, not what may be seen.
 * - A new currency converts the limits that are not sent with it, and the usage so far, at the present rate.
 * - Insufficient funds matter not when a waiting order is submitted, but when it is approved. A payout of the whole
 *   balance is fixed to the balance at submission. The signature of a wallet's owner is checked at submission and not
 *   again.
 * - A quote waits for approval once: 409 `CONFLICT`, `details.reason` `QUOTE_AWAITS_APPROVAL`. It can still expire.
 * - On the wire, `FAILED` gives no reason; the page of the action and `GET /_emulator/state` do.
 * - Approval is never refused with 400: an obstacle is 409, or makes the action `FAILED`.
 * - Deleting an agent, or its customer, rejects its waiting actions. Pausing an agent does not; approving then fails.
 * - A fork disconnects agents whose token leads to the sandbox that it is a fork of.
 * - A quote may name accounts of the agent's customer only: another customer's internal account is 400; UMA addresses
 *   are open.
 */

import { area, on } from '../../declare/area.ts';
import { CUSTOMER_DELETED } from '../customers/index.ts';
import { deleteAgent } from './actions.ts';
import { agentPrincipal } from './agents.ts';
import { CODE_HOURS } from './codes.ts';
import { decisions } from './decisions.ts';
import { AFTER_ORDER } from './examples.ts';
import { jobs } from './jobs.ts';
import { AGENT_ACTION, DEVICE_CODE } from './machine.ts';
import { ownRoutes } from './own-routes.ts';
import { routes } from './routes.ts';
import { AgentActionShape } from './schema.ts';
import { seeds } from './seeds.ts';
import { ACTIONS, AGENTS, DEVICE_CODES } from './tables.ts';

export { disconnectShared } from './agents.ts';

export const agents = area('agents', {
  machines: [DEVICE_CODE, AGENT_ACTION],
  tables: [AGENTS, DEVICE_CODES, ACTIONS],
  operations: [...routes, ...ownRoutes],
  principalOf: agentPrincipal,
  jobs,
  limits: [CODE_HOURS],
  decisions,
  seeds,
  events: [
    {
      name: 'agent-action',
      summary: 'A request of an agent waits for approval',
      types: ['AGENT_ACTION.PENDING_APPROVAL'],
      data: AgentActionShape,
      after: { 'AGENT_ACTION.PENDING_APPROVAL': AFTER_ORDER },
    },
  ],
  reactions: [
    on(CUSTOMER_DELETED, (world, { id }) => {
      if (!world.holds(AGENTS)) return;
      for (const agent of world.rows(AGENTS).all('customer', id)) deleteAgent(world, agent);
    }),
  ],
  rules: [
    {
      place: 'reference 6',
      about: 'Agents',
      says: 'An agent belongs to a customer that is there; a change of it says its name, or whether it is paused.',
    },
    {
      place: 'reference 6.1',
      about: 'Agents',
      says: 'A policy names currencies of the service and internal accounts of its customer, each with one rule at most; a threshold has a currency.',
    },
    {
      place: 'reference 6.2',
      about: 'Agents',
      says: 'A device code is redeemed once, in time, and only the newest counts; an action is decided on once, while it waits.',
    },
    {
      place: 'reference 7',
      about: 'Agents',
      says: 'An agent sees what belongs to its customer, and quotes that it made itself; all else is not there.',
    },
    {
      place: 'reference 7.1',
      about: 'Agents',
      says: 'An agent that is not paused does what its permissions, accounts and limits allow, checked in this order; details.reason names the check.',
    },
  ],
});
