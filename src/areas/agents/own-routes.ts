import type { ErrorCode } from '../../contract/errors.ts';
import { failFields } from '../../contract/errors.ts';
import { bank } from '../../declare/example.ts';
import { type Infer, type OperationContext, operationsOf, reply } from '../../declare/operation.ts';
import { mapPage } from '../../engine/page.ts';
import { customerAccountPage, InternalAccountPage } from '../accounts/index.ts';
import {
  CUSTOMERS_KEY,
  createExternalAccount,
  deleteExternalAccount,
  EXTERNAL_ACCOUNT_REFUSES,
  ExternalAccountCreate,
  ExternalAccountPage,
  ExternalAccountShape,
  externalAccountPage,
  PlatformExternalAccountQuery,
  showExternalAccount,
} from '../external-accounts/index.ts';
import {
  createQuote,
  EXECUTE_REFUSES,
  QUOTE_REFUSES,
  QUOTES,
  QuoteRequest,
  QuoteShape,
  quoteExample,
  quoteSignature,
  showQuote,
} from '../quotes/index.ts';
import { showTransaction, TransactionPage, TransactionShape, transactionPage } from '../transactions/index.ts';
import {
  TRANSFER_IN_REFUSES,
  TRANSFER_OUT_REFUSES,
  TransferInRequest,
  TransferOutRequest,
  transferExample,
} from '../transfers/index.ts';
import { actionOf, submit } from './actions.ts';
import { callerOf } from './agents.ts';
import { checkPolicy } from './checks.ts';
import { aboutOwn, aboutOwnBank, asAgent, canPay, executable } from './examples.ts';
import { permissionFor, type Ready, transferOrder, weigh } from './orders.ts';
import {
  accountsIn,
  ofCaller,
  ownExternalAccount,
  ownQuote,
  ownQuoteRequest,
  ownTransaction,
  wrongOwnAccount,
  wrongOwnQuote,
} from './own.ts';
import type { Agent } from './row.ts';
import {
  AgentActionPage,
  AgentActionShape,
  AgentShape,
  OwnAccountQuery,
  OwnActionQuery,
  OwnTransactionQuery,
} from './schema.ts';
import { showAction, showAgent } from './show.ts';
import { ACTIONS } from './tables.ts';

const operation = operationsOf('Agent Operations');
const auth = 'bearer';

/**
 * Returns the refusals of an operation, without those that an agent cannot meet: its customer exists and has accounts.
 */
const but = (codes: readonly ErrorCode[], ...never: readonly ErrorCode[]): readonly ErrorCode[] => [
  'FORBIDDEN',
  ...codes.filter((code) => code !== 'USER_NOT_FOUND' && !never.includes(code)),
];

/** An agent and its order, checked. */
interface Loaded {
  readonly agent: Agent;
  readonly ready: Ready;
}

type Execute = OperationContext<unknown, unknown, 'quoteId'>;

/**
 * Returns the quote of an execution if the agent requested it; a call that will be refused must not ask for a
 * signature.
 */
function ownQuoteIn(context: Execute) {
  const agent = callerOf(context, permissionFor('EXECUTE_QUOTE'));
  const quote = context.world.rows(QUOTES).get(context.params.quoteId);
  return quote?.agentId === agent.id ? quote : undefined;
}

function loadTransfer(
  context: OperationContext<Infer<typeof TransferInRequest> | Infer<typeof TransferOutRequest>>,
  type: 'TRANSFER_IN' | 'TRANSFER_OUT',
): Loaded {
  const agent = callerOf(context, permissionFor(type));
  return { agent, ready: weigh(context.world, agent, transferOrder(type, context.body)) };
}

export const ownRoutes = [
  operation({
    id: 'getAgentMe',
    endpoint: 'GET /agents/me',
    summary: 'Read the agent that is calling',
    auth,
    example: asAgent('VIEW_TRANSACTIONS'),
    replies: { 200: AgentShape },
    load: (context) => callerOf(context),
    read: ({ world }, agent) => reply(200, showAgent(world, agent)),
  }),
  operation({
    id: 'agentListTransactions',
    endpoint: 'GET /agents/me/transactions',
    summary: "List the transactions of the agent's customer, newest first",
    auth,
    query: OwnTransactionQuery,
    example: asAgent('VIEW_TRANSACTIONS'),
    replies: { 200: TransactionPage },
    refuses: ['FORBIDDEN'],
    load: (context) => callerOf(context, 'VIEW_TRANSACTIONS'),
    read: ({ world, query }, { customerId }) => reply(200, transactionPage(world, { ...query, customerId })),
  }),
  operation({
    id: 'agentGetTransaction',
    endpoint: 'GET /agents/me/transactions/{transactionId}',
    summary: "Read a transaction of the agent's customer",
    auth,
    example: aboutOwn('transactions', 'agentCreateTransferOut', 'transactionId'),
    replies: { 200: TransactionShape },
    refuses: ['FORBIDDEN', 'TRANSACTION_NOT_FOUND'],
    load: (context) =>
      ownTransaction(context.world, callerOf(context, 'VIEW_TRANSACTIONS'), context.params.transactionId),
    read: (_ask, transaction) => reply(200, showTransaction(transaction), transaction),
  }),
  operation({
    id: 'agentCreateQuote',
    endpoint: 'POST /agents/me/quotes',
    summary: "Fix the price of a payment of the agent's customer, for a while",
    description: 'Needs no approval; the limits are checked when it is executed.',
    auth,
    idempotency: 'optional',
    body: QuoteRequest,
    fieldRules: ofCaller(wrongOwnQuote),
    example: asAgent('CREATE_QUOTES', (the, { customerId }) => quoteExample(the, { id: customerId }), canPay),
    replies: { 201: QuoteShape },
    refuses: but(QUOTE_REFUSES, 'INSUFFICIENT_BALANCE', 'DAILY_VOLUME_LIMIT_EXCEEDED'),
    load: (context) => {
      const agent = callerOf(context, 'CREATE_QUOTES');
      const sent = ownQuoteRequest(context.world, agent, context.body);
      checkPolicy(context.world, agent, { accounts: accountsIn(context.world, agent, sent) });
      return { agent, sent };
    },
    write: ({ world }, { agent, sent }) => reply(201, showQuote(world, createQuote(world, sent, agent.id))),
  }),
  operation({
    id: 'agentGetQuote',
    endpoint: 'GET /agents/me/quotes/{quoteId}',
    summary: 'Read a quote that this agent made',
    auth,
    example: aboutOwn('quotes', 'agentCreateQuote', 'quoteId'),
    replies: { 200: QuoteShape },
    refuses: ['QUOTE_NOT_FOUND'],
    load: (context) => ownQuote(context.world, callerOf(context), context.params.quoteId),
    read: ({ world }, quote) => reply(200, showQuote(world, quote)),
  }),
  operation({
    id: 'agentExecuteQuote',
    endpoint: 'POST /agents/me/quotes/{quoteId}/execute',
    summary: 'Pay a quote that this agent made, now or once it is approved',
    description:
      'From an embedded wallet with the signature of its owner, which is needed before the approval and not again.',
    auth,
    idempotency: 'optional',
    example: asAgent(
      'EXECUTE_QUOTES',
      (the, agent) => ({ params: { quoteId: executable(agent, the)?.id ?? the.lacks('agentCreateQuote') } }),
      (agent, the) => executable(agent, the) !== undefined,
    ),
    replies: { 200: AgentActionShape },
    refuses: ['FORBIDDEN', ...EXECUTE_REFUSES],
    authorize: quoteSignature(ownQuoteIn, ({ quote }: Loaded & { quote: ReturnType<typeof ownQuote> }) => quote, {
      bodyless: true,
    }),
    load: (context) => {
      const { world, params } = context;
      const agent = callerOf(context, permissionFor('EXECUTE_QUOTE'));
      const quote = ownQuote(world, agent, params.quoteId);
      return { agent, quote, ready: weigh(world, agent, { type: 'EXECUTE_QUOTE', quoteId: quote.id }) };
    },
    write: ({ world }, { agent, ready }) => reply(200, showAction(world, submit(world, agent, ready))),
  }),
  operation({
    id: 'agentListActions',
    endpoint: 'GET /agents/me/actions',
    summary: 'List the requests of this agent, newest first',
    auth,
    query: OwnActionQuery,
    example: asAgent('VIEW_TRANSACTIONS'),
    replies: { 200: AgentActionPage },
    load: (context) => callerOf(context),
    read: ({ world, query: { status, limit, cursor } }, agent) => {
      const page = world.rows(ACTIONS).page({ where: { agent: agent.id, status }, limit, cursor });
      return reply(
        200,
        mapPage(page, (action) => showAction(world, action)),
      );
    },
  }),
  operation({
    id: 'agentGetAction',
    endpoint: 'GET /agents/me/actions/{actionId}',
    summary: 'Read a request of this agent, and its result',
    auth,
    example: aboutOwn('agent-actions', 'agentCreateTransferOut', 'actionId'),
    replies: { 200: AgentActionShape },
    refuses: ['REFERENCE_NOT_FOUND'],
    load: (context) => actionOf(context.world, callerOf(context), context.params.actionId),
    read: ({ world }, action) => reply(200, showAction(world, action)),
  }),
  operation({
    id: 'agentCreateTransferIn',
    endpoint: 'POST /agents/me/transfer-in',
    summary: "Collect money from a bank account of the agent's customer, now or once it is approved",
    auth,
    idempotency: 'optional',
    body: TransferInRequest,
    example: asAgent(
      'CREATE_TRANSFERS',
      (the, { customerId }) => transferExample(the, 'in', { id: customerId }),
      canPay,
    ),
    replies: { 201: AgentActionShape },
    refuses: but(TRANSFER_IN_REFUSES, 'END_USER_TERMS_NOT_ACCEPTED'),
    load: (context) => loadTransfer(context, 'TRANSFER_IN'),
    write: ({ world }, { agent, ready }) => reply(201, showAction(world, submit(world, agent, ready))),
  }),
  operation({
    id: 'agentCreateTransferOut',
    endpoint: 'POST /agents/me/transfer-out',
    summary: "Pay out to an external account of the agent's customer, now or once it is approved",
    auth,
    idempotency: 'optional',
    body: TransferOutRequest,
    example: asAgent(
      'CREATE_TRANSFERS',
      (the, { customerId }) => transferExample(the, 'out', { id: customerId }),
      canPay,
    ),
    makes: { 'agent-actions': {}, transactions: { id: 'transaction.id' } },
    replies: { 201: AgentActionShape },
    refuses: but(TRANSFER_OUT_REFUSES, 'END_USER_TERMS_NOT_ACCEPTED'),
    load: (context) => loadTransfer(context, 'TRANSFER_OUT'),
    write: ({ world }, { agent, ready }) => reply(201, showAction(world, submit(world, agent, ready))),
  }),
  operation({
    id: 'agentListInternalAccounts',
    endpoint: 'GET /agents/me/internal-accounts',
    summary: "List the internal accounts of the agent's customer",
    auth,
    query: OwnAccountQuery,
    example: asAgent('VIEW_TRANSACTIONS'),
    replies: { 200: InternalAccountPage },
    refuses: ['FORBIDDEN'],
    load: (context) => callerOf(context, 'VIEW_TRANSACTIONS'),
    read: ({ world, query }, { customerId }) => reply(200, customerAccountPage(world, { ...query, customerId })),
  }),
  operation({
    id: 'agentListExternalAccounts',
    endpoint: 'GET /agents/me/external-accounts',
    summary: "List the external accounts of the agent's customer, newest first",
    auth,
    query: PlatformExternalAccountQuery,
    example: asAgent('MANAGE_EXTERNAL_ACCOUNTS'),
    replies: { 200: ExternalAccountPage },
    refuses: ['FORBIDDEN'],
    load: (context) => callerOf(context, 'MANAGE_EXTERNAL_ACCOUNTS'),
    read: ({ world, query }, { customerId }) =>
      reply(200, externalAccountPage(world, CUSTOMERS_KEY, { ...query, customerId })),
  }),
  operation({
    id: 'agentCreateExternalAccount',
    endpoint: 'POST /agents/me/external-accounts',
    summary: "Register an account elsewhere of the agent's customer",
    auth,
    body: ExternalAccountCreate,
    fieldRules: ofCaller(wrongOwnAccount),
    example: asAgent('MANAGE_EXTERNAL_ACCOUNTS', () => ({ body: bank })),
    replies: { 201: ExternalAccountShape },
    refuses: ['FORBIDDEN', ...EXTERNAL_ACCOUNT_REFUSES],
    load: (context) => callerOf(context, 'MANAGE_EXTERNAL_ACCOUNTS'),
    check: ({ world, body }, agent) => {
      if (body.customerId !== undefined && body.customerId !== agent.customerId)
        failFields(wrongOwnAccount(world, agent, body), 'INVALID_INPUT', 'reference 7');
    },
    write: ({ world, body }, { customerId }) =>
      reply(201, showExternalAccount(createExternalAccount(world, { ...body, customerId }))),
  }),
  operation({
    id: 'agentGetExternalAccount',
    endpoint: 'GET /agents/me/external-accounts/{externalAccountId}',
    summary: "Read an external account of the agent's customer",
    auth,
    example: aboutOwnBank,
    replies: { 200: ExternalAccountShape },
    refuses: ['FORBIDDEN', 'REFERENCE_NOT_FOUND'],
    load: (context) =>
      ownExternalAccount(
        context.world,
        callerOf(context, 'MANAGE_EXTERNAL_ACCOUNTS'),
        context.params.externalAccountId,
      ),
    read: (_ask, account) => reply(200, showExternalAccount(account), account),
  }),
  operation({
    id: 'agentDeleteExternalAccount',
    endpoint: 'DELETE /agents/me/external-accounts/{externalAccountId}',
    summary: "Delete an external account of the agent's customer",
    auth,
    example: aboutOwnBank,
    replies: { 204: null },
    refuses: ['FORBIDDEN', 'REFERENCE_NOT_FOUND', 'BENEFICIARY_TRUSTED'],
    load: (context) =>
      ownExternalAccount(
        context.world,
        callerOf(context, 'MANAGE_EXTERNAL_ACCOUNTS'),
        context.params.externalAccountId,
      ),
    write: ({ world }, account) => {
      deleteExternalAccount(world, account);
      return reply(204);
    },
  }),
];
