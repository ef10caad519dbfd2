import { a, oneOf, present } from '../../declare/example.ts';
import { operationsOf, reply } from '../../declare/operation.ts';
import { pageOfRows } from '../../engine/page.ts';
import { checkNotInUse, createToken, deleteToken, showToken, TOKENS, tokenOf } from './rules.ts';
import { TokenCreate, TokenPage, TokenQuery, TokenShape } from './schema.ts';

const operation = operationsOf('API Tokens');
/** Returns a token without its secret. */
const listed = (token: Parameters<typeof showToken>[0]) => showToken(token);

export const routes = [
  operation({
    id: 'createToken',
    endpoint: 'POST /tokens',
    summary: 'Create an API token',
    description: 'The reply is the only place where clientSecret is ever shown. The token logs in to this sandbox.',
    body: TokenCreate,
    example: { body: { name: 'Reporting', permissions: oneOf(['VIEW'], ['VIEW', 'TRANSACT']) } },
    replies: { 201: TokenShape },
    write: ({ world, body }) => {
      const { token, clientSecret } = createToken(world, body);
      return reply(201, showToken(token, clientSecret));
    },
  }),
  operation({
    id: 'listTokens',
    endpoint: 'GET /tokens',
    summary: 'List API tokens, newest first',
    query: TokenQuery,
    replies: { 200: TokenPage },
    read: ({ world, query }) => {
      const { name, createdAfter, createdBefore, updatedAfter = '', updatedBefore = '~', limit, cursor } = query;
      const page = world.rows(TOKENS).page({
        where: { name },
        between: { by: (t) => t.createdAt, from: createdAfter, to: createdBefore },
        filter: (t) => t.updatedAt >= updatedAfter && t.updatedAt <= updatedBefore,
        limit,
        cursor,
      });
      return reply(200, pageOfRows(page, listed));
    },
  }),
  operation({
    id: 'getTokenById',
    endpoint: 'GET /tokens/{tokenId}',
    summary: 'Read an API token',
    example: { params: { tokenId: a('tokens', {}, 'createToken') } },
    replies: { 200: TokenShape },
    refuses: ['TOKEN_NOT_FOUND'],
    load: ({ world, params }) => tokenOf(world, params.tokenId),
    read: (_ask, token) => reply(200, showToken(token)),
  }),
  operation({
    id: 'deleteTokenById',
    endpoint: 'DELETE /tokens/{tokenId}',
    summary: 'Delete an API token; its credential is refused from then on',
    // The token in use cannot be deleted, so take one made through the API, which has a secret hash.
    example: { params: { tokenId: a('tokens', { secretHash: present }, 'createToken') } },
    replies: { 204: null },
    refuses: ['INVALID_INPUT', 'TOKEN_NOT_FOUND'],
    load: ({ world, params }) => tokenOf(world, params.tokenId),
    check: ({ principal }, token) => checkNotInUse(token, principal),
    write: ({ world }, token) => {
      deleteToken(world, token);
      return reply(204);
    },
  }),
];
