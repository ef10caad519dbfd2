/**
 * Agents: programs that pay for a customer, within a policy that the platform sets (reference 6, 7).
 *
 * Chosen where the reference is silent:
 * - Limits and thresholds are held against what a payment sends, fees included, worth in their currency at the present rate.
 *   Collections count like payouts. What fails or comes back stays counted. Funds that are pushed for a quote of an agent
 *   are not payment of the agent's. Neither is a quote of it that the platform executes.
 * - An account rule counts for the account that money leaves, else for the one where it arrives; its limit is in the currency
 *   of the policy. Restrictions say what may be paid from and into, not what may be seen.
 * - Another currency recasts the limits that are not sent along, and what was counted, at the present rate.
 * - Too little money is not a matter when an order that waits is submitted, but when it is approved. A payout of the whole balance
 *   is one of what the balance was then. The signature of a wallet's owner is checked at submission and not again.
 * - A quote waits for approval once: 409 `CONFLICT`, `details.reason` `QUOTE_AWAITS_APPROVAL`. Its time runs on.
 * - `FAILED` says nothing of why on the wire; the page of the action and `GET /_emulator/state` do.
 * - Approval is never refused with 400: what is against it is 409, or makes the action `FAILED`.
 * - Deleting an agent, or its customer, rejects what waits. Pausing an agent does not; approving then fails.
 * - A fork disconnects agents whose token leads to the sandbox that it is a fork of.
 * - A quote names accounts of the agent's customer only: another customer's internal account is 400 here, UMA addresses are open.
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
