import { a, merged, ofSomebody, oneOf, sample } from '../../../declare/example.ts';
import { operationsOf, reply } from '../../../declare/operation.ts';
import { BeneficialOwnerShape } from '../../customers/index.ts';
import { undecided } from '../examples.ts';
import { createOwner, OWNERS, ownerOf, updateOwner, wrongOwner, wrongOwnerChange } from './rules.ts';
import { OwnerCreate, OwnerPage, OwnerQuery, OwnerUpdate } from './schema.ts';

const operation = operationsOf('KYC/KYB Verifications');

export const routes = [
  operation({
    id: 'createBeneficialOwner',
    endpoint: 'POST /beneficial-owners',
    summary: 'Record an owner or officer of a business',
    body: OwnerCreate,
    fieldRules: ({ world }, sent) => wrongOwner(world, sent),
    example: { body: merged({ customerId: undecided({ customerType: 'BUSINESS' }) }, sample('owner')) },
    replies: { 201: BeneficialOwnerShape },
    refuses: ['USER_NOT_FOUND'],
    write: ({ world, body }) => reply(201, createOwner(world, body)),
  }),
  operation({
    id: 'listBeneficialOwners',
    endpoint: 'GET /beneficial-owners',
    summary: 'List the owners of a business, newest first',
    query: OwnerQuery,
    example: { query: { customerId: undecided({ customerType: 'BUSINESS' }) } },
    replies: { 200: OwnerPage },
    read: ({ world, query: { customerId, limit, cursor } }) =>
      reply(200, world.rows(OWNERS).page({ where: { customerId }, limit, cursor })),
  }),
  operation({
    id: 'getBeneficialOwner',
    endpoint: 'GET /beneficial-owners/{beneficialOwnerId}',
    summary: 'Read an owner',
    example: { params: { beneficialOwnerId: a('owners', {}, 'createBeneficialOwner') } },
    replies: { 200: BeneficialOwnerShape },
    refuses: ['REFERENCE_NOT_FOUND'],
    load: ({ world, params }) => ownerOf(world, params.beneficialOwnerId),
    read: (_ask, owner) => reply(200, owner, owner),
  }),
  operation({
    id: 'updateBeneficialOwner',
    endpoint: 'PATCH /beneficial-owners/{beneficialOwnerId}',
    summary: 'Change an owner',
    body: OwnerUpdate,
    fieldRules: ({ world, params }, sent) => wrongOwnerChange(world, params.beneficialOwnerId, sent),
    example: {
      params: { beneficialOwnerId: a('owners', { customerId: ofSomebody }, 'createBeneficialOwner') },
      body: oneOf({ ownershipPercentage: 55 }, { roles: ['DIRECTOR'] }, { personalInfo: { middleName: 'A' } }),
    },
    replies: { 200: BeneficialOwnerShape },
    refuses: ['REFERENCE_NOT_FOUND', 'USER_NOT_FOUND'],
    load: ({ world, params }) => ownerOf(world, params.beneficialOwnerId),
    write: ({ world, body }, owner) => reply(200, updateOwner(world, owner, body)),
  }),
];
