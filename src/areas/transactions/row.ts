import { moneyText } from '../../contract/money.ts';
import type { Infer } from '../../declare/operation.ts';
import { resource, rowOr404 } from '../../engine/resource.ts';
import type { Row } from '../../engine/table.ts';
import type { Status } from './machine.ts';
import type { PlanName } from './plans.ts';
import { TransactionRow } from './row-shape.ts';
import type {
  IncomingFailure,
  OnChainNetwork,
  OutgoingFailure,
  OutgoingTransactionShape,
  Rail,
  RateDetails,
  RefundReason,
} from './schema.ts';
import { showTransaction } from './show.ts';

/** One end of a payment. `network` is there when it is an external crypto wallet; `hash` once that has settled. */
export type Side = (
  | { readonly kind: 'ACCOUNT'; readonly accountId: string }
  | { readonly kind: 'UMA_ADDRESS'; readonly umaAddress: string }
  | { readonly kind: 'REALTIME_FUNDING'; readonly customerId?: string | undefined; readonly rail?: Rail | undefined }
) & { readonly currency: string; readonly network?: OnChainNetwork | undefined; readonly hash?: string | undefined };

export interface Amount {
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
}

export interface Refunding {
  readonly initiatedAt: string;
  readonly settledAt?: string | undefined;
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED';
  readonly reason: RefundReason;
}

/** A payment that came in or goes out (spec 2.7). */
export interface Transaction extends Row {
  readonly type: 'INCOMING' | 'OUTGOING';
  readonly status: Status;
  readonly customerId: string;
  readonly platformCustomerId: string;
  readonly source: Side;
  readonly destination: Side;
  readonly sent: Amount;
  readonly received: Amount;
  /** Minor units of the sending currency, within `sent`; `platformFees` is the platform's part of them. */
  readonly fees: number;
  readonly platformFees: number;
  /** Ledger accounts: where the money comes from, where it goes, and where a refund goes. */
  readonly payer: string;
  readonly payee: string;
  readonly refundTo: string;
  /** Its money has left the payer. */
  readonly debited?: true | undefined;
  /** The customer of this platform (or the platform) that an outgoing payment is for; on both rows, that of the other. */
  readonly towards?: string | undefined;
  readonly twin?: string | undefined;
  /** What happens by itself, and how much of it has. */
  readonly plan?: PlanName | undefined;
  readonly at: number;
  /** A bank may still stop it. */
  readonly cancellable: boolean;
  /** Waits for the platform's yes or no; what the sender's side wants to know of the receiver. */
  readonly approval?: { readonly fields: readonly { name: string; mandatory: boolean }[]; readonly next: PlanName };
  readonly failureReason?: OutgoingFailure | IncomingFailure | undefined;
  readonly refund?: Refunding | undefined;
  readonly quoteId?: string | undefined;
  readonly exchangeRate?: number | undefined;
  readonly rateDetails?: Infer<typeof RateDetails> | undefined;
  readonly paymentInstructions?: Infer<typeof OutgoingTransactionShape>['paymentInstructions'];
  readonly paymentRail?: Rail | undefined;
  readonly railSelectionMode?: 'AUTO' | 'MANUAL' | undefined;
  readonly description?: string | undefined;
  readonly counterparty?: Readonly<Record<string, unknown>> | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly settledAt?: string | undefined;
  readonly receiptDeliveryConfirmedAt?: string | undefined;
}

/** How the API names a side: an account's id or a UMA address. */
export const identifierOf = (side: Side): string | undefined =>
  side.kind === 'ACCOUNT' ? side.accountId : side.kind === 'UMA_ADDRESS' ? side.umaAddress : undefined;

const accountIn = (side: Side): string | undefined => (side.kind === 'ACCOUNT' ? side.accountId : undefined);

/** What the other party quotes; unique, and derived, so that it costs no memory. */
export const referenceOf = (id: string): string => `REF-${id.slice(-12).toUpperCase()}`;

const known = (keys: readonly (string | undefined)[]): readonly string[] =>
  keys.filter((key): key is string => key !== undefined);

/** Ledger accounts of this sandbox among the three of a payment; the others are names of the outside. */
const inside = (account: string): string | undefined => (account.startsWith('outside:') ? undefined : account);

export const TRANSACTIONS = resource('transactions', {
  row: TransactionRow,
  indexes: {
    customer: (t) => t.customerId,
    platformCustomer: (t) => t.platformCustomerId,
    sender: (t) => identifierOf(t.source),
    receiver: (t) => identifierOf(t.destination),
    party: (t) => known([identifierOf(t.source), identifierOf(t.destination)]),
    status: (t) => t.status,
    type: (t) => t.type,
    typeAndStatus: (t) => `${t.type} ${t.status}`,
    reference: (t) => referenceOf(t.id),
  },
  refers: {
    customerId: { of: (t) => t.customerId, in: ['customers', 'platform'], by: 'customer' },
    source: { of: (t) => accountIn(t.source), in: ['accounts', 'external-accounts'], by: 'party' },
    destination: { of: (t) => accountIn(t.destination), in: ['accounts', 'external-accounts'], by: 'party' },
    payer: { of: (t) => inside(t.payer), in: ['accounts'] },
    payee: { of: (t) => inside(t.payee), in: ['accounts'] },
    refundTo: { of: (t) => inside(t.refundTo), in: ['accounts'] },
    towards: { of: (t) => t.towards, in: ['customers', 'platform'] },
    twin: 'transactions',
    quoteId: 'quotes',
  },
  titles: ['Transactions', 'Transaction', 'Payments in and out'],
  prefix: 'Transaction',
  main: true,
  wide: true,
  label: ({ sent }) => sent && moneyText(sent.amount, sent.currency),
  view: (row) => showTransaction(row),
  columns: {
    Status: ['status', 'status'],
    Type: 'type',
    Customer: ['customerId', 'id'],
    Received: [({ received }) => received && `${received.amount} ${received.currency}`, 'money'],
    Created: ['createdAt', 'time'],
  },
  tones: {
    COMPLETED: 'good',
    FAILED: 'bad',
    REJECTED: 'bad',
    EXPIRED: 'bad',
    PENDING: 'warn',
    PROCESSING: 'warn',
  },
});

/** One transaction; 404 `TRANSACTION_NOT_FOUND`. */
export const transactionOf = rowOr404(TRANSACTIONS, 'TRANSACTION_NOT_FOUND', 'transaction');
