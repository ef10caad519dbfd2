import type { Source } from './values.ts';

type Recipe = (source: Source) => unknown;

const NONE = '00000000-0000-7000-8000-000000000000';
const idOf = ({ memory, random }: Source, type: string): string => memory.id(random, type) ?? `${type}:${NONE}`;
const accountOf = (source: Source, kind: 'Internal' | 'External', currency?: string, owner?: string): string =>
  source.memory.account(source.random, kind, currency, owner)?.id ?? `${kind}Account:${NONE}`;

const MERCHANTS = ['NORTH PIER CAFE', 'NORTH PIER CAFE', 'PIER 002', 'PIER 003', 'PIER 005', 'PIER 006'];
const authorization: Recipe = ({ random }) => ({
  amount: random.of([1, 100, 2500]),
  currency: { code: random.once(0.9) ? 'USD' : 'EUR' },
  merchant: { descriptor: random.of(MERCHANTS), mcc: '5812', country: 'US' },
});
const withAmount: Recipe = (source) => ({
  cardTransactionId: idOf(source, 'CardTransaction'),
  amount: source.random.of([1, 50, 100, 2500, 5000]),
});

const PERMISSIONS = [
  'VIEW_TRANSACTIONS',
  'CREATE_TRANSFERS',
  'CREATE_QUOTES',
  'EXECUTE_QUOTES',
  'MANAGE_EXTERNAL_ACCOUNTS',
];
const limits = ({ random }: Source) => ({
  currency: random.of(['USD', 'USD', 'EUR']),
  perTransactionLimit: random.of([2500, 100_000]),
  ...(random.once(0.5) ? { dailyLimit: random.of([5000, null]), dailyTransactionLimit: 3, monthlyLimit: 10_000 } : {}),
});
const policy = (source: Source) => ({
  permissions: source.random.once(0.8) ? PERMISSIONS : PERMISSIONS.slice(0, 2),
  defaultExecutionMode: source.random.of(['AUTO', 'AUTO', 'APPROVAL_REQUIRED']),
  spendingLimits: limits(source),
  ...(source.random.once(0.4) ? { approvalThresholds: { currency: 'USD', amount: 1000 } } : {}),
  ...(source.random.once(0.3)
    ? { accountRestrictions: { accountRules: [{ accountId: accountOf(source, 'Internal'), executionMode: 'AUTO' }] } }
    : {}),
});

const proof: Recipe = (source) => {
  const { random, memory } = source;
  const challengeId = memory.id(random, 'ScaChallenge');
  return { ...(challengeId ? { challengeId } : {}), code: random.of(['123456', '123456', '999999']) };
};
const tokens = ({ random }: Source): string => random.of(['10000', '250000000', '9007199254740993000000', '12345']);

/** Bodies of agents, cards, strong customer authentication and stablecoins that the schema alone would rarely get right. */
export const EXTENDED: Readonly<Record<string, Recipe>> = {
  createAgent: (source) => ({ name: 'Buyer', customerId: idOf(source, 'Customer'), policy: policy(source) }),
  updateAgentPolicy: (source) => ({ spendingLimits: limits(source) }),
  createCard: (source) => {
    const account = source.memory.account(source.random, 'Internal', source.random.of(['USD', 'USDB']));
    const suffix = source.random.of(['main', 'main', 'main', '-001', '-002', '-005']);
    return {
      cardholderId: account?.customerId ?? idOf(source, 'Customer'),
      form: 'VIRTUAL',
      fundingSources: [account?.id ?? `InternalAccount:${NONE}`],
      platformCardId: `card-${source.random.below(1e6)}-${suffix}`,
      ...(source.random.once(0.3) ? { maxSpendPerTransaction: 1000 } : {}),
    };
  },
  updateCardById: ({ random }) =>
    random.of([{ state: 'FROZEN' }, { state: 'ACTIVE' }, { maxSpendPerTransaction: 500 }, { state: 'CLOSED' }]),
  sandboxSimulateCardAuthorization: authorization,
  sandboxSimulateCardCreditAuthorization: authorization,
  sandboxSimulateCardFinancialAuthorization: authorization,
  sandboxSimulateCardFinancialCreditAuthorization: authorization,
  sandboxSimulateCardCreditAuthorizationAdvice: authorization,
  sandboxSimulateCardAuthorizationAdvice: withAmount,
  sandboxSimulateCardClearing: withAmount,
  sandboxSimulateCardReturn: withAmount,
  sandboxSimulateCardReturnReversal: (source) => ({ cardTransactionId: idOf(source, 'CardTransaction') }),
  createDelegatedKey: (source) => ({
    cardId: idOf(source, 'Card'),
    internalAccountId: accountOf(source, 'Internal', 'USDB'),
    nickname: 'spending',
  }),
  authorizeQuote: ({ random }) => ({ code: random.of(['123456', '123456', '123456', '999999']) }),
  confirmBeneficiaryTrust: proof,
  confirmBeneficiaryUntrust: proof,
  confirmScaFactorEnrollment: ({ memory, random }) => ({
    type: 'TOTP',
    secret: memory.named(random, 'secret') ?? 'none',
    code: random.of(['123456', '123456', '654321']),
  }),
  completeScaLogin: ({ memory, random }) => ({
    factor: random.of(['SMS_OTP', 'SMS_OTP', 'TOTP']),
    endUserIpAddress: '203.0.113.7',
    challengeId: memory.named(random, 'challengeId') ?? 'none',
    code: random.of(['123456', '123456', '999999']),
  }),
  linkStablecoinProviderAccount: ({ random }) => ({
    provider: 'STABLECOIN_PROVIDER_1',
    apiClientId: `client-${random.below(1e6)}`,
    apiClientSecret: 'hush',
  }),
  registerStablecoin: (source) => ({
    providerTokenIdentifier: `COIN${source.random.below(100)}`,
    networkTokenIdentifier: `btkn1${source.random.below(1e6)}`,
    network: 'SPARK',
    stablecoinProviderAccountId: idOf(source, 'StablecoinProviderAccount'),
  }),
  createStablecoinMint: (source) => ({
    amount: tokens(source),
    fundingSource: source.random.once(0.5)
      ? { type: 'WIRE' }
      : { type: 'ACH_DEBIT', externalAccountId: accountOf(source, 'External', 'USD') },
    destination: {
      accountId: source.random.once(0.5)
        ? accountOf(source, 'Internal', 'USDB')
        : accountOf(source, 'External', 'USDB'),
    },
  }),
  createStablecoinBurn: (source) => ({
    amount: tokens(source),
    source: { type: source.random.of(['EXTERNAL_ACCOUNT', 'PROVIDER_INTERNAL_BALANCE']) },
    destination: {
      type: 'EXTERNAL_ACCOUNT',
      externalAccountId: accountOf(source, 'External', 'USD'),
      rail: source.random.of(['WIRE', 'ACH_CREDIT']),
    },
  }),
};

/** What a client does next, after a call that was done. */
export const EXTENDED_NEXT: Readonly<Record<string, readonly string[]>> = {
  createAgent: ['redeemAgentDeviceCode', 'getAgentDeviceCodeStatus'],
  redeemAgentDeviceCode: ['agentCreateTransferOut', 'agentCreateTransferOut', 'agentCreateQuote', 'getAgentMe'],
  agentCreateQuote: ['agentExecuteQuote', 'agentGetQuote'],
  agentExecuteQuote: ['agentGetAction', 'approveAgentAction'],
  agentCreateTransferOut: ['approveAgentAction', 'rejectAgentAction', 'listAgentApprovals'],
  createCard: ['sandboxSimulateCardAuthorization', 'sandboxSimulateCardFinancialAuthorization', 'revealCard'],
  sandboxSimulateCardAuthorization: ['listTransactions', 'sandboxSimulateCardClearing', 'sandboxSimulateCardClearing'],
  sandboxSimulateCardClearing: ['sandboxSimulateCardReturn', 'sandboxSimulateCardReturnReversal'],
  startScaFactorEnrollment: ['confirmScaFactorEnrollment'],
  startScaLogin: ['completeScaLogin'],
  startTwoFactorReset: ['getTwoFactorResetStatus', 'completeTwoFactorReset'],
  startBeneficiaryTrust: ['confirmBeneficiaryTrust', 'startBeneficiaryUntrust'],
  startBeneficiaryUntrust: ['confirmBeneficiaryUntrust'],
  executeQuote: ['authorizeQuote', 'resendQuoteScaCode'],
  linkStablecoinProviderAccount: ['registerStablecoin'],
  registerStablecoin: ['createStablecoinMint', 'createStablecoinBurn'],
  createStablecoinMint: ['getStablecoinOperation'],
};

/** What fills a new sandbox besides. */
export const EXTENDED_FIRST: readonly string[] = [
  'createAgent',
  'redeemAgentDeviceCode',
  'createCard',
  'createCard',
  'sandboxSimulateCardAuthorization',
  'linkStablecoinProviderAccount',
  'registerStablecoin',
  'listScaFactors',
];
