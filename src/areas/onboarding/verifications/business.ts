import type { World } from '../../../kernel/world.ts';
import { type Customer, identityErrors } from '../../customers/index.ts';
import { platformOf } from '../../platform/index.ts';
import { documentsOf } from '../documents/rules.ts';
import type { DocumentType } from '../documents/schema.ts';
import { type Owner, ownersOf } from '../owners/rules.ts';
import { INSTEAD_OF_TAX_ID } from './accepted.ts';
import { Gaps, type VerificationError } from './gaps.ts';

const DATA = [
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

/** From this share on an individual has to be named (spec 2.3). */
const SHARE = 25;

/** What a business still lacks before a review can begin, all of it at once (spec 2.3, 3.3). */
export function businessGaps(world: World, customer: Customer): VerificationError[] {
  const { id, details } = customer;
  const gaps = new Gaps();
  const held = documentsOf(world, id);
  const info = details.businessInfo;
  gaps.missingOf(id, 'customer.businessInfo.', info, DATA);
  if (info?.taxId === undefined) {
    const foreign = info?.country !== undefined && info.country !== 'US';
    if (!foreign || !held.some((d) => INSTEAD_OF_TAX_ID.includes(d.documentType)))
      gaps.missing(id, 'customer.businessInfo.taxId');
  }
  if (!info?.sourceOfFunds && !info?.sourceOfFundsCategories?.length)
    gaps.missing(id, 'customer.businessInfo.sourceOfFunds');
  gaps.missingOf(id, 'customer.address.', details.address, ['line1', 'city', 'postalCode', 'country']);
  gaps.document(id, 'MISSING_LEGAL_PRESENCE_DOCUMENT', held);
  gaps.document(id, 'MISSING_CONTROL_STRUCTURE_DOCUMENT', held);
  gaps.document(id, 'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT', held);
  gaps.document(id, 'MISSING_PROOF_OF_ADDRESS_DOCUMENT', held);
  if (platformOf(world).verification.goodStanding) gaps.document(id, 'MISSING_GOOD_STANDING_DOCUMENT', held);
  gaps.reviewed(held);
  const owners = ownersOf(world, id);
  if (!owners.some((o) => o.roles.includes('UBO') || o.ownershipPercentage >= SHARE))
    gaps.record(id, 'MISSING_BENEFICIAL_OWNER', `every individual who owns ${SHARE} % or more is required`);
  if (!owners.some(controls))
    gaps.record(id, 'MISSING_CONTROL_PERSON', 'one person who controls the business is required');
  for (const owner of owners) ownerGaps(world, gaps, owner);
  return gaps.found;
}

const controls = ({ roles }: Owner): boolean =>
  roles.some((role) => role === 'CONTROL_PERSON' || role === 'DIRECTOR' || role === 'COMPANY_OFFICER');

/** US persons are known by SSN or ITIN, others by any number, and by a passport and one more government document (spec 2.3). */
function ownerGaps(world: World, gaps: Gaps, { id, personalInfo }: Owner): void {
  const held = documentsOf(world, id);
  const { nationality } = personalInfo;
  gaps.missingOf(id, 'personalInfo.', personalInfo, [
    'firstName',
    'lastName',
    'birthDate',
    'nationality',
    'address',
    'idType',
    'identifier',
  ]);
  for (const { field, message } of identityErrors({ ...personalInfo, country: personalInfo.address?.country }))
    gaps.invalid(id, `personalInfo.${field}`, message);
  if (nationality !== undefined && nationality !== 'US') {
    const has = (types: readonly DocumentType[]) => held.some((d) => types.includes(d.documentType));
    if (!has(['PASSPORT'])) gaps.noDocument(id, 'MISSING_IDENTITY_DOCUMENT', ['PASSPORT']);
    if (!has(['DRIVERS_LICENSE', 'NATIONAL_ID']))
      gaps.noDocument(id, 'MISSING_IDENTITY_DOCUMENT', ['DRIVERS_LICENSE', 'NATIONAL_ID']);
  }
  gaps.reviewed(held);
}
