import * as z from 'zod';
import { lazy } from '../../contract/lazy.ts';
import { KnownCurrency } from '../../contract/money.ts';
import { AnyRecord, IdOf, MinorUnits, Moment } from '../../contract/shapes.ts';
import { type MembersOf, rowShape } from '../../engine/table.ts';
import { PaymentInstructions } from '../accounts/index.ts';
import { CARD_STATUSES, CardMerchant, DIRECTIONS } from './card-schema.ts';
import type { Status } from './machine.ts';
import { PLANS, type PlanName } from './plans.ts';
import type { IncomingFailure, OutgoingFailure } from './schema.ts';
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
  /** The amount that its quote asks for, where another one arrived, which is `sent` then. */
  quoted: Amount().optional(),
  /** Minor units of the sending currency, within `sent`; `platformFees` is the platform's part of them. */
  fees: MinorUnits().min(0),
  platformFees: MinorUnits().min(0),
  /** Ledger accounts: where the money comes from, where it goes, and where a refund goes. */
  payer: z.string().min(1),
  payee: z.string().min(1),
  refundTo: z.string().min(1),
  /** Its money has left the payer. */
  debited: z.literal(true).optional(),
  /** The customer of this platform (or the platform) that an outgoing payment is for; on both rows, that of the other. */
  towards: z.string().optional(),
  twin: z.string().optional(),
  /** The plan that runs by itself, and how much of it is done. */
  plan: PlanNameShape().optional(),
  at: z.int().min(0),
  /** A bank may still stop it. */
  cancellable: z.boolean(),
  /** Waits for the platform's yes or no; what the sender's side wants to know of the receiver. */
  approval: Approval().exactOptional(),
  refund: Refunding().optional(),
  quoteId: z.string().optional(),
  /** The agent that it was made through. */
  agentId: z.string().optional(),
  exchangeRate: z.number().positive().optional(),
  rateDetails: RateDetails()
    // Of an earlier release: before the fee was rounded as it is charged.
    .extend({ serviceApiVariableFeeAmount: z.number().min(0) })
    .optional(),
  paymentInstructions: z.array(PaymentInstructions()).optional(),
  paymentRail: PaymentRail().optional(),
  railSelectionMode: z.enum(['AUTO', 'MANUAL']).optional(),
  description: z.string().optional(),
  counterparty: AnyRecord().optional(),
  /** The data of the payer in its quote, for the platform of anyone who is paid here. */
  payerInfo: AnyRecord().optional(),
  createdAt: Moment(),
  updatedAt: Moment(),
  settledAt: Moment().optional(),
  receiptDeliveryConfirmedAt: Moment().optional(),
});

/** An incoming or outgoing payment (spec 2.7). */
export interface Transaction extends Omit<MembersOf<typeof common>, 'destination'> {
  readonly destination: Side;
  readonly type: 'INCOMING' | 'OUTGOING';
  readonly status: Status;
  readonly failureReason?: OutgoingFailure | IncomingFailure | undefined;
}
/** One end of a payment. `network` is there when it is an external crypto wallet; `hash` once that has settled. */
export type Side = Transaction['source'];
/** Minor units of a currency. */
export type Amount = Transaction['sent'];

/** Returns the amount that a payment was priced at; another one may have arrived. */
export const pricedAt = ({ quoted, sent }: Transaction): Amount => quoted ?? sent;

/** The possible fates of a pull; one without a fate is confirmed at once, if the account covers it. */
export const PULL_FATES = ['DELAYED', 'FAILS', 'CONFIRMATION_FAILS'] as const;
export type PullFate = (typeof PULL_FATES)[number];

const cardPayment = () => ({
  id: IdOf('CardTransaction'),
  type: z.literal('CARD'),
  status: z.enum(CARD_STATUSES),
  direction: z.enum(DIRECTIONS),
  customerId: z.string(),
  platformCustomerId: z.string(),
  cardId: z.string(),
  accountId: z.string(),
  issuerTransactionToken: z.string(),
  merchant: CardMerchant(),
  /** That of the merchant: `authorized`, `settled` and `refunded` are minor units of it. */
  currency: KnownCurrency(),
  authorized: MinorUnits().min(1),
  settled: MinorUnits().min(0),
  refunded: MinorUnits().min(0),
  /** The number of clearings and returns. */
  clearings: z.int().min(0),
  returns: z.int().min(0),
  /** That of the account that pays: pulls are minor units of it, less what was given back because no clearing arrived. */
  accountCurrency: KnownCurrency(),
  pulls: z.array(z.strictObject({ amount: MinorUnits().min(0), stage: z.enum(['PENDING', 'CONFIRMED', 'FAILED']) })),
  /** A tester's decision about the next pull. */
  nextPull: z.enum(PULL_FATES).optional(),
  createdAt: Moment(),
  updatedAt: Moment(),
  lastEventAt: Moment().optional(),
});

/** A payment by card (reference 4.2). */
export type CardPayment = MembersOf<typeof cardPayment>;
/** A row of the one table of transactions. */
export type AnyTransaction = Transaction | CardPayment;

/** A payment, or a payment by card, as it is kept. */
export const TransactionRow = rowShape<AnyTransaction>()(() =>
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
    z.strictObject(cardPayment()),
  ]),
);
