import type { ErrorCode } from '../../contract/errors.ts';
import { a, type Fits, not, ofSomebody, present } from '../../declare/example.ts';
import { operationsOf, reply } from '../../declare/operation.ts';
import { cancel, confirm } from './actions.ts';
import { approve, reject, undecided } from './approval.ts';
import { transactionPage } from './list.ts';
import { paymentOf, transactionOf } from './row.ts';
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
import { showPayment, showTransaction } from './show.ts';

const operation = operationsOf('Transactions', 'TRANSACT');

const WAITING = { type: 'INCOMING', status: 'PENDING', approval: present };
const isUnderWay: Fits = ({ type, status, debited, plan }) =>
  (status === 'PENDING' || status === 'PROCESSING') &&
  (type === 'INCOMING' || debited === true) &&
  !String(plan).endsWith('cancelled');
const UNDECIDED: readonly ErrorCode[] = ['TRANSACTION_NOT_FOUND', 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL'];

export const routes = [
  operation({
    id: 'listTransactions',
    endpoint: 'GET /transactions',
    summary: 'List transactions, newest first',
    query: TransactionQuery,
    replies: { 200: TransactionPage },
    read: ({ world, query }) => reply(200, transactionPage(world, query)),
  }),
  operation({
    id: 'getTransactionById',
    endpoint: 'GET /transactions/{transactionId}',
    summary: 'Read a transaction',
    example: { params: { transactionId: a('transactions', {}, 'createQuote') } },
    replies: { 200: TransactionShape },
    refuses: ['TRANSACTION_NOT_FOUND'],
    load: ({ world, params }) => transactionOf(world, params.transactionId),
    read: (_ask, transaction) => reply(200, showTransaction(transaction), transaction),
  }),
  operation({
    id: 'approvePendingPayment',
    endpoint: 'POST /transactions/{transactionId}/approve',
    summary: 'Accept an incoming payment that waits for approval',
    body: ApproveRequest,
    bodyOptional: true,
    example: { params: { transactionId: a('transactions', { ...WAITING, customerId: ofSomebody }, 'sandboxReceive') } },
    replies: { 200: IncomingTransactionShape },
    refuses: [...UNDECIDED, 'MISSING_MANDATORY_USER_INFO', 'USER_NOT_FOUND', 'USER_NOT_READY'],
    load: ({ world, params }) => paymentOf(world, params.transactionId, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL'),
    check: (_ask, transaction) => undecided(transaction),
    write: ({ world, body }, transaction) =>
      reply(200, showPayment(approve(world, transaction, body.receiverCustomerInfo))),
  }),
  operation({
    id: 'rejectPendingPayment',
    endpoint: 'POST /transactions/{transactionId}/reject',
    summary: 'Refuse an incoming payment that waits for approval',
    body: RejectRequest,
    bodyOptional: true,
    example: { params: { transactionId: a('transactions', WAITING, 'sandboxReceive') } },
    replies: { 200: IncomingTransactionShape },
    refuses: UNDECIDED,
    load: ({ world, params }) => paymentOf(world, params.transactionId, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL'),
    check: (_ask, transaction) => undecided(transaction),
    write: ({ world }, transaction) => reply(200, showPayment(reject(world, transaction))),
  }),
  operation({
    id: 'cancelTransaction',
    endpoint: 'POST /transactions/{transactionId}/cancel',
    summary: 'Ask the bank to stop a payment that has not settled',
    body: CancelRequest,
    bodyOptional: true,
    example: {
      params: {
        transactionId: a('transactions', { cancellable: true, refund: undefined }, 'createTransferOut', {
          fits: isUnderWay,
        }),
      },
    },
    replies: { 200: TransactionShape },
    refuses: ['TRANSACTION_NOT_FOUND', 'TRANSACTION_NOT_CANCELLABLE'],
    load: ({ world, params }) => paymentOf(world, params.transactionId, 'TRANSACTION_NOT_CANCELLABLE'),
    write: ({ world }, transaction) => reply(200, showPayment(cancel(world, transaction))),
  }),
  operation({
    id: 'confirmReceiptDelivery',
    endpoint: 'POST /transactions/{transactionId}/confirm',
    summary: 'Note that the customer got the receipt of a completed payment',
    body: ConfirmRequest,
    bodyOptional: true,
    example: {
      params: { transactionId: a('transactions', { settledAt: present, type: not('CARD') }, 'createTransferOut') },
    },
    replies: { 200: TransactionShape },
    refuses: ['TRANSACTION_NOT_FOUND'],
    load: ({ world, params }) => paymentOf(world, params.transactionId, 'INVALID_INPUT'),
    write: ({ world, body }, transaction) =>
      reply(200, showPayment(confirm(world, transaction, body.receiptDeliveryConfirmedAt))),
  }),
];
