import {
  a,
  bank,
  type Fits,
  having,
  type Ingredients,
  type Match,
  merged,
  ofSomebody,
  oneOf,
  who,
} from '../../declare/example.ts';
import { type Operation, operationsOf, reply } from '../../declare/operation.ts';
import { createExternalAccount, wrongInput } from './create.ts';
import { applyProofResult, challengeOwner, verifyOwnershipProof } from './ownership.ts';
import {
  accountOnSide,
  CUSTOMERS_KEY,
  deleteExternalAccount,
  externalAccountPage,
  ownedAccountOnSide,
  PLATFORM_KEY,
  showExternalAccount,
} from './rules.ts';
import {
  ExternalAccountCreate,
  ExternalAccountPage,
  ExternalAccountQuery,
  ExternalAccountShape,
  OwnershipChallenge,
  OwnershipChallengeRequest,
  OwnershipVerifyRequest,
  PlatformExternalAccountCreate,
  PlatformExternalAccountQuery,
} from './schema.ts';
import { trustRoutes } from './trust-routes.ts';

const operation = operationsOf('External Accounts');

const UNPROVEN = { ownershipType: 'FIRST_PARTY', status: 'PENDING_OWNERSHIP_VERIFICATION' };
const CHALLENGED = { ...UNPROVEN, challenge: having({ method: 'WALLET_SIGNATURE' }) };

const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: 'Nora Lind' };
const euro = { accountType: 'EUR_ACCOUNT', iban: 'DE89370400440532013000', beneficiary };
const dollar = { accountType: 'USD_ACCOUNT', accountNumber: '000123456789', routingNumber: '123456789', beneficiary };
/**
 * Accounts that leave something out, or have wrong members or a currency that does not match; most draws change
 * nothing.
 */
const ODD: readonly Ingredients[] = [
  {},
  {},
  {},
  {
    body: oneOf({ currency: 'EUR', accountInfo: euro }, { currency: 'USD', accountInfo: dollar }, { currency: 'GBP' }),
  },
];

/** Returns the id of an account of either side. */
const oneOn = (
  side: typeof CUSTOMERS_KEY | typeof PLATFORM_KEY,
  match: Match = {},
  { maker = `create${NAMES[side]}ExternalAccount`, fits }: { maker?: string; fits?: Fits } = {},
) => {
  const customerId = side === CUSTOMERS_KEY ? ofSomebody : undefined;
  return a('external-accounts', { isDeleted: false, customerId, ...match }, maker, { fits });
};
const isUntrusted: Fits = ({ id }, the) => {
  const status = the.newest('sca-trust', { id })?.['status'];
  return status !== 'TRUSTED' && status !== 'UNTRUST_PENDING';
};

const onBothSides = (made: (side: typeof CUSTOMERS_KEY | typeof PLATFORM_KEY) => Operation): Operation[] => [
  made(CUSTOMERS_KEY),
  made(PLATFORM_KEY),
];
const NAMES = { [CUSTOMERS_KEY]: 'Customer', [PLATFORM_KEY]: 'Platform' } as const;
const WORDS = { [CUSTOMERS_KEY]: "a customer's", [PLATFORM_KEY]: "the platform's own" } as const;
/** The refusals of registering an account, for platforms and agents alike. */
export const CREATES = ['INVALID_CURRENCY', 'INVALID_BANK_ACCOUNT', 'CONFLICT'] as const;
const PROVES = ['REFERENCE_NOT_FOUND', 'CONFLICT'] as const;

export const routes: readonly Operation[] = [
  operation({
    id: 'createCustomerExternalAccount',
    endpoint: 'POST /customers/external-accounts',
    summary: "Register a customer's account elsewhere",
    description: 'Without customerId the account belongs to the platform.',
    body: ExternalAccountCreate,
    fieldRules: ({ world }, sent, bad) => wrongInput(world, sent, bad),
    example: { body: merged({ customerId: who() }, bank), vary: ODD },
    replies: { 201: ExternalAccountShape },
    refuses: [...CREATES, 'USER_NOT_FOUND'],
    write: ({ world, body }) => reply(201, showExternalAccount(createExternalAccount(world, body))),
  }),
  operation({
    id: 'createPlatformExternalAccount',
    endpoint: 'POST /platform/external-accounts',
    summary: "Register the platform's own account elsewhere",
    body: PlatformExternalAccountCreate,
    fieldRules: ({ world }, { currency, ownershipType, accountInfo }, bad) =>
      wrongInput(world, { currency, ownershipType, accountInfo }, bad),
    example: { body: bank, vary: ODD },
    replies: { 201: ExternalAccountShape },
    refuses: CREATES,
    write: ({ world, body }) => reply(201, showExternalAccount(createExternalAccount(world, body))),
  }),
  operation({
    id: 'listCustomerExternalAccounts',
    endpoint: 'GET /customers/external-accounts',
    summary: "List the customers' external accounts, newest first",
    query: ExternalAccountQuery,
    replies: { 200: ExternalAccountPage },
    read: ({ world, query }) => reply(200, externalAccountPage(world, CUSTOMERS_KEY, query)),
  }),
  operation({
    id: 'listPlatformExternalAccounts',
    endpoint: 'GET /platform/external-accounts',
    summary: "List the platform's own external accounts, newest first",
    query: PlatformExternalAccountQuery,
    replies: { 200: ExternalAccountPage },
    read: ({ world, query }) => reply(200, externalAccountPage(world, PLATFORM_KEY, query)),
  }),
  ...onBothSides((side) =>
    operation({
      id: `get${NAMES[side]}ExternalAccountById`,
      endpoint: `GET /${side}/external-accounts/{externalAccountId}`,
      summary: `Read ${WORDS[side]} external account`,
      example: { params: { externalAccountId: oneOn(side) } },
      replies: { 200: ExternalAccountShape },
      refuses: ['REFERENCE_NOT_FOUND'],
      load: ({ world, params }) => accountOnSide(world, params.externalAccountId, side),
      read: (_ask, account) => reply(200, showExternalAccount(account), account),
    }),
  ),
  ...onBothSides((side) =>
    operation({
      id: `delete${NAMES[side]}ExternalAccountById`,
      endpoint: `DELETE /${side}/external-accounts/{externalAccountId}`,
      summary: `Delete ${WORDS[side]} external account`,
      description: 'Payments that named it keep doing so.',
      example: { params: { externalAccountId: oneOn(side, {}, { fits: isUntrusted }) } },
      replies: { 204: null },
      refuses: side === CUSTOMERS_KEY ? ['REFERENCE_NOT_FOUND', 'BENEFICIARY_TRUSTED'] : ['REFERENCE_NOT_FOUND'],
      load: ({ world, params }) => accountOnSide(world, params.externalAccountId, side),
      write: ({ world }, account) => {
        deleteExternalAccount(world, account);
        return reply(204);
      },
    }),
  ),
  ...onBothSides((side) =>
    operation({
      id: `create${side === PLATFORM_KEY ? 'Platform' : ''}ExternalAccountOwnershipChallenge`,
      endpoint: `POST /${side}/external-accounts/{externalAccountId}/challenge`,
      summary: `Ask for proof that ${WORDS[side]} self-custody wallet is theirs`,
      description: 'An earlier challenge of the account is void from here on.',
      body: OwnershipChallengeRequest,
      example: { params: { externalAccountId: oneOn(side, UNPROVEN) }, body: { method: 'WALLET_SIGNATURE' } },
      makes: { 'external-accounts': { id: '{externalAccountId}' } },
      replies: { 201: OwnershipChallenge },
      refuses: side === CUSTOMERS_KEY ? [...PROVES, 'USER_NOT_FOUND'] : PROVES,
      load: ({ world, params }) => ownedAccountOnSide(world, params.externalAccountId, side),
      write: ({ world, body, origin }, account) => reply(201, challengeOwner(world, account, body.method, origin)),
    }),
  ),
  ...onBothSides((side) =>
    operation({
      id: `verify${side === PLATFORM_KEY ? 'Platform' : ''}ExternalAccountOwnership`,
      endpoint: `POST /${side}/external-accounts/{externalAccountId}/verify`,
      summary: `Prove that ${WORDS[side]} self-custody wallet is theirs, by its signature`,
      description: 'A bad or late signature leaves the account UNVERIFIED and needs a new challenge.',
      body: OwnershipVerifyRequest,
      example: {
        params: {
          externalAccountId: oneOn(side, CHALLENGED, {
            maker: `create${side === PLATFORM_KEY ? 'Platform' : ''}ExternalAccountOwnershipChallenge`,
          }),
        },
        body: { signature: oneOf('sandbox-valid-signature', 'wrong') },
      },
      replies: { 200: ExternalAccountShape },
      refuses: side === CUSTOMERS_KEY ? [...PROVES, 'USER_NOT_FOUND'] : PROVES,
      load: ({ world, params }) => ownedAccountOnSide(world, params.externalAccountId, side),
      wait: ({ world, body }, account) => verifyOwnershipProof(world, account, body),
      write: ({ world, body }, account, verdict) =>
        reply(200, showExternalAccount(applyProofResult(world, account, verdict, body.signature))),
    }),
  ),
  ...trustRoutes,
];
