import { a, having, oneOf } from '../../declare/example.ts';
import { operationsOf, reply } from '../../declare/operation.ts';
import { awaitingChannel, CustomerShape, showCustomer } from '../customers/index.ts';
import { confirmContact, sendContactCode } from './rules.ts';
import { ConfirmRequest } from './schema.ts';

const operation = operationsOf('Contact Verification');
const awaiting = (channel: string) =>
  a('customers', { isDeleted: false, contactVerification: having({ [channel]: 'PENDING' }) }, 'createCustomer');
const channels = [
  { channel: 'email', name: 'Email', by: 'email' },
  { channel: 'phone', name: 'Phone', by: 'SMS' },
] as const;

export const routes = channels.flatMap(({ channel, name, by }) => [
  operation({
    id: `sendCustomer${name}Verification`,
    endpoint: `POST /customers/{customerId}/verify-${channel}`,
    summary: `Send a one-time code by ${by}; again to send another`,
    example: { params: { customerId: awaiting(channel) } },
    replies: { 204: null },
    refuses: ['USER_NOT_FOUND', 'CONFLICT'],
    load: ({ world, params }) => awaitingChannel(world, params.customerId, channel),
    write: ({ world }, customer) => {
      sendContactCode(world, customer, channel);
      return reply(204);
    },
  }),
  operation({
    id: `confirmCustomer${name}Verification`,
    endpoint: `POST /customers/{customerId}/verify-${channel}/confirm`,
    summary: `Confirm the code sent by ${by}`,
    body: ConfirmRequest,
    example: { params: { customerId: awaiting(channel) }, body: { code: oneOf('123456', '000000') } },
    replies: { 200: CustomerShape },
    refuses: ['USER_NOT_FOUND', 'CONFLICT'],
    load: ({ world, params }) => awaitingChannel(world, params.customerId, channel),
    write: ({ world, body }, customer) => reply(200, showCustomer(confirmContact(world, customer, channel, body.code))),
  }),
]);
