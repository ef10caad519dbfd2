import { moneyText } from '../../contract/money.ts';
import type { Moment, Picture, Stage } from '../../engine/story.ts';
import type { World } from '../../engine/world.ts';
import { TRANSACTIONS } from '../transactions/index.ts';
import type { Action, Agent, DeviceCode } from './row.ts';
import { usageOf } from './usage.ts';

const words = (code: string): string => code.replaceAll('_', ' ').toLowerCase();

/** Returns the timeline of an agent; its codes and its requests add theirs. */
export const agentStory = (a: Agent): Moment[] => [
  { at: a.createdAt, what: 'Created', detail: a.name, by: ['createAgent'] },
  ...(a.isDeleted ? [{ at: a.updatedAt, what: 'Deleted', tone: 'bad' as const, by: ['deleteAgent'] }] : []),
  ...(a.isPaused && !a.isDeleted
    ? [{ at: a.updatedAt, loose: true as const, what: 'Paused', tone: 'warn' as const, by: ['updateAgent'] }]
    : []),
];

/** Returns the picture of an agent for its page: its permissions, and how much of its limits is used. */
export function agentPicture(a: Agent, world: World): Picture {
  const { permissions, defaultExecutionMode, spendingLimits: limits, approvalThresholds } = a.policy;
  const { count, daySpend, monthSpend } = usageOf(world, a);
  const { currency } = limits;
  const stopped = a.isDeleted ? 'deleted' : a.isPaused ? 'paused' : a.tokenHash ? undefined : 'not connected yet';
  const threshold = approvalThresholds?.amount;
  return {
    may: [
      { what: 'Act', ok: stopped === undefined, because: stopped ?? 'connected' },
      ...permissions.map((permission) => ({ what: capital(words(permission)), ok: stopped === undefined })),
    ],
    meters: [
      { what: 'Spent today', used: daySpend, of: limits.dailyLimit ?? undefined, currency },
      { what: 'Spent this month', used: monthSpend, of: limits.monthlyLimit ?? undefined, currency },
      { what: 'Payments today', used: count, of: limits.dailyTransactionLimit ?? undefined },
    ],
    facts: [
      ['Limit per payment', moneyText(limits.perTransactionLimit, currency)],
      ['Approval', defaultExecutionMode === 'AUTO' ? 'not needed' : 'needed for every payment'],
      ...(typeof threshold === 'number'
        ? [['Approval above', moneyText(threshold, approvalThresholds?.currency ?? currency)] as const]
        : []),
    ],
  };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the timeline of an agent's request: what the policy said, who decided, and the outcome. */
export function actionStory(a: Action): Moment[] {
  const what = capital(words(a.type));
  const request: Moment = {
    at: a.createdAt,
    what: 'Requested',
    detail: a.transfer ? `${what}: ${moneyText(a.transfer.amount, a.transfer.currency)}` : what,
    about: a.quoteId,
  };
  return [request, ...decided(a)];
}

function* decided(a: Action): Generator<Moment> {
  if (a.decision === undefined) {
    yield { at: a.createdAt, what: 'Allowed by its policy', tone: 'good', events: ['APPROVED'] };
  } else {
    yield {
      at: a.createdAt,
      what: 'Held back by its policy',
      tone: 'warn',
      detail: 'needs an approval',
      events: ['PENDING_APPROVAL'],
    };
    if (a.status === 'PENDING_APPROVAL') yield { what: 'Is approved or rejected', due: 'agent.decide' };
    else if (a.status === 'REJECTED')
      yield {
        at: a.updatedAt,
        what: 'Rejected',
        tone: 'bad',
        detail: a.rejectionReason,
        events: ['REJECTED'],
        by: ['rejectAgentAction'],
      };
    else yield { at: a.updatedAt, what: 'Approved', tone: 'good', events: ['APPROVED'], by: ['approveAgentAction'] };
  }
  if (a.failure) yield { at: a.updatedAt, what: 'Failed', tone: 'bad', detail: a.failure.message, events: ['FAILED'] };
  if (a.transactionId !== undefined)
    yield { at: a.updatedAt, what: 'Carried out', tone: 'good', about: a.transactionId };
}

/** Returns the picture of an action for its page: its payment, and who must approve it. */
export function actionPicture(a: Action, world: World): Picture {
  const payment = a.transactionId === undefined ? undefined : world.rows(TRANSACTIONS).get(a.transactionId);
  const { transfer } = a;
  const flow = transfer
    ? {
        from: { account: transfer.sourceAccountId, owner: a.customerId, money: transfer },
        to: { account: transfer.destinationAccountId, money: transfer },
        between: transfer.paymentRail ? [transfer.paymentRail] : [],
      }
    : payment && TRANSACTIONS.picture?.(payment, world).flow;
  return { flow, stages: stagesOf(a) };
}

function stagesOf(a: Action): Stage[] {
  const request: Stage = { what: 'Requested', at: a.createdAt, is: 'done' };
  const carried = (is: Stage['is']): Stage => ({
    what: 'Carried out',
    at: is === 'done' ? a.updatedAt : undefined,
    is,
  });
  if (a.status === 'PENDING_APPROVAL') return [request, { what: 'To be approved', is: 'now' }, carried('to come')];
  if (a.status === 'REJECTED') return [request, { what: 'Rejected', at: a.updatedAt, is: 'bad' }];
  if (a.status === 'FAILED') return [request, { what: 'Failed', at: a.updatedAt, is: 'bad' }];
  return [
    request,
    { what: a.decision === undefined ? 'Allowed' : 'Approved', at: a.updatedAt, is: 'done' },
    carried('done'),
  ];
}

/** Returns the timeline of a device code. */
export const codeStory = (c: DeviceCode, world: { clock: { now(): number } }): Moment[] => [
  { at: c.createdAt, what: 'Device code issued', by: ['regenerateAgentDeviceCode'] },
  ...(c.status === 'REDEEMED' ? [{ what: 'Redeemed', tone: 'good' as const, by: ['redeemAgentDeviceCode'] }] : []),
  ...(c.status === 'WITHDRAWN' ? [{ what: 'Withdrawn', tone: 'warn' as const }] : []),
  ...(c.status === 'ISSUED'
    ? [
        Date.parse(c.expiresAt) > world.clock.now()
          ? { at: c.expiresAt, what: 'Device code expires', due: true as const }
          : { at: c.expiresAt, what: 'Device code expired', tone: 'bad' as const },
      ]
    : []),
];
