import * as z from 'zod';
import { lazy, named } from '../../contract/lazy.ts';
import { Address, Country, CurrencyCode, Day, Moment, pageOf, pageQuery, Text } from '../../contract/shapes.ts';
import { secret } from '../../engine/secrets.ts';
import type { AccountType, Field } from './fields.ts';
import { ACCOUNT_TYPES } from './types.ts';

export const STATUSES = [
  'PENDING',
  'ACTIVE',
  'PENDING_OWNERSHIP_VERIFICATION',
  'UNVERIFIED',
  'UNDER_REVIEW',
  'INACTIVE',
] as const;
export const OWNERSHIP_TYPES = ['FIRST_PARTY', 'THIRD_PARTY'] as const;
export const VERIFICATION_RESULTS = [
  'MATCHED',
  'PARTIAL_MATCH',
  'NOT_MATCHED',
  'UNSUPPORTED',
  'CHECKED_BY_RECEIVING_FI',
  'PENDING',
] as const;
export const OWNERSHIP_METHODS = ['WALLET_SIGNATURE', 'LIVENESS'] as const;
export const SIGNATURE_SCHEMES = ['bip137', 'electrum'] as const;

export type Status = (typeof STATUSES)[number];

/** Reply schemas are strict; request schemas drop members that they do not know. */
type Side = 'request' | 'reply';
const objectOf = (side: Side) => (side === 'reply' ? z.strictObject : z.object);
const suffixOf = (side: Side) => (side === 'reply' ? '' : 'Create');

/** Returns the name of an account type within schema names. */
const nameOf = ({ accountType }: AccountType): string =>
  accountType.toLowerCase().replace(/(^|_)(\w)/g, (_, __, c: string) => c.toUpperCase());

function fieldShape(field: Field): z.ZodType {
  let shape: z.ZodType = z.string();
  if (field.values) shape = z.enum(field.values as [string, ...string[]]);
  else {
    let text = z.string();
    if (field.min !== undefined) text = text.min(field.min);
    if (field.max !== undefined) text = text.max(field.max);
    if (field.pattern) text = text.regex(field.pattern);
    if (field.known) text = text.describe(`Documented: ${field.known.join(', ')}`);
    shape = field.example === undefined ? text : text.meta({ examples: [field.example] });
  }
  return field.required ? shape : shape.optional();
}

const members = (fields: Readonly<Record<string, Field>>): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldShape(field)]));

const contact = () => ({
  email: Text(320).optional(),
  phoneNumber: Text(32).optional(),
  countryOfResidence: Country().optional(),
  address: Address().optional(),
});

const BusinessBeneficiary = {
  request: lazy(() => business('request')),
  reply: lazy(() => business('reply')),
};
const business = (side: Side) =>
  objectOf(side)({
    beneficiaryType: z.literal('BUSINESS'),
    legalName: Text().min(1),
    registrationNumber: Text(255).optional(),
    taxId: secret(Text(255)).optional(),
    ...contact(),
  }).meta({ id: `${suffixOf(side)}BusinessBeneficiary` });

/**
 * Returns the schema of an individual paid into a bank account; some types require or have more members than others.
 */
function individual(type: AccountType, side: Side): z.ZodObject {
  const rules = type.beneficiary || {};
  const shape: Record<string, z.ZodType> = {
    beneficiaryType: z.literal('INDIVIDUAL'),
    fullName: Text().min(1),
    birthDate: Day().optional(),
    nationality: Country().optional(),
    ...contact(),
    ...members(rules.knows ?? {}),
  };
  for (const name of rules.requires ?? []) shape[name] = (shape[name] as z.ZodOptional<z.ZodType>).unwrap();
  const one = objectOf(side)(shape);
  // Named, because the profile says which members are required.
  if (!rules.residence) return one;
  return one.meta({ id: `${suffixOf(side)}${nameOf(type).replace(/Account$/, '')}IndividualBeneficiary` });
}

const WalletIndividual = {
  request: lazy(() => walletIndividual('request')),
  reply: lazy(() => walletIndividual('reply')),
};
const walletIndividual = (side: Side) =>
  objectOf(side)({
    beneficiaryType: z.literal('INDIVIDUAL'),
    fullName: Text().min(1),
    countryOfResidence: Country(),
  }).meta({ id: `${suffixOf(side)}WalletIndividualBeneficiary` });

function beneficiaryShape(type: AccountType, side: Side): Record<string, z.ZodType> {
  if (!type.beneficiary) return {};
  const one = type.custody ? WalletIndividual[side]() : individual(type, side);
  const shape = z.discriminatedUnion('beneficiaryType', [one, BusinessBeneficiary[side]()] as unknown as [
    z.ZodObject<{ beneficiaryType: z.ZodLiteral<string> }>,
  ]);
  return { beneficiary: type.custody ? shape.optional() : shape };
}

/** The name of a custodian. A blank one would name nobody, and so exempt a self-custody wallet from proof. */
const CUSTODIAN: Readonly<Record<Side, () => z.ZodString>> = {
  request: () => Text(255).regex(/\S/u, 'is blank: leave it out for self-custody'),
  reply: () => Text(255),
};

function infoShape(type: AccountType, side: Side): z.ZodObject {
  const shape: Record<string, z.ZodType> = {
    accountType: z.literal(type.accountType),
    ...members(type.fields),
    ...beneficiaryShape(type, side),
  };
  if (type.custody)
    shape['vaspName'] = CUSTODIAN[side]()
      .optional()
      .describe('The custodian, of GET /vasps or another; leave it out for self-custody');
  const rails = [...new Set(type.routes.flatMap((route) => route.rails))];
  if (side === 'reply' && rails.length > 0) shape['paymentRails'] = z.array(z.enum(rails as [string, ...string[]]));
  return objectOf(side)(shape).meta({
    id: `${nameOf(type).replace(/Account$/, '')}ExternalAccount${suffixOf(side)}Info`,
  });
}

// `AccountInfo` declares what every type may have; the compiler cannot infer it from schemas that a table generates.
const infoUnion = (side: Side) =>
  z.discriminatedUnion(
    'accountType',
    ACCOUNT_TYPES.map((type) => infoShape(type, side)) as unknown as [
      z.ZodObject<{ accountType: z.ZodLiteral<string> }>,
    ],
  ) as unknown as z.ZodType<AccountInfo>;

/** The person or business that an account pays; the account type decides which members are required. */
export interface Beneficiary {
  readonly beneficiaryType: 'INDIVIDUAL' | 'BUSINESS';
  readonly fullName?: string | undefined;
  readonly legalName?: string | undefined;
  readonly [member: string]: unknown;
}

/** The details of an account: the members of its type, and what every type may have. */
export interface AccountInfo {
  readonly accountType: string;
  readonly beneficiary?: Beneficiary | undefined;
  readonly vaspName?: string | undefined;
  readonly paymentRails?: readonly string[] | undefined;
  readonly [member: string]: unknown;
}

/** The details in a refused request: invalid members are left out, and every member is optional. */
export interface SentInfo {
  readonly accountType?: string | undefined;
  readonly beneficiary?: Partial<Beneficiary> | undefined;
  readonly [member: string]: unknown;
}

export const InfoReply = lazy(() => infoUnion('reply').meta({ id: 'ExternalAccountInfoOneOf' }));
const InfoRequest = named('ExternalAccountCreateInfoOneOf', () => infoUnion('request'));

export const OwnershipType = named('OwnershipType', () => z.enum(OWNERSHIP_TYPES));

/** An external account as replies and webhooks show it. */
export const ExternalAccountShape = named('ExternalAccount', () =>
  z.strictObject({
    id: z.string().meta({ examples: ['ExternalAccount:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e11'] }),
    customerId: z.string().optional().describe("Absent on the platform's own account"),
    status: z.enum(STATUSES).meta({ id: 'ExternalAccountStatus' }),
    platformAccountId: z.string().optional(),
    ownershipType: OwnershipType().optional(),
    currency: z.string(),
    defaultUmaDepositAccount: z.boolean().optional().describe('At most one of a customer is true'),
    beneficiaryVerificationStatus: z
      .enum(VERIFICATION_RESULTS)
      .meta({ id: 'BeneficiaryVerificationStatus' })
      .optional(),
    beneficiaryVerifiedData: z
      .strictObject({ fullName: z.string().optional().describe('The name that the rail gave') })
      .meta({ id: 'BeneficiaryVerifiedData' })
      .optional(),
    accountInfo: InfoReply(),
  }),
);

export const ExternalAccountPage = pageOf('ExternalAccountListResponse', ExternalAccountShape);

const given = () => ({
  currency: z.string().describe('ISO 4217 code, or the ticker of a crypto asset'),
  platformAccountId: Text(255).min(1).optional(),
  ownershipType: OwnershipType().optional(),
  accountInfo: InfoRequest(),
});

export const PlatformExternalAccountCreate = named('PlatformExternalAccountCreateRequest', () => z.object(given()));

export const ExternalAccountCreate = named('ExternalAccountCreateRequest', () =>
  z.object({
    ...given(),
    customerId: z.string().max(200).optional().describe('Absent: the account is the platform itself'),
    defaultUmaDepositAccount: z.boolean().optional().meta({ default: false }),
  }),
);

export const PlatformExternalAccountQuery = lazy(() =>
  z.object({ currency: CurrencyCode().optional(), ...pageQuery() }),
);
export const ExternalAccountQuery = lazy(() =>
  z.object({ currency: CurrencyCode().optional(), customerId: z.string().max(200).optional(), ...pageQuery() }),
);

const Method = named('OwnershipVerificationMethod', () => z.enum(OWNERSHIP_METHODS));

export const OwnershipChallengeRequest = named('OwnershipChallengeRequest', () => z.object({ method: Method() }));

export const OwnershipChallenge = named('OwnershipChallenge', () =>
  z.discriminatedUnion('method', [
    z
      .strictObject({
        method: z.literal('WALLET_SIGNATURE'),
        messageToSign: z.string().describe('Sign exactly this text'),
        expiresAt: Moment(),
      })
      .meta({ id: 'WalletSignatureChallenge' }),
    z
      .strictObject({
        method: z.literal('LIVENESS'),
        verificationLink: z.url(),
        token: secret(z.string()).optional(),
        expiresAt: Moment(),
      })
      .meta({ id: 'LivenessChallenge' }),
  ]),
);

export const OwnershipVerifyRequest = named('OwnershipVerifyRequest', () =>
  z.object({
    signature: z.string().min(1).max(1000),
    signatureScheme: z.enum(SIGNATURE_SCHEMES).default('bip137').describe('Bitcoin wallets only'),
  }),
);
