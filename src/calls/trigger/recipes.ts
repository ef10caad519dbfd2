import { platformOf } from '../../areas/platform/index.ts';
import { isPutOff } from '../../engine/decide-later.ts';
import type { World } from '../../engine/world.ts';
import { Rows } from '../rows.ts';
import { FIRM } from '../samples.ts';
import type { Step } from './steps.ts';

/** What leads to an event in a world, or a sentence that says what its scenario lacks. */
type Recipe = readonly Step[] | ((world: World) => readonly Step[] | string);

/** Nobody decides on a customer who is named like this by themselves. */
const UNDECIDED = { fullName: 'Ada Keller 003' };
const WAITING_FIRM = {
  ...FIRM,
  email: '$email',
  phoneNumber: '$phoneNumber',
  businessInfo: { ...FIRM.businessInfo, registrationNumber: 'HRB 001' },
};

/** A customer goes through the hosted identity page. */
const hosted = (outcome: 'approve' | 'again' | 'reject' | 'pending', firm = false): readonly Step[] => [
  firm
    ? { call: 'createCustomer', body: WAITING_FIRM, whole: true, as: 'customer', main: true }
    : { call: 'createCustomer', body: UNDECIDED, as: 'customer', main: true },
  { call: 'createCustomerKycLink', params: { customerId: '$customer.id' }, as: 'link' },
  { page: '$link.kycUrl', outcome },
];
const decided =
  (fullName: string, outcome: 'approve' | 'reject'): Recipe =>
  (world) =>
    platformOf(world).regulated ? hosted(outcome) : [{ call: 'createCustomer', body: { fullName } }];

const out: Step = { call: 'createTransferOut' };

/** A bank account whose number ends in three digits that choose what becomes of payments. */
const bankEnding = (suffix: string, more: object = {}): Step => ({
  call: 'createCustomerExternalAccount',
  whole: true,
  body: {
    ...more,
    customerId: '$pair.customerId',
    currency: '$pair.currency',
    accountInfo: `$ending.${suffix}`,
  },
  as: 'bank',
});
const payer = (make: string): readonly Step[] => [{ ready: make }];
const transferOut = (suffix: string): readonly Step[] => [
  ...payer('createTransferOut'),
  bankEnding(suffix),
  {
    call: 'createTransferOut',
    body: { source: { accountId: '$pair.accountId' }, destination: { accountId: '$bank.id' } },
  },
];
const refundFails: readonly Step[] = [
  ...payer('createQuote'),
  bankEnding('007'),
  {
    call: 'createQuote',
    body: {
      source: { sourceType: 'ACCOUNT', accountId: '$pair.accountId' },
      destination: { destinationType: 'ACCOUNT', accountId: '$bank.id' },
    },
    as: 'quote',
    main: true,
  },
  { call: 'executeQuote', params: { quoteId: '$quote.id' } },
];

/** A payment by UMA that the platform approves, so that nothing depends on what the receiver of webhooks answers. */
const received = (body: Readonly<Record<string, unknown>>, before: readonly Step[] = []): readonly Step[] => [
  { ready: 'sandboxReceive' },
  ...before,
  { control: 'webhooks.pause' },
  { call: 'sandboxReceive', body, as: 'payment', main: true },
  { call: 'approvePendingPayment', params: { transactionId: '$payment.id' } },
  { control: 'webhooks.resume' },
];

const card = (...more: readonly Step[]): readonly Step[] => [{ ready: 'sandboxSimulateCardAuthorization' }, ...more];

const statusUpdated: Recipe = (world) => {
  if (isPutOff(world, 'external-account.activate')) return [{ call: 'createCustomerExternalAccount' }];
  if (!new Rows(world).newest('external-account-rules'))
    return 'accounts elsewhere are ACTIVE at once here: set platform.counterpartyRules: true or policies: { external-account.activate: after PT5S } in the scenario';
  return [
    {
      call: 'createCustomerExternalAccount',
      body: {
        currency: 'USDC',
        ownershipType: 'FIRST_PARTY',
        accountInfo: { accountType: 'BASE_WALLET', address: '0x{hex}' },
      },
      as: 'wallet',
      main: true,
    },
    {
      call: 'createExternalAccountOwnershipChallenge',
      params: { externalAccountId: '$wallet.id' },
    },
    { call: 'verifyExternalAccountOwnership', params: { externalAccountId: '$wallet.id' } },
  ];
};

const challenged: Recipe = (world) => {
  const region = (new Rows(world).newest('sca-rules')?.['regions'] as string[] | undefined)?.[0];
  if (region === undefined)
    return 'no payment has to be authorized here: set platform.sca: {} in the scenario, or start with --scenario sca';
  return [
    { call: 'createCustomer', body: { region }, as: 'customer' },
    {
      call: 'listCustomerInternalAccounts',
      params: {},
      query: { customerId: '$customer.id', currency: '$currency' },
      as: 'accounts',
    },
    {
      call: 'createQuote',
      body: {
        source: { sourceType: 'REALTIME_FUNDING', currency: '$currency', customerId: '$customer.id' },
        destination: { destinationType: 'ACCOUNT', accountId: '$accounts.data.0.id' },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 2500,
      },
      whole: true,
      main: true,
    },
  ];
};

/** What leads to each event, by its type. */
export const RECIPES: Readonly<Record<string, Recipe>> = {
  // It is sent beside all others and kept nowhere: what the receiver said is all that there is of it.
  TEST: [{ call: 'sendTestWebhook', as: 'aside' }],
  'CUSTOMER.KYC_PENDING': hosted('pending'),
  'CUSTOMER.KYC_APPROVED': decided('Ada Keller', 'approve'),
  'CUSTOMER.KYC_REJECTED': decided('Ada Keller 002', 'reject'),
  'CUSTOMER.KYB_PENDING': hosted('pending', true),
  'CUSTOMER.KYB_APPROVED': hosted('approve', true),
  'CUSTOMER.KYB_REJECTED': hosted('reject', true),
  'VERIFICATION.IN_PROGRESS': hosted('approve'),
  'VERIFICATION.PENDING_MANUAL_REVIEW': hosted('pending'),
  'VERIFICATION.RESOLVE_ERRORS': hosted('again'),
  'VERIFICATION.APPROVED': hosted('approve'),
  'VERIFICATION.REJECTED': hosted('reject'),
  'BULK_UPLOAD.COMPLETED': [{ call: 'uploadCustomersCsv' }],
  'BULK_UPLOAD.FAILED': [
    {
      call: 'uploadCustomersCsv',
      body: { file: { name: 'broken.csv', type: 'text/csv', text: 'customerType,fullName\n"never closed' } },
    },
  ],
  'EXTERNAL_ACCOUNT.STATUS_UPDATED': statusUpdated,
  'INVITATION.CLAIMED': [
    { call: 'createInvitation', as: 'invitation', main: true },
    { call: 'claimInvitation', params: { invitationCode: '$invitation.code' } },
  ],
  'INTERNAL_ACCOUNT.BALANCE_UPDATED': [{ call: 'sandboxFundInternalAccount' }],
  'INCOMING_PAYMENT.PENDING': [{ call: 'sandboxReceive' }],
  'INCOMING_PAYMENT.COMPLETED': [{ call: 'createTransferIn' }],
  'INCOMING_PAYMENT.FAILED': [
    ...payer('createTransferIn'),
    bankEnding('002'),
    {
      call: 'createTransferIn',
      body: { source: { accountId: '$bank.id' }, destination: { accountId: '$pair.accountId' } },
    },
  ],
  'INCOMING_PAYMENT.REFUND_PENDING': received({ senderUmaAddress: '$fail.compliance.usd@sandbox.uma.money' }),
  'INCOMING_PAYMENT.REFUND_COMPLETED': received({ senderUmaAddress: '$fail.compliance.usd@sandbox.uma.money' }),
  'INCOMING_PAYMENT.REFUND_FAILED': received(
    { customerId: '$bank.customerId', receivingCurrencyCode: '$pair.currency' },
    [...payer('createTransferIn'), bankEnding('007', { defaultUmaDepositAccount: true })],
  ),
  OUTGOING_PAYMENT: [out],
  'OUTGOING_PAYMENT.PENDING': [out],
  'OUTGOING_PAYMENT.PENDING_AUTHORIZATION': challenged,
  'OUTGOING_PAYMENT.PROCESSING': [out],
  'OUTGOING_PAYMENT.COMPLETED': [out],
  'OUTGOING_PAYMENT.FAILED': transferOut('003'),
  'OUTGOING_PAYMENT.EXPIRED': [{ call: 'createQuote' }],
  'OUTGOING_PAYMENT.REFUND_PENDING': transferOut('003'),
  'OUTGOING_PAYMENT.REFUND_COMPLETED': transferOut('003'),
  'OUTGOING_PAYMENT.REFUND_FAILED': refundFails,
  'AGENT_ACTION.PENDING_APPROVAL': [
    ...payer('createTransferOut'),
    {
      call: 'createAgent',
      body: {
        policy: {
          permissions: ['VIEW_TRANSACTIONS', 'CREATE_TRANSFERS'],
          defaultExecutionMode: 'APPROVAL_REQUIRED',
          spendingLimits: { currency: '$currency', perTransactionLimit: 9_000_000 },
        },
      },
      as: 'agent',
    },
    { call: 'redeemAgentDeviceCode', params: { code: '$agent.deviceCode.code' } },
    { call: 'agentCreateTransferOut', main: true },
  ],
  'CARD.STATE_CHANGE': [{ call: 'createCard' }],
  'CARD.FUNDING_SOURCE_CHANGE': [
    { ready: 'updateCardById' },
    { call: 'getCardById', as: 'card' },
    {
      call: 'updateCardById',
      params: { id: '$card.id' },
      body: { fundingSources: '$card.fundingSources' },
      whole: true,
    },
  ],
  'CARD_TRANSACTION.AUTHORIZED': card({ call: 'sandboxSimulateCardAuthorization' }),
  'CARD_TRANSACTION.PARTIALLY_SETTLED': card(
    { call: 'sandboxSimulateCardAuthorization', main: true },
    { call: 'sandboxSimulateCardClearing', body: { amount: 1 } },
  ),
  'CARD_TRANSACTION.SETTLED': card({ call: 'sandboxSimulateCardFinancialAuthorization' }),
  'CARD_TRANSACTION.REFUNDED': card(
    { call: 'sandboxSimulateCardFinancialAuthorization', main: true },
    { call: 'sandboxSimulateCardReturn' },
  ),
  'CARD_TRANSACTION.EXCEPTION': card({
    call: 'sandboxSimulateCardAuthorization',
    body: { merchant: { descriptor: 'PIER 006', mcc: '5812', country: 'US' } },
  }),
};
