import { operation, reply } from '../../declare/operation.ts';
import { estimateFee } from './networks.ts';
import { accountReceiver, umaReceiver } from './receivers.ts';
import { AccountLookup, FeeEstimate, FeeEstimateRequest, LookupQuery, UmaLookup } from './schema.ts';

const tag = 'Cross-Currency Transfers';

export const routes = [
  operation({
    id: 'lookupUma',
    method: 'GET',
    path: '/receiver/uma/{receiverUmaAddress}',
    tag,
    summary: 'See what can be sent to a UMA address',
    query: LookupQuery,
    replies: { 200: UmaLookup },
    refuses: ['INVALID_UMA_ADDRESS', 'UMA_NOT_FOUND', 'USER_NOT_FOUND'],
    read: ({ world, params, query }) => reply(200, umaReceiver(world, params.receiverUmaAddress, query)),
  }),
  operation({
    id: 'lookupExternalAccount',
    method: 'GET',
    path: '/receiver/external-account/{accountId}',
    tag,
    summary: 'See what can be sent to an external account',
    query: LookupQuery,
    replies: { 200: AccountLookup },
    refuses: ['INVALID_UMA_ADDRESS', 'REFERENCE_NOT_FOUND', 'USER_NOT_FOUND'],
    read: ({ world, params, query }) => reply(200, accountReceiver(world, params.accountId, query)),
  }),
  operation({
    id: 'estimateCryptoWithdrawalFee',
    method: 'POST',
    path: '/crypto/estimate-withdrawal-fee',
    tag,
    summary: 'Estimate what a withdrawal to a chain costs',
    permission: 'VIEW',
    body: FeeEstimateRequest,
    replies: { 200: FeeEstimate },
    refuses: ['REFERENCE_NOT_FOUND', 'INVALID_CURRENCY', 'AMOUNT_OUT_OF_RANGE'],
    write: ({ world, body }) => reply(200, estimateFee(world, body)),
  }),
];
