import { AMOUNT, currency, type Fits, knownAs, oneOf, who } from '../../declare/example.ts';
import { operationsOf, reply } from '../../declare/operation.ts';
import { InternalAccountShape, showAccount } from '../accounts/index.ts';
import { fundQuote, isUnpaid } from '../quotes/index.ts';
import { IncomingTransactionShape, showPayment, TransactionShape } from '../transactions/index.ts';
import { fundAccount } from './funding.ts';
import { FundRequest, SendRequest, UmaReceiveRequest } from './schema.ts';
import { receiveUma } from './uma.ts';

const operation = operationsOf('Sandbox', 'TRANSACT');

const hasAccount: Fits = ({ id }, the) => the.accountOf(id) !== undefined;

export const routes = [
  operation({
    id: 'sandboxFundInternalAccount',
    endpoint: 'POST /sandbox/internal-accounts/{accountId}/fund',
    summary: 'Fund an internal account at once',
    body: FundRequest,
    example: (the) => {
      const account = the.accountOf(the.who({}, hasAccount)?.id);
      return { params: { accountId: account?.id ?? the.lacks('createCustomer') }, body: { amount: 1_000_000 } };
    },
    replies: { 200: InternalAccountShape },
    refuses: [
      'REFERENCE_NOT_FOUND',
      'USER_NOT_FOUND',
      'MISSING_MANDATORY_USER_INFO',
      'CONFLICT',
      'AMOUNT_OUT_OF_RANGE',
    ],
    write: ({ world, params, body }) =>
      reply(200, showAccount(world, fundAccount(world, params.accountId, body.amount))),
  }),
  operation({
    id: 'sandboxSend',
    endpoint: 'POST /sandbox/send',
    summary: 'Play the payer of a quote that waits for its funds',
    body: SendRequest,
    example: (the) => {
      // Only its owner can pay a quote of a wallet.
      const isOfWallet = the.choose([false, true]) === true;
      const match = isOfWallet ? { isOfWallet: knownAs(true) } : { pushed: true };
      const { id, source } = the.row('quotes', match, 'createQuote', isUnpaid);
      const { currency = isOfWallet ? 'USDB' : the.currency } = (source ?? {}) as { currency?: string };
      return { body: { quoteId: id, currencyCode: currency } };
    },
    replies: { 200: TransactionShape },
    refuses: [
      'QUOTE_NOT_FOUND',
      'INVALID_CURRENCY',
      'AMOUNT_OUT_OF_RANGE',
      'CONFLICT',
      'USER_NOT_FOUND',
      'USER_NOT_READY',
      'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
    ],
    write: ({ world, body }) =>
      reply(200, showPayment(fundQuote(world, body.quoteId, body.currencyCode, body.currencyAmount))),
  }),
  operation({
    id: 'sandboxReceive',
    endpoint: 'POST /sandbox/uma/receive',
    summary: 'Play the sender of a payment to a UMA address of a customer',
    description: 'The answer to the event INCOMING_PAYMENT.PENDING decides: 200 yes, 202 later, 403 no.',
    body: UmaReceiveRequest,
    example: {
      body: {
        senderUmaAddress: oneOf('$success.usd@sandbox.uma.money', '$fail.compliance.usd@sandbox.uma.money'),
        customerId: who({}, { fits: hasAccount }),
        receivingCurrencyCode: currency,
        receivingCurrencyAmount: AMOUNT,
      },
    },
    makes: { transactions: {} },
    replies: { 200: IncomingTransactionShape },
    refuses: [
      'INVALID_UMA_ADDRESS',
      'INVALID_CURRENCY',
      'AMOUNT_OUT_OF_RANGE',
      'WEBHOOK_ENDPOINT_NOT_SET',
      'WEBHOOK_DELIVERY_ERROR',
      'UMA_NOT_FOUND',
      'USER_NOT_FOUND',
      'USER_NOT_READY',
      'MISSING_MANDATORY_USER_INFO',
      'END_USER_TERMS_NOT_ACCEPTED',
    ],
    write: ({ world, body }) => reply(200, showPayment(receiveUma(world, body))),
  }),
];
