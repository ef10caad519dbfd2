import type { Builder, Recipe, Recipes, Thing } from '../builder.ts';
import { type Json, ref } from '../plan.ts';
import { accountBody, external, funded, internal } from './accounts.ts';
import { keyed, quoteBody } from './payments.ts';
import { customer, list } from './people.ts';

const PERMISSIONS = [
  'VIEW_TRANSACTIONS',
  'CREATE_TRANSFERS',
  'CREATE_QUOTES',
  'EXECUTE_QUOTES',
  'MANAGE_EXTERNAL_ACCOUNTS',
];
const limits = (b: Builder): Json => ({
  currency: b.of(['USD', 'USD', 'EUR']),
  perTransactionLimit: b.of([100_000, 1000]),
  ...b.of<object>([{}, {}, { dailyLimit: 5000, dailyTransactionLimit: 3, monthlyLimit: 10_000 }]),
});
const policy = (b: Builder): Json => ({
  permissions: b.once(4) ? PERMISSIONS.slice(0, 2) : PERMISSIONS,
  defaultExecutionMode: b.of(['AUTO', 'AUTO', 'APPROVAL_REQUIRED']),
  spendingLimits: limits(b),
  ...b.of<object>([{}, {}, { approvalThresholds: { currency: 'USD', amount: 1000 } }]),
});

function newAgent(b: Builder): Thing {
  const who = customer(b);
  const call = b.call('createAgent', { body: { name: 'Buyer', customerId: who.id, policy: policy(b) } });
  return b.keep('agent', call, { customer: who.id, code: ref(call, 'deviceCode.code') }, 'agent.id');
}
const agent = (b: Builder): Thing => b.some('agent', () => newAgent(b));

/** An agent that has an access token. */
const connected = (b: Builder): Thing =>
  b.some('connected', () => {
    const { id, customer, code } = newAgent(b);
    const call = b.call('redeemAgentDeviceCode', { params: { code: code ?? '' }, as: 'none' });
    const things = { agent: id, customer: customer ?? '' };
    return b.keep('connected', call, things, 'accessToken');
  });
const ownerOf = ({ customer, call }: Thing): Thing => ({ id: customer ?? '', call });

function pay(b: Builder, out: boolean): Thing {
  const me = connected(b);
  const who = ownerOf(me);
  const inner = { accountId: (out ? funded : internal)(b, 'USD', who).id };
  const outer = { accountId: external(b, 'USD', who).id };
  const body = { source: out ? inner : outer, destination: out ? outer : inner, amount: b.of([100, 2500, 9_000_000]) };
  const call = b.call(out ? 'agentCreateTransferOut' : 'agentCreateTransferIn', { body, headers: keyed(b), as: me.id });
  b.keep('agentPayment', call, { token: me.id }, 'transaction.id');
  return b.keep('action', call, { agent: me['agent'] ?? '', token: me.id });
}
const payment = (b: Builder): Thing =>
  b.some('agentPayment', () => {
    pay(b, true);
    return b.all('agentPayment').at(-1) as Thing;
  });
const action = (b: Builder): Thing => b.some('action', () => pay(b, true));

const quote = (b: Builder): Thing =>
  b.some('agentQuote', () => {
    const me = connected(b);
    const call = b.call('agentCreateQuote', { body: quoteBody(b, ownerOf(me)), headers: keyed(b), as: me.id });
    return b.keep('agentQuote', call, { token: me.id, agent: me['agent'] ?? '' });
  });

const account = (b: Builder): Thing =>
  b.some('agentAccount', () => {
    const me = connected(b);
    const body = accountBody(b, b.of(['USD', 'EUR', 'USDC']));
    return b.keep('agentAccount', b.call('agentCreateExternalAccount', { body, as: me.id }), { token: me.id });
  });

const mine =
  (operation: string): Recipe =>
  (b) =>
    list(b, operation, { as: connected(b).id });
const one =
  (operation: string, param: string, which: (b: Builder) => Thing): Recipe =>
  (b) => {
    const { id, token } = which(b);
    b.call(operation, { params: { [param]: id }, as: token ?? 'none' });
  };
const decided = (b: Builder, operation: string, body?: Json): void => {
  const { id, agent } = action(b);
  const params = { agentId: agent ?? '', actionId: id };
  b.call(operation, { params, ...(body === undefined ? {} : { body }) });
};

export const AGENTS: Recipes = {
  createAgent: (b) => void newAgent(b),
  listAgents: (b) => {
    const filters = [{}, { isPaused: 'false' }, { isConnected: 'true' }, { customerId: agent(b)['customer'] ?? '' }];
    list(b, 'listAgents', { query: b.of(filters) as Record<string, string> });
  },
  listAgentApprovals: (b) =>
    list(b, 'listAgentApprovals', { query: b.of<Record<string, string>>([{}, { sortOrder: 'asc' }]) }),
  getAgentById: (b) => void b.call('getAgentById', { params: { agentId: agent(b).id } }),
  updateAgent: (b) => {
    const body = b.of<Json>([{ isPaused: true }, { name: 'Payer' }, { isPaused: false }, {}]);
    b.call('updateAgent', { params: { agentId: agent(b).id }, body });
  },
  deleteAgent: (b) => void b.call('deleteAgent', { params: { agentId: agent(b).id } }),
  updateAgentPolicy: (b) =>
    void b.call('updateAgentPolicy', { params: { agentId: agent(b).id }, body: { spendingLimits: limits(b) } }),
  regenerateAgentDeviceCode: (b) => void b.call('regenerateAgentDeviceCode', { params: { agentId: agent(b).id } }),
  getAgentDeviceCodeStatus: (b) =>
    void b.call('getAgentDeviceCodeStatus', { params: { code: agent(b)['code'] ?? '' } }),
  redeemAgentDeviceCode: (b) => {
    const { code } = agent(b);
    b.call('redeemAgentDeviceCode', { params: { code: code ?? '' }, as: 'none' });
  },
  approveAgentAction: (b) => decided(b, 'approveAgentAction'),
  rejectAgentAction: (b) => decided(b, 'rejectAgentAction', { reason: 'too much' }),
  getAgentMe: (b) => void b.call('getAgentMe', { as: connected(b).id }),
  agentListTransactions: mine('agentListTransactions'),
  agentListActions: mine('agentListActions'),
  agentListInternalAccounts: mine('agentListInternalAccounts'),
  agentListExternalAccounts: mine('agentListExternalAccounts'),
  agentCreateTransferOut: (b) => void pay(b, true),
  agentCreateTransferIn: (b) => void pay(b, false),
  agentGetAction: one('agentGetAction', 'actionId', action),
  agentGetTransaction: one('agentGetTransaction', 'transactionId', payment),
  agentCreateQuote: (b) => void quote(b),
  agentGetQuote: one('agentGetQuote', 'quoteId', quote),
  agentExecuteQuote: (b) => {
    const { id, token, agent } = quote(b);
    const call = b.call('agentExecuteQuote', { params: { quoteId: id }, headers: keyed(b), as: token ?? 'none' });
    b.keep('action', call, { agent: agent ?? '', token: token ?? '' });
  },
  agentCreateExternalAccount: (b) => void account(b),
  agentGetExternalAccount: one('agentGetExternalAccount', 'externalAccountId', account),
  agentDeleteExternalAccount: one('agentDeleteExternalAccount', 'externalAccountId', account),
};
