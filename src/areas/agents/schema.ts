import * as z from 'zod';
import { lazy, named } from '../../contract/lazy.ts';
import {
  CurrencyCode,
  Day,
  Moment,
  pageOf,
  pageQuery,
  QueryBoolean,
  QueryMoment,
  Text,
} from '../../contract/shapes.ts';
import { secret } from '../../engine/secrets.ts';
import { CustomerAccountQuery } from '../accounts/index.ts';
import { QuoteShape } from '../quotes/index.ts';
import { MAX_AMOUNT, TransactionQuery, TransactionShape } from '../transactions/index.ts';

export const PERMISSIONS = [
  'VIEW_TRANSACTIONS',
  'CREATE_TRANSFERS',
  'CREATE_QUOTES',
  'EXECUTE_QUOTES',
  'MANAGE_EXTERNAL_ACCOUNTS',
] as const;
export type Permission = (typeof PERMISSIONS)[number];
export const ACTION_STATUSES = ['PENDING_APPROVAL', 'APPROVED', 'REJECTED', 'FAILED'] as const;
export const ACTION_TYPES = ['EXECUTE_QUOTE', 'TRANSFER_OUT', 'TRANSFER_IN'] as const;
export type ActionType = (typeof ACTION_TYPES)[number];

const id = () => Text(200);
const Most = () => z.int().min(0).max(MAX_AMOUNT);
const currency = (what: string) => CurrencyCode().describe(what);

const AgentPermission = named('AgentPermission', () => z.enum(PERMISSIONS));
const AgentExecutionMode = named('AgentExecutionMode', () => z.enum(['AUTO', 'APPROVAL_REQUIRED']));

const limits = () => ({
  currency: currency('Of every limit in this policy, and of what is counted against them'),
  perTransactionLimit: Most().describe('Most that one payment may be worth'),
  dailyLimit: Most().nullable().optional().describe('Most that the payments of one UTC day may be worth'),
  dailyTransactionLimit: z.int().min(0).max(1_000_000).optional().describe('Most payments on one UTC day'),
  monthlyLimit: Most().nullable().optional().describe('Most that the payments of one UTC month may be worth'),
});

const AgentSpendingLimits = named('AgentSpendingLimits', () => z.object(limits()));
const AgentSpendingLimitsUpdate = named('AgentSpendingLimitsUpdate', () => z.object(limits()).partial());

const AgentAccountRule = named('AgentAccountRule', () =>
  z.object({
    accountId: id().describe('An internal account of the customer'),
    executionMode: AgentExecutionMode().optional().describe("In place of the policy's"),
    perTransactionLimit: Most().nullable().optional().describe("In place of the policy's; null takes that one"),
  }),
);

const AgentAccountRestrictions = named('AgentAccountRestrictions', () =>
  z.object({
    allowedAccountIds: z
      .array(id())
      .max(100)
      .nullable()
      .optional()
      .describe('Internal accounts that it may pay from and into; null: every one of the customer'),
    accountRules: z.array(AgentAccountRule()).max(100).optional().describe('Rules of single accounts, one each'),
  }),
);

const AgentApprovalThresholds = named('AgentApprovalThresholds', () =>
  z.object({
    currency: currency('Required with an amount').optional(),
    amount: Most().nullable().optional().describe('What is worth more waits for approval, whatever the mode'),
  }),
);

export const AgentPolicy = named('AgentPolicy', () =>
  z.object({
    permissions: z.array(AgentPermission()).max(20).describe('What it may do at all'),
    defaultExecutionMode: AgentExecutionMode().describe(
      'AUTO: at once; APPROVAL_REQUIRED: once the platform approved it',
    ),
    spendingLimits: AgentSpendingLimits().describe('How much and how often'),
    accountRestrictions: AgentAccountRestrictions().optional().describe('Which accounts, and how'),
    approvalThresholds: AgentApprovalThresholds().optional().describe('Above which amount the platform has to approve'),
  }),
);

export const AgentPolicyUpdate = named('AgentPolicyUpdateRequest', () =>
  AgentPolicy().partial().extend({ spendingLimits: AgentSpendingLimitsUpdate().optional() }),
);

const AgentUsage = named('AgentUsage', () =>
  z.strictObject({
    dailyTransactionCount: z.int().min(0),
    dailySpend: z.int().min(0).describe('Minor units of spendingLimits.currency, as the next one'),
    monthlySpend: z.int().min(0),
    dailyResetDate: Day().optional().describe('The next UTC day'),
    monthlyResetMonth: z.string().optional().describe('The next UTC month, as 2026-02'),
  }),
);

export const AgentShape = named('Agent', () =>
  z.strictObject({
    id: z.string().meta({ examples: ['Agent:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e11'] }),
    name: z.string(),
    customerId: z.string(),
    isPaused: z.boolean().describe('It may read, and nothing else'),
    isConnected: z.boolean().describe('A device code of it was redeemed'),
    policy: AgentPolicy(),
    usage: AgentUsage(),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

export const AgentPage = pageOf('AgentListResponse', AgentShape);

export const AgentCreate = named('AgentCreateRequest', () =>
  z.object({ name: Text(255).min(1), customerId: id(), policy: AgentPolicy() }),
);

export const AgentUpdate = named('AgentUpdateRequest', () =>
  z.object({ name: Text(255).min(1).optional(), isPaused: z.boolean().optional() }),
);

export const AgentQuery = lazy(() =>
  z.object({
    customerId: id().optional(),
    isPaused: QueryBoolean().optional(),
    isConnected: QueryBoolean().optional(),
    createdAfter: QueryMoment().optional(),
    createdBefore: QueryMoment().optional(),
    updatedAfter: QueryMoment().optional(),
    updatedBefore: QueryMoment().optional(),
    ...pageQuery(),
  }),
);

export const DeviceCodeShape = named('AgentDeviceCode', () =>
  z.strictObject({
    code: secret(z.string().describe('To be redeemed once, by the program that is the agent')),
    agentId: z.string(),
    expiresAt: Moment(),
    redeemed: z.boolean(),
  }),
);

export const AgentCreated = named('AgentCreateResponse', () =>
  z.strictObject({ agent: AgentShape(), deviceCode: DeviceCodeShape() }),
);

export const DeviceCodeStatus = named('AgentDeviceCodeStatusResponse', () =>
  z.strictObject({ code: secret(z.string()), redeemed: z.boolean() }),
);

export const Redeemed = named('AgentDeviceCodeRedeemResponse', () =>
  z.strictObject({
    agentId: z.string(),
    agentName: z.string(),
    accessToken: secret(z.string()).describe('For Authorization: Bearer; shown here and never again'),
    policy: AgentPolicy(),
  }),
);

const ActionStatus = named('AgentActionStatus', () => z.enum(ACTION_STATUSES));

const TransferDetails = named('AgentTransferDetails', () =>
  z.strictObject({
    amount: z.int().min(1).describe('Minor units'),
    currency: z.string(),
    sourceAccountId: z.string(),
    destinationAccountId: z.string(),
  }),
);

export const AgentActionShape = named('AgentAction', () =>
  z.strictObject({
    id: z.string().meta({ examples: ['AgentAction:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e99'] }),
    agentId: z.string(),
    customerId: z.string(),
    platformCustomerId: z.string(),
    status: ActionStatus(),
    type: z.enum(ACTION_TYPES).meta({ id: 'AgentActionType' }),
    quote: QuoteShape().optional().describe('Of EXECUTE_QUOTE, as it is now'),
    transferDetails: TransferDetails().optional().describe('Of the two kinds of transfer'),
    transaction: TransactionShape().optional().describe('The payment, once it is APPROVED'),
    rejectionReason: z.string().optional().describe('Of REJECTED, where one was given'),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

export const AgentActionPage = pageOf('AgentActionListResponse', AgentActionShape);

export const ApprovalQuery = lazy(() =>
  z.object({
    agentId: id().optional(),
    customerId: id().optional(),
    startDate: QueryMoment().optional().describe('Submitted at this moment or later'),
    endDate: QueryMoment().optional().describe('Submitted at this moment or before'),
    sortOrder: z.enum(['asc', 'desc']).default('desc'),
    ...pageQuery(),
  }),
);

export const RejectRequest = named('AgentActionRejectRequest', () =>
  z.object({ reason: Text().optional().describe('For people') }),
);

export const OwnActionQuery = lazy(() => z.object({ status: ActionStatus().optional(), ...pageQuery() }));

/** The query for an agent's transactions, which are always its own customer's. */
export const OwnTransactionQuery = lazy(() => TransactionQuery().omit({ customerId: true, platformCustomerId: true }));

/** The query for an agent's internal accounts, which are always its own customer's. */
export const OwnAccountQuery = lazy(() => CustomerAccountQuery().omit({ customerId: true }));
