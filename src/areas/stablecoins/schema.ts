import * as z from 'zod';
import { lazy, named } from '../../contract/lazy.ts';
import { AnyValue, Moment, pageOf, pageQuery, Text } from '../../contract/shapes.ts';
import { secret } from '../../engine/secrets.ts';

export const PROVIDERS = ['STABLECOIN_PROVIDER_1'] as const;
export const NETWORKS = ['SPARK'] as const;
export const LINK_STATUSES = ['ACTIVE', 'INVALID', 'REVOKED'] as const;
export const ISSUANCE_STATUSES = ['PENDING_REVIEW', 'PROVISIONING', 'PROVISIONED', 'REJECTED', 'FAILED'] as const;
export const SERVICE_STATUSES = ['NOT_ENABLED', 'PENDING_APPROVAL', 'ENABLING', 'ENABLED', 'DISABLED'] as const;
export const OPERATION_TYPES = ['MINT', 'BURN'] as const;
export const OPERATION_STATUSES = [
  'CREATED',
  'PENDING_FUNDING',
  'PENDING_PROVIDER',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'EXPIRED',
] as const;
export const RAILS = ['WIRE', 'ACH_CREDIT', 'SAME_DAY_ACH_CREDIT', 'RTP_CREDIT'] as const;
export const SOURCE_TYPES = [
  'WIRE',
  'ACH_DEBIT',
  'SAME_DAY_ACH_DEBIT',
  'EXTERNAL_ACCOUNT',
  'SERVICE_INTERNAL_ACCOUNT',
  'PROVIDER_INTERNAL_BALANCE',
] as const;

const Provider = named('StablecoinProvider', () => z.enum(PROVIDERS));
const Network = named('StablecoinNetwork', () => z.enum(NETWORKS));
const Environment = named('StablecoinProviderEnvironment', () => z.enum(['SANDBOX', 'PRODUCTION']));
const LinkStatus = named('StablecoinProviderAccountStatus', () => z.enum(LINK_STATUSES));
const IssuanceStatus = named('StablecoinIssuanceStatus', () => z.enum(ISSUANCE_STATUSES));
const ServiceStatus = named('StablecoinOperationsStatus', () => z.enum(SERVICE_STATUSES));
const OperationType = named('StablecoinOperationType', () => z.enum(OPERATION_TYPES));

/** A name at the provider: long enough for any, short enough for a line. */
const Name = () => Text(255).min(1);
const Id = (example: string) =>
  z
    .string()
    .max(255)
    .meta({ examples: [example] });
const Digits = () => z.string().regex(/^[0-9]+$/, 'must be digits only');

export const ProviderAccountLink = named('StablecoinProviderAccountLinkRequest', () =>
  z.object({
    provider: Provider(),
    apiClientId: Name().describe('Client id of the API credentials that the provider gave out'),
    apiClientSecret: secret(Name()).describe('Checked with the provider, and never shown'),
    providerAccountId: Name()
      .optional()
      .describe('Which account at the provider, where the credentials open more than one'),
  }),
);

export const ProviderAccountShape = named('StablecoinProviderAccount', () =>
  z.strictObject({
    id: Id('StablecoinProviderAccount:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e11'),
    provider: Provider(),
    providerAccountId: z.string(),
    providerEnvironment: Environment(),
    status: LinkStatus(),
    lastVerifiedAt: Moment().optional().describe('When the provider last took the credentials'),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);
export const ProviderAccountPage = pageOf('StablecoinProviderAccountListResponse', ProviderAccountShape);
export const ProviderAccountQuery = lazy(() =>
  z.object({ provider: Provider().optional(), status: LinkStatus().optional(), ...pageQuery() }),
);

export const StablecoinRegister = named('StablecoinRegisterRequest', () =>
  z.object({
    providerTokenIdentifier: Name().describe('What the provider calls the token'),
    networkTokenIdentifier: Name().describe('What the network calls it'),
    network: Network(),
    stablecoinProviderAccountId: Id('StablecoinProviderAccount:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e11')
      .optional()
      .describe('Needed where more than one provider account is ACTIVE'),
  }),
);

export const StablecoinShape = named('Stablecoin', () =>
  z.strictObject({
    id: Id('Stablecoin:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e12'),
    name: z.string(),
    symbol: z.string(),
    baseCurrency: z.string().describe('The fiat currency that one unit stands for'),
    network: Network(),
    decimals: z.int(),
    issuanceStatus: IssuanceStatus(),
    serviceOperationsStatus: ServiceStatus(),
    networkTokenIdentifier: z.string(),
    currency: z.string().optional().describe('Its currency code here, while it is ENABLED'),
    provider: Provider(),
    stablecoinProviderAccountId: z.string(),
    providerEnvironment: Environment(),
    providerTokenIdentifier: z.string(),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);
export const StablecoinPage = pageOf('StablecoinListResponse', StablecoinShape);
export const StablecoinQuery = lazy(() =>
  z.object({
    issuanceStatus: IssuanceStatus().optional(),
    serviceOperationsStatus: ServiceStatus().optional(),
    provider: Provider().optional(),
    ...pageQuery(),
  }),
);

const bankDebit = <T extends string>(type: T) =>
  z.object({
    type: z.literal(type),
    externalAccountId: Id('ExternalAccount:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e13').describe('The bank account to debit'),
  });
const fromInternalAccount = () =>
  z.object({
    type: z.literal('SERVICE_INTERNAL_ACCOUNT'),
    accountId: Id('InternalAccount:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e14'),
  });

const MintFundingSource = named('StablecoinMintFundingSource', () =>
  z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('WIRE') }),
      bankDebit('ACH_DEBIT'),
      bankDebit('SAME_DAY_ACH_DEBIT'),
      fromInternalAccount(),
      z.object({
        type: z.literal('PROVIDER_INTERNAL_BALANCE'),
        sourceTokenIdentifier: Name(),
        cryptoNetwork: Name(),
      }),
    ])
    .describe('Internal accounts and balances at the provider are reserved: 400'),
);
const BurnSource = named('StablecoinBurnSource', () =>
  z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('EXTERNAL_ACCOUNT') }),
      fromInternalAccount(),
      z.object({ type: z.literal('PROVIDER_INTERNAL_BALANCE') }),
    ])
    .describe('Tokens sent from any wallet, or those at the provider; internal accounts are reserved: 400'),
);

const requested = () => ({
  amount: Digits()
    .max(78)
    .describe('In the smallest unit of the coin; it has to be whole cents')
    .meta({ examples: ['1000000'] }),
  description: Text(1024).optional(),
});

export const MintRequest = named('StablecoinMintRequest', () =>
  z.object({
    ...requested(),
    fundingSource: MintFundingSource(),
    destination: z
      .object({
        accountId: Id('ExternalAccount:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e15').describe(
          'A Spark wallet (ExternalAccount:), or an internal account that holds the currency of the coin',
        ),
      })
      .meta({ id: 'StablecoinMintDestination' }),
  }),
);

export const BurnRequest = named('StablecoinBurnRequest', () =>
  z.object({
    ...requested(),
    source: BurnSource(),
    destination: z
      .object({
        type: z.literal('EXTERNAL_ACCOUNT'),
        externalAccountId: Id('ExternalAccount:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e13').describe('The bank account paid'),
        rail: z.enum(RAILS),
      })
      .meta({ id: 'StablecoinBurnDestination' }),
  }),
);

export const OperationSource = named('StablecoinOperationSource', () =>
  z.strictObject({
    type: z.enum(SOURCE_TYPES),
    externalAccountId: z.string().optional(),
    accountId: z.string().optional(),
    sourceTokenIdentifier: z.string().optional(),
    cryptoNetwork: z.string().optional(),
  }),
);
export const OperationDestination = named('StablecoinOperationDestination', () =>
  z.strictObject({ accountId: z.string(), rail: z.enum(RAILS).optional() }),
);

const FundingInstructions = named('StablecoinFundingInstructions', () =>
  z
    .object({
      rail: z.string().optional(),
      network: z.string().optional(),
      address: z.string().optional().describe('Where tokens are sent to'),
      valueType: z.string().optional().describe('Which token is expected there'),
    })
    .catchall(AnyValue())
    .describe('For a wire: the bank account and the reference to name'),
);
const EstimatedDelivery = named('StablecoinEstimatedDelivery', () =>
  z
    .object({
      rail: z.string().optional(),
      amount: Digits().optional().describe('In cents'),
      currency: z.string().optional(),
      timing: z.string().optional(),
    })
    .catchall(AnyValue()),
);

export const OperationShape = named('StablecoinOperation', () =>
  z.strictObject({
    id: Id('StablecoinOperation:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e16'),
    stablecoinId: z.string(),
    operationType: OperationType(),
    status: z.enum(OPERATION_STATUSES).meta({ id: 'StablecoinOperationStatus' }),
    amount: z.string().describe('In the smallest unit of the coin'),
    provider: Provider(),
    providerEnvironment: Environment(),
    stablecoinProviderAccountId: z.string(),
    source: OperationSource().optional(),
    fundingInstructions: FundingInstructions().optional(),
    destination: OperationDestination().optional(),
    estimatedDelivery: EstimatedDelivery().optional(),
    expiresAt: Moment().optional().describe('Until when it waits for its funds'),
    providerStatus: z.string().optional(),
    failureReason: z.string().optional(),
    description: z.string().optional(),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);
export const OperationPage = pageOf('StablecoinOperationListResponse', OperationShape);
export const OperationQuery = lazy(() => z.object({ operationType: OperationType().optional(), ...pageQuery() }));
