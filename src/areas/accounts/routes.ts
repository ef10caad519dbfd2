import { operationsOf, reply } from '../../declare/operation.ts';
import { accountsOf, customerAccountPage, showAccount } from './rules.ts';
import { CustomerAccountQuery, InternalAccountPage, PlatformAccountList, PlatformAccountQuery } from './schema.ts';

const operation = operationsOf('Internal Accounts');

export const routes = [
  operation({
    id: 'listCustomerInternalAccounts',
    endpoint: 'GET /customers/internal-accounts',
    summary: "List the customers' internal accounts",
    query: CustomerAccountQuery,
    replies: { 200: InternalAccountPage },
    read: ({ world, query }) => reply(200, customerAccountPage(world, query)),
  }),
  operation({
    id: 'listPlatformInternalAccounts',
    endpoint: 'GET /platform/internal-accounts',
    summary: "List the platform's own internal accounts",
    query: PlatformAccountQuery,
    replies: { 200: PlatformAccountList },
    read: ({ world, query }) => {
      const data = accountsOf(world)
        .filter((a) => (query.currency ?? a.currency) === a.currency && (query.type ?? a.type) === a.type)
        .map((a) => showAccount(world, a));
      return reply(200, { data });
    },
  }),
];
