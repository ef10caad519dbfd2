import { a, ahead, currency, knownAs, type Match, ofSomebody, oneOf, type Scene, who } from '../../declare/example.ts';
import { operationsOf, reply } from '../../declare/operation.ts';
import { actionOf, approvalPage, approve, deleteAgent, reject, undecided } from './actions.ts';
import { agentOf, agentPage, createAgent, updateAgent, updatePolicy, wrongAgent, wrongPolicyChange } from './agents.ts';
import { codeOf, isIssuedHere, issueCode, redeem } from './codes.ts';
import {
  AgentActionPage,
  AgentActionShape,
  AgentCreate,
  AgentCreated,
  AgentPage,
  AgentPolicyUpdate,
  AgentQuery,
  AgentShape,
  AgentUpdate,
  ApprovalQuery,
  DeviceCodeShape,
  DeviceCodeStatus,
  Redeemed,
  RejectRequest,
} from './schema.ts';
import { showAction, showAgent, showCode } from './show.ts';

const operation = operationsOf('Agent Management');

const ALL = ['VIEW_TRANSACTIONS', 'CREATE_TRANSFERS', 'CREATE_QUOTES', 'EXECUTE_QUOTES', 'MANAGE_EXTERNAL_ACCOUNTS'];
const LIMITS = { currency, perTransactionLimit: 50_000 };
const LOW = { currency, perTransactionLimit: 5000, dailyLimit: 5000, dailyTransactionLimit: 3, monthlyLimit: 10_000 };
const AGENT = a('agents', { isDeleted: false, customerId: ofSomebody }, 'createAgent');
/** Returns the example of a device code's text, which is not the id of its row. */
const codeOfAgent = (match: Match, agent: Match) =>
  a('device-codes', match, 'createAgent', {
    member: 'code',
    fits: ({ agentId }, the) => the.newest('agents', { ...agent, id: agentId }) !== undefined,
  });
const waiting = (the: Scene) => {
  const match = { status: 'PENDING_APPROVAL', customerId: ofSomebody, isAsking: knownAs(true) };
  const { id, agentId = '<agentId>' } = the.row('agent-actions', match, 'agentCreateTransferOut');
  return { agentId, actionId: id };
};

export const routes = [
  operation({
    id: 'createAgent',
    endpoint: 'POST /agents',
    summary: 'Make an agent of a customer, and the device code that connects it',
    body: AgentCreate,
    fieldRules: ({ world }, sent) => wrongAgent(world, sent),
    example: (the) => {
      const { isAsking: _, ...policy } = the.choose([
        { isAsking: false, permissions: ALL, defaultExecutionMode: 'AUTO', spendingLimits: LIMITS },
        { isAsking: true, permissions: ALL, defaultExecutionMode: 'APPROVAL_REQUIRED', spendingLimits: LIMITS },
        { isAsking: false, permissions: ALL.slice(0, 2), defaultExecutionMode: 'AUTO', spendingLimits: LIMITS },
        { isAsking: false, permissions: ALL, defaultExecutionMode: 'AUTO', spendingLimits: LOW },
      ]) as Readonly<Record<string, unknown>>;
      const customerId = the.pairOf({})?.from['customerId'] ?? who();
      return {
        body: { name: 'Buyer', customerId, policy },
        vary: [{ body: { policy: { ...policy, approvalThresholds: { currency: 'USD', amount: 1000 } } } }],
      };
    },
    makes: { agents: { id: 'agent.id' }, 'device-codes': { code: 'deviceCode.code' } },
    replies: { 201: AgentCreated },
    write: ({ world, body }) => {
      const agent = createAgent(world, body);
      return reply(201, { agent: showAgent(world, agent), deviceCode: showCode(issueCode(world, agent)) });
    },
  }),
  operation({
    id: 'listAgents',
    endpoint: 'GET /agents',
    summary: 'List agents, newest first',
    query: AgentQuery,
    replies: { 200: AgentPage },
    read: ({ world, query }) => reply(200, agentPage(world, query)),
  }),
  operation({
    id: 'listAgentApprovals',
    endpoint: 'GET /agents/approvals',
    summary: 'List requests of agents that wait for approval, newest first',
    query: ApprovalQuery,
    replies: { 200: AgentActionPage },
    read: ({ world, query }) => reply(200, approvalPage(world, query)),
  }),
  operation({
    id: 'getAgentById',
    endpoint: 'GET /agents/{agentId}',
    summary: 'Read an agent, with what it has used of its limits',
    example: { params: { agentId: AGENT } },
    replies: { 200: AgentShape },
    refuses: ['REFERENCE_NOT_FOUND'],
    load: ({ world, params }) => agentOf(world, params.agentId),
    read: ({ world }, agent) => reply(200, showAgent(world, agent)),
  }),
  operation({
    id: 'updateAgent',
    endpoint: 'PATCH /agents/{agentId}',
    summary: 'Rename an agent, pause it or let it go on',
    body: AgentUpdate,
    example: {
      params: { agentId: AGENT },
      body: oneOf({ name: 'Buyer of paper' }, { isPaused: true }, { isPaused: false }),
    },
    replies: { 200: AgentShape },
    refuses: ['REFERENCE_NOT_FOUND'],
    load: ({ world, params }) => agentOf(world, params.agentId),
    write: ({ world, body }, agent) => reply(200, showAgent(world, updateAgent(world, agent, body))),
  }),
  operation({
    id: 'deleteAgent',
    endpoint: 'DELETE /agents/{agentId}',
    summary: 'Delete an agent; its token is refused from then on',
    description: 'What waits for approval is rejected. Payments that it made keep naming it.',
    example: { params: { agentId: AGENT } },
    replies: { 204: null },
    refuses: ['REFERENCE_NOT_FOUND'],
    load: ({ world, params }) => agentOf(world, params.agentId),
    write: ({ world }, agent) => {
      deleteAgent(world, agent);
      return reply(204);
    },
  }),
  operation({
    id: 'updateAgentPolicy',
    endpoint: 'PATCH /agents/{agentId}/policy',
    summary: 'Change what an agent may do, from its next call on',
    description: 'What is not sent stays; lists are replaced. Another currency recasts the limits at the present rate.',
    body: AgentPolicyUpdate,
    fieldRules: ({ world, params }, sent) => wrongPolicyChange(world, params.agentId, sent),
    example: {
      params: { agentId: AGENT },
      body: { spendingLimits: { currency, perTransactionLimit: oneOf(60_000, 1000) } },
    },
    replies: { 200: AgentShape },
    refuses: ['REFERENCE_NOT_FOUND'],
    load: ({ world, params }) => agentOf(world, params.agentId),
    write: ({ world, body }, agent) => reply(200, showAgent(world, updatePolicy(world, agent, body))),
  }),
  operation({
    id: 'regenerateAgentDeviceCode',
    endpoint: 'POST /agents/{agentId}/device-codes',
    summary: 'Issue a new device code; earlier ones are good no more',
    example: {
      params: {
        agentId: a('agents', { isDeleted: false, tokenHash: undefined, customerId: ofSomebody }, 'createAgent'),
      },
    },
    replies: { 201: DeviceCodeShape },
    refuses: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
    load: ({ world, params }) => agentOf(world, params.agentId),
    write: ({ world }, agent) => reply(201, showCode(issueCode(world, agent))),
  }),
  operation({
    id: 'getAgentDeviceCodeStatus',
    endpoint: 'GET /agents/device-codes/{code}/status',
    summary: 'Read whether a device code was redeemed',
    example: { params: { code: codeOfAgent({}, {}) } },
    replies: { 200: DeviceCodeStatus },
    refuses: ['REFERENCE_NOT_FOUND'],
    load: ({ world, params }) => codeOf(world, params.code),
    read: (_ask, { code, status }) => reply(200, { code, redeemed: status === 'REDEEMED' }),
  }),
  operation({
    id: 'redeemAgentDeviceCode',
    endpoint: 'POST /agents/device-codes/{code}/redeem',
    summary: 'Connect an agent: the code is the proof, and the reply the only place that shows its access token',
    auth: 'none',
    isFor: (world, { code = '' }) => isIssuedHere(world, code),
    example: { params: { code: codeOfAgent({ status: 'ISSUED', expiresAt: ahead }, { isDeleted: false }) } },
    makes: { agents: { id: 'agentId', accessToken: 'accessToken' } },
    replies: { 200: Redeemed },
    refuses: ['INVALID_INPUT', 'REFERENCE_NOT_FOUND'],
    load: ({ world, params }) => codeOf(world, params.code),
    write: ({ world }, code) => reply(200, redeem(world, code)),
  }),
  operation({
    id: 'approveAgentAction',
    endpoint: 'POST /agents/{agentId}/actions/{actionId}/approve',
    summary: 'Approve a request of an agent',
    description: 'Every check runs again. Where one fails by now, the action in the reply is FAILED.',
    permission: 'TRANSACT',
    example: (the) => ({ params: waiting(the) }),
    replies: { 200: AgentActionShape },
    refuses: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
    load: ({ world, params }) => actionOf(world, agentOf(world, params.agentId), params.actionId),
    check: (_ask, action) => undecided(action),
    write: ({ world }, action) => reply(200, showAction(world, approve(world, action))),
  }),
  operation({
    id: 'rejectAgentAction',
    endpoint: 'POST /agents/{agentId}/actions/{actionId}/reject',
    summary: 'Reject a request of an agent',
    permission: 'TRANSACT',
    body: RejectRequest,
    bodyOptional: true,
    example: (the) => ({ params: waiting(the), body: { reason: 'Too much' } }),
    replies: { 200: AgentActionShape },
    refuses: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
    load: ({ world, params }) => actionOf(world, agentOf(world, params.agentId), params.actionId),
    check: (_ask, action) => undecided(action),
    write: ({ world, body }, action) => reply(200, showAction(world, reject(world, action, body?.reason))),
  }),
];
