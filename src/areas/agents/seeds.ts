import * as z from 'zod';
import { KnownCurrency } from '../../contract/money.ts';
import { Text } from '../../contract/shapes.ts';
import { seed } from '../../declare/seed.ts';
import { accountsOf } from '../accounts/index.ts';
import { CUSTOMERS } from '../customers/index.ts';
import { EXTERNAL_ACCOUNTS } from '../external-accounts/index.ts';
import { submit } from './actions.ts';
import { createAgent, updateAgent } from './agents.ts';
import { isIssuedHere, issueCode } from './codes.ts';
import { transferOrder, weigh } from './orders.ts';
import { AgentPolicy } from './schema.ts';
import { ACTIONS, AGENTS } from './tables.ts';

export const seeds = [
  seed(AGENTS, {
    key: 'agents',
    about: 'Agents of customers that are there from the start, each with a device code to redeem',
    example:
      '{ label: payroll, name: Payroll, customer: ada, policy: { permissions: [CREATE_TRANSFERS], defaultExecutionMode: AUTO, spendingLimits: { currency: USD, perTransactionLimit: 50000 } } }',
    members: () => ({
      name: Text(255).min(1).describe('A name for people'),
      customer: z.string().describe('Label of the customer whose agent it is'),
      policy: AgentPolicy().describe('What it may do, as in POST /agents'),
      isPaused: z.boolean().optional().describe('true: it may only read'),
      code: z
        .string()
        .regex(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/, 'must have the form XXXX-XXXX, capital letters and digits')
        .optional()
        .describe('The end of its device code, after SERVICE-AGENT-; one is made up without'),
    }),
    plant: (world, { id, name, customer, policy, isPaused, code }, labels) => {
      const customerId = labels.idOf(CUSTOMERS, customer, 'customer');
      const agent = createAgent(world, { name, customerId, policy }, id);
      const pinned = code === undefined ? undefined : world.profile.prefixes.deviceCode + code;
      if (pinned !== undefined && isIssuedHere(world, pinned)) labels.refuse('code', `${code} is taken`);
      issueCode(world, agent, pinned);
      if (isPaused) updateAgent(world, agent, { isPaused });
      return agent.id;
    },
  }),
  seed(ACTIONS, {
    key: 'agentOrders',
    about: 'Payouts that agents have ordered; what a policy lets through is paid, the rest waits for approval',
    example: '{ agent: payroll, currency: USD, to: ada-bank, amount: 4200 }',
    members: () => ({
      agent: z.string().describe('Label of the agent'),
      currency: KnownCurrency().describe("Currency of the customer's account that pays"),
      to: z.string().describe('Label of the external account that is paid'),
      amount: z.int().min(1).describe('Minor units'),
    }),
    plant: (world, { agent: name, currency, to, amount }, labels) => {
      const agentId = labels.idOf(AGENTS, name, 'agent');
      const agent = world.rows(AGENTS).get(agentId) ?? labels.refuse('agent', `there is no agent ${name}`);
      const account = accountsOf(world, agent.customerId).find((one) => one.currency === currency);
      if (!account) return labels.refuse('currency', `there is no account in ${currency}`);
      const destination = { accountId: labels.idOf(EXTERNAL_ACCOUNTS, to, 'to') };
      const order = transferOrder('TRANSFER_OUT', { source: { accountId: account.id }, destination, amount });
      return submit(world, agent, weigh(world, agent, order)).id;
    },
  }),
];
