import type { World } from '../../../engine/world.ts';
import { type Customer, identityErrors } from '../../customers/index.ts';
import { platformOf } from '../../platform/index.ts';
import { documentsOf } from '../documents/rules.ts';
import type { DocumentType } from '../documents/schema.ts';
import { type Owner, ownersOf } from '../owners/rules.ts';
import { INSTEAD_OF_TAX_ID } from './accepted.ts';
import { Gaps, type VerificationError } from './gaps.ts';

/** The members of a business that spec 2.3 names. */
const NAMED = ['legalName', 'countriesOfOperation'] as const;
/** The requirements of the public contract. */
const FACTS = [
  'legalName',
  'country',
  'incorporatedOn',
  'registrationNumber',
  'entityType',
  'countriesOfOperation',
  'businessType',
  'purposeOfAccount',
  'expectedMonthlyTransactionCount',
  'expectedMonthlyTransactionVolume',
] as const;

/** The share, in percent, from which an individual must be named (spec 2.3). */
const SHARE = 25;

/** Returns everything that a business still lacks before a review can begin (spec 2.3, 3.3). */
export function businessGaps(world: World, customer: Customer): VerificationError[] {
  const { id, details } = customer;
  const missingRequirements = new Gaps();
  const held = documentsOf(world, id);
  const info = details.businessInfo;
  const { businessFactsRequired } = world.profile.rules;
  missingRequirements.missingOf(id, 'customer.businessInfo.', info, businessFactsRequired ? FACTS : NAMED);
  if (info?.taxId === undefined) {
    const country = info?.country ?? details.address?.country;
    const foreign = country !== undefined && country !== 'US';
    if (!foreign || !held.some((d) => INSTEAD_OF_TAX_ID.includes(d.documentType)))
      missingRequirements.missing(id, 'customer.businessInfo.taxId');
  }
  if (businessFactsRequired && !info?.sourceOfFunds && !info?.sourceOfFundsCategories?.length)
    missingRequirements.missing(id, 'customer.businessInfo.sourceOfFunds');
  missingRequirements.missingOf(id, 'customer.address.', details.address, ['line1', 'city', 'postalCode', 'country']);
  missingRequirements.document(id, 'MISSING_LEGAL_PRESENCE_DOCUMENT', held);
  missingRequirements.document(id, 'MISSING_CONTROL_STRUCTURE_DOCUMENT', held);
  missingRequirements.document(id, 'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT', held);
  missingRequirements.document(id, 'MISSING_PROOF_OF_ADDRESS_DOCUMENT', held);
  if (platformOf(world).verification.goodStanding)
    missingRequirements.document(id, 'MISSING_GOOD_STANDING_DOCUMENT', held);
  missingRequirements.reviewed(held);
  const owners = ownersOf(world, id);
  if (!owners.some((o) => o.roles.includes('UBO') || o.ownershipPercentage >= SHARE))
    missingRequirements.record(
      id,
      'MISSING_BENEFICIAL_OWNER',
      `every individual who owns ${SHARE} % or more is required`,
    );
  if (!owners.some(controls))
    missingRequirements.record(id, 'MISSING_CONTROL_PERSON', 'one person who controls the business is required');
  for (const owner of owners) ownerGaps(world, missingRequirements, owner);
  return missingRequirements.found;
}

const controls = ({ roles }: Owner): boolean =>
  roles.some((role) => role === 'CONTROL_PERSON' || role === 'DIRECTOR' || role === 'COMPANY_OFFICER');

/**
 * Adds what an owner lacks. US persons need an SSN or ITIN; others any number, a passport and one more government
 * document (spec 2.3).
 */
function ownerGaps(world: World, missingRequirements: Gaps, { id, personalInfo }: Owner): void {
  const held = documentsOf(world, id);
  const { nationality } = personalInfo;
  missingRequirements.missingOf(id, 'personalInfo.', personalInfo, [
    'firstName',
    'lastName',
    'birthDate',
    'nationality',
    'address',
    'idType',
    'identifier',
  ]);
  for (const { field, message } of identityErrors({ ...personalInfo, country: personalInfo.address?.country }))
    missingRequirements.invalid(id, `personalInfo.${field}`, message);
  if (nationality !== undefined && nationality !== 'US') {
    const has = (types: readonly DocumentType[]) => held.some((d) => types.includes(d.documentType));
    if (!has(['PASSPORT'])) missingRequirements.noDocument(id, 'MISSING_IDENTITY_DOCUMENT', ['PASSPORT']);
    if (!has(['DRIVERS_LICENSE', 'NATIONAL_ID']))
      missingRequirements.noDocument(id, 'MISSING_IDENTITY_DOCUMENT', ['DRIVERS_LICENSE', 'NATIONAL_ID']);
  }
  missingRequirements.reviewed(held);
}
