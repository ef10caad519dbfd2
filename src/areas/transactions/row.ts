import { moneyText } from '../../contract/money.ts';
import { resource, rowOr404 } from '../../engine/resource.ts';
import type { Side } from './row-shape.ts';
import { TransactionRow } from './row-shape.ts';
import { referenceOf, showTransaction } from './show.ts';

/** How the API names a side: an account's id or a UMA address. */
export const identifierOf = (side: Side): string | undefined =>
  side.kind === 'ACCOUNT' ? side.accountId : side.kind === 'UMA_ADDRESS' ? side.umaAddress : undefined;

const accountIn = (side: Side): string | undefined => (side.kind === 'ACCOUNT' ? side.accountId : undefined);

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
    agentId: 'agents',
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
