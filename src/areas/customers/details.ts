import { type FieldError, failFields } from '../../kernel/errors.ts';
import type { Infer } from '../../kernel/operation.ts';
import type { World } from '../../kernel/world.ts';
import type { BusinessInfo, CustomerCreate, CustomerType, CustomerUpdate } from './schema.ts';

export type Create = Infer<typeof CustomerCreate>;
export type Update = Infer<typeof CustomerUpdate>;
type IndividualCreate = Extract<Create, { customerType: 'INDIVIDUAL' }>;
type Common =
  | 'customerType'
  | 'platformCustomerId'
  | 'region'
  | 'email'
  | 'phoneNumber'
  | 'umaAddress'
  | 'endUserTermsConsent'
  | 'currencies'
  | 'kycStatus'
  | 'kybStatus';

/** What a customer says of themselves, by type; kept as sent. */
export type Details = Omit<IndividualCreate, Common | 'identifier'> & {
  businessInfo?: Infer<typeof BusinessInfo> | undefined;
};

const NO_DETAILS: Details = Object.freeze({});

/** Members that every customer has, whatever the type; the rest is what a type says of itself. */
const SHARED: ReadonlySet<string> = new Set<Common | 'identifier'>([
  'customerType',
  'platformCustomerId',
  'region',
  'email',
  'phoneNumber',
  'umaAddress',
  'endUserTermsConsent',
  'currencies',
  'identifier',
  'kycStatus',
  'kybStatus',
]);
const BUSINESS_DETAILS: ReadonlySet<string> = new Set(['address', 'businessInfo']);

/** What of a request a customer of this type says of themselves. */
export function detailsOf(type: CustomerType, sent: Create | Update): Details {
  const details: Record<string, unknown> = {};
  let any = false;
  for (const [key, value] of Object.entries(sent)) {
    const kept = type === 'BUSINESS' ? BUSINESS_DETAILS.has(key) : !SHARED.has(key) && key !== 'businessInfo';
    if (!kept || value === undefined) continue;
    details[key] = value;
    any = true;
  }
  return any ? (details as Details) : NO_DETAILS;
}

const ID_FORMS: Readonly<Record<string, RegExp>> = {
  SSN: /^\d{3}-?\d{2}-?\d{4}$/,
  ITIN: /^9\d{2}-?\d{2}-?\d{4}$/,
};
const US_TAX_ID = /^(?:\d{2}-?\d{7}|\d{3}-?\d{2}-?\d{4})$/;

/** Rules between fields, which no single field's shape can state. */
export function checkDetails(world: World, type: CustomerType, details: Details, identifier: string | undefined): void {
  const errors: FieldError[] = [];
  const bad = (field: string, message: string, constraint?: FieldError['constraint']) =>
    errors.push({ field, message, ...(constraint ? { constraint } : {}) });
  const others: readonly [unknown, string | undefined, string][] = [
    [details.sourceOfFundsCategories, details.sourceOfFundsOtherDescription, 'sourceOfFundsOtherDescription'],
    [details.sourceOfWealthCategories, details.sourceOfWealthOtherDescription, 'sourceOfWealthOtherDescription'],
    [
      details.purposeOfAccount && [details.purposeOfAccount],
      details.purposeOfAccountOtherDescription,
      'purposeOfAccountOtherDescription',
    ],
  ];
  for (const [chosen, text, field] of others)
    if (Array.isArray(chosen) && chosen.includes('OTHER') && text === undefined) bad(field, 'required with OTHER');
  const { idType, countryOfIssuance = 'US', businessInfo } = details;
  if (idType !== undefined && !(idType in ID_FORMS))
    bad('idType', 'not accepted for individuals', { enum: Object.keys(ID_FORMS) });
  else if (idType !== undefined) {
    if (countryOfIssuance !== 'US') bad('countryOfIssuance', `an ${idType} is issued by US only`, { enum: ['US'] });
    const form = ID_FORMS[idType] as RegExp;
    if (identifier !== undefined && !form.test(identifier))
      bad('identifier', `not a valid ${idType}`, { format: 'us-ssn', pattern: form.source });
  }
  if (businessInfo?.country === 'US' && businessInfo.taxId !== undefined && !US_TAX_ID.test(businessInfo.taxId))
    bad('businessInfo.taxId', 'not a US tax identification number', { pattern: US_TAX_ID.source });
  if (type === 'BUSINESS' && world.profile.rules.businessInfoRequired)
    for (const field of ['legalName', 'country', 'taxId', 'incorporatedOn'] as const)
      if (businessInfo?.[field] === undefined) bad(`businessInfo.${field}`, 'required');
  if (errors.length > 0) failFields(errors, 'INVALID_INPUT', 'spec 2.1 (4)');
}
