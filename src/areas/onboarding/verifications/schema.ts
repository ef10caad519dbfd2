import * as z from 'zod';
import { lazy, named } from '../../../contract/lazy.ts';
import { Moment, pageOf, pageQuery, Text } from '../../../contract/shapes.ts';
import { DOCUMENT_PROBLEMS } from '../documents/magic.ts';
import { DocumentTypeShape } from '../documents/schema.ts';

/** The specification names the first two; the others are from the public contract. */
export const VERIFICATION_STATUSES = [
  'IN_PROGRESS',
  'RESOLVE_ERRORS',
  'PENDING_MANUAL_REVIEW',
  'APPROVED',
  'REJECTED',
  'READY_FOR_VERIFICATION',
] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

export const ERROR_TYPES = [
  'MISSING_FIELD',
  'INVALID_FIELD',
  'MISSING_LEGAL_PRESENCE_DOCUMENT',
  'MISSING_CONTROL_STRUCTURE_DOCUMENT',
  'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT',
  'MISSING_PROOF_OF_ADDRESS_DOCUMENT',
  'MISSING_IDENTITY_DOCUMENT',
  'MISSING_GOOD_STANDING_DOCUMENT',
  'MISSING_BENEFICIAL_OWNER',
  'MISSING_CONTROL_PERSON',
  ...DOCUMENT_PROBLEMS,
  'APPLICANT_SANCTIONED',
  'APPLICANT_FRAUD',
  'APPLICANT_CRIMINAL_RECORD',
  'APPLICANT_REJECTED',
] as const;

const VerificationStatusShape = named('VerificationStatus', () => z.enum(VERIFICATION_STATUSES));

/** One thing to correct (spec 2.3). */
export const VerificationErrorShape = named('VerificationError', () =>
  z.strictObject({
    resourceId: z.string().describe('The customer, beneficial owner or document that it is about'),
    type: z.enum(ERROR_TYPES).meta({ id: 'VerificationErrorType' }),
    field: z.string().optional().describe('Dotted path; with MISSING_FIELD and INVALID_FIELD'),
    acceptedDocumentTypes: z.array(DocumentTypeShape()).optional().describe('Any one of these will do'),
    reason: z.string().describe('For people'),
  }),
);

export const VerificationShape = named('Verification', () =>
  z.strictObject({
    id: z.string(),
    customerId: z.string(),
    verificationStatus: VerificationStatusShape(),
    errors: z.array(VerificationErrorShape()).describe('Empty when there are none'),
    createdAt: Moment(),
    updatedAt: Moment().optional(),
  }),
);

export const VerificationCreate = named('VerificationRequest', () => z.object({ customerId: Text(200).min(1) }));

export const VerificationPage = pageOf('VerificationListResponse', VerificationShape);

export const VerificationQuery = lazy(() =>
  z.object({
    customerId: z.string().min(1).max(200).optional(),
    verificationStatus: VerificationStatusShape().optional(),
    ...pageQuery(),
  }),
);
