import * as z from 'zod';
import { fail, failFields } from '../../../contract/errors.ts';
import { IdOf, Moment } from '../../../contract/shapes.ts';
import { magicName } from '../../../contract/suffix.ts';
import type { Infer, Upload } from '../../../declare/operation.ts';
import { resource, rowOr404 } from '../../../engine/resource.ts';
import { lazyRow, type RowOf } from '../../../engine/table.ts';
import type { World } from '../../../engine/world.ts';
import { activeCustomer } from '../../customers/index.ts';
import { ownerOf } from '../owners/rules.ts';
import { REFUSED_FILES, REVIEWED_FILES, stem } from './magic.ts';
import { type DocumentReplace, DocumentShape, type DocumentUpload } from './schema.ts';

const DocumentRow = lazyRow(() =>
  DocumentShape().extend({
    id: IdOf('Document'),
    mediaType: z.enum(['application/pdf', 'image/jpeg', 'image/png']),
    bytes: z.int().min(0),
    /** True once the document was part of an accepted submission. */
    submitted: z.boolean(),
    updatedAt: Moment(),
  }),
);

/** The record of an uploaded document; its bytes are examined once and not stored. */
export type Document = RowOf<typeof DocumentRow>;

export const DOCUMENTS = resource('documents', {
  row: DocumentRow,
  indexes: { documentHolder: (d) => d.documentHolder },
  refers: { documentHolder: { of: (d) => d.documentHolder, in: ['customers', 'owners'] } },
  titles: ['Documents', 'Document', 'Uploaded papers'],
  prefix: 'Document',
  view: (row) => showDocument(row),
  columns: { Type: 'documentType', Holder: ['documentHolder', 'id'], Created: ['createdAt', 'time'] },
});

/** The largest document, in bytes. */
export const LARGEST = 10 * 1024 * 1024;

const SIGNATURES = {
  'application/pdf': [0x25, 0x50, 0x44, 0x46, 0x2d],
  'image/jpeg': [0xff, 0xd8, 0xff],
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
} as const;
type MediaType = keyof typeof SIGNATURES;

/** Returns a file's media type by its first bytes, whatever its sender declares. */
const mediaTypeOf = (bytes: Uint8Array): MediaType | undefined =>
  (Object.keys(SIGNATURES) as MediaType[]).find((type) => SIGNATURES[type].every((byte, i) => bytes[i] === byte));

/** Returns one document. 404 REFERENCE_NOT_FOUND (the specification has no code of its own for documents). */
export const documentOf = rowOr404(DOCUMENTS, 'REFERENCE_NOT_FOUND', 'document');

/** Returns the documents of a customer or of an owner, oldest first. */
export const documentsOf = (world: World, holder: string): Document[] =>
  world.rows(DOCUMENTS).all('documentHolder', holder);

/**
 * Returns the facts of an uploaded file. 400 INVALID_INPUT if it is missing, empty, too large or of a type that is not
 * accepted.
 */
function examine(world: World, file: Upload | undefined): Pick<Document, 'fileName' | 'mediaType' | 'bytes'> {
  const bad = (message: string): never =>
    failFields([{ field: 'file', message }], 'INVALID_INPUT', 'PDF, JPEG or PNG up to 10 MB');
  if (!file) return bad('required');
  if (file.bytes.length === 0) return bad('the file is empty');
  if (file.bytes.length > LARGEST) return bad(`larger than ${LARGEST} bytes`);
  const mediaType = mediaTypeOf(file.bytes);
  if (!mediaType) return bad('neither PDF nor JPEG nor PNG, by its content');
  const name = stem(file.name);
  const refused = REFUSED_FILES.get(name);
  if (refused)
    fail(refused, `the document was refused: ${refused}`, { why: { rule: `magic file name ${name} (spec 7 rule 7)` } });
  const problem = REVIEWED_FILES.get(name);
  if (problem) world.magic(`file name ${name}: the review will find ${problem}`, magicName('file name', name));
  return { fileName: file.name === '' ? 'document' : file.name, mediaType, bytes: file.bytes.length };
}

/**
 * Refuses a document whose holder does not exist or was deleted: 404 USER_NOT_FOUND for a customer, else
 * REFERENCE_NOT_FOUND.
 */
function requireHolder(world: World, id: string): void {
  if (id.startsWith('BeneficialOwner:')) activeCustomer(world, ownerOf(world, id).customerId);
  else activeCustomer(world, id);
}

/**
 * Returns a document that may still be changed. 404 as `documentOf`, and as an upload once its customer is deleted
 * (spec 4.1).
 */
export function heldDocumentOf(world: World, id: string): Document {
  const document = documentOf(world, id);
  requireHolder(world, document.documentHolder);
  return document;
}

const described = (sent: Infer<typeof DocumentReplace>) => ({
  documentType: sent.documentType,
  side: sent.side,
  country: sent.country,
  documentNumber: sent.documentNumber || undefined,
  issuingAuthority: sent.issuingAuthority || undefined,
});

/** Stores the record of a new document (spec 4.4). */
export function uploadDocument(world: World, sent: Infer<typeof DocumentUpload>, file: Upload | undefined): Document {
  const facts = examine(world, file);
  requireHolder(world, sent.documentHolder);
  const now = world.clock.iso();
  return world.rows(DOCUMENTS).insert({
    id: world.newId('Document'),
    documentHolder: sent.documentHolder,
    ...described(sent),
    ...facts,
    submitted: false,
    createdAt: now,
    updatedAt: now,
  });
}

/** Replaces the file of a document; its id and its holder stay. */
export function replaceDocument(
  world: World,
  old: Document,
  sent: Infer<typeof DocumentReplace>,
  file: Upload | undefined,
): Document {
  const facts = examine(world, file);
  return world.rows(DOCUMENTS).put({ ...old, ...described(sent), ...facts, updatedAt: world.clock.iso() });
}

/** Deletes a document. 409 CONFLICT once it was submitted for verification. */
export function deleteDocument(world: World, document: Document): void {
  if (document.submitted)
    fail('CONFLICT', `document ${document.id} was submitted for verification: it cannot be deleted`, {
      why: { rule: 'what was reviewed is kept' },
    });
  world.rows(DOCUMENTS).remove(document.id);
}

/** Marks the documents of holders as part of an accepted submission. */
export function submitDocuments(world: World, holders: readonly string[]): void {
  for (const holder of holders)
    for (const document of documentsOf(world, holder))
      if (!document.submitted) world.rows(DOCUMENTS).put({ ...document, submitted: true });
}

/** Returns a document as the API shows it. */
export const showDocument = ({ mediaType: _, bytes: __, submitted: ___, ...shown }: Document) => shown;
