import type { ErrorCode } from '../../contract/errors.ts';
import { a, knownAs, oneOf } from '../../declare/example.ts';
import { type OperationContext, operationsOf, reply } from '../../declare/operation.ts';
import { judge, ScaAuthorization } from '../sca/index.ts';
import { authorizeQuote, pendingChallenge, resendQuoteCode } from './authorize.ts';
import { unknownAccounts } from './endpoints.ts';
import { challenged, isUnpaid, quoteExample } from './examples.ts';
import type { Quote } from './row.ts';
import { checkExecutable, createQuote, executeQuote, QUOTES, quoteOf, showQuote } from './rules.ts';
import { ExecuteRequest, QuoteRequest, QuoteShape } from './schema.ts';
import { quoteSignature } from './signature.ts';

const operation = operationsOf('Cross-Currency Transfers', 'TRANSACT');
const challengeOperation = operationsOf('Strong Customer Authentication', 'TRANSACT');

/** The refusals of creating and of executing a quote, for platforms and agents alike. */
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
  'AMOUNT_OUT_OF_RANGE',
  'DAILY_VOLUME_LIMIT_EXCEEDED',
  'USER_NOT_FOUND',
  'USER_NOT_READY',
  'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
];

export const routes = [
  operation({
    id: 'createQuote',
    endpoint: 'POST /quotes',
    summary: 'Fix the price of a payment, for a while',
    description:
      'Creates the quote and its transaction. Money moves when the quote is executed, or when the payment from outside ' +
      'arrives. 202: a quote that is paid from outside waits for a proof of the payer before it shows where to pay.',
    idempotency: 'optional',
    body: QuoteRequest,
    fieldRules: ({ world }, sent) => unknownAccounts(world, sent),
    example: (the) => quoteExample(the),
    makes: { quotes: {}, transactions: { id: 'transactionId' } },
    replies: { 201: QuoteShape, 202: QuoteShape },
    refuses: QUOTE_REFUSES,
    write: ({ world, body }) => {
      const quote = createQuote(world, body);
      const shown = showQuote(world, quote);
      return reply(quote.pushed && shown.status === 'PENDING_AUTHORIZATION' ? 202 : 201, shown);
    },
  }),
  operation({
    id: 'getQuoteById',
    endpoint: 'GET /quotes/{quoteId}',
    summary: 'Read a quote',
    example: { params: { quoteId: a('quotes', {}, 'createQuote') } },
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
    example: {
      params: {
        quoteId: oneOf(
          a('quotes', { pushed: false }, 'createQuote', { fits: isUnpaid }),
          a('quotes', { pushed: false, isOfWallet: knownAs(true) }, 'createQuote', { fits: isUnpaid }),
        ),
      },
    },
    makes: { 'sca-challenges': { subject: '{quoteId}' } },
    replies: { 200: QuoteShape },
    refuses: EXECUTE_REFUSES,
    authorize: quoteSignature(
      ({ world, params }: OperationContext<unknown, unknown, 'quoteId'>) => world.rows(QUOTES).get(params.quoteId),
      (quote: Quote) => quote,
    ),
    load: ({ world, params }) => quoteOf(world, params.quoteId),
    check: ({ world }, quote) => checkExecutable(world, quote),
    write: ({ world, body }, quote) => reply(200, showQuote(world, executeQuote(world, quote, body?.scaFactor))),
  }),
  challengeOperation({
    id: 'authorizeQuote',
    endpoint: 'POST /quotes/{quoteId}/authorize',
    summary: 'Answer the challenge that a quote waits for',
    description: 'While the quote is PENDING_AUTHORIZATION afterwards, it has the next challenge.',
    body: ScaAuthorization,
    example: { params: { quoteId: challenged }, body: { code: oneOf('123456', '999999') } },
    replies: { 200: QuoteShape },
    refuses: [
      'QUOTE_NOT_FOUND',
      'USER_NOT_FOUND',
      'USER_NOT_READY',
      'CONFLICT',
      'SCA_SESSION_REQUIRED',
      'ACCOUNT_LOCKED',
      'RATE_LIMITED',
      'INSUFFICIENT_BALANCE',
      'AMOUNT_OUT_OF_RANGE',
      'DAILY_VOLUME_LIMIT_EXCEEDED',
      'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
    ],
    load: ({ world, params, body }) => {
      const quote = quoteOf(world, params.quoteId);
      return { quote, challenge: pendingChallenge(world, quote, body) };
    },
    wait: ({ world, body }, { challenge }) => judge(world, challenge, body),
    write: ({ world }, { quote, challenge }, verdict) =>
      reply(200, showQuote(world, authorizeQuote(world, quote, challenge, verdict))),
  }),
  challengeOperation({
    id: 'resendQuoteScaCode',
    endpoint: 'POST /quotes/{quoteId}/authorize/resend',
    summary: 'Send the code of the challenge that a quote waits for once more',
    description: 'It stays the same challenge, and ends when it would have ended.',
    example: { params: { quoteId: challenged } },
    replies: { 204: null },
    refuses: ['QUOTE_NOT_FOUND', 'USER_NOT_FOUND', 'CONFLICT', 'RATE_LIMITED'],
    load: ({ world, params }) => quoteOf(world, params.quoteId),
    write: ({ world }, quote) => {
      resendQuoteCode(world, quote);
      return reply(204);
    },
  }),
];
