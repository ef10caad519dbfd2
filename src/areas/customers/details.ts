import { isDeepStrictEqual } from 'node:util';
import { type FieldError, failFields } from '../../contract/errors.ts';
import { patched } from '../../contract/shapes.ts';
import type { Infer } from '../../declare/operation.ts';
import type { World } from '../../engine/world.ts';
import { birthDateError, identityErrors } from './identity.ts';
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

/** The details of a customer, by type; stored as sent. */
export type Details = Omit<IndividualCreate, Common | 'identifier'> & {
  businessInfo?: Infer<typeof BusinessInfo> | undefined;
};

const NO_DETAILS: Details = Object.freeze({});

/** The members that every customer has; all others are details of its type. */
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

/** Returns whether a member belongs to the details of this type of customer. */
const isDetail = (type: CustomerType, name: string): boolean =>
  type === 'BUSINESS' ? BUSINESS_DETAILS.has(name) : !SHARED.has(name) && name !== 'businessInfo';

/** Returns the members of a request that are details of this type of customer. */
export function detailsOf(type: CustomerType, sent: Create): Details {
  let details: Record<string, unknown> | undefined;
  for (const name in sent) {
    const value = sent[name as keyof Create];
    if (value !== undefined && isDetail(type, name)) (details ??= {})[name] = value;
  }
  return (details as Details | undefined) ?? NO_DETAILS;
}

/**
 * Returns the details after a change: `null` clears a member, an address is replaced whole, `businessInfo` is merged
 * member by member.
 */
export function changedDetails(type: CustomerType, old: Details, sent: Update): Details {
  const change = Object.fromEntries(Object.entries(sent).filter(([name]) => isDetail(type, name)));
  if (sent.address) change['address'] = patched({}, sent.address);
  if (sent.businessInfo && type === 'BUSINESS') change['businessInfo'] = patched(old.businessInfo, sent.businessInfo);
  return patched(old, change);
}

/**
 * Returns errors for members of the other type, and for unchangeable members that differ from what is stored (spec
 * 2.1).
 */
export function unchangeable(
  type: CustomerType,
  kept: { readonly platformCustomerId: string; readonly region?: string | undefined },
  sent: Update,
) {
  const fixed = (['platformCustomerId', 'region'] as const)
    .filter((name) => sent[name] !== undefined && (sent[name] ?? undefined) !== kept[name])
    .map((field): FieldError => ({ field, message: 'cannot change' }));
  const foreign = Object.entries(sent)
    .filter(([name, value]) => value !== undefined && value !== null && !SHARED.has(name) && !isDetail(type, name))
    .map(([field]): FieldError => ({ field, message: `cannot be given: this customer is ${type}` }));
  return [...fixed, ...foreign];
}

const US_TAX_ID = /^(?:(?:EIN-)?\d{2}-?\d{7}|\d{3}-?\d{2}-?\d{4})$/;

/** The members of a customer that the rules between fields check. */
export interface Draft {
  readonly customerType: CustomerType;
  readonly region?: string | undefined;
  readonly details: Details;
  readonly identifier?: string | undefined;
  /** True if it is from a file, which has no column for some facts about a business (reference 14.1). */
  readonly isImported?: boolean | undefined;
}

const OTHERS = [
  ['sourceOfFundsCategories', 'sourceOfFundsOtherDescription'],
  ['sourceOfWealthCategories', 'sourceOfWealthOtherDescription'],
  ['purposeOfAccount', 'purposeOfAccountOtherDescription'],
] as const;

/** Returns whether `OTHER` was chosen, alone or among several. */
const isOther = (chosen: unknown): boolean => (Array.isArray(chosen) ? chosen.includes('OTHER') : chosen === 'OTHER');

/** Facts that profile `grid` requires of a new business; not for imports, as a file has no columns for some. */
const FACTS = ['legalName', 'country', 'taxId', 'incorporatedOn'] as const;

/** Returns what breaks a rule between fields, which the schema of a single field cannot express. */
function detailErrors(world: World, { customerType, region, details, identifier, isImported }: Draft): FieldError[] {
  const errors: FieldError[] = [];
  const bad = (field: string, message: string | undefined, constraint?: FieldError['constraint']) => {
    if (message !== undefined) errors.push({ field, message, ...(constraint ? { constraint } : {}) });
  };
  const today = world.clock.iso().slice(0, 10);
  for (const [chosen, field] of OTHERS)
    if (isOther(details[chosen]) && details[field] === undefined) bad(field, 'required with OTHER');
  bad('birthDate', birthDateError(details.birthDate, today));
  if (details.idType !== undefined)
    errors.push(...identityErrors({ ...details, identifier, country: details.address?.country ?? region }));
  const { businessInfo } = details;
  if (businessInfo?.incorporatedOn !== undefined && businessInfo.incorporatedOn > today)
    bad('businessInfo.incorporatedOn', `lies in the future: today is ${today}`);
  if (businessInfo?.country === 'US' && businessInfo.taxId !== undefined && !US_TAX_ID.test(businessInfo.taxId))
    bad('businessInfo.taxId', 'not a US tax identification number', { pattern: US_TAX_ID.source });
  if (customerType === 'BUSINESS' && world.profile.rules.businessInfoRequired && !isImported)
    for (const field of FACTS) if (businessInfo?.[field] === undefined) bad(`businessInfo.${field}`, 'required');
  return errors;
}

/** Returns what breaks a rule between fields, unless it was already so before the change. */
export function wrongDetails(world: World, next: Draft, old?: Draft): readonly FieldError[] {
  const found = detailErrors(world, next);
  if (found.length === 0) return found;
  const known = old ? detailErrors(world, old) : [];
  return found.filter(
    ({ field, message }) =>
      !known.some((one) => one.field === field && one.message === message) ||
      changes(old?.details, next.details, field),
  );
}

/** Refuses what breaks a rule between fields: 400 INVALID_INPUT naming every field. */
export function refuseDetails(errors: readonly FieldError[]): void {
  if (errors.length > 0) failFields(errors, 'INVALID_INPUT', 'spec 2.1 (4)');
}

/** Returns whether the value of a field changed. */
const changes = (old: Details | undefined, next: Details, field: string): boolean => {
  const [head, tail] = field.split('.') as [keyof Details, string?];
  const read = (from: Details | undefined): unknown =>
    tail ? (from?.[head] as Record<string, unknown> | undefined)?.[tail] : from?.[head];
  return !isDeepStrictEqual(read(old), read(next));
};
