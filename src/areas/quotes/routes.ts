import type { ErrorCode } from '../../contract/errors.ts';
import { type OperationContext, operationsOf, reply } from '../../declare/operation.ts';
import type { Quote } from './row.ts';
import { checkExecutable, createQuote, executeQuote, QUOTES, quoteOf, showQuote } from './rules.ts';
import { ExecuteRequest, QuoteRequest, QuoteShape } from './schema.ts';
import { quoteSignature } from './signature.ts';

const operation = operationsOf('Cross-Currency Transfers', 'TRANSACT');

/** What creating a quote, and executing one, are refused with, whoever asks. */
export const QUOTE_REFUSES: readonly ErrorCode[] = [
  'USER_NOT_FOUND',
  'USER_NOT_READY',
  'MISSING_MANDATORY_USER_INFO',
  'END_USER_TERMS_NOT_ACCEPTED',
  'INVALID_CURRENCY',
  'AMOUNT_OUT_OF_RANGE',
  'TRANSACTION_SIZE_LIMIT_EXCEEDED',
  'DAILY_VOLUME_LIMIT_EXCEEDED',
  'SELF_PAYMENT',
  'INSUFFICIENT_BALANCE',
  'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
  'INVALID_UMA_ADDRESS',
  'INVALID_RECEIVER',
  'LOOKUP_REQUEST_NOT_FOUND',
];
export const EXECUTE_REFUSES: readonly ErrorCode[] = [
  'QUOTE_NOT_FOUND',
  'CONFLICT',
  'INSUFFICIENT_BALANCE',
  'DAILY_VOLUME_LIMIT_EXCEEDED',
  'USER_NOT_FOUND',
  'USER_NOT_READY',
];

export const routes = [
  operation({
    id: 'createQuote',
    endpoint: 'POST /quotes',
    summary: 'Fix the price of a payment, for a while',
    description: 'Opens the transaction that the quote stands for. Money moves when it is executed, or funded.',
    idempotency: 'optional',
    body: QuoteRequest,
    // 202 is a quote that waits for strong customer authentication, whose flows are not emulated yet.
    replies: { 201: QuoteShape, 202: QuoteShape },
    refuses: QUOTE_REFUSES,
    write: ({ world, body }) => reply(201, showQuote(world, createQuote(world, body))),
  }),
  operation({
    id: 'getQuoteById',
    endpoint: 'GET /quotes/{quoteId}',
    summary: 'Read a quote',
    replies: { 200: QuoteShape },
    refuses: ['QUOTE_NOT_FOUND'],
    load: ({ world, params }) => quoteOf(world, params.quoteId),
    read: ({ world }, quote) => reply(200, showQuote(world, quote)),
  }),
  operation({
    id: 'executeQuote',
    endpoint: 'POST /quotes/{quoteId}/execute',
    summary: 'Pay a quote; from an embedded wallet with the signature of its owner',
    description:
      'The payload of a wallet is in the quote: a signature over it can come with the first call. Without one the ' +
      'first call is answered as the profile says: 202 with a challenge over the same payload, or 401.',
    idempotency: 'optional',
    body: ExecuteRequest,
    bodyOptional: true,
    replies: { 200: QuoteShape },
    refuses: EXECUTE_REFUSES,
    authorize: quoteSignature(
      ({ world, params }: OperationContext<unknown, unknown, 'quoteId'>) => world.rows(QUOTES).get(params.quoteId),
      (quote: Quote) => quote,
    ),
    load: ({ world, params }) => quoteOf(world, params.quoteId),
    check: ({ world }, quote) => checkExecutable(world, quote),
    write: ({ world }, quote) => reply(200, showQuote(world, executeQuote(world, quote))),
  }),
];
