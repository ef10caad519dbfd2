import { createHash } from 'node:crypto';
import type { Facts, Row } from './facts.ts';
import { at, type Recipes } from './recipe.ts';
import { CLIENT_KEY } from './samples.ts';

const active = { cardState: 'ACTIVE' };
const session = (the: Facts): string =>
  the.id(
    'sessions',
    'verifyAuthCredential',
    { revokedAt: undefined },
    (row) => (row['expiresAt'] as number) > the.world.clock.now(),
  );
/** A token of an identity provider as the sandbox takes it: its signature is not checked unless a scenario asks for that. */
function oidcToken({ world }: Facts, identity: object, clientKey?: string): string {
  const seconds = Math.floor(world.clock.now() / 1000);
  const nonce = clientKey === undefined ? {} : { nonce: createHash('sha256').update(clientKey).digest('hex') };
  const claims = { ...identity, iat: seconds, exp: seconds + 300, ...nonce };
  const parts = [{ alg: 'RS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return `${parts.join('.')}.sandbox-signature`;
}
const GOOGLE = { iss: 'https://accounts.google.com', aud: 'app-1' };

/** Embedded wallets, their logins, sessions and delegated keys. */
export const WALLETS: Recipes = {
  createDelegatedKey: (the) => {
    const wallets = (row: Row) =>
      (row['fundingSources'] as string[]).find(
        (id) =>
          the.newest('accounts', { id, type: 'EMBEDDED_WALLET' }) &&
          !the.newest('delegated-keys', { cardId: row.id, accountId: id, status: 'ACTIVE' }),
      );
    const row = the.row('cards', 'createCard', active, (one) => wallets(one) !== undefined);
    return {
      body: {
        cardId: row.id,
        internalAccountId: (row['fundingSources'] && wallets(row)) ?? '<accountId>',
        nickname: 'Spending',
      },
    };
  },
  listDelegatedKeys: (the) => ({ query: { accountId: the.wallet() } }),
  getDelegatedKeyById: at('id', (the) => the.id('delegated-keys', 'createDelegatedKey')),
  revokeDelegatedKey: at('id', (the) => the.id('delegated-keys', 'createDelegatedKey', { status: 'ACTIVE' })),

  exportInternalAccount: at(
    'id',
    (the) => the.wallet(),
    () => ({ body: { clientPublicKey: CLIENT_KEY } }),
  ),
  createAuthCredential: (the) => ({
    body: {
      type: 'OAUTH',
      accountId: the.wallet(),
      oidcToken: oidcToken(the, { ...GOOGLE, sub: `user-${the.count('credentials') + 1}` }),
    },
  }),
  challengeAuthCredential: at(
    'id',
    (the) => the.id('credentials', 'createAuthCredential', { type: 'EMAIL_OTP' }),
    () => ({ body: {} }),
  ),
  verifyAuthCredential: (the) => {
    const row = the.row('credentials', 'createAuthCredential', { type: 'OAUTH' });
    return {
      params: { id: row.id },
      body: {
        type: 'OAUTH',
        oidcToken: oidcToken(the, (row['oauth'] as object | undefined) ?? GOOGLE, CLIENT_KEY),
        clientPublicKey: CLIENT_KEY,
      },
    };
  },
  revokeAuthCredential: at('id', (the) =>
    the.id(
      'credentials',
      'createAuthCredential',
      {},
      (row) => the.newest('credentials', { accountId: row['accountId'] }, (other) => other.id !== row.id) !== undefined,
    ),
  ),
  refreshAuthSession: at('id', session, () => ({ body: { clientPublicKey: CLIENT_KEY } })),
  revokeAuthSession: at('id', session),
};
