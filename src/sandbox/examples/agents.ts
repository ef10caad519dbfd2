import type { Customer } from '../../areas/customers/index.ts';
import type { Facts, Row } from './facts.ts';
import { bank, quote, transfer } from './money.ts';
import { ofSomebody } from './people.ts';
import { at, type Ingredients, type Recipe, type Recipes } from './recipe.ts';

const PERMISSIONS = [
  'VIEW_TRANSACTIONS',
  'CREATE_TRANSFERS',
  'CREATE_QUOTES',
  'EXECUTE_QUOTES',
  'MANAGE_EXTERNAL_ACCOUNTS',
];

type Fits = (row: Row) => boolean;

/** An agent that is connected and not paused, of a customer who is there, with a permission; one that suits before others. */
const connected = (the: Facts, permission: string, suits: Fits): Row => {
  const match = { isPaused: false, isDeleted: false };
  const fits: Fits = (row) =>
    row['tokenHash'] !== undefined &&
    ofSomebody(the)(row) &&
    (row['policy'] as { permissions: string[] }).permissions.includes(permission);
  return (
    the.newest('agents', match, (row) => fits(row) && suits(row)) ??
    the.row('agents', 'redeemAgentDeviceCode', match, fits)
  );
};
const agent = (the: Facts): string => the.id('agents', 'createAgent', { isDeleted: false }, ofSomebody(the));
/** Only the agent itself has its token: the sandbox keeps no more than its hash. */
const asAgent =
  (
    permission: string,
    make: (the: Facts, agent: Row) => Ingredients = () => ({}),
    suits: (the: Facts) => Fits = () => () => true,
  ): Recipe =>
  (the) => {
    const found = connected(the, permission, suits(the));
    return { ...make(the, found), headers: { Authorization: `Bearer <access token of ${found.id}>` } };
  };
const paying =
  (the: Facts): Fits =>
  (row) =>
    the.pairOf(ofAgent(row)) !== undefined;
const ofAgent =
  (agent: Row) =>
  (one: Customer): boolean =>
    one.id === agent['customerId'];
const waiting = (the: Facts): Row =>
  the.row('agent-actions', 'agentCreateTransferOut', { status: 'PENDING_APPROVAL' }, ofSomebody(the));
/** The code itself of a device code that fits: its row is known by another id. */
const codeIn = (the: Facts, where: Partial<Row>, fits: Fits): string =>
  String(the.row('device-codes', 'createAgent', where, fits)['code']);
const code = (the: Facts): string =>
  codeIn(
    the,
    { status: 'ISSUED' },
    (row) =>
      Date.parse(String(row['expiresAt'])) > the.world.clock.now() &&
      the.newest('agents', { id: row['agentId'], isDeleted: false }) !== undefined,
  );
const deciding =
  (body?: object): Recipe =>
  (the) => {
    const { id, agentId } = waiting(the);
    return { params: { agentId: String(agentId ?? '<agentId>'), actionId: id }, ...(body ? { body } : {}) };
  };
/** Something that an agent asked for itself. */
const own = (table: string, maker: string, name: string): Recipe =>
  asAgent(
    'VIEW_TRANSACTIONS',
    (the, { id }) => ({ params: { [name]: the.id(table, maker, { agentId: id }) } }),
    (the) =>
      ({ id }) =>
        the.newest(table, { agentId: id }) !== undefined,
  );
/** A quote of an agent that it can execute. */
const executable = (the: Facts, agentId: string): Row | undefined =>
  the.newest(
    'quotes',
    { agentId, pushed: false },
    (row) =>
      the.newest('agent-actions', { quoteId: row.id, status: 'PENDING_APPROVAL' }) === undefined &&
      the.newest('transactions', { id: row['transactionId'], status: 'PENDING' }) !== undefined &&
      Date.parse(String(row['expiresAt'])) > the.world.clock.now(),
  );
const banksOf = (the: Facts, found: Row, maker?: string): string | undefined =>
  the.newest('external-accounts', { isDeleted: false, customerId: found['customerId'] })?.id ??
  (maker === undefined ? undefined : the.lacks(maker));
const bankOf: Recipe = asAgent(
  'MANAGE_EXTERNAL_ACCOUNTS',
  (the, found) => ({ params: { externalAccountId: String(banksOf(the, found, 'agentCreateExternalAccount')) } }),
  (the) => (found) => banksOf(the, found) !== undefined,
);

/** Agents, by their platform and by themselves. */
export const AGENTS: Recipes = {
  createAgent: (the) => ({
    body: {
      name: 'Buyer',
      customerId: the.pairOf()?.from.customerId ?? the.customerId(),
      policy: {
        permissions: PERMISSIONS,
        defaultExecutionMode: 'AUTO',
        spendingLimits: { currency: the.currency, perTransactionLimit: 50_000 },
      },
    },
  }),
  getAgentById: at('agentId', agent),
  updateAgent: at('agentId', agent, () => ({ body: { name: 'Buyer of paper' } })),
  deleteAgent: at('agentId', agent),
  updateAgentPolicy: at('agentId', agent, (the) => ({
    body: { spendingLimits: { currency: the.currency, perTransactionLimit: 60_000 } },
  })),
  regenerateAgentDeviceCode: at('agentId', (the) =>
    the.id('agents', 'createAgent', { isDeleted: false, tokenHash: undefined }, ofSomebody(the)),
  ),
  getAgentDeviceCodeStatus: at('code', (the) =>
    codeIn(the, {}, (row) => the.newest('agents', { id: row['agentId'] }) !== undefined),
  ),
  redeemAgentDeviceCode: at('code', code),
  approveAgentAction: deciding(),
  rejectAgentAction: deciding({ reason: 'Too much' }),
  getAgentMe: asAgent('VIEW_TRANSACTIONS'),
  agentListTransactions: asAgent('VIEW_TRANSACTIONS'),
  agentListActions: asAgent('VIEW_TRANSACTIONS'),
  agentListInternalAccounts: asAgent('VIEW_TRANSACTIONS'),
  agentListExternalAccounts: asAgent('MANAGE_EXTERNAL_ACCOUNTS'),
  agentGetTransaction: own('transactions', 'agentCreateTransferOut', 'transactionId'),
  agentCreateQuote: asAgent('CREATE_QUOTES', (the, found) => ({ body: quote(the, ofAgent(found)) }), paying),
  agentGetQuote: own('quotes', 'agentCreateQuote', 'quoteId'),
  agentExecuteQuote: asAgent(
    'EXECUTE_QUOTES',
    (the, { id }) => ({ params: { quoteId: executable(the, id)?.id ?? the.lacks('agentCreateQuote') } }),
    (the) => (row) => executable(the, row.id) !== undefined,
  ),
  agentGetAction: own('agent-actions', 'agentCreateTransferOut', 'actionId'),
  agentCreateTransferIn: asAgent(
    'CREATE_TRANSFERS',
    (the, found) => ({ body: transfer(the, 'in', ofAgent(found)) }),
    paying,
  ),
  agentCreateTransferOut: asAgent(
    'CREATE_TRANSFERS',
    (the, found) => ({ body: transfer(the, 'out', ofAgent(found)) }),
    paying,
  ),
  agentCreateExternalAccount: asAgent('MANAGE_EXTERNAL_ACCOUNTS', (the) => ({ body: bank(the) })),
  agentGetExternalAccount: bankOf,
  agentDeleteExternalAccount: bankOf,
};
