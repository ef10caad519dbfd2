import type { ErrorCode } from '../../contract/errors.ts';
import { operationsOf, reply } from '../../declare/operation.ts';
import { showPayment, TransactionShape } from '../transactions/index.ts';
import { transferExample } from './examples.ts';
import { collectTransfer, payTransfer, prepareTransferIn, prepareTransferOut } from './rules.ts';
import { TransferInRequest, TransferOutRequest } from './schema.ts';

const operation = operationsOf('Same-Currency Transfers', 'TRANSACT');
const REFUSES: readonly ErrorCode[] = [
  'USER_NOT_FOUND',
  'REFERENCE_NOT_FOUND',
  'USER_NOT_READY',
  'MISSING_MANDATORY_USER_INFO',
  'END_USER_TERMS_NOT_ACCEPTED',
  'INVALID_CURRENCY',
  'AMOUNT_OUT_OF_RANGE',
];

/** The refusals of both kinds of transfer, for platforms and agents alike. */
export const TRANSFER_IN_REFUSES: readonly ErrorCode[] = [...REFUSES, 'INVALID_AMOUNT'];
export const TRANSFER_OUT_REFUSES: readonly ErrorCode[] = [
  ...REFUSES,
  'INSUFFICIENT_BALANCE',
  'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
  'TRANSACTION_SIZE_LIMIT_EXCEEDED',
  'DAILY_VOLUME_LIMIT_EXCEEDED',
];

export const routes = [
  operation({
    id: 'createTransferIn',
    endpoint: 'POST /transfer-in',
    summary: 'Collect money from a bank account into an internal account',
    idempotency: 'optional',
    body: TransferInRequest,
    example: (the) => transferExample(the, 'in'),
    makes: { transactions: {} },
    replies: { 201: TransactionShape },
    refuses: TRANSFER_IN_REFUSES,
    write: ({ world, body }) => reply(201, showPayment(collectTransfer(world, prepareTransferIn(world, body)))),
  }),
  operation({
    id: 'createTransferOut',
    endpoint: 'POST /transfer-out',
    summary: 'Pay out from an internal account to an external one of the same currency',
    idempotency: 'optional',
    body: TransferOutRequest,
    example: (the) => transferExample(the, 'out'),
    makes: { transactions: {} },
    replies: { 201: TransactionShape },
    refuses: TRANSFER_OUT_REFUSES,
    write: ({ world, body }) => reply(201, showPayment(payTransfer(world, prepareTransferOut(world, body)))),
  }),
];
