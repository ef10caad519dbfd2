import type { ErrorCode } from '../../contract/errors.ts';
import { operation, reply } from '../../declare/operation.ts';
import { showTransaction, TransactionShape } from '../transactions/index.ts';
import { transferIn, transferOut } from './rules.ts';
import { TransferInRequest, TransferOutRequest } from './schema.ts';

const tag = 'Same-Currency Transfers';
const REFUSES: readonly ErrorCode[] = [
  'USER_NOT_FOUND',
  'REFERENCE_NOT_FOUND',
  'USER_NOT_READY',
  'MISSING_MANDATORY_USER_INFO',
  'END_USER_TERMS_NOT_ACCEPTED',
  'INVALID_CURRENCY',
  'AMOUNT_OUT_OF_RANGE',
];

export const routes = [
  operation({
    id: 'createTransferIn',
    method: 'POST',
    path: '/transfer-in',
    tag,
    summary: 'Collect money from a bank account into an internal account',
    permission: 'TRANSACT',
    idempotency: 'optional',
    body: TransferInRequest,
    replies: { 201: TransactionShape },
    refuses: [...REFUSES, 'INVALID_AMOUNT'],
    write: ({ world, body }) => reply(201, showTransaction(transferIn(world, body))),
  }),
  operation({
    id: 'createTransferOut',
    method: 'POST',
    path: '/transfer-out',
    tag,
    summary: 'Pay out from an internal account to an external one of the same currency',
    permission: 'TRANSACT',
    idempotency: 'optional',
    body: TransferOutRequest,
    replies: { 201: TransactionShape },
    refuses: [
      ...REFUSES,
      'INSUFFICIENT_BALANCE',
      'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
      'TRANSACTION_SIZE_LIMIT_EXCEEDED',
      'DAILY_VOLUME_LIMIT_EXCEEDED',
    ],
    write: ({ world, body }) => reply(201, showTransaction(transferOut(world, body))),
  }),
];
