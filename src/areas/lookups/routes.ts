import { a, ofSomebody, oneOf, who } from '../../declare/example.ts';
import { operationsOf, reply } from '../../declare/operation.ts';
import { estimateFee } from './networks.ts';
import { accountReceiver, umaReceiver } from './receivers.ts';
import { AccountLookup, FeeEstimate, FeeEstimateRequest, LookupQuery, UmaLookup } from './schema.ts';

const operation = operationsOf('Cross-Currency Transfers');

export const routes = [
  operation({
    id: 'lookupUma',
    endpoint: 'GET /receiver/uma/{receiverUmaAddress}',
    summary: 'See what can be sent to a UMA address',
    query: LookupQuery,
    example: {
      params: {
        receiverUmaAddress: oneOf(
          '$success.usd@sandbox.uma.money',
          '$success.eur@sandbox.uma.money',
          '$nobody@sandbox.uma.money',
        ),
      },
      query: { customerId: who() },
    },
    makes: { lookups: { id: 'lookupId', umaAddress: '{receiverUmaAddress}' } },
    replies: { 200: UmaLookup },
    refuses: ['INVALID_UMA_ADDRESS', 'UMA_NOT_FOUND', 'USER_NOT_FOUND'],
    read: ({ world, params, query }) => reply(200, umaReceiver(world, params.receiverUmaAddress, query)),
  }),
  operation({
    id: 'lookupExternalAccount',
    endpoint: 'GET /receiver/external-account/{accountId}',
    summary: 'See what can be sent to an external account',
    query: LookupQuery,
    example: (the) => {
      const match = { isDeleted: false, status: 'ACTIVE', customerId: ofSomebody };
      const { id, customerId = who() } = the.row('external-accounts', match, 'createCustomerExternalAccount');
      return { params: { accountId: id }, query: { customerId } };
    },
    replies: { 200: AccountLookup },
    refuses: ['INVALID_UMA_ADDRESS', 'REFERENCE_NOT_FOUND', 'USER_NOT_FOUND'],
    read: ({ world, params, query }) => reply(200, accountReceiver(world, params.accountId, query)),
  }),
  operation({
    id: 'estimateCryptoWithdrawalFee',
    endpoint: 'POST /crypto/estimate-withdrawal-fee',
    summary: 'Estimate what a withdrawal to a chain costs',
    description: 'An estimate only: no payment of the sandbox takes this fee.',
    permission: 'VIEW',
    body: FeeEstimateRequest,
    example: {
      body: {
        internalAccountId: a('accounts', { currency: 'USDC', status: 'ACTIVE' }, 'createCustomer'),
        currency: 'USDC',
        cryptoNetwork: 'SOLANA',
        amount: oneOf(2_500_000, 2500),
        destinationAddress: '4Nd1m6Qkq7RfKuE5vQ9qP9Tn6H94Ueqb4xXHzsAbd8Wg',
      },
    },
    replies: { 200: FeeEstimate },
    refuses: ['REFERENCE_NOT_FOUND', 'INVALID_CURRENCY', 'AMOUNT_OUT_OF_RANGE'],
    write: ({ world, body }) => reply(200, estimateFee(world, body)),
  }),
];
