import type { After, CallStep, Listed } from '../../declare/after.ts';
import { bankEnding, currency, merged, payer } from '../../declare/example.ts';

/**
 * Returns the call for a bank account of a person who can pay; its last three digits choose the outcome of payments.
 */
const bank = (suffix: string, more: object = {}): CallStep => ({
  call: 'createCustomerExternalAccount',
  whole: true,
  body: merged({ ...more, customerId: payer('customerId') }, bankEnding(suffix)),
  as: 'bank',
});

const ACCOUNT = { accountId: payer('id') };
const BANK = { accountId: '$bank.id' };
const OUT = ['createTransferOut'];
const failedOut = [
  { ready: 'createTransferOut' },
  bank('003'),
  { call: 'createTransferOut', body: { source: ACCOUNT, destination: BANK } },
];

/** The calls that lead to each event of an outgoing payment. */
export const AFTER_OUTGOING: Readonly<Record<string, After>> = {
  OUTGOING_PAYMENT: OUT,
  'OUTGOING_PAYMENT.PENDING': OUT,
  'OUTGOING_PAYMENT.PENDING_AUTHORIZATION': (the) => {
    const region = (the.newest('sca-rules')?.['regions'] as string[] | undefined)?.[0];
    if (region === undefined)
      return 'no payment has to be authorized here: set platform.sca: {} in the scenario, or start with --scenario sca';
    return [
      { call: 'createCustomer', body: { region }, as: 'customer' },
      {
        call: 'listCustomerInternalAccounts',
        params: {},
        query: { customerId: '$customer.id', currency },
        as: 'accounts',
      },
      {
        call: 'createQuote',
        body: {
          source: { sourceType: 'REALTIME_FUNDING', currency, customerId: '$customer.id' },
          destination: { destinationType: 'ACCOUNT', accountId: '$accounts.data.0.id' },
          lockedCurrencySide: 'SENDING',
          lockedCurrencyAmount: 2500,
        },
        whole: true,
        main: true,
      },
    ];
  },
  'OUTGOING_PAYMENT.PROCESSING': OUT,
  'OUTGOING_PAYMENT.COMPLETED': OUT,
  'OUTGOING_PAYMENT.FAILED': failedOut,
  'OUTGOING_PAYMENT.EXPIRED': ['createQuote'],
  'OUTGOING_PAYMENT.REFUND_PENDING': failedOut,
  'OUTGOING_PAYMENT.REFUND_COMPLETED': failedOut,
  'OUTGOING_PAYMENT.REFUND_FAILED': [
    { ready: 'createQuote' },
    bank('007'),
    {
      call: 'createQuote',
      body: {
        source: { sourceType: 'ACCOUNT', ...ACCOUNT },
        destination: { destinationType: 'ACCOUNT', ...BANK },
      },
      as: 'quote',
      main: true,
    },
    { call: 'executeQuote', params: { quoteId: '$quote.id' } },
  ],
};

/**
 * Returns the calls for a UMA payment that the platform approves by a call, so that nothing depends on the webhook
 * receiver.
 */
const received = (body: object, before: readonly CallStep[] = []): readonly Listed[] => [
  { ready: 'sandboxReceive' },
  ...before,
  { control: 'webhooks.pause' },
  { call: 'sandboxReceive', body, as: 'payment', main: true },
  { call: 'approvePendingPayment', params: { transactionId: '$payment.id' } },
  { control: 'webhooks.resume' },
];
const failedIn = received({ senderUmaAddress: '$fail.compliance.usd@sandbox.uma.money' });

/** The calls that lead to each event of an incoming payment. */
export const AFTER_INCOMING: Readonly<Record<string, After>> = {
  'INCOMING_PAYMENT.PENDING': ['sandboxReceive'],
  'INCOMING_PAYMENT.COMPLETED': ['createTransferIn'],
  'INCOMING_PAYMENT.FAILED': [
    { ready: 'createTransferIn' },
    bank('002'),
    { call: 'createTransferIn', body: { source: BANK, destination: ACCOUNT } },
  ],
  'INCOMING_PAYMENT.REFUND_PENDING': failedIn,
  'INCOMING_PAYMENT.REFUND_COMPLETED': failedIn,
  'INCOMING_PAYMENT.REFUND_FAILED': [
    { ready: 'createTransferIn' },
    ...received({ customerId: '$bank.customerId', receivingCurrencyCode: '$bank.currency' }, [
      bank('007', { defaultUmaDepositAccount: true }),
    ]),
  ],
};
