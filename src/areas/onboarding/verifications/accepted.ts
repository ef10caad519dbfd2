import type { DocumentType } from '../documents/schema.ts';
import type { ERROR_TYPES } from './schema.ts';

/** The documents that fill each gap; any one of a line is enough. */
export const ACCEPTED = {
  MISSING_IDENTITY_DOCUMENT: ['PASSPORT', 'DRIVERS_LICENSE', 'NATIONAL_ID'],
  MISSING_LEGAL_PRESENCE_DOCUMENT: [
    'CERTIFICATE_OF_INCORPORATION',
    'ARTICLES_OF_INCORPORATION',
    'ARTICLES_OF_ASSOCIATION',
    'STATE_REGISTRY_EXCERPT',
  ],
  MISSING_CONTROL_STRUCTURE_DOCUMENT: [
    'DIRECTOR_REGISTRY',
    'TRUST_AGREEMENT',
    'STATE_COMPANY_REGISTRY',
    'PARTNERSHIP_CONTROL_AGREEMENT',
  ],
  MISSING_OWNERSHIP_STRUCTURE_DOCUMENT: ['SHAREHOLDER_REGISTER', 'TRUST_AGREEMENT', 'PARTNERSHIP_AGREEMENT'],
  MISSING_PROOF_OF_ADDRESS_DOCUMENT: [
    'PROOF_OF_ADDRESS',
    'UTILITY_BILL',
    'RENT_OR_LEASE_AGREEMENT',
    'ELECTRICITY_BILL',
    'BANK_STATEMENT',
    'TAX_RETURN',
  ],
  MISSING_GOOD_STANDING_DOCUMENT: ['GOOD_STANDING_CERTIFICATE'],
} as const satisfies Partial<Record<(typeof ERROR_TYPES)[number], readonly DocumentType[]>>;

/** Documents that prove the existence of a foreign business without a tax number (spec 2.3). */
export const INSTEAD_OF_TAX_ID: readonly DocumentType[] = ['STATE_REGISTRY_EXCERPT', 'BUSINESS_LICENSE', 'TAX_RETURN'];
