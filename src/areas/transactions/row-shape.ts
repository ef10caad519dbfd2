import * as z from 'zod';
import { lazy } from '../../contract/lazy.ts';
import { KnownCurrency } from '../../contract/money.ts';
import { AnyRecord, IdOf, MinorUnits, Moment } from '../../contract/shapes.ts';
import { rowShape } from '../../engine/table.ts';
import { PaymentInstructions } from '../accounts/index.ts';
import { PLANS, type PlanName } from './plans.ts';
import type { Transaction } from './row.ts';
import {
  INCOMING_FAILURES,
  ON_CHAIN_NETWORKS,
  OUTGOING_FAILURES,
  OUTGOING_STATUSES,
  PaymentRail,
  RateDetails,
  REFUND_REASONS,
  TRANSACTION_STATUSES,
} from './schema.ts';

const end = () => ({
  currency: KnownCurrency(),
  network: z.enum(ON_CHAIN_NETWORKS).optional(),
  hash: z.string().optional(),
});
const AccountEnd = lazy(() => z.strictObject({ kind: z.literal('ACCOUNT'), accountId: z.string(), ...end() }));
const UmaEnd = lazy(() => z.strictObject({ kind: z.literal('UMA_ADDRESS'), umaAddress: z.string(), ...end() }));
const FundingEnd = lazy(() =>
  z.strictObject({
    kind: z.literal('REALTIME_FUNDING'),
    customerId: z.string().optional(),
    rail: PaymentRail().optional(),
    ...end(),
  }),
);

const Amount = lazy(() => z.strictObject({ amount: MinorUnits().min(0), currency: KnownCurrency() }));
/** The name of what becomes of a payment. */
export const PlanNameShape = lazy(() => z.enum(Object.keys(PLANS) as [PlanName, ...PlanName[]]));

const Approval = lazy(() =>
  z.strictObject({
    fields: z.array(z.strictObject({ name: z.string(), mandatory: z.boolean() })),
    next: PlanNameShape(),
  }),
);

const Refunding = lazy(() =>
  z.strictObject({
    initiatedAt: Moment(),
    settledAt: Moment().optional(),
    status: z.enum(['PENDING', 'COMPLETED', 'FAILED']),
    reason: z.enum(REFUND_REASONS),
  }),
);

const common = () => ({
  id: IdOf('Transaction'),
  customerId: z.string(),
  platformCustomerId: z.string(),
  source: z.discriminatedUnion('kind', [AccountEnd(), UmaEnd(), FundingEnd()]),
  destination: z.discriminatedUnion('kind', [AccountEnd(), UmaEnd()]),
  sent: Amount(),
  received: Amount(),
  fees: MinorUnits().min(0),
  platformFees: MinorUnits().min(0),
  payer: z.string().min(1),
  payee: z.string().min(1),
  refundTo: z.string().min(1),
  debited: z.literal(true).optional(),
  towards: z.string().optional(),
  twin: z.string().optional(),
  plan: PlanNameShape().optional(),
  at: z.int().min(0),
  cancellable: z.boolean(),
  approval: Approval().exactOptional(),
  refund: Refunding().optional(),
  quoteId: z.string().optional(),
  exchangeRate: z.number().positive().optional(),
  rateDetails: RateDetails().optional(),
  paymentInstructions: z.array(PaymentInstructions()).optional(),
  paymentRail: PaymentRail().optional(),
  railSelectionMode: z.enum(['AUTO', 'MANUAL']).optional(),
  description: z.string().optional(),
  counterparty: AnyRecord().optional(),
  createdAt: Moment(),
  updatedAt: Moment(),
  settledAt: Moment().optional(),
  receiptDeliveryConfirmedAt: Moment().optional(),
});

/** A payment as it is kept. */
export const TransactionRow = rowShape<Transaction>()(() =>
  z.discriminatedUnion('type', [
    z.strictObject({
      ...common(),
      type: z.literal('INCOMING'),
      status: z.enum(TRANSACTION_STATUSES),
      failureReason: z.enum(INCOMING_FAILURES).optional(),
    }),
    z.strictObject({
      ...common(),
      type: z.literal('OUTGOING'),
      status: z.enum(OUTGOING_STATUSES),
      failureReason: z.enum(OUTGOING_FAILURES).optional(),
    }),
  ]),
);
