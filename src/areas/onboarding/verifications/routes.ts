import { a, knownAs, oneOf } from '../../../declare/example.ts';
import { operationsOf, reply } from '../../../declare/operation.ts';
import { undecided } from '../examples.ts';
import { listVerifications, showVerification, submit, verificationOf } from './rules.ts';
import { VerificationCreate, VerificationPage, VerificationQuery, VerificationShape } from './schema.ts';

const operation = operationsOf('KYC/KYB Verifications');
/** A business that a review rejects. */
const REJECTED = { customerType: 'BUSINESS', businessInfo: knownAs({ registrationNumber: 'HRB 002' }) };

export const routes = [
  operation({
    id: 'createVerification',
    endpoint: 'POST /verifications',
    summary: 'Submit a customer for review',
    description:
      'IN_PROGRESS when everything is there; RESOLVE_ERRORS lists what to collect first, and nothing is submitted.',
    body: VerificationCreate,
    example: { body: { customerId: oneOf(undecided(), a('customers', REJECTED, 'createCustomer')) } },
    replies: { 200: VerificationShape },
    refuses: ['USER_NOT_FOUND'],
    write: ({ world, body }) => reply(200, showVerification(world, submit(world, body.customerId))),
  }),
  operation({
    id: 'listVerifications',
    endpoint: 'GET /verifications',
    summary: 'List verifications, newest first',
    query: VerificationQuery,
    replies: { 200: VerificationPage },
    read: ({ world, query: { customerId, verificationStatus, limit, cursor } }) =>
      reply(200, listVerifications(world, { customerId, verificationStatus, limit, cursor })),
  }),
  operation({
    id: 'getVerification',
    endpoint: 'GET /verifications/{verificationId}',
    summary: 'Read a verification',
    example: { params: { verificationId: a('verifications', {}, 'createVerification') } },
    replies: { 200: VerificationShape },
    refuses: ['REFERENCE_NOT_FOUND'],
    load: ({ world, params }) => verificationOf(world, params.verificationId),
    read: ({ world }, verification) => reply(200, showVerification(world, verification), verification),
  }),
];
