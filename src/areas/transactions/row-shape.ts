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
/** The name of a payment's plan. */
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
  /** The amount that the quote requires, if another one arrived, which is then in `sent`. */
  quoted: Amount().optional(),
  /** Minor units of the sending currency, within `sent`; `platformFees` is the platform's part of them. */
  fees: MinorUnits().min(0),
  platformFees: MinorUnits().min(0),
  /** The ledger accounts: the payer, the payee, and the receiver of a refund. */
  payer: z.string().min(1),
  payee: z.string().min(1),
  refundTo: z.string().min(1),
  /** Set once the money has left the payer. */
  debited: z.literal(true).optional(),
  /**
   * The customer of this platform (or the platform itself) that receives an outgoing payment; `twin` is the other row
   * of the pair.
   */
  towards: z.string().optional(),
  twin: z.string().optional(),
  /** The plan that runs by itself, and the number of steps done. */
  plan: PlanNameShape().optional(),
  at: z.int().min(0),
  /** True if a bank may still stop it. */
  cancellable: z.boolean(),
  /** Set if it waits for the platform's approval; says what the sender's side asks about the receiver. */
  approval: Approval().exactOptional(),
  refund: Refunding().optional(),
  quoteId: z.string().optional(),
  /** The id of the agent that made it. */
  agentId: z.string().optional(),
  exchangeRate: z.number().positive().optional(),
  rateDetails: RateDetails()
    // From an earlier release, which did not round the fee as charged.
    .extend({ serviceApiVariableFeeAmount: z.number().min(0) })
    .optional(),
  paymentInstructions: z.array(PaymentInstructions()).optional(),
  paymentRail: PaymentRail().optional(),
  railSelectionMode: z.enum(['AUTO', 'MANUAL']).optional(),
  description: z.string().optional(),
  counterparty: AnyRecord().optional(),
  /** Data about the payer from the quote, for the receiver's platform, if the receiver is paid here. */
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
/** One end of a payment. `network` is set for an external crypto wallet; `hash` once that has settled. */
export type Side = Transaction['source'];
/** An amount in minor units of a currency. */
export type Amount = Transaction['sent'];

/** Returns the amount that a payment was priced at; another one may have arrived. */
export const pricedAt = ({ quoted, sent }: Transaction): Amount => quoted ?? sent;

/** The possible fates of a pull; without one, it is confirmed at once, if the account covers it. */
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
  /** The currency of the merchant; `authorized`, `settled` and `refunded` are in its minor units. */
  currency: KnownCurrency(),
  authorized: MinorUnits().min(1),
  settled: MinorUnits().min(0),
  refunded: MinorUnits().min(0),
  /** The number of clearings; likewise `returns`. */
  clearings: z.int().min(0),
  returns: z.int().min(0),
  /**
   * The currency of the paying account; pulls are in its minor units, less what was released because no clearing
   * arrived.
   */
  accountCurrency: KnownCurrency(),
  pulls: z.array(z.strictObject({ amount: MinorUnits().min(0), stage: z.enum(['PENDING', 'CONFIRMED', 'FAILED']) })),
  /** A tester's decision on the next pull. */
  nextPull: z.enum(PULL_FATES).optional(),
  createdAt: Moment(),
  updatedAt: Moment(),
  lastEventAt: Moment().optional(),
});

/** A card payment (reference 4.2). */
export type CardPayment = MembersOf<typeof cardPayment>;
/** A row of the one table of transactions. */
export type AnyTransaction = Transaction | CardPayment;

/** The stored row of a payment or a card payment. */
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
