import { operation, reply } from '../../declare/operation.ts';
import { banks, umaProviders, vasps } from './rules.ts';
import { DiscoveryList, DiscoveryQuery, UmaProviderPage, UmaProviderQuery, VaspPage, VaspQuery } from './schema.ts';

export const routes = [
  operation({
    id: 'getDiscoveries',
    method: 'GET',
    path: '/discoveries',
    tag: 'Discoveries',
    summary: 'List the banks that payouts can reach',
    query: DiscoveryQuery,
    replies: { 200: DiscoveryList },
    read: ({ query }) => reply(200, { data: banks(query) }),
  }),
  operation({
    id: 'getAvailableUmaProviders',
    method: 'GET',
    path: '/uma-providers',
    tag: 'Available UMA Providers',
    summary: 'List the UMA providers that can be reached',
    query: UmaProviderQuery,
    replies: { 200: UmaProviderPage },
    read: ({ query }) => reply(200, umaProviders(query)),
  }),
  operation({
    id: 'listVasps',
    method: 'GET',
    path: '/vasps',
    tag: 'VASPs',
    summary: 'List custodians that may host a counterparty',
    query: VaspQuery,
    replies: { 200: VaspPage },
    read: ({ query }) => reply(200, vasps(query)),
  }),
];
