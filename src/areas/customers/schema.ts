import * as z from 'zod';
import { lazy, named } from '../../contract/lazy.ts';
import {
  Address,
  Country,
  CurrencyCode,
  clearable,
  Day,
  Email,
  Moment,
  Phone,
  pageOf,
  pageQuery,
  QueryBoolean,
  QueryMoment,
  SentMoment,
  Text,
} from '../../contract/shapes.ts';
import { secret } from '../../engine/secrets.ts';

export const CUSTOMER_TYPES = ['INDIVIDUAL', 'BUSINESS'] as const;
/** The specification's three states; `UNVERIFIED` and `HOLD` are from the public contract (profile `grid`). */
export const STATUSES = ['PENDING', 'APPROVED', 'REJECTED', 'UNVERIFIED', 'HOLD'] as const;
export type Status = (typeof STATUSES)[number];
export type CustomerType = (typeof CUSTOMER_TYPES)[number];

export const CustomerTypeShape = named('CustomerType', () => z.enum(CUSTOMER_TYPES));
const KycStatus = named('KycStatus', () => z.enum(STATUSES));

/**
 * The characters allowed between the letters of a name, in any script: full stop, comma, hyphens, dashes and
 * apostrophes (Hebrew and Armenian ones, too). The middle dots of Catalan, Katakana and Tibetan are allowed as well.
 * Joiners count as part of a word.
 */
const WITHIN = ".,'’‘\\-‐‑–·・･゠\\u055A\\u05F3\\u05F4\\u0F0B";
const WORD = String.raw`[\p{L}\p{M}\p{N}\u200C\u200D]+`;
const SPACE = String.raw`[ \u00A0\u3000]`;

/**
 * The name of a person or company: letters of any script, digits, and the marks that occur in names (spec 2.1,
 * fullName).
 */
const FullName = lazy(() =>
  z
    .string()
    .max(200)
    .regex(
      new RegExp(`^['’‘]?${WORD}(?:(?:${SPACE}|${SPACE}?[${WITHIN}]+${SPACE}?)${WORD})*[.'’\\u0F0B]?$`, 'u'),
      'must not contain special characters or excessive spaces',
    )
    .describe('Letters of any script and digits, with the marks and single spaces that names have'),
);

export const ID_TYPES = ['SSN', 'ITIN', 'EIN', 'NON_US_TAX_ID'] as const;
const PURPOSES = [
  'CONTRACTOR_PAYOUTS',
  'CREATOR_PAYOUTS',
  'EMPLOYEE_PAYOUTS',
  'MARKETPLACE_SELLER_PAYOUTS',
  'SUPPLIER_PAYMENTS',
  'CROSS_BORDER_B2B',
  'AR_AUTOMATION',
  'AP_AUTOMATION',
  'EMBEDDED_PAYMENTS',
  'PLATFORM_FEE_COLLECTION',
  'P2P_TRANSFERS',
  'CHARITABLE_DONATIONS',
  'OTHER',
] as const;
const MONTHLY_COUNTS = [
  'COUNT_UNDER_10',
  'COUNT_10_TO_100',
  'COUNT_100_TO_500',
  'COUNT_500_TO_1000',
  'COUNT_OVER_1000',
] as const;
const MONTHLY_VOLUMES = [
  'VOLUME_UNDER_10K',
  'VOLUME_10K_TO_100K',
  'VOLUME_100K_TO_1M',
  'VOLUME_1M_TO_10M',
  'VOLUME_OVER_10M',
] as const;
const BUSINESS_TYPES = [
  'AGRICULTURE_FORESTRY_FISHING_AND_HUNTING',
  'MINING_QUARRYING_AND_OIL_AND_GAS_EXTRACTION',
  'UTILITIES',
  'CONSTRUCTION',
  'MANUFACTURING',
  'WHOLESALE_TRADE',
  'RETAIL_TRADE',
  'TRANSPORTATION_AND_WAREHOUSING',
  'INFORMATION',
  'FINANCE_AND_INSURANCE',
  'REAL_ESTATE_AND_RENTAL_AND_LEASING',
  'PROFESSIONAL_SCIENTIFIC_AND_TECHNICAL_SERVICES',
  'MANAGEMENT_OF_COMPANIES_AND_ENTERPRISES',
  'ADMINISTRATIVE_AND_SUPPORT_AND_WASTE_MANAGEMENT_AND_REMEDIATION_SERVICES',
  'EDUCATIONAL_SERVICES',
  'HEALTH_CARE_AND_SOCIAL_ASSISTANCE',
  'ARTS_ENTERTAINMENT_AND_RECREATION',
  'ACCOMMODATION_AND_FOOD_SERVICES',
  'OTHER_SERVICES',
  'PUBLIC_ADMINISTRATION',
] as const;
const ENTITY_TYPES = [
  'SOLE_PROPRIETORSHIP',
  'PARTNERSHIP',
  'LLC',
  'CORPORATION',
  'S_CORPORATION',
  'NON_PROFIT',
  'PUBLICLY_LISTED_COMPANY',
  'TRUST',
  'PRIVATE_FOUNDATION',
  'CHARITY',
  'OTHER',
] as const;

export const EndUserTermsConsent = named('EndUserTermsConsent', () =>
  z.object({
    acceptedAt: SentMoment(),
    ipAddress: Text(45).min(1),
    termsVersion: Text(64).min(1),
    acceptanceMethod: z.enum(['CHECKBOX', 'CLICK_TO_ACCEPT']),
  }),
);

/** The members of an individual, all optional (spec 2.1). */
export const individual = () => ({
  fullName: FullName().optional(),
  birthDate: Day().optional(),
  nationality: Country().optional(),
  address: Address().optional(),
  idType: z.enum(ID_TYPES).optional(),
  countryOfIssuance: Country().optional(),
  sourceOfFundsCategories: z
    .array(
      z.enum([
        'SALARY',
        'SELF_EMPLOYMENT_INCOME',
        'INVESTMENT_INCOME',
        'PENSION',
        'RENTAL_INCOME',
        'GIFT',
        'INHERITANCE',
        'LOAN',
        'SAVINGS',
        'SALE_OF_ASSETS',
        'OTHER',
      ]),
    )
    .max(20)
    .optional(),
  sourceOfFundsOtherDescription: Text(500).min(1).optional(),
  sourceOfWealthCategories: z
    .array(
      z.enum([
        'SALARY',
        'BUSINESS_INCOME',
        'INVESTMENTS',
        'INHERITANCE',
        'PROPERTY_SALE',
        'GIFT',
        'RETIREMENT',
        'SAVINGS',
        'OTHER',
      ]),
    )
    .max(20)
    .optional(),
  sourceOfWealthOtherDescription: Text(500).min(1).optional(),
  purposeOfAccount: z.enum(PURPOSES).optional(),
  purposeOfAccountOtherDescription: Text(500).min(1).optional(),
  expectedMonthlyTransactionCount: z.enum(MONTHLY_COUNTS).optional(),
  expectedMonthlyTransactionVolume: z.enum(MONTHLY_VOLUMES).optional(),
  annualIncomeRange: z.enum(['UNDER_50K', 'RANGE_50K_100K', 'RANGE_100K_250K', 'RANGE_250K_1M', 'OVER_1M']).optional(),
  netWorthRange: z
    .enum(['UNDER_100K', 'RANGE_100K_500K', 'RANGE_500K_1M', 'RANGE_1M_5M', 'RANGE_5M_25M', 'OVER_25M'])
    .optional(),
  pepStatus: z.enum(['NONE', 'DOMESTIC', 'FOREIGN', 'HIO', 'FAMILY_OR_ASSOCIATE']).optional(),
});

/** Returns members that are accepted and stored, but never shown again. */
const writeOnly = () => ({ identifier: secret(Text(64).min(1)).optional().meta({ writeOnly: true }) });

export const BusinessInfo = named('BusinessInfo', () =>
  z.object({
    legalName: Text(255).min(1).optional(),
    doingBusinessAs: Text(255).min(1).optional(),
    country: Country().optional(),
    registrationNumber: Text(100).min(1).optional(),
    incorporatedOn: Day().optional(),
    entityType: z.enum(ENTITY_TYPES).optional(),
    taxId: secret(Text(64).min(1)).optional(),
    countriesOfOperation: z.array(Country()).max(250).optional(),
    businessType: z.enum(BUSINESS_TYPES).optional(),
    purposeOfAccount: z.enum(PURPOSES).optional(),
    sourceOfFunds: Text(500).min(1).optional(),
    expectedMonthlyTransactionCount: z.enum(MONTHLY_COUNTS).optional(),
    expectedMonthlyTransactionVolume: z.enum(MONTHLY_VOLUMES).optional(),
    expectedRecipientJurisdictions: z.array(Country()).max(250).optional(),
    naicsCode: z
      .string()
      .regex(/^[0-9]{2,6}$/, 'not a NAICS code of 2 to 6 digits')
      .optional(),
    sourceOfFundsCategories: z
      .array(
        z.enum([
          'OPERATING_REVENUE',
          'INVESTMENT_INCOME',
          'LOANS',
          'VENTURE_CAPITAL',
          'PERSONAL_SAVINGS',
          'DONATIONS',
          'OTHER',
        ]),
      )
      .max(20)
      .optional(),
    sourceOfFundsOtherDescription: Text(500).min(1).optional(),
    purposeOfAccountOtherDescription: Text(500).min(1).optional(),
    expectedCounterpartyCountries: z.array(Country()).max(250).optional(),
    primaryContactFirstName: Text(250).min(1).optional(),
    primaryContactLastName: Text(250).min(1).optional(),
  }),
);

/** The same in replies; the profile says which members are always present. */
const BusinessInfoShown = named('BusinessInfoResponse', () => z.object(BusinessInfo().shape));

/** An owner or officer of a business, as the business shows it (spec 2.3). */
export const BeneficialOwnerShape = named('BeneficialOwner', () =>
  z.strictObject({
    id: z.string(),
    customerId: z.string(),
    roles: z.array(z.enum(OWNER_ROLES)),
    ownershipPercentage: z.number().min(0).max(100),
    personalInfo: z.strictObject({
      firstName: z.string(),
      middleName: z.string().optional(),
      lastName: z.string(),
      birthDate: Day(),
      nationality: Country(),
      email: Email().optional(),
      phoneNumber: Phone().optional(),
      address: Address(),
      idType: z.enum(ID_TYPES),
      identifier: secret(z.string()),
      countryOfIssuance: Country().optional(),
    }),
    kycStatus: KycStatus(),
    createdAt: Moment(),
    updatedAt: Moment().optional(),
  }),
);
export const OWNER_ROLES = [
  'UBO',
  'DIRECTOR',
  'COMPANY_OFFICER',
  'CONTROL_PERSON',
  'TRUSTEE',
  'GENERAL_PARTNER',
] as const;

/** Clients send back what they have read; a status is decided, not set. */
const Ignored = () =>
  z
    .unknown()
    .optional()
    .meta({ wire: { $ref: '#/$defs/KycStatus', description: 'Ignored: a status is decided, not set' } });

const contact = () => ({
  email: Email().optional(),
  phoneNumber: Phone().optional(),
  umaAddress: z
    .string()
    .max(500)
    .optional()
    .meta({ examples: ['$rosa@pay.example'] }),
  endUserTermsConsent: EndUserTermsConsent().optional(),
  currencies: z.array(CurrencyCode()).min(1).max(100).optional(),
});

const onCreate = () => ({
  platformCustomerId: Text(255).min(1).optional(),
  region: Country().optional(),
  ...contact(),
});

export const CustomerCreate = named('CustomerCreateRequest', () =>
  z.discriminatedUnion('customerType', [
    z
      .object({
        customerType: z.literal('INDIVIDUAL'),
        ...onCreate(),
        kycStatus: Ignored(),
        ...individual(),
        ...writeOnly(),
      })
      .meta({ id: 'IndividualCustomerCreateRequest' }),
    z
      .object({
        customerType: z.literal('BUSINESS'),
        ...onCreate(),
        kybStatus: Ignored(),
        address: Address().optional(),
        businessInfo: BusinessInfo().optional(),
      })
      .meta({ id: 'BusinessCustomerCreateRequest' }),
  ]),
);

/** A change: `null` clears an optional member. Members that cannot change may be repeated as they are. */
export const CustomerUpdate = named('CustomerUpdateRequest', () =>
  z.object({
    customerType: CustomerTypeShape().optional(),
    platformCustomerId: z.string().max(255).nullish().describe('Cannot change'),
    region: z.string().max(255).nullish().describe('Cannot change'),
    ...clearable(contact()),
    kycStatus: Ignored(),
    kybStatus: Ignored(),
    ...clearable({ ...individual(), ...writeOnly() }),
    address: z.object(clearable(Address().shape)).nullish(),
    businessInfo: z.object(clearable(BusinessInfo().shape)).nullish(),
  }),
);

const shown = () => ({
  id: z.string().meta({ readOnly: true, examples: ['Customer:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e11'] }),
  platformCustomerId: z.string(),
  region: Country().optional(),
  currencies: z.array(CurrencyCode()),
  email: Email().optional(),
  phoneNumber: Phone().optional(),
  umaAddress: z.string(),
  kycStatus: KycStatus(),
  endUserTermsConsent: EndUserTermsConsent().optional(),
  contactVerification: z
    .strictObject({ email: Channel().optional(), phone: Channel().optional() })
    .optional()
    .describe('Present only when the provider requires contact verification; lists only the required channels'),
  createdAt: Moment(),
  updatedAt: Moment(),
  isDeleted: z.boolean(),
});
const Channel = lazy(() => z.enum(['PENDING', 'VERIFIED']));

/** A customer as every reply and webhook shows it (spec 2.1). */
export const CustomerShape = named('Customer', () =>
  z.discriminatedUnion('customerType', [
    z
      .strictObject({ customerType: z.literal('INDIVIDUAL'), ...shown(), ...individual() })
      .meta({ id: 'IndividualCustomer' }),
    z
      .strictObject({
        customerType: z.literal('BUSINESS'),
        ...shown(),
        kybStatus: KycStatus(),
        address: Address().optional(),
        businessInfo: BusinessInfoShown().optional(),
        beneficialOwners: z.array(BeneficialOwnerShape()),
      })
      .meta({ id: 'BusinessCustomer' }),
  ]),
);

/** The end-user terms in force. */
export const EndUserTerms = named('EndUserTerms', () =>
  z.strictObject({
    version: z.string().meta({ examples: ['V1'] }),
    url: z.url().describe('Where this version is written'),
  }),
);

export const CustomerPage = pageOf('CustomerListResponse', CustomerShape);

/** The filters of the customer list (spec 4.1); they combine freely. */
export const CustomerQuery = lazy(() =>
  z.object({
    platformCustomerId: z.string().max(500).optional(),
    customerType: CustomerTypeShape().optional(),
    createdAfter: QueryMoment().optional(),
    createdBefore: QueryMoment().optional(),
    updatedAfter: QueryMoment().optional(),
    updatedBefore: QueryMoment().optional(),
    region: Country().optional(),
    currency: CurrencyCode().optional(),
    umaAddress: z.string().max(500).optional(),
    isIncludingDeleted: QueryBoolean().optional(),
    ...pageQuery(),
  }),
);
