import { lowerCase } from '../../contract/lower-case.ts';
import { a, anyone, merged, oneOf, sample, text } from '../../declare/example.ts';
import { type Infer, type OperationContext, operationsOf, reply } from '../../declare/operation.ts';
import { pageOfRows } from '../../engine/page.ts';
import { refusalOf } from '../sessions/index.ts';
import { walletSignature } from '../signing/index.ts';
import {
  type LinkedUpdate,
  linkedContact,
  linkedPayload,
  linkedSet,
  linkedSetChanged,
  planLinkedUpdate,
  walletIdsOf,
} from './linked-credentials.ts';
import {
  activeCustomer,
  CUSTOMERS,
  createCustomer,
  customerOf,
  deleteCustomer,
  showCustomer,
  wrongFields,
} from './rules.ts';
import { CustomerCreate, CustomerPage, CustomerQuery, CustomerShape, CustomerUpdate, EndUserTerms } from './schema.ts';
import { consentAt, currentTerms } from './terms.ts';
import { applyUpdate, wrongChanges } from './update.ts';

const operation = operationsOf('Customers');

type UpdateAsk = OperationContext<Infer<typeof CustomerUpdate>, unknown, 'customerId'>;

export const routes = [
  operation({
    id: 'createCustomer',
    endpoint: 'POST /customers',
    summary: 'Create a customer',
    description: 'Opens an internal account for each configured currency. Only customerType is required of everybody.',
    body: CustomerCreate,
    fieldRules: ({ world }, { customerType, ...sent }) =>
      customerType === undefined ? [] : wrongFields(world, { customerType, ...sent }),
    example: (the) => ({
      body: merged(
        oneOf(sample('person'), sample('person'), sample('firm'), sample('rejectedFirm'), sample('unknownFirm')),
        {
          region: 'US',
          email: text('customer-{n}@example.com', 'customers'),
          phoneNumber: text('+1206555{nnnn}', 'customers'),
        },
        the.platform['requireEndUserTerms'] ? { endUserTermsConsent: consentAt(the.now) } : {},
      ),
      vary: [
        { body: { fullName: oneOf('Ben Ito 001', 'Cy Novak 002', 'Ann Lee 003', 'Zoë Müller') } },
        { body: { region: 'SE', platformCustomerId: text('user-{n}', 'customers') } },
        { body: { umaAddress: text('$u{n}@pay.example', 'customers') } },
        { body: { birthDate: undefined, identifier: undefined, phoneNumber: undefined } },
        { body: { currencies: ['USD'] } },
      ],
    }),
    makes: { customers: { umaAddress: 'umaAddress' } },
    replies: { 201: CustomerShape },
    refuses: [
      'MISSING_MANDATORY_USER_INFO',
      'INVALID_UMA_ADDRESS',
      'INVALID_CURRENCY',
      'END_USER_TERMS_VERSION_NOT_FOUND',
      'UMA_ADDRESS_EXISTS',
      'CONFLICT',
    ],
    write: ({ world, body }) => reply(201, showCustomer(createCustomer(world, body))),
  }),
  operation({
    id: 'listCustomers',
    endpoint: 'GET /customers',
    summary: 'List customers, newest first',
    query: CustomerQuery,
    replies: { 200: CustomerPage },
    read: ({ world, query }) => {
      const { customerType, platformCustomerId, region, currency, updatedAfter, updatedBefore, limit, cursor } = query;
      const page = world.rows(CUSTOMERS).page({
        where: {
          customerType,
          platformCustomerId,
          region,
          currency,
          umaAddress: query.umaAddress === undefined ? undefined : lowerCase(query.umaAddress),
        },
        between: { by: (c) => c.createdAt, from: query.createdAfter, to: query.createdBefore },
        filter:
          updatedAfter || updatedBefore
            ? (c) => c.updatedAt >= (updatedAfter ?? '') && c.updatedAt <= (updatedBefore ?? '~')
            : undefined,
        withHidden: query.isIncludingDeleted,
        limit,
        cursor,
      });
      return reply(200, pageOfRows(page, showCustomer));
    },
  }),
  operation({
    id: 'getEndUserTerms',
    endpoint: 'GET /customers/end-user-terms',
    summary: 'Read which end-user terms are in force',
    replies: { 200: EndUserTerms },
    read: () => reply(200, currentTerms()),
  }),
  operation({
    id: 'getCustomerById',
    endpoint: 'GET /customers/{customerId}',
    summary: 'Read a customer',
    example: { params: { customerId: anyone } },
    replies: { 200: CustomerShape },
    refuses: ['USER_NOT_FOUND'],
    load: ({ world, params }) => customerOf(world, params.customerId),
    read: (_ask, customer) => reply(200, showCustomer(customer), customer),
  }),
  operation({
    id: 'updateCustomerById',
    endpoint: 'PATCH /customers/{customerId}',
    summary: 'Change a customer',
    description:
      'Only what differs from what is stored is checked; null clears an optional member that nothing requires. An email or phone number that wallet credentials are tied to is changed by a signed retry, with them.',
    body: CustomerUpdate,
    fieldRules: ({ world, params }, sent) => wrongChanges(world, params.customerId, sent),
    example: {
      params: { customerId: anyone },
      body: oneOf(
        { address: merged(sample('address'), { line1: '9 Elm Ct' }) },
        { fullName: 'Ada Lovelace' },
        { birthDate: '1991-02-03', nationality: 'FR' },
        { platformCustomerId: text('new-{n}', 'customers') },
        { customerType: 'INDIVIDUAL' },
        { email: null },
        { umaAddress: null },
        { businessInfo: { doingBusinessAs: 'Pier' } },
        { currencies: ['USD'] },
        {},
      ),
    },
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
    authorize: walletSignature({
      when: ({ world, params, body }: UpdateAsk) =>
        linkedContact(world, activeCustomer(world, params.customerId), body) !== undefined,
      payload: ({ world }, planned: LinkedUpdate) => linkedPayload(world, planned),
      stateFingerprint: ({ world }, planned) => linkedSet(world, planned),
      onStateChanged: linkedSetChanged,
      rejectKey: ({ world }, { old }, publicKey) => refusalOf(world, walletIdsOf(world, old.id), publicKey),
    }),
    load: ({ world, params, body }) => planLinkedUpdate(world, params.customerId, body),
    write: ({ world }, planned) => reply(200, showCustomer(applyUpdate(world, planned))),
  }),
  operation({
    id: 'deleteCustomerById',
    endpoint: 'DELETE /customers/{customerId}',
    summary: 'Delete a customer for good; the record is kept and marked',
    example: { params: { customerId: a('customers', { isDeleted: false }, 'createCustomer') } },
    replies: { 200: CustomerShape },
    refuses: ['USER_NOT_FOUND', 'CUSTOMER_DELETED'],
    load: ({ world, params }) => customerOf(world, params.customerId),
    write: ({ world }, customer) => reply(200, showCustomer(deleteCustomer(world, customer))),
  }),
];
