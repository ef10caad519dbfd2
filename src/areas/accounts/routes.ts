import { operationsOf, reply } from '../../declare/operation.ts';
import { mapPage } from '../../engine/page.ts';
import { ACCOUNTS, accountsOf, showAccount } from './rules.ts';
import { CustomerAccountQuery, InternalAccountPage, PlatformAccountList, PlatformAccountQuery } from './schema.ts';

const operation = operationsOf('Internal Accounts');

export const routes = [
  operation({
    id: 'listCustomerInternalAccounts',
    endpoint: 'GET /customers/internal-accounts',
    summary: "List the customers' internal accounts",
    query: CustomerAccountQuery,
    replies: { 200: InternalAccountPage },
    read: ({ world, query }) => {
      const { customerId: owner, currency, type, limit, cursor } = query;
      const where = { owner, currency, type, side: 'customers' };
      return reply(
        200,
        mapPage(world.rows(ACCOUNTS).page({ where, limit, cursor }), (a) => showAccount(world, a)),
      );
    },
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
