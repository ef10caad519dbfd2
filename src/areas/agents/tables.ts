import { moneyText } from '../../contract/money.ts';
import { resource } from '../../engine/resource.ts';
import { ActionRow, AgentRow, DeviceCodeRow, olderCode } from './row.ts';
import { showAction, showAgent } from './show.ts';
import { actionPicture, actionStory, agentPicture, agentStory, codeStory } from './story.ts';

export const AGENTS = resource('agents', {
  row: AgentRow,
  indexes: {
    customer: (a) => a.customerId,
    token: (a) => a.tokenHash,
    paused: (a) => String(a.isPaused),
    connected: (a) => String(a.tokenHash !== undefined),
  },
  hidden: (a) => a.isDeleted,
  refers: { customerId: { of: (a) => a.customerId, in: ['customers'], by: 'customer' } },
  titles: ['Agents', 'Agent', 'Programs that pay for a customer, within a policy'],
  prefix: 'Agent',
  label: (a) => a.name,
  view: (row, world) => showAgent(world, row),
  picture: agentPicture,
  story: agentStory,
  made: 'createAgent',
  columns: {
    Customer: ['customerId', 'id'],
    Status: [
      (a) => (a.isDeleted ? 'DELETED' : a.isPaused ? 'PAUSED' : a.tokenHash ? 'CONNECTED' : 'WAITING'),
      'status',
    ],
    Created: ['createdAt', 'time'],
  },
  sought: ['name'],
  tones: { CONNECTED: 'good', PAUSED: 'warn', WAITING: 'warn', DELETED: 'bad' },
});

export const DEVICE_CODES = resource('device-codes', {
  row: DeviceCodeRow,
  older: olderCode,
  indexes: { agent: (c) => c.agentId, code: (c) => c.code },
  refers: { agentId: { of: (c) => c.agentId, in: ['agents'], by: 'agent' } },
  titles: ['Device codes', 'Device code', 'Codes that connect agents, each good once'],
  prefix: 'AgentDeviceCode',
  story: codeStory,
  chapterOf: ['agentId'],
  made: 'regenerateAgentDeviceCode',
  columns: { Agent: ['agentId', 'id'], Status: ['status', 'status'], Expires: ['expiresAt', 'time'] },
  tones: { ISSUED: 'warn', REDEEMED: 'good', WITHDRAWN: 'bad' },
});

export const ACTIONS = resource('agent-actions', {
  row: ActionRow,
  indexes: {
    agent: (a) => a.agentId,
    customer: (a) => a.customerId,
    status: (a) => a.status,
    waitingQuote: (a) => (a.status === 'PENDING_APPROVAL' ? a.quoteId : undefined),
  },
  refers: {
    agentId: { of: (a) => a.agentId, in: ['agents'], by: 'agent' },
    customerId: { of: (a) => a.customerId, in: ['customers'], by: 'customer' },
    quoteId: 'quotes',
    transactionId: 'transactions',
    sourceAccountId: { of: (a) => a.transfer?.sourceAccountId, in: ['accounts', 'external-accounts'] },
    destinationAccountId: { of: (a) => a.transfer?.destinationAccountId, in: ['accounts', 'external-accounts'] },
  },
  titles: ['Agent actions', 'Agent action', 'Requests of agents'],
  prefix: 'AgentAction',
  label: ({ transfer }) => transfer && moneyText(transfer.amount, transfer.currency),
  view: (row, world) => showAction(world, row),
  picture: actionPicture,
  story: actionStory,
  chapterOf: ['agentId', 'transactionId'],
  note: ({ failure }) => failure && `failed for ${failure.reason ?? failure.code}: ${failure.message}`,
  columns: {
    Status: ['status', 'status'],
    Type: 'type',
    Agent: ['agentId', 'id'],
    'Failed for': ({ failure }) => failure && (failure.reason ?? failure.code),
    Created: ['createdAt', 'time'],
  },
  tones: { APPROVED: 'good', REJECTED: 'bad', FAILED: 'bad', PENDING_APPROVAL: 'warn' },
});
