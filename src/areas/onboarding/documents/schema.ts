import * as z from 'zod';
import { lazy, named } from '../../../contract/lazy.ts';
import { Country, Moment, pageOf, pageQuery, Text } from '../../../contract/shapes.ts';

export const DOCUMENT_TYPES = [
  'PASSPORT',
  'DRIVERS_LICENSE',
  'NATIONAL_ID',
  'PROOF_OF_ADDRESS',
  'BANK_STATEMENT',
  'TAX_RETURN',
  'CERTIFICATE_OF_INCORPORATION',
  'ARTICLES_OF_INCORPORATION',
  'ARTICLES_OF_ASSOCIATION',
  'STATE_REGISTRY_EXCERPT',
  'GOOD_STANDING_CERTIFICATE',
  'INFORMATION_STATEMENT',
  'INCUMBENCY_CERTIFICATE',
  'BUSINESS_LICENSE',
  'SHAREHOLDER_REGISTER',
  'POWER_OF_ATTORNEY',
  'UTILITY_BILL',
  'ELECTRICITY_BILL',
  'RENT_OR_LEASE_AGREEMENT',
  'DIRECTOR_REGISTRY',
  'TRUST_AGREEMENT',
  'STATE_COMPANY_REGISTRY',
  'PARTNERSHIP_CONTROL_AGREEMENT',
  'PARTNERSHIP_AGREEMENT',
  'SELFIE',
  'OTHER',
] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export const DocumentTypeShape = named('DocumentType', () => z.enum(DOCUMENT_TYPES));

/** The text parts that describe a file. */
const parts = () => ({
  documentType: DocumentTypeShape(),
  side: z.enum(['FRONT', 'BACK']).optional().describe('Which side of a two-sided document this is'),
  country: Country().describe('Country that issued the document'),
  documentNumber: Text(100).optional(),
  issuingAuthority: Text(300).optional(),
});

export const DocumentUpload = named('DocumentUploadRequest', () =>
  z.object({
    documentHolder: Text(200).min(1).describe('Id of a customer or of a beneficial owner'),
    ...parts(),
  }),
);

export const DocumentReplace = named('DocumentReplaceRequest', () => z.object(parts()));

/** A document as replies show it; its bytes are never returned. */
export const DocumentShape = named('Document', () =>
  z.strictObject({
    id: z.string(),
    documentHolder: z.string(),
    documentType: DocumentTypeShape(),
    side: z.enum(['FRONT', 'BACK']).optional(),
    country: Country(),
    documentNumber: z.string().optional(),
    issuingAuthority: z.string().optional(),
    fileName: z.string().describe('The name the file had when it was uploaded'),
    createdAt: Moment(),
    updatedAt: Moment().optional(),
  }),
);

export const DocumentPage = pageOf('DocumentListResponse', DocumentShape);

export const DocumentQuery = lazy(() =>
  z.object({ documentHolder: z.string().min(1).max(200).optional(), ...pageQuery() }),
);
