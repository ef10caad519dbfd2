/** Where a reply goes beyond what the public contract declares: part of a row of `docs/profiles.md`. */
export interface Beyond {
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
  /** Values of a member besides those that the contract lists. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
}

const REFUSALS = [400, 401, 403, 404, 405, 409, 410, 412, 423, 424, 429, 500, 501, 503].map(
  (status) => `Error${status}`,
);

/** Members that the contract does not declare, by what the page calls their place. */
export const BEYOND_MEMBERS: Readonly<Record<string, Beyond & { members: readonly string[] }>> = {
  quotes: { shapes: ['Quote'], members: ['description'] },
  transactions: {
    shapes: ['OutgoingTransaction', 'IncomingTransaction', 'IncomingPaymentWebhookData'],
    members: ['senderUmaAddress', 'receiverUmaAddress'],
  },
  refusals: { shapes: REFUSALS, members: ['reason'] },
  businesses: { shapes: ['BusinessCustomer'], members: ['kycStatus'] },
  'bulk uploads': {
    shapes: ['BulkCustomerImportJobAccepted'],
    members: ['errors', 'id', 'progress'],
  },
  'the event TEST': { shapes: ['TestWebhookRequest'], members: ['data'] },
};

/** Codes that no enumeration of the contract has. */
export const BEYOND_CODES: readonly string[] = ['INSUFFICIENT_BALANCE', 'FUNDING_SOURCE_INELIGIBLE'];

/** All of it. */
export const BEYOND: readonly Beyond[] = [
  ...Object.values(BEYOND_MEMBERS),
  { shapes: ['Error400'], values: { code: BEYOND_CODES } },
  // A share of 12.5 percent.
  { shapes: ['BeneficialOwner'], fractions: ['ownershipPercentage'] },
  // A EUR_ACCOUNT of an individual without countryOfResidence.
  { only: 'grid', shapes: ['EurBeneficiary'], optional: ['countryOfResidence'] },
  // Confirming a contact answers with the whole customer, the contract with what all customers share.
  { shapes: ['Customer'], instead: 'CustomerOneOf' },
  // Creating a business of which nothing else is said.
  { only: 'spec', shapes: ['BusinessInfoResponse'], optional: ['legalName'] },
];
