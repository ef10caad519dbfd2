import type { World } from '../../../engine/world.ts';
import type { Customer } from '../../customers/index.ts';
import { platformOf } from '../../platform/index.ts';
import { type Document, documentsOf } from '../documents/rules.ts';
import { Gaps, type VerificationError } from './gaps.ts';

/** Returns everything that an individual still lacks before a review can begin (spec 3.3). */
export function individualGaps(world: World, customer: Customer): VerificationError[] {
  const { id, details, identifier } = customer;
  const { verification } = platformOf(world);
  const missingRequirements = new Gaps();
  const held = documentsOf(world, id);
  missingRequirements.missingOf(id, '', details, ['fullName']);
  if (details.fullName !== undefined && words(details.fullName) < 2)
    missingRequirements.invalid(id, 'fullName', 'a given name and a family name are required');
  missingRequirements.missingOf(id, '', details, ['birthDate', 'nationality']);
  if (verification.identifier)
    missingRequirements.missingOf(id, '', { idType: details.idType, identifier }, ['idType', 'identifier']);
  missingRequirements.missingOf(id, '', details, ['address']);
  if (details.address?.country === 'US')
    missingRequirements.missingOf(id, 'address.', details.address, ['city', 'state']);
  identityGaps(missingRequirements, id, held);
  if (verification.proofOfAddress) missingRequirements.document(id, 'MISSING_PROOF_OF_ADDRESS_DOCUMENT', held);
  missingRequirements.reviewed(held);
  return missingRequirements.found;
}

/** Returns the number of words in a name; a sandbox suffix does not count. */
const words = (name: string): number =>
  name
    .replace(/\s*00[123]$/, '')
    .split(/\s+/)
    .filter(Boolean).length;

/** Requires one identity document, a passport or both sides of a card, with its number and issuer. */
function identityGaps(missingRequirements: Gaps, holder: string, held: readonly Document[]): void {
  missingRequirements.document(holder, 'MISSING_IDENTITY_DOCUMENT', held);
  const found = identityOf(held);
  const lacks = found.map((document) => ({ document, lack: lackOf(document, found) }));
  const first = lacks[0];
  if (first?.lack && lacks.every(({ lack }) => lack !== undefined))
    missingRequirements.problem(first.document, 'INCOMPLETE_DOCUMENT', first.lack);
}

/** Returns the documents that prove an identity. */
export const identityOf = (held: readonly Document[]): Document[] =>
  held.filter((d) => ['PASSPORT', 'DRIVERS_LICENSE', 'NATIONAL_ID'].includes(d.documentType));

function lackOf(document: Document, others: readonly Document[]): string | undefined {
  const { documentType: type } = document;
  if (type !== 'PASSPORT') {
    const missing = (['FRONT', 'BACK'] as const).filter(
      (side) => !others.some((d) => d.documentType === type && d.side === side),
    );
    if (missing.length > 0) return `the ${type} lacks its ${missing.join(' and ')}`;
  }
  const pages = type === 'PASSPORT' ? [document] : others.filter((d) => d.documentType === type);
  if (!pages.some((d) => d.documentNumber)) return `the ${type} lacks its documentNumber`;
  if (!pages.some((d) => d.issuingAuthority)) return `the ${type} lacks its issuingAuthority`;
  return undefined;
}
