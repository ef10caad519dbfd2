import { operationsOf, reply } from '../../declare/operation.ts';
import { banks, umaProviders, vasps } from './rules.ts';
import { DiscoveryList, DiscoveryQuery, UmaProviderPage, UmaProviderQuery, VaspPage, VaspQuery } from './schema.ts';

export const routes = [
  operationsOf('Discoveries')({
    id: 'getDiscoveries',
    endpoint: 'GET /discoveries',
    summary: 'List the banks that payouts can reach',
    query: DiscoveryQuery,
    replies: { 200: DiscoveryList },
    read: ({ query }) => reply(200, { data: banks(query) }),
  }),
  operationsOf('Available UMA Providers')({
    id: 'getAvailableUmaProviders',
    endpoint: 'GET /uma-providers',
    summary: 'List the UMA providers that can be reached',
    query: UmaProviderQuery,
    replies: { 200: UmaProviderPage },
    read: ({ query }) => reply(200, umaProviders(query)),
  }),
  operationsOf('VASPs')({
    id: 'listVasps',
    endpoint: 'GET /vasps',
    summary: 'List custodians that may host a counterparty',
    query: VaspQuery,
    replies: { 200: VaspPage },
    read: ({ query }) => reply(200, vasps(query)),
  }),
];
