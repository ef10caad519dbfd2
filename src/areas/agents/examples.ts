import type { After } from '../../declare/after.ts';
import {
  ahead,
  currency,
  type Deciding,
  type Fits,
  type Ingredients,
  ofSomebody,
  present,
  type Row,
  type Scene,
} from '../../declare/example.ts';

type Make = (the: Scene, agent: Row) => Ingredients;

/** Returns an example called by a connected agent with a permission, preferably one that suits. */
export const asAgent =
  (permission: string, make: Make = () => ({}), isSuited?: Fits): Deciding =>
  (the) => {
    const match = { isPaused: false, isDeleted: false, tokenHash: present, customerId: ofSomebody };
    const may: Fits = ({ policy }) => (policy as { permissions: string[] }).permissions.includes(permission);
    const agent = the.row('agents', match, 'redeemAgentDeviceCode', may, isSuited);
    // Only the agent itself has its token: the sandbox stores no more than its hash.
    return { ...make(the, agent), headers: { Authorization: `Bearer ${the.tokenOf(agent)}` } };
  };

/** Accepts an agent whose customer has an account with money and a bank account. */
export const canPay: Fits = ({ customerId }, the) => the.pairOf({ id: customerId }) !== undefined;

/** Returns an example about something that the agent itself requested. */
export const aboutOwn = (table: string, maker: string, name: string): Deciding =>
  asAgent(
    'VIEW_TRANSACTIONS',
    (the, { id }) => ({ params: { [name]: the.row(table, { agentId: id }, maker).id } }),
    ({ id }, the) => the.newest(table, { agentId: id }) !== undefined,
  );

/** Returns a quote that its agent can execute. */
export const executable = ({ id }: Row, the: Scene): Row | undefined =>
  the.newest(
    'quotes',
    { agentId: id, pushed: false, expiresAt: ahead },
    (quote) =>
      the.newest('agent-actions', { quoteId: quote.id, status: 'PENDING_APPROVAL' }) === undefined &&
      the.newest('transactions', { id: quote['transactionId'], status: 'PENDING' }) !== undefined,
  );

const bankOf = ({ customerId }: Row, the: Scene): Row | undefined =>
  the.newest('external-accounts', { isDeleted: false, customerId });

/** An example about an external account of the agent's customer. */
export const aboutOwnBank = asAgent(
  'MANAGE_EXTERNAL_ACCOUNTS',
  (the, agent) => ({
    params: { externalAccountId: bankOf(agent, the)?.id ?? the.lacks('agentCreateExternalAccount') },
  }),
  (agent, the) => bankOf(agent, the) !== undefined,
);

/** An order that waits for approval: its agent may pay nothing by itself. */
export const AFTER_ORDER: After = [
  { ready: 'createTransferOut' },
  {
    call: 'createAgent',
    body: {
      policy: {
        permissions: ['VIEW_TRANSACTIONS', 'CREATE_TRANSFERS'],
        defaultExecutionMode: 'APPROVAL_REQUIRED',
        spendingLimits: { currency, perTransactionLimit: 9_000_000 },
      },
    },
    as: 'agent',
  },
  { call: 'redeemAgentDeviceCode', params: { code: '$agent.deviceCode.code' } },
  'agentCreateTransferOut',
];
