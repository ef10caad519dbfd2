import { operation, reply } from '../../kernel/operation.ts';
import { mapPage } from '../../kernel/page.ts';
import { refusalOf } from '../sessions/index.ts';
import { signed } from '../signing/index.ts';
import { CUSTOMERS, createCustomer, customerOf, deleteCustomer, showCustomer } from './rules.ts';
import { CustomerCreate, CustomerPage, CustomerQuery, CustomerShape, CustomerUpdate, EndUserTerms } from './schema.ts';
import { currentTerms } from './terms.ts';
import { checkTiedChange, tiedChange, tiedPayload, tiedSet, tiedSetChanged, walletIdsOf } from './tied.ts';
import { updateCustomer } from './update.ts';

const tag = 'Customers';

export const routes = [
  operation({
    id: 'createCustomer',
    method: 'POST',
    path: '/customers',
    tag,
    summary: 'Create a customer',
    description: 'Opens an internal account for each configured currency. Only customerType is required of everybody.',
    body: CustomerCreate,
    replies: { 201: CustomerShape },
    refuses: [
      'MISSING_MANDATORY_USER_INFO',
      'INVALID_UMA_ADDRESS',
      'INVALID_CURRENCY',
      'END_USER_TERMS_VERSION_NOT_FOUND',
      'UMA_ADDRESS_EXISTS',
      'CONFLICT',
    ],
    run: ({ world, body }) => reply(201, showCustomer(createCustomer(world, body))),
  }),
  operation({
    id: 'listCustomers',
    method: 'GET',
    path: '/customers',
    tag,
    summary: 'List customers, newest first',
    query: CustomerQuery,
    replies: { 200: CustomerPage },
    run: ({ world, query }) => {
      const { customerType, platformCustomerId, region, currency, updatedAfter, updatedBefore, limit, cursor } = query;
      const page = world.rows(CUSTOMERS).page({
        where: { customerType, platformCustomerId, region, currency, umaAddress: query.umaAddress?.toLowerCase() },
        between: { by: (c) => c.createdAt, from: query.createdAfter, to: query.createdBefore },
        filter:
          updatedAfter || updatedBefore
            ? (c) => c.updatedAt >= (updatedAfter ?? '') && c.updatedAt <= (updatedBefore ?? '~')
            : undefined,
        withHidden: query.isIncludingDeleted,
        limit,
        cursor,
      });
      return reply(200, mapPage(page, showCustomer));
    },
  }),
  operation({
    id: 'getEndUserTerms',
    method: 'GET',
    path: '/customers/end-user-terms',
    tag,
    summary: 'Read which end-user terms are in force',
    replies: { 200: EndUserTerms },
    run: () => reply(200, currentTerms()),
  }),
  operation({
    id: 'getCustomerById',
    method: 'GET',
    path: '/customers/{customerId}',
    tag,
    summary: 'Read a customer',
    replies: { 200: CustomerShape },
    refuses: ['USER_NOT_FOUND'],
    run: ({ world, params }) => {
      const customer = customerOf(world, params.customerId);
      return reply(200, showCustomer(customer), customer);
    },
  }),
  signed({
    id: 'updateCustomerById',
    method: 'PATCH',
    path: '/customers/{customerId}',
    tag,
    summary: 'Change a customer',
    description:
      'Only what differs from what is stored is checked; null clears an optional member that nothing requires. An email or phone number that wallet credentials are tied to is changed by a signed retry, with them.',
    body: CustomerUpdate,
    replies: { 200: CustomerShape },
    refuses: [
      'MISSING_MANDATORY_USER_INFO',
      'INVALID_UMA_ADDRESS',
      'INVALID_CURRENCY',
      'END_USER_TERMS_VERSION_NOT_FOUND',
      'USER_NOT_FOUND',
      'UMA_ADDRESS_EXISTS',
      'EMAIL_OTP_EMAIL_ALREADY_EXISTS',
      'EMAIL_OTP_CREDENTIAL_SET_CHANGED',
      'CONFLICT',
    ],
    when: ({ world, params, body }) => tiedChange(world, params.customerId, body) !== undefined,
    first: ({ world, params, body }) => checkTiedChange(world, params.customerId, body),
    payload: ({ world, params, body }) => tiedPayload(world, params.customerId, body),
    seen: ({ world, params, body }) => tiedSet(world, params.customerId, body),
    changed: tiedSetChanged,
    refusal: ({ world, params }, publicKey) => refusalOf(world, walletIdsOf(world, params.customerId), publicKey),
    run: ({ world, params, body }) => reply(200, showCustomer(updateCustomer(world, params.customerId, body))),
  }),
  operation({
    id: 'deleteCustomerById',
    method: 'DELETE',
    path: '/customers/{customerId}',
    tag,
    summary: 'Delete a customer for good; the record is kept and marked',
    replies: { 200: CustomerShape },
    refuses: ['USER_NOT_FOUND', 'CUSTOMER_DELETED'],
    run: ({ world, params }) => reply(200, showCustomer(deleteCustomer(world, params.customerId))),
  }),
];
