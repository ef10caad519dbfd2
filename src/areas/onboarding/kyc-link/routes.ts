import { operationsOf, reply } from '../../../declare/operation.ts';
import { activeCustomer } from '../../customers/index.ts';
import { undecided } from '../examples.ts';
import { createLink, showLink } from './rules.ts';
import { KycLinkCreate, KycLinkShape } from './schema.ts';

const operation = operationsOf('KYC/KYB Verifications');

export const routes = [
  operation({
    id: 'createCustomerKycLink',
    endpoint: 'POST /customers/{customerId}/kyc-link',
    summary: 'Make a hosted link with which a customer verifies their identity',
    description:
      'Every call makes another link; earlier ones stay good until used or expired. An Idempotency-Key sent again gets the first link, whatever the body.',
    body: KycLinkCreate,
    bodyOptional: true,
    idempotency: 'optional',
    keyAlone: true,
    example: { params: { customerId: undecided() }, body: { redirectUri: 'https://app.example/done' } },
    replies: { 201: KycLinkShape },
    refuses: ['USER_NOT_FOUND', 'CONFLICT'],
    load: ({ world, params }) => activeCustomer(world, params.customerId),
    write: ({ world, body, origin }, customer) =>
      reply(201, showLink(createLink(world, customer, body.redirectUri), origin)),
  }),
];
