import type { ErrorCode } from '../../contract/errors.ts';
import { operation, reply } from '../../declare/operation.ts';
import { mapPage } from '../../engine/page.ts';
import { cancel, confirm } from './actions.ts';
import { approve, reject, undecided } from './approval.ts';
import { TRANSACTIONS, transactionOf } from './row.ts';
import {
  ApproveRequest,
  CancelRequest,
  ConfirmRequest,
  IncomingTransactionShape,
  RejectRequest,
  TransactionPage,
  TransactionQuery,
  TransactionShape,
} from './schema.ts';
import { showTransaction } from './show.ts';

const tag = 'Transactions';
const UNDECIDED: readonly ErrorCode[] = ['TRANSACTION_NOT_FOUND', 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL'];

export const routes = [
  operation({
    id: 'listTransactions',
    method: 'GET',
    path: '/transactions',
    tag,
    summary: 'List transactions, newest first',
    query: TransactionQuery,
    replies: { 200: TransactionPage },
    read: ({ world, query: q }) => {
      const both = q.type && q.status ? `${q.type} ${q.status}` : undefined;
      const page = world.rows(TRANSACTIONS).page({
        where: {
          customer: q.customerId,
          platformCustomer: q.platformCustomerId,
          party: q.accountIdentifier,
          sender: q.senderAccountIdentifier,
          receiver: q.receiverAccountIdentifier,
          reference: q.reference,
          typeAndStatus: both,
          status: both ? undefined : q.status,
          type: both ? undefined : q.type,
        },
        between: { by: (t) => t.createdAt, from: q.startDate, to: q.endDate },
        oldestFirst: q.sortOrder === 'asc',
        limit: q.limit,
        cursor: q.cursor,
      });
      return reply(200, mapPage(page, showTransaction));
    },
  }),
  operation({
    id: 'getTransactionById',
    method: 'GET',
    path: '/transactions/{transactionId}',
    tag,
    summary: 'Read a transaction',
    replies: { 200: TransactionShape },
    refuses: ['TRANSACTION_NOT_FOUND'],
    load: ({ world, params }) => transactionOf(world, params.transactionId),
    read: (_ask, transaction) => reply(200, showTransaction(transaction), transaction),
  }),
  operation({
    id: 'approvePendingPayment',
    method: 'POST',
    path: '/transactions/{transactionId}/approve',
    tag,
    summary: 'Accept an incoming payment that waits for approval',
    permission: 'TRANSACT',
    body: ApproveRequest,
    bodyOptional: true,
    replies: { 200: IncomingTransactionShape },
    refuses: [...UNDECIDED, 'MISSING_MANDATORY_USER_INFO', 'USER_NOT_FOUND', 'USER_NOT_READY'],
    load: ({ world, params }) => transactionOf(world, params.transactionId),
    check: (_ask, transaction) => undecided(transaction),
    write: ({ world, body }, transaction) =>
      reply(200, showTransaction(approve(world, transaction, body.receiverCustomerInfo))),
  }),
  operation({
    id: 'rejectPendingPayment',
    method: 'POST',
    path: '/transactions/{transactionId}/reject',
    tag,
    summary: 'Refuse an incoming payment that waits for approval',
    permission: 'TRANSACT',
    body: RejectRequest,
    bodyOptional: true,
    replies: { 200: IncomingTransactionShape },
    refuses: UNDECIDED,
    load: ({ world, params }) => transactionOf(world, params.transactionId),
    check: (_ask, transaction) => undecided(transaction),
    write: ({ world }, transaction) => reply(200, showTransaction(reject(world, transaction))),
  }),
  operation({
    id: 'cancelTransaction',
    method: 'POST',
    path: '/transactions/{transactionId}/cancel',
    tag,
    summary: 'Ask the bank to stop a payment that has not settled',
    permission: 'TRANSACT',
    body: CancelRequest,
    bodyOptional: true,
    replies: { 200: TransactionShape },
    refuses: ['TRANSACTION_NOT_FOUND', 'TRANSACTION_NOT_CANCELLABLE'],
    load: ({ world, params }) => transactionOf(world, params.transactionId),
    write: ({ world }, transaction) => reply(200, showTransaction(cancel(world, transaction))),
  }),
  operation({
    id: 'confirmReceiptDelivery',
    method: 'POST',
    path: '/transactions/{transactionId}/confirm',
    tag,
    summary: 'Note that the customer got the receipt of a completed payment',
    permission: 'TRANSACT',
    body: ConfirmRequest,
    bodyOptional: true,
    replies: { 200: TransactionShape },
    refuses: ['TRANSACTION_NOT_FOUND'],
    load: ({ world, params }) => transactionOf(world, params.transactionId),
    write: ({ world, body }, transaction) =>
      reply(200, showTransaction(confirm(world, transaction, body.receiptDeliveryConfirmedAt))),
  }),
];
