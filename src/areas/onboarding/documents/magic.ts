import type { ErrorCode } from '../../../contract/errors.ts';

/** The faults that a review can find in a document. */
export const DOCUMENT_PROBLEMS = [
  'INVALID_DOCUMENT',
  'EXPIRED_DOCUMENT',
  'POOR_QUALITY_DOCUMENT',
  'SUSPECTED_FRAUD_DOCUMENT',
  'WRONG_DOCUMENT_TYPE',
  'INCOMPLETE_DOCUMENT',
  'UNREADABLE_DOCUMENT',
  'DOCUMENT_VERIFICATION_FAILED',
] as const;
export type DocumentProblem = (typeof DOCUMENT_PROBLEMS)[number];

/** File names that are refused at once, with the reasons that the specification names (7, condition rule 7). */
export const REFUSED_FILES: ReadonlyMap<string, ErrorCode> = new Map([
  ['sandbox-refuse-low-quality', 'LOW_QUALITY'],
  ['sandbox-refuse-data-mismatch', 'DATA_MISMATCH'],
  ['sandbox-refuse-expired', 'EXPIRED'],
  ['sandbox-refuse-suspected-fraud', 'SUSPECTED_FRAUD'],
  ['sandbox-refuse-unsuitable', 'UNSUITABLE_DOCUMENT'],
  ['sandbox-refuse-incomplete', 'INCOMPLETE'],
]);

/** File names that are accepted, but fail the review. */
export const REVIEWED_FILES: ReadonlyMap<string, DocumentProblem> = new Map([
  ['sandbox-review-invalid', 'INVALID_DOCUMENT'],
  ['sandbox-review-expired', 'EXPIRED_DOCUMENT'],
  ['sandbox-review-poor-quality', 'POOR_QUALITY_DOCUMENT'],
  ['sandbox-review-suspected-fraud', 'SUSPECTED_FRAUD_DOCUMENT'],
  ['sandbox-review-wrong-type', 'WRONG_DOCUMENT_TYPE'],
  ['sandbox-review-incomplete', 'INCOMPLETE_DOCUMENT'],
  ['sandbox-review-unreadable', 'UNREADABLE_DOCUMENT'],
  ['sandbox-review-failed', 'DOCUMENT_VERIFICATION_FAILED'],
]);

/** Returns a file's name without its extension. */
export const stem = (fileName: string): string => fileName.replace(/\.[^.]*$/, '').toLowerCase();

/** Every file name that fails the review; the others are refused at once. */
export const MAGIC = () => [{ field: 'file name', values: [...REVIEWED_FILES.keys()] }];
