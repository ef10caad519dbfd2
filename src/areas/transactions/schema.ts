import * as z from 'zod';
import { lazy, named } from '../../contract/lazy.ts';
import { CurrencyAmountShape } from '../../contract/money.ts';
import { Moment, pageOf, pageQuery, QueryMoment, SentMoment, Text } from '../../contract/shapes.ts';
import { PaymentInstructions, RAIL_NAMES } from '../accounts/index.ts';
import { CounterpartyField } from '../platform/index.ts';
import { CardTransactionShape, TransactionDirection } from './card-schema.ts';

export const TRANSACTION_STATUSES = [
  'CREATED',
  'PENDING',
  'PENDING_AUTHORIZATION',
  'PROCESSING',
  'COMPLETED',
  'REJECTED',
  'FAILED',
  'REFUNDED',
  'EXPIRED',
] as const;

export const OUTGOING_STATUSES = [
  'PENDING',
  'PENDING_AUTHORIZATION',
  'EXPIRED',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
] as const;

export const INCOMING_FAILURES = [
  'LNURLP_FAILED',
  'PAY_REQUEST_FAILED',
  'PAYMENT_APPROVAL_WEBHOOK_ERROR',
  'PAYMENT_APPROVAL_TIMED_OUT',
  'OFFRAMP_FAILED',
  'MISSING_MANDATORY_PAYEE_DATA',
  'QUOTE_EXPIRED',
  'QUOTE_EXECUTION_FAILED',
  'COMPLIANCE_REJECTED',
  'COLLECTION_FAILED',
] as const;
export type IncomingFailure = (typeof INCOMING_FAILURES)[number];

export const OUTGOING_FAILURES = [
  'QUOTE_EXPIRED',
  'QUOTE_RATE_UNAVAILABLE',
  'QUOTE_EXECUTION_FAILED',
  'FUNDING_AMOUNT_MISMATCH',
  'SCA_NOT_COMPLETED',
  'PAYOUT_RETURNED',
  'LIMIT_EXCEEDED',
  'ACCOUNT_CANNOT_RECEIVE',
  'ACCOUNT_INVALID',
  'COMPLIANCE_REJECTED',
  'LIGHTNING_PAYMENT_FAILED',
  'COUNTERPARTY_POST_TX_FAILED',
] as const;
export type OutgoingFailure = (typeof OUTGOING_FAILURES)[number];

/** The reasons for which a payment in each direction can fail. */
export const FAILURES = { OUTGOING: OUTGOING_FAILURES, INCOMING: INCOMING_FAILURES } as const;
/** All reasons, for callers that do not know the direction. */
export const ANY_FAILURE = [...new Set([...OUTGOING_FAILURES, ...INCOMING_FAILURES])];

export const REFUND_REASONS = ['TRANSACTION_FAILED', 'USER_CANCELLATION', 'TIMEOUT'] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

/** Blockchains that a transfer can settle on. */
export const ON_CHAIN_NETWORKS = [
  'BITCOIN',
  'ETHEREUM',
  'SOLANA',
  'BASE',
  'POLYGON',
  'TRON',
  'PLASMA',
  'SPARK',
] as const;
export type OnChainNetwork = (typeof ON_CHAIN_NETWORKS)[number];

export const PaymentRail = named('PaymentRail', () => z.enum(RAIL_NAMES));
export type Rail = (typeof RAIL_NAMES)[number];

/** The largest amount of a payment, in minor units. */
export const MAX_AMOUNT = 9_000_000_000_000_000;

export const PurposeOfPayment = named('PurposeOfPayment', () =>
  z.enum([
    'GIFT',
    'SELF',
    'GOODS_OR_SERVICES',
    'EDUCATION',
    'HEALTH_OR_MEDICAL',
    'REAL_ESTATE_PURCHASE',
    'TAX_PAYMENT',
    'LOAN_PAYMENT',
    'UTILITY_BILL',
    'DONATION',
    'TRAVEL',
    'FAMILY_SUPPORT',
    'SALARY_PAYMENT',
    'OTHER',
  ]),
);

const OnChain = named('OnChainTransaction', () =>
  z.strictObject({ transactionHash: z.string(), network: z.enum(ON_CHAIN_NETWORKS) }),
);

const currency = () => z.string().optional();

const Source = lazy(() =>
  z.discriminatedUnion('sourceType', [
    z
      .strictObject({
        sourceType: z.literal('ACCOUNT'),
        accountId: z.string(),
        currency: currency(),
        onChainTransaction: OnChain().optional(),
      })
      .meta({ id: 'AccountTransactionSource' }),
    z
      .strictObject({ sourceType: z.literal('UMA_ADDRESS'), umaAddress: z.string(), currency: currency() })
      .meta({ id: 'UmaAddressTransactionSource' }),
    z
      .strictObject({
        sourceType: z.literal('REALTIME_FUNDING'),
        currency: z.string(),
        customerId: z.string().optional(),
        accountHolderName: z.string().optional(),
        accountIdentifier: z.string().optional(),
        bankName: z.string().optional(),
        bankIdentifier: z.string().optional(),
        paymentRail: PaymentRail().optional(),
        remittanceInformation: z.string().optional(),
        endToEndId: z.string().optional(),
        traceNumber: z.string().optional(),
        onChainTransaction: OnChain().optional(),
      })
      .meta({ id: 'RealtimeFundingTransactionSource' }),
  ]),
);

const Destination = lazy(() =>
  z.discriminatedUnion('destinationType', [
    z
      .strictObject({
        destinationType: z.literal('ACCOUNT'),
        accountId: z.string(),
        currency: currency(),
        onChainTransaction: OnChain().optional(),
      })
      .meta({ id: 'AccountTransactionDestination' }),
    z
      .strictObject({ destinationType: z.literal('UMA_ADDRESS'), umaAddress: z.string(), currency: currency() })
      .meta({ id: 'UmaAddressTransactionDestination' }),
  ]),
);

const Refund = named('Refund', () =>
  z.strictObject({
    reference: z.string(),
    initiatedAt: Moment(),
    settledAt: Moment().optional(),
    status: z.enum(['PENDING', 'COMPLETED', 'FAILED']),
    reason: z.enum(REFUND_REASONS).optional(),
  }),
);

/** The conversion between two amounts; the product of the two multipliers is the net conversion in minor units. */
export const RateDetails = named('OutgoingRateDetails', () =>
  z.strictObject({
    counterpartyMultiplier: z.number().positive(),
    counterpartyFixedFee: z.int().min(0),
    serviceApiMultiplier: z.number().positive(),
    serviceApiFixedFee: z.int().min(0),
    serviceApiVariableFeeRate: z.number().min(0),
    serviceApiVariableFeeAmount: z.int().min(0),
  }),
);

const PendingReason = named('TransactionPendingReason', () =>
  z.enum([
    'COUNTERPARTY_DECLARATION_REQUIRED',
    'WALLET_VERIFICATION_REQUIRED',
    'COUNTERPARTY_INFORMATION_REQUIRED',
    'COMPLIANCE_REVIEW',
  ]),
);

const Reconciliation = named('ReconciliationInstructions', () =>
  z.strictObject({ reference: z.string().optional(), transactionHash: z.string().optional() }),
);

const TransactionStatus = named('TransactionStatus', () => z.enum(TRANSACTION_STATUSES));
const IncomingFailureReason = named('IncomingTransactionFailureReason', () => z.enum(INCOMING_FAILURES));

const common = () => ({
  id: z.string().meta({ examples: ['Transaction:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e77'] }),
  direction: TransactionDirection(),
  destination: Destination(),
  customerId: z.string().describe("The platform's own id on a transaction of the platform itself"),
  platformCustomerId: z.string(),
  pendingReason: PendingReason().optional(),
  createdAt: Moment(),
  updatedAt: Moment(),
  settledAt: Moment().optional(),
  receiptDeliveryConfirmedAt: Moment().optional(),
  agentId: z.string().optional(),
  description: z.string().optional(),
  exchangeRate: z.number().positive().optional().describe('Sending units for one receiving unit'),
  quoteId: z.string().optional(),
  refund: Refund().optional(),
  counterpartyInformation: z.record(z.string(), z.unknown()).optional(),
  fees: z.int().min(0).optional().describe('Minor units of the sending currency'),
  reconciliationInstructions: Reconciliation().optional(),
  senderUmaAddress: z.string().optional(),
  receiverUmaAddress: z.string().optional(),
});

const incoming = () => ({
  ...common(),
  type: z.literal('INCOMING'),
  status: TransactionStatus(),
  source: Source().optional(),
  sentAmount: CurrencyAmountShape().optional(),
  receivedAmount: CurrencyAmountShape(),
  failureReason: IncomingFailureReason().optional(),
});

export const IncomingTransactionShape = named('IncomingTransaction', () => z.strictObject(incoming()));

/** The data of an event about an incoming payment: the payment, and what the sender's side asks for. */
export const IncomingPaymentShape = named('IncomingPayment', () =>
  z.strictObject({
    ...incoming(),
    requestedReceiverCustomerInfoFields: z
      .array(CounterpartyField())
      .optional()
      .describe('Of a payment that waits for approval'),
  }),
);

export const OutgoingTransactionShape = named('OutgoingTransaction', () =>
  z.strictObject({
    ...common(),
    type: z.literal('OUTGOING'),
    status: z.enum(OUTGOING_STATUSES).meta({ id: 'OutgoingTransactionStatus' }),
    source: Source(),
    sentAmount: CurrencyAmountShape(),
    receivedAmount: CurrencyAmountShape().optional(),
    platformFees: z.int().min(0).optional().describe('The part of the fees that is the platform its own'),
    paymentInstructions: z.array(PaymentInstructions()).optional(),
    rateDetails: RateDetails().optional(),
    failureReason: z.enum(OUTGOING_FAILURES).meta({ id: 'OutgoingTransactionFailureReason' }).optional(),
    paymentRail: PaymentRail().nullable().optional(),
    railSelectionMode: z.enum(['AUTO', 'MANUAL']).nullable().optional(),
    expectedSettlementAt: Moment().nullable().optional(),
    settlementTimelineSeconds: z.int().nullable().optional(),
  }),
);

/** A transaction as replies show it (spec 2.7); its type determines its members. */
export const TransactionShape = lazy(() =>
  z.discriminatedUnion('type', [IncomingTransactionShape(), OutgoingTransactionShape(), CardTransactionShape()]),
);

export const TransactionPage = pageOf('TransactionListResponse', TransactionShape);

const identifier = (what: string) => Text(200).optional().describe(what);
/** An account id or a UMA address, of the same length as elsewhere in requests. */
const party = (what: string) => Text(320).optional().describe(what);

export const TransactionQuery = lazy(() =>
  z.object({
    customerId: identifier("The platform's own id asks for the platform's own transactions"),
    platformCustomerId: Text(255).optional().describe('Your id of the customer'),
    accountIdentifier: party('Account id, or UMA address in upper or lower case, of either side'),
    senderAccountIdentifier: party('Account id, or UMA address in upper or lower case, of the sender'),
    receiverAccountIdentifier: party('Account id, or UMA address in upper or lower case, of the receiver'),
    status: TransactionStatus().optional(),
    type: z.enum(['INCOMING', 'OUTGOING']).optional().describe('Payments by card are in the list when it is left out'),
    reference: identifier('As in reconciliationInstructions'),
    startDate: QueryMoment().optional().describe('Created at this moment or later'),
    endDate: QueryMoment().optional().describe('Created at this moment or before'),
    sortOrder: z.enum(['asc', 'desc']).default('desc'),
    ...pageQuery(),
  }),
);

const reason = () => z.object({ reason: Text().optional() });

export const ApproveRequest = named('ApprovePaymentRequest', () =>
  z.object({
    receiverCustomerInfo: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Holds every mandatory name of requestedReceiverCustomerInfoFields'),
  }),
);
export const RejectRequest = lazy(() => reason().meta({ id: 'RejectPaymentRequest' }));
export const CancelRequest = lazy(() => reason().meta({ id: 'CancelTransactionRequest' }));
export const ConfirmRequest = named('ConfirmReceiptDeliveryRequest', () =>
  z.object({ receiptDeliveryConfirmedAt: SentMoment().optional().describe('Now, when it is not sent') }),
);
