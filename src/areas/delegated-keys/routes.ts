import { a, knownAs, type Row, type Scene, wallet } from '../../declare/example.ts';
import { type Infer, type OperationContext, operationsOf, reply } from '../../declare/operation.ts';
import { refusalOf } from '../sessions/index.ts';
import { walletSignature } from '../signing/index.ts';
import { DELEGATED_KEYS, delegatedKeyOf } from './row.ts';
import {
  type Binding,
  bindingOf,
  checkNoneActive,
  grantKey,
  makeKey,
  newPublicKey,
  policyPayload,
  revokeKey,
  signerPayload,
} from './rules.ts';
import { DelegatedKeyCreate, DelegatedKeyList, DelegatedKeyQuery, DelegatedKeyShape } from './schema.ts';

const operation = operationsOf('Embedded Wallet Auth');

const OF_WALLET = { cardState: 'ACTIVE', isOfWallet: knownAs(true) };
/** Returns a wallet that pays for a card and has no key for it. */
const walletOf = ({ id: cardId, fundingSources = [] }: Row, the: Scene): string | undefined =>
  (fundingSources as string[]).find(
    (accountId) =>
      the.newest('accounts', { id: accountId, type: 'EMBEDDED_WALLET' }) &&
      !the.newest('delegated-keys', { cardId, accountId, status: 'ACTIVE' }),
  );

type Create = OperationContext<Infer<typeof DelegatedKeyCreate>>;

/** Requires two signatures of the wallet's owner with the same session: that the key is made, and that it may sign. */
const signedTwice = walletSignature({
  legs: 2,
  stash: ({ world, body }: Create, binding: Binding, _waited: undefined, before, signer) => {
    if (!before) return { publicKey: newPublicKey(world, binding) };
    const { id } = makeKey(world, binding, before.kept['publicKey'] as string, body.nickname);
    return { keyId: id, ...(signer === undefined ? {} : { signer }) };
  },
  payload: ({ world }, binding, _waited, { publicKey, keyId }) =>
    keyId === undefined
      ? signerPayload(world, binding, publicKey as string)
      : policyPayload(world, binding, delegatedKeyOf(world, keyId)),
  rejectKey: ({ world }, { wallet }, publicKey, { kept: { signer } }) =>
    signer !== undefined && signer !== publicKey
      ? 'another key signed for the first challenge'
      : refusalOf(world, [wallet.id], publicKey),
});

export const routes = [
  operation({
    id: 'createDelegatedKey',
    endpoint: 'POST /auth/delegated-keys',
    summary: 'Let the service sign for a card that an embedded wallet pays for',
    description:
      'Three calls with the same body: the first is answered with a challenge, the second, signed, with another, the third, signed, with the key.',
    body: DelegatedKeyCreate,
    example: (the) => {
      const card = the.row('cards', OF_WALLET, 'createCard', (row) => walletOf(row, the) !== undefined);
      return {
        body: { cardId: card.id, internalAccountId: walletOf(card, the) ?? '<accountId>', nickname: 'Spending' },
      };
    },
    replies: { 201: DelegatedKeyShape },
    refuses: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
    authorize: signedTwice,
    load: ({ world, body }) => bindingOf(world, body.cardId, body.internalAccountId),
    check: ({ world }, binding) => checkNoneActive(world, binding),
    write: ({ world }, binding, _waited, { challenge }) =>
      reply(201, grantKey(world, binding, delegatedKeyOf(world, challenge?.kept['keyId'] as string))),
  }),
  operation({
    id: 'listDelegatedKeys',
    endpoint: 'GET /auth/delegated-keys',
    summary: 'List the delegated keys of a wallet or of a funding source, newest first',
    query: DelegatedKeyQuery,
    example: { query: { accountId: wallet } },
    replies: { 200: DelegatedKeyList },
    read: ({ world, query: where }) => reply(200, { data: [...world.rows(DELEGATED_KEYS).newest({ where })] }),
  }),
  operation({
    id: 'getDelegatedKeyById',
    endpoint: 'GET /auth/delegated-keys/{id}',
    summary: 'Read a delegated key',
    example: { params: { id: a('delegated-keys', {}, 'createDelegatedKey') } },
    replies: { 200: DelegatedKeyShape },
    refuses: ['REFERENCE_NOT_FOUND'],
    load: ({ world, params }) => delegatedKeyOf(world, params.id),
    read: (_context, key) => reply(200, key, key),
  }),
  operation({
    id: 'revokeDelegatedKey',
    endpoint: 'DELETE /auth/delegated-keys/{id}',
    summary: 'Revoke a delegated key, without a signature',
    example: { params: { id: a('delegated-keys', { status: 'ACTIVE' }, 'createDelegatedKey') } },
    replies: { 204: null },
    refuses: ['INVALID_INPUT', 'REFERENCE_NOT_FOUND'],
    load: ({ world, params }) => delegatedKeyOf(world, params.id),
    write: ({ world }, key) => {
      revokeKey(world, key);
      return reply(204);
    },
  }),
];
