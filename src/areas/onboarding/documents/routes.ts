import { a, type Fits, ofSomebody, oneOf, sample } from '../../../declare/example.ts';
import { operationsOf, reply } from '../../../declare/operation.ts';
import { pageOfRows } from '../../../engine/page.ts';
import { undecided } from '../examples.ts';
import {
  DOCUMENTS,
  deleteDocument,
  documentOf,
  heldDocumentOf,
  replaceDocument,
  showDocument,
  uploadDocument,
} from './rules.ts';
import { DocumentPage, DocumentQuery, DocumentReplace, DocumentShape, DocumentUpload } from './schema.ts';

const operation = operationsOf('Documents');

/** Accepts a document whose customer, or the business of whose owner, has not been deleted. */
const fits: Fits = ({ documentHolder: id }, the) =>
  the.isThere(id) || the.newest('owners', { id, customerId: ofSomebody }) !== undefined;

const SCANNED = {
  documentType: oneOf('PASSPORT', 'PROOF_OF_ADDRESS', 'OTHER'),
  country: 'US',
  documentNumber: 'X1234567',
  issuingAuthority: 'Department of State',
  file: sample('scan'),
};
/** The form may be larger than a document: a file of 11 MB is refused as too large, not truncated. */
const upload = {
  maxBytes: 25 * 1024 * 1024,
  files: { file: { required: true, description: 'PDF, JPEG or PNG, at most 10 MB' } },
};
/** The reasons for refusing a document (spec 7, condition rule 7); the sandbox gives them for magic file names. */
const REASONS = [
  'LOW_QUALITY',
  'DATA_MISMATCH',
  'EXPIRED',
  'SUSPECTED_FRAUD',
  'UNSUITABLE_DOCUMENT',
  'INCOMPLETE',
] as const;

export const routes = [
  operation({
    id: 'uploadDocument',
    endpoint: 'POST /documents',
    summary: 'Upload a document of a customer or of a beneficial owner',
    body: DocumentUpload,
    upload,
    example: { body: { documentHolder: undecided(), ...SCANNED } },
    replies: { 201: DocumentShape },
    refuses: ['USER_NOT_FOUND', 'REFERENCE_NOT_FOUND', ...REASONS],
    write: ({ world, body, files }) => reply(201, showDocument(uploadDocument(world, body, files['file']))),
  }),
  operation({
    id: 'listDocuments',
    endpoint: 'GET /documents',
    summary: 'List documents, newest first',
    query: DocumentQuery,
    replies: { 200: DocumentPage },
    read: ({ world, query: { documentHolder, limit, cursor } }) =>
      reply(200, pageOfRows(world.rows(DOCUMENTS).page({ where: { documentHolder }, limit, cursor }), showDocument)),
  }),
  operation({
    id: 'getDocument',
    endpoint: 'GET /documents/{documentId}',
    summary: 'Read what is known of a document; its bytes are not returned',
    example: { params: { documentId: a('documents', {}, 'uploadDocument') } },
    replies: { 200: DocumentShape },
    refuses: ['REFERENCE_NOT_FOUND'],
    load: ({ world, params }) => documentOf(world, params.documentId),
    read: (_ask, document) => reply(200, showDocument(document), document),
  }),
  operation({
    id: 'replaceDocument',
    endpoint: 'PUT /documents/{documentId}',
    summary: "Replace a document's file and description; its id and holder stay",
    body: DocumentReplace,
    upload,
    example: { params: { documentId: a('documents', {}, 'uploadDocument', { fits }) }, body: SCANNED },
    replies: { 200: DocumentShape },
    refuses: ['REFERENCE_NOT_FOUND', 'USER_NOT_FOUND', ...REASONS],
    load: ({ world, params }) => heldDocumentOf(world, params.documentId),
    write: ({ world, body, files }, old) => reply(200, showDocument(replaceDocument(world, old, body, files['file']))),
  }),
  operation({
    id: 'deleteDocument',
    endpoint: 'DELETE /documents/{documentId}',
    summary: 'Delete a document that was not submitted yet',
    example: { params: { documentId: a('documents', { submitted: false }, 'uploadDocument', { fits }) } },
    replies: { 204: null },
    refuses: ['REFERENCE_NOT_FOUND', 'USER_NOT_FOUND', 'CONFLICT'],
    load: ({ world, params }) => heldDocumentOf(world, params.documentId),
    write: ({ world }, document) => {
      deleteDocument(world, document);
      return reply(204);
    },
  }),
];
