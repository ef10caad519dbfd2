import { createHash } from 'node:crypto';
import { fail } from '../../contract/errors.ts';
import { magicName, suffixOf } from '../../contract/suffix.ts';
import type { Infer } from '../../declare/operation.ts';
import { decidedByHand, decideLater } from '../../engine/decide-later.ts';
import { begin, lifecycle, move } from '../../engine/machine.ts';
import { resource, rowOr404 } from '../../engine/resource.ts';
import type { World } from '../../engine/world.ts';
import { PROVIDER_ACCOUNT } from './machine.ts';
import { clientMagic } from './magic.ts';
import { type ProviderAccount, ProviderAccountRow } from './row.ts';
import type { ProviderAccountLink } from './schema.ts';

export const PROVIDER_ACCOUNTS = resource('stablecoin-provider-accounts', {
  row: ProviderAccountRow,
  indexes: {
    provider: (a) => a.provider,
    status: (a) => a.status,
    same: (a) => `${a.provider} ${a.providerAccountId}`,
  },
  titles: ['Stablecoin provider accounts', 'Stablecoin provider account', 'Links to the issuers of coins'],
  prefix: 'StablecoinProviderAccount',
  label: (a) => a.providerAccountId,
  view: (row) => showProviderAccount(row),
  made: 'linkStablecoinProviderAccount',
  columns: { Status: ['status', 'status'], Provider: 'provider', Created: ['createdAt', 'time'] },
  tones: { ACTIVE: 'good', INVALID: 'warn', REVOKED: 'bad' },
});

const LINK = lifecycle(PROVIDER_ACCOUNTS, { state: 'status', machine: PROVIDER_ACCOUNT });

/** Returns one linked provider account. 404 STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND. */
export const providerAccountOf = rowOr404(
  PROVIDER_ACCOUNTS,
  'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND',
  'stablecoin provider account',
);

/** The environment of every provider account: it follows the platform's mode, and this is a sandbox. */
export const ENVIRONMENT = 'SANDBOX';

/** Returns a linked provider account as replies show it. */
export const showProviderAccount = (account: ProviderAccount) => ({ ...account, providerEnvironment: ENVIRONMENT });

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Returns the provider account that credentials open if none is named; always the same one. */
const accountBehind = (clientId: string): string =>
  [...createHash('sha256').update(`stablecoin provider account of ${clientId}`).digest().subarray(0, 27)]
    .map((byte) => BASE58[byte % BASE58.length])
    .join('');

/**
 * Links a provider account; its credentials are not stored. 400 STABLECOIN_PROVIDER_ACCOUNT_INVALID or
 * STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED by magic suffix, 409 CONFLICT while an `ACTIVE` link to it exists. A
 * scenario may pin the id.
 */
export function linkProviderAccount(
  world: World,
  { provider, apiClientId, providerAccountId = accountBehind(apiClientId) }: Infer<typeof ProviderAccountLink>,
  { isNamed, id }: { isNamed: boolean; id?: string | undefined },
): ProviderAccount {
  const magic = clientMagic(apiClientId);
  if (magic?.refusal !== undefined && !(magic.unlessNamed && isNamed))
    fail(magic.refusal, `apiClientId: ${magic.says}`, {
      why: { rule: 'reference: stablecoins, provider accounts', seen: apiClientId },
    });
  const linked = world
    .rows(PROVIDER_ACCOUNTS)
    .all('same', `${provider} ${providerAccountId}`)
    .find(({ status }) => status === 'ACTIVE');
  if (linked)
    fail('CONFLICT', `this provider account is linked already, as ${linked.id}`, {
      details: { reason: 'PROVIDER_ACCOUNT_LINKED', stablecoinProviderAccountId: linked.id },
      why: { rule: 'reference: stablecoins, provider accounts', seen: linked.id },
    });
  const now = world.clock.iso();
  const account = begin(world, LINK, 'link', (status) => ({
    id: id ?? world.newId('StablecoinProviderAccount'),
    provider,
    providerAccountId,
    status,
    lastVerifiedAt: now,
    createdAt: now,
    updatedAt: now,
  }));
  if (magic)
    world.magic(
      `apiClientId ends in ${suffixOf(apiClientId)}: ${magic.says}`,
      magicName('apiClientId', suffixOf(apiClientId)),
    );
  if (magic?.becomes)
    decideLater(world, 'stablecoin-provider-account.check', { accountId: account.id, finding: magic.becomes });
  return account;
}

/** The trigger with which a link reaches a status. */
const TOWARDS = { ACTIVE: 'verify', INVALID: 'invalidate', REVOKED: 'revoke' } as const;

/** Moves a link to a status. 409 CONFLICT if that is not possible. */
export function decideLink(world: World, id: string, status: ProviderAccount['status']): ProviderAccount {
  const on = TOWARDS[status];
  const decided = move(
    world,
    LINK,
    providerAccountOf(world, id),
    on,
    on === 'verify' ? { lastVerifiedAt: world.clock.iso() } : {},
  );
  decidedByHand(world, 'stablecoin-provider-account.check', { accountId: id });
  return decided;
}

/** Applies the result of a provider's check to a link, unless it is not `ACTIVE` any more. */
export function checkLink(world: World, id: string, finding: 'invalidate' | 'revoke'): void {
  const account = world.rows(PROVIDER_ACCOUNTS).get(id);
  if (account?.status === 'ACTIVE') move(world, LINK, account, finding);
}

/** Returns a link if it is active. 400 STABLECOIN_PROVIDER_ACCOUNT_INVALID or STABLECOIN_PROVIDER_ACCOUNT_REVOKED. */
export function usable(account: ProviderAccount): ProviderAccount {
  if (account.status === 'ACTIVE') return account;
  return fail(`STABLECOIN_PROVIDER_ACCOUNT_${account.status}`, `provider account ${account.id} is ${account.status}`, {
    why: { rule: 'reference: stablecoins, selection', expected: 'ACTIVE', seen: account.status },
  });
}

/**
 * Returns the link for registering a coin: the one named, or the only `ACTIVE` one. 404
 * STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND if there is none, 400 STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED for
 * several.
 */
export function selectProviderAccount(world: World, named: string | undefined): ProviderAccount {
  if (named !== undefined) return usable(providerAccountOf(world, named));
  const [only, ...others] = world.rows(PROVIDER_ACCOUNTS).all('status', 'ACTIVE');
  if (!only)
    fail('STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND', 'no stablecoin provider account is linked and ACTIVE', {
      why: { rule: 'reference: stablecoins, selection', expected: 'one that is ACTIVE' },
    });
  if (others.length > 0)
    fail(
      'STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED',
      `stablecoinProviderAccountId: ${others.length + 1} provider accounts are ACTIVE; name one`,
      {
        details: { stablecoinProviderAccountIds: [only, ...others].slice(0, 20).map(({ id }) => id) },
        why: { rule: 'reference: stablecoins, selection', seen: others.length + 1 },
      },
    );
  return only;
}
