import type { Infer } from '../../../declare/operation.ts';
import type { DocumentProblem } from '../documents/magic.ts';
import { REVIEWED_FILES, stem } from '../documents/magic.ts';
import type { Document } from '../documents/rules.ts';
import type { DocumentType } from '../documents/schema.ts';
import { ACCEPTED } from './accepted.ts';
import type { VerificationErrorShape } from './schema.ts';

export type VerificationError = Infer<typeof VerificationErrorShape>;

/** Collects what is missing or wrong, each gap once. */
export class Gaps {
  readonly found: VerificationError[] = [];

  /** Notes a missing field; `path` as the error shows it. */
  missing(resourceId: string, path: string): void {
    this.found.push({ resourceId, type: 'MISSING_FIELD', field: path, reason: `${path} is required` });
  }

  /** Notes the missing fields of a record. */
  missingOf(resourceId: string, prefix: string, record: object | undefined, names: readonly string[]): void {
    for (const name of names)
      if (empty((record as Record<string, unknown> | undefined)?.[name])) this.missing(resourceId, prefix + name);
  }

  invalid(resourceId: string, path: string, reason: string): void {
    this.found.push({ resourceId, type: 'INVALID_FIELD', field: path, reason });
  }

  /** Notes a gap that only a new record can fill. */
  record(resourceId: string, type: 'MISSING_BENEFICIAL_OWNER' | 'MISSING_CONTROL_PERSON', reason: string): void {
    this.found.push({ resourceId, type, reason });
  }

  /** Notes a gap that one of several documents fills, unless one of them is present. */
  document(resourceId: string, type: keyof typeof ACCEPTED, held: readonly Document[]): void {
    const accepted: readonly DocumentType[] = ACCEPTED[type];
    if (held.some((d) => accepted.includes(d.documentType))) return;
    this.noDocument(resourceId, type, accepted);
  }

  noDocument(resourceId: string, type: keyof typeof ACCEPTED, accepted: readonly DocumentType[]): void {
    this.found.push({
      resourceId,
      type,
      acceptedDocumentTypes: [...accepted],
      reason: `one of these documents is required: ${accepted.join(', ')}`,
    });
  }

  problem(document: Document, type: DocumentProblem, reason: string): void {
    const named = type === 'INVALID_DOCUMENT' || type === 'EXPIRED_DOCUMENT';
    this.found.push({
      resourceId: document.id,
      type,
      ...(named ? { acceptedDocumentTypes: [document.documentType] } : {}),
      reason,
    });
  }

  /** Notes what a review finds in documents with magic file names. */
  reviewed(held: readonly Document[]): void {
    for (const document of held) {
      const type = REVIEWED_FILES.get(stem(document.fileName));
      if (type) this.problem(document, type, `${document.documentType} ${document.fileName}: ${type}`);
    }
  }
}

const empty = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
