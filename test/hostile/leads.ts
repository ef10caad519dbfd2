import { CUSTOMERS } from '../../src/areas/customers/index.ts';
import { SoftwareAuthenticator } from '../../src/testkit/index.ts';
import type { Body, Teller } from './stories.ts';

type Lead = (story: Teller) => Promise<unknown>;

const FIRST_PARTY = {
  currency: 'USDC',
  ownershipType: 'FIRST_PARTY',
  accountInfo: { accountType: 'BASE_WALLET', address: '0x52908400098527886E0F7030069857D2E4169EE7' },
};
const FIRM = {
  customerType: 'BUSINESS',
  businessInfo: {
    legalName: 'North Pier Trading LLC',
    country: 'US',
    taxId: '81-5550199',
    registrationNumber: 'HRB 555',
    incorporatedOn: '2019-04-30',
    entityType: 'LLC',
    countriesOfOperation: ['US'],
    businessType: 'WHOLESALE_TRADE',
    purposeOfAccount: 'SUPPLIER_PAYMENTS',
    sourceOfFunds: 'sales',
    expectedMonthlyTransactionCount: 'COUNT_UNDER_10',
    expectedMonthlyTransactionVolume: 'VOLUME_UNDER_10K',
  },
};

/** Somebody whom strong customer authentication concerns. */
const swede = async (story: Teller): Promise<string> => {
  const n = story.sandbox().world.rows(CUSTOMERS).size;
  const phoneNumber = `+4670174${String(n % 10_000).padStart(4, '0')}`;
  return (await story.done('createCustomer', { body: { region: 'SE', phoneNumber } })).id;
};
const firm: Lead = (story) => story.done('createCustomer', { body: { fullName: undefined, ...FIRM } });

/** A quote that somebody has to push money for. */
const pushed = async (story: Teller, customerId: string): Promise<Body> => {
  const query = { customerId, currency: 'USD' };
  const { data } = await story.done('listCustomerInternalAccounts', { query });
  const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId };
  const destination = { destinationType: 'ACCOUNT', accountId: data[0].id };
  return story.done('createQuote', { body: { source, destination } });
};
/** A payment that waits for a code. */
const challenged: Lead = async (story) => pushed(story, await swede(story));

const wallet =
  (maker: string): Lead =>
  (story) =>
    story.done(maker, { body: FIRST_PARTY });

/** An agent whose orders wait for the platform, and one of them. */
const waiting: Lead = async (story) => {
  const policy = {
    permissions: ['VIEW_TRANSACTIONS', 'CREATE_TRANSFERS'],
    defaultExecutionMode: 'APPROVAL_REQUIRED',
    spendingLimits: { currency: 'USD', perTransactionLimit: 9_000_000 },
  };
  await story.ready('createTransferOut');
  await story.done('createAgent', { body: { policy } });
  await story.done('redeemAgentDeviceCode');
  await story.done('agentCreateTransferOut');
};

/** A payment that came in while the platform does not hear of it, so that it is not decided. */
const undecided: Lead = async (story) => {
  await story.control('POST', '/webhooks/pause');
  await story.done('sandboxReceive');
};

/** A card that a wallet pays for. */
const walletCard: Lead = async (story) => {
  const { data } = await story.done('listCustomerInternalAccounts', { query: { type: 'EMBEDDED_WALLET' } });
  const own = data[0] ?? (await made(story));
  await story.done('createCard', { body: { cardholderId: own.customerId, fundingSources: [own.id] } });
};
const made = async (story: Teller): Promise<Body> => {
  const { id: customerId } = await story.done('createCustomer');
  return (await story.done('listCustomerInternalAccounts', { query: { customerId, type: 'EMBEDDED_WALLET' } })).data[0];
};

/** A session of the teller's own, so that it can sign for it. */
const session: Lead = async (story) => {
  const { data } = await story.done('listCustomerInternalAccounts', { query: { type: 'EMBEDDED_WALLET' } });
  await story.login((data[0] ?? (await made(story))).id);
};

const passkey: Lead = async (story) => {
  const customerId = await swede(story);
  const { options, allowedOrigins } = await story.done('startScaFactorEnrollment', {
    query: { customerId },
    body: { type: 'PASSKEY' },
  });
  const [origin] = allowedOrigins;
  const credential = new SoftwareAuthenticator({ origin, seed: customerId }).create(options);
  // What stands for a TOTP factor in the example is not a member of this one.
  const body = { type: 'PASSKEY', origin, credential, secret: undefined, code: undefined };
  await story.finish('confirmScaFactorEnrollment', { params: {}, query: { customerId }, headers: {}, body });
};

/** What has to be done before an operation that no single other one prepares. */
export const LEADS: Readonly<Record<string, Lead>> = {
  listScaFactors: swede,
  startScaFactorEnrollment: swede,
  startScaLogin: swede,
  recordSecurityEvent: swede,
  startTwoFactorReset: swede,
  deleteScaFactor: passkey,
  completeTwoFactorReset: async (story) => {
    const { resetId } = await story.done('startTwoFactorReset');
    await story.control('POST', `/sca-resets/${resetId}/liveness`, { outcome: 'LIVENESS_PASSED' });
  },
  startBeneficiaryTrust: async (story) => {
    const customerId = await swede(story);
    await story.done('createCustomerExternalAccount', { body: { customerId } });
  },
  authorizeQuote: challenged,
  resendQuoteScaCode: challenged,
  sandboxSend: async (story) => pushed(story, (await story.done('createCustomer')).id),
  createBeneficialOwner: firm,
  listBeneficialOwners: firm,
  createExternalAccountOwnershipChallenge: wallet('createCustomerExternalAccount'),
  createPlatformExternalAccountOwnershipChallenge: wallet('createPlatformExternalAccount'),
  approvePendingPayment: undecided,
  rejectPendingPayment: undecided,
  approveAgentAction: waiting,
  rejectAgentAction: waiting,
  createStablecoinMint: (story) => story.done('registerStablecoin', { body: { providerTokenIdentifier: 'USDB' } }),
  createDelegatedKey: walletCard,
  refreshAuthSession: session,
  revokeAuthSession: session,
};
