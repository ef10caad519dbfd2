/** Where we differ from what the public contract declares of a named shape: part of a row of `docs/profiles.md`. */
export interface Beyond {
  /** What the page says of it, or how that begins: the reason. */
  readonly row: string;
  /** The one profile in which they do. */
  readonly only?: 'spec' | 'grid';
  /** Shapes of the contract. */
  readonly shapes: readonly string[];
  /** Members that they have besides. */
  readonly members?: readonly string[];
  /** The shape that it has instead. */
  readonly instead?: string;
  /** Members that may be missing. */
  readonly optional?: readonly string[];
  /** Whole numbers that may be fractions. */
  readonly fractions?: readonly string[];
  /** Members that are always there. */
  readonly required?: readonly string[];
  /** Members that are never there. */
  readonly never?: readonly string[];
  /** Values of a member besides those that the contract lists. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** Values of a member that never occur. */
  readonly neverValues?: Readonly<Record<string, readonly string[]>>;
}

const REFUSALS = [400, 401, 403, 404, 405, 409, 410, 412, 423, 424, 429, 500, 501, 503].map(
  (status) => `Error${status}`,
);

const UNDECLARED = 'members that the public contract does not declare';
const SHOWN = 'members that are always shown, and the public contract lets be missing';

/** Members that the contract does not declare, by what the page calls their place. */
export const BEYOND_MEMBERS: Readonly<Record<string, Beyond & { members: readonly string[] }>> = {
  quotes: { row: UNDECLARED, shapes: ['Quote'], members: ['description'] },
  transactions: {
    row: UNDECLARED,
    shapes: ['OutgoingTransaction', 'IncomingTransaction', 'IncomingPaymentWebhookData'],
    members: ['senderUmaAddress', 'receiverUmaAddress'],
  },
  refusals: { row: UNDECLARED, shapes: REFUSALS, members: ['reason'] },
  businesses: { row: UNDECLARED, shapes: ['BusinessCustomer'], members: ['kycStatus'] },
  'bulk uploads': {
    row: UNDECLARED,
    shapes: ['BulkCustomerImportJobAccepted'],
    members: ['errors', 'id', 'progress'],
  },
  'the event TEST': { row: UNDECLARED, shapes: ['TestWebhookRequest'], members: ['data'] },
};

/** Members that replies always have, and the contract lets be missing, by what the page calls their place. */
export const ALWAYS: Readonly<Record<string, Beyond & { required: readonly string[] }>> = {
  customers: {
    row: SHOWN,
    shapes: ['IndividualCustomer', 'BusinessCustomer'],
    required: ['id', 'createdAt', 'updatedAt', 'currencies', 'isDeleted'],
  },
  individuals: { row: SHOWN, shapes: ['IndividualCustomer'], required: ['kycStatus'] },
  businesses: { row: SHOWN, shapes: ['BusinessCustomer'], required: ['kycStatus', 'kybStatus', 'beneficialOwners'] },
  transactions: {
    row: SHOWN,
    shapes: ['OutgoingTransaction', 'IncomingTransaction', 'IncomingPaymentWebhookData'],
    required: ['createdAt', 'updatedAt'],
  },
  'the platform': {
    row: SHOWN,
    shapes: ['PlatformConfig'],
    required: [
      'id',
      'umaDomain',
      'proxyUmaSubdomain',
      'supportedCurrencies',
      'isRegulatedFinancialInstitution',
      'feeConfigs',
      'createdAt',
      'updatedAt',
    ],
  },
  'rows of a bulk upload': { row: SHOWN, shapes: ['BulkCustomerImportErrorEntry'], required: ['code', 'message'] },
  'bulk uploads': { row: SHOWN, shapes: ['BulkCustomerImportJobAccepted'], required: ['id', 'progress'] },
  'banks of a country': { row: SHOWN, shapes: ['DiscoveryListResponse'], required: ['data'] },
  'UMA providers': { row: SHOWN, shapes: ['UmaProviderListResponse'], required: ['data', 'hasMore'] },
};

/** Codes that no enumeration of the contract has. */
export const BEYOND_CODES: readonly string[] = ['INSUFFICIENT_BALANCE', 'FUNDING_SOURCE_INELIGIBLE'];

/** All of it. */
export const BEYOND: readonly Beyond[] = [
  ...Object.values(BEYOND_MEMBERS),
  ...Object.values(ALWAYS),
  { row: 'Members that are never shown', shapes: ['IndividualCustomer'], never: ['identifier'] },
  {
    row: '`PENDING` for a bulk import',
    shapes: ['BulkCustomerImportJob', 'BulkCustomerImportJobAccepted'],
    neverValues: { status: ['PENDING'] },
  },
  {
    row: 'error codes that the public contract does not declare',
    shapes: ['Error400'],
    values: { code: BEYOND_CODES },
  },
  { row: 'a share of 12.5 percent', shapes: ['BeneficialOwner'], fractions: ['ownershipPercentage'] },
  {
    row: 'a EUR_ACCOUNT of an individual without countryOfResidence',
    only: 'grid',
    shapes: ['EurBeneficiary'],
    optional: ['countryOfResidence'],
  },
  { row: 'replies to the two confirmations of a contact', shapes: ['Customer'], instead: 'CustomerOneOf' },
  {
    row: 'creating a business of which nothing else is said',
    only: 'spec',
    shapes: ['BusinessInfoResponse'],
    optional: ['legalName'],
  },
];

/** Where a request may say more than the contract declares, or has to: part of a row of the same page. */
export interface BeyondRequest {
  readonly row: string;
  readonly operations: readonly string[];
  /** Optional members, at any depth, may be null. */
  readonly nulls?: true;
  /** Members that may be missing here, by their way from the body. */
  readonly optional?: readonly string[];
  /** Members that have to be there here. */
  readonly required?: readonly string[];
  /** Members that are taken besides. */
  readonly members?: readonly string[];
  /** The alternatives of the contract are one object, of which every member that is not in all of them may be missing. */
  readonly merged?: true;
}

/** All of it, in profile `grid`. */
export const BEYOND_REQUESTS: readonly BeyondRequest[] = [
  {
    operations: ['updateCustomerById', 'updateBeneficialOwner', 'updatePlatformConfig'],
    row: 'null in PATCH; for what a currency requires; on create',
    nulls: true,
  },
  {
    operations: ['challengeAuthCredential', 'verifyAuthCredential'],
    row: 'null as the clientPublicKey of a challenge; as the userHandle of an assertion',
    nulls: true,
  },
  {
    operations: ['updateCustomerById'],
    row: 'PATCH of a customer without customerType; with another',
    optional: ['customerType'],
    members: ['platformCustomerId', 'region'],
    merged: true,
  },
  {
    operations: ['updatePlatformConfig'],
    row: 'PATCH of the configuration with the code of a currency alone',
    optional: ['minAmount', 'maxAmount', 'requiredCounterpartyFields', 'enabledTransactionTypes'].map(
      (member) => `supportedCurrencies.${member}`,
    ),
  },
  {
    operations: [
      'sandboxSimulateCardAuthorization',
      'sandboxSimulateCardCreditAuthorization',
      'sandboxSimulateCardFinancialAuthorization',
      'sandboxSimulateCardFinancialCreditAuthorization',
      'sandboxSimulateCardCreditAuthorizationAdvice',
    ],
    row: 'a card payment in a currency without its code',
    required: ['currency.code'],
  },
];
