import type { ErrorCode } from '../../contract/errors.ts';
import { a, type Fits, not, oneOf, text } from '../../declare/example.ts';
import { operationsOf, reply } from '../../declare/operation.ts';
import { mapPage, pageOfRows } from '../../engine/page.ts';
import { cryptoNetworkOf, type ExternalAccount } from '../external-accounts/index.ts';
import { registerStablecoin, STABLECOINS, showStablecoin, stablecoinOf } from './coins.ts';
import { burn, issuerOperationOf, mint, OPERATIONS } from './operations.ts';
import { linkProviderAccount, PROVIDER_ACCOUNTS, providerAccountOf, showProviderAccount } from './provider-accounts.ts';
import {
  BurnRequest,
  MintRequest,
  OperationPage,
  OperationQuery,
  OperationShape,
  ProviderAccountLink,
  ProviderAccountPage,
  ProviderAccountQuery,
  ProviderAccountShape,
  StablecoinPage,
  StablecoinQuery,
  StablecoinRegister,
  StablecoinShape,
} from './schema.ts';
import { showOperation } from './show.ts';

const operation = operationsOf('Stablecoins');

const ended = (pattern: string, table: string, ends: readonly string[]) =>
  oneOf(text(pattern, table), ...ends.map((end) => text(pattern + end, table)));
const CLIENT = ended('client-{n}x', 'stablecoin-provider-accounts', ['', '-002', '-003', '-004', '-005']);
const COIN = ended('COIN{n}X', 'stablecoins', ['', '', '-001', '-002', '-003', '-004', '-005']);
const PROVISIONED = { issuanceStatus: 'PROVISIONED' };
const TOKENS = a('external-accounts', { currency: 'USDB' }, 'createPlatformExternalAccount');
const DOLLARS = a(
  'external-accounts',
  { currency: 'USD', status: 'ACTIVE', isDeleted: false, customerId: undefined },
  'createPlatformExternalAccount',
);

/** The refusals of mints and burns. */
const REFUSED: readonly ErrorCode[] = [
  'STABLECOIN_PROVIDER_ACCOUNT_INVALID',
  'STABLECOIN_PROVIDER_ACCOUNT_REVOKED',
  'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
  'MISSING_MANDATORY_USER_INFO',
  'USER_NOT_READY',
  'END_USER_TERMS_NOT_ACCEPTED',
  'REFERENCE_NOT_FOUND',
  'USER_NOT_FOUND',
  'SERVICE_UNAVAILABLE',
];

export const routes = [
  operation({
    id: 'linkStablecoinProviderAccount',
    endpoint: 'POST /stablecoin-provider-accounts',
    summary: 'Link an account at a stablecoin provider',
    description: 'The credentials are checked with the provider; the secret is not kept, and never shown.',
    idempotency: 'required',
    body: ProviderAccountLink,
    example: {
      body: {
        provider: 'STABLECOIN_PROVIDER_1',
        apiClientId: CLIENT,
        apiClientSecret: 'hush',
      },
    },
    replies: { 201: ProviderAccountShape },
    refuses: ['STABLECOIN_PROVIDER_ACCOUNT_INVALID', 'STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED'],
    write: ({ world, body }) => {
      const isNamed = body.providerAccountId !== undefined;
      return reply(201, showProviderAccount(linkProviderAccount(world, body, { isNamed })));
    },
  }),
  operation({
    id: 'listStablecoinProviderAccounts',
    endpoint: 'GET /stablecoin-provider-accounts',
    summary: 'List linked provider accounts, newest first',
    query: ProviderAccountQuery,
    replies: { 200: ProviderAccountPage },
    read: ({ world, query: { limit, cursor, ...where } }) =>
      reply(200, pageOfRows(world.rows(PROVIDER_ACCOUNTS).page({ where, limit, cursor }), showProviderAccount)),
  }),
  operation({
    id: 'getStablecoinProviderAccount',
    endpoint: 'GET /stablecoin-provider-accounts/{stablecoinProviderAccountId}',
    summary: 'Read a linked provider account',
    example: {
      params: { stablecoinProviderAccountId: a('stablecoin-provider-accounts', {}, 'linkStablecoinProviderAccount') },
    },
    replies: { 200: ProviderAccountShape },
    refuses: ['STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND'],
    load: ({ world, params }) => providerAccountOf(world, params.stablecoinProviderAccountId),
    read: (_context, account) => reply(200, showProviderAccount(account), account),
  }),
  operation({
    id: 'registerStablecoin',
    endpoint: 'POST /stablecoins',
    summary: 'Register a coin that a provider has made',
    description: 'Nothing is made at the provider. Poll the coin until it is PROVISIONED: no event tells it.',
    idempotency: 'required',
    body: StablecoinRegister,
    example: {
      body: {
        providerTokenIdentifier: COIN,
        networkTokenIdentifier: text('btkn1coin{n}x', 'stablecoins'),
        network: 'SPARK',
        stablecoinProviderAccountId: a(
          'stablecoin-provider-accounts',
          { status: 'ACTIVE' },
          'linkStablecoinProviderAccount',
        ),
      },
    },
    replies: { 201: StablecoinShape },
    refuses: [
      'STABLECOIN_PROVIDER_ACCOUNT_INVALID',
      'STABLECOIN_PROVIDER_ACCOUNT_REVOKED',
      'STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED',
      'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND',
    ],
    write: ({ world, body }) => reply(201, showStablecoin(registerStablecoin(world, body))),
  }),
  operation({
    id: 'listStablecoins',
    endpoint: 'GET /stablecoins',
    summary: 'List registered coins, newest first',
    query: StablecoinQuery,
    replies: { 200: StablecoinPage },
    read: ({ world, query: { limit, cursor, ...where } }) =>
      reply(200, pageOfRows(world.rows(STABLECOINS).page({ where, limit, cursor }), showStablecoin)),
  }),
  operation({
    id: 'getStablecoin',
    endpoint: 'GET /stablecoins/{stablecoinId}',
    summary: 'Read a registered coin',
    example: { params: { stablecoinId: a('stablecoins', {}, 'registerStablecoin') } },
    replies: { 200: StablecoinShape },
    refuses: ['REFERENCE_NOT_FOUND'],
    load: ({ world, params }) => stablecoinOf(world, params.stablecoinId),
    read: (_context, coin) => reply(200, showStablecoin(coin), coin),
  }),
  operation({
    id: 'createStablecoinMint',
    endpoint: 'POST /stablecoins/{stablecoinId}/mints',
    summary: 'Mint a coin',
    description: 'A mint by wire waits for its funds until expiresAt; a debit is collected by the provider.',
    permission: 'TRANSACT',
    idempotency: 'required',
    body: MintRequest,
    example: (the) => {
      const { id, symbol = 'USDB', network } = the.row('stablecoins', PROVISIONED, 'registerStablecoin');
      const match = { currency: symbol, status: 'ACTIVE', type: not('EMBEDDED_WALLET') };
      const onNetwork: Fits = (row) => cryptoNetworkOf(row as unknown as ExternalAccount) === network;
      const holder =
        the.newest('accounts', match) ??
        the.newest('external-accounts', { status: 'ACTIVE', isDeleted: false }, onNetwork);
      const accountId = holder?.id ?? the.lacks('createCustomer');
      return {
        params: { stablecoinId: id },
        body: {
          amount: oneOf('10000', '250000000', '12345'),
          fundingSource: { type: 'WIRE' },
          destination: { accountId },
        },
        vary: [
          { body: { destination: { accountId: TOKENS } } },
          { body: { fundingSource: { type: 'ACH_DEBIT', externalAccountId: DOLLARS } } },
        ],
      };
    },
    replies: { 201: OperationShape },
    refuses: REFUSED,
    load: ({ world, params }) => stablecoinOf(world, params.stablecoinId),
    write: ({ world, body }, coin) => reply(201, showOperation(coin, mint(world, coin, body))),
  }),
  operation({
    id: 'createStablecoinBurn',
    endpoint: 'POST /stablecoins/{stablecoinId}/burns',
    summary: 'Burn a coin and be paid in its base currency',
    description: 'A burn from outside waits until the tokens come to the address in fundingInstructions.',
    permission: 'TRANSACT',
    idempotency: 'required',
    body: BurnRequest,
    example: {
      params: { stablecoinId: a('stablecoins', PROVISIONED, 'registerStablecoin') },
      body: {
        amount: '10000',
        source: { type: oneOf('EXTERNAL_ACCOUNT', 'PROVIDER_INTERNAL_BALANCE', 'NONE') },
        destination: { type: 'EXTERNAL_ACCOUNT', externalAccountId: DOLLARS, rail: oneOf('WIRE', 'ACH_CREDIT') },
      },
    },
    makes: { 'stablecoin-operations': {} },
    replies: { 201: OperationShape },
    refuses: REFUSED,
    load: ({ world, params }) => stablecoinOf(world, params.stablecoinId),
    write: ({ world, body }, coin) => reply(201, showOperation(coin, burn(world, coin, body))),
  }),
  operation({
    id: 'listStablecoinOperations',
    endpoint: 'GET /stablecoins/{stablecoinId}/operations',
    summary: 'List mints and burns of a coin, newest first',
    query: OperationQuery,
    example: { params: { stablecoinId: a('stablecoins', {}, 'registerStablecoin') } },
    replies: { 200: OperationPage },
    refuses: ['REFERENCE_NOT_FOUND'],
    load: ({ world, params }) => stablecoinOf(world, params.stablecoinId),
    read: ({ world, query: { limit, cursor, operationType } }, coin) => {
      const where = { stablecoinId: coin.id, operationType };
      const page = world.rows(OPERATIONS).page({ where, limit, cursor });
      return reply(
        200,
        mapPage(page, (row) => showOperation(coin, row)),
      );
    },
  }),
  operation({
    id: 'getStablecoinOperation',
    endpoint: 'GET /stablecoin-operations/{stablecoinOperationId}',
    summary: 'Read a mint or a burn',
    example: { params: { stablecoinOperationId: a('stablecoin-operations', {}, 'createStablecoinMint') } },
    replies: { 200: OperationShape },
    refuses: ['REFERENCE_NOT_FOUND'],
    load: ({ world, params }) => issuerOperationOf(world, params.stablecoinOperationId),
    read: ({ world }, row) => reply(200, showOperation(stablecoinOf(world, row.stablecoinId), row), row),
  }),
];
