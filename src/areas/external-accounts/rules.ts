import { fail } from '../../contract/errors.ts';
import { CURRENCIES, moneyText, powerOfTen } from '../../contract/money.ts';
import type { Infer } from '../../declare/operation.ts';
import { decidedByHand } from '../../engine/decide-later.ts';
import { lifecycle } from '../../engine/machine.ts';
import { pageOfRows } from '../../engine/page.ts';
import { resource } from '../../engine/resource.ts';
import type { World } from '../../engine/world.ts';
import { activeCustomer } from '../customers/index.ts';
import { checkUntrusted, endTrustChallenge } from '../sca/index.ts';
import { EXTERNAL_ACCOUNT } from './machine.ts';
import { accountName } from './name.ts';
import type { ExternalAccount } from './row.ts';
import { ExternalAccountRow } from './row.ts';
import type { AccountInfo, ExternalAccountQuery } from './schema.ts';
import { typeOf } from './types.ts';

/** The key for accounts of the platform itself. */
export const PLATFORM_KEY = 'platform';
export const CUSTOMERS_KEY = 'customers';
export const sideOf = (a: ExternalAccount): string => (a.customerId === undefined ? PLATFORM_KEY : CUSTOMERS_KEY);

export const EXTERNAL_ACCOUNTS = resource('external-accounts', {
  row: ExternalAccountRow,
  indexes: {
    owner: (a) => a.customerId ?? PLATFORM_KEY,
    side: sideOf,
    currency: (a) => a.currency,
    same: (a) => sameKey(a.customerId, a.currency, a.accountInfo),
  },
  hidden: (a) => a.isDeleted,
  refers: { customerId: { of: (a) => a.customerId, in: ['customers'], by: 'owner' } },
  titles: ['External accounts', 'External account', 'Bank accounts and wallets elsewhere'],
  prefix: 'ExternalAccount',
  main: true,
  label: (row) => accountName(row),
  view: (row) => showExternalAccount(row),
  made: 'createCustomerExternalAccount',
  columns: {
    Status: [(a) => (a.isDeleted ? 'DELETED' : a.status), 'status'],
    Currency: 'currency',
    Owner: [(a) => a.customerId ?? 'the platform', 'id'],
    Created: ['createdAt', 'time'],
  },
  sought: ['status'],
  tones: {
    ACTIVE: 'good',
    DELETED: 'bad',
    PENDING: 'warn',
    UNVERIFIED: 'warn',
    PENDING_OWNERSHIP_VERIFICATION: 'warn',
  },
});

/**
 * Returns a text that is equal for two accounts of one owner if they are the same account; case matters in base58 only.
 */
export function sameKey(customerId: string | undefined, currency: string, info: AccountInfo): string {
  const { identifier, identityFields, caseCounts } = typeOf(info.accountType);
  const parts = [customerId ?? PLATFORM_KEY, info.accountType, currency];
  for (const name of [...identifier, ...identityFields]) parts.push(String(info[name] ?? ''));
  const key = parts.join('|');
  return caseCounts ? key : key.toLowerCase();
}

/** Returns an account, of the platform or a customer, that has not been deleted. 404 REFERENCE_NOT_FOUND. */
export function externalAccountOf(world: World, id: string): ExternalAccount {
  const account = world.rows(EXTERNAL_ACCOUNTS).get(id);
  if (!account || account.isDeleted)
    fail('REFERENCE_NOT_FOUND', `no external account ${id}`, { why: { rule: 'spec 7, status 404', seen: id } });
  return account;
}

/** Returns the same, in one tree of the API only: `customers` or `platform`. */
export function accountOnSide(world: World, id: string, side: string): ExternalAccount {
  const account = externalAccountOf(world, id);
  if (sideOf(account) !== side)
    fail('REFERENCE_NOT_FOUND', `no external account ${id} of the ${side}`, {
      why: { rule: 'each tree shows its own accounts', expected: side, seen: sideOf(account) },
    });
  return account;
}

/**
 * Returns the same, if its owner can still prove ownership. 404 USER_NOT_FOUND once the customer is deleted (spec 4.1).
 */
export function ownedAccountOnSide(world: World, id: string, side: string): ExternalAccount {
  const account = accountOnSide(world, id, side);
  if (account.customerId !== undefined) activeCustomer(world, account.customerId);
  return account;
}

/** Returns a page of the accounts on one side as replies show them, of one customer if the query names one. */
export function externalAccountPage(
  world: World,
  side: typeof CUSTOMERS_KEY | typeof PLATFORM_KEY,
  { customerId: owner, currency, limit, cursor }: Partial<Infer<typeof ExternalAccountQuery>> & { limit: number },
) {
  const where = { owner, currency, side };
  return pageOfRows(world.rows(EXTERNAL_ACCOUNTS).page({ where, limit, cursor }), showExternalAccount);
}

/** Cancels the scheduled work for an account that was deleted, or whose customer was. */
function endWork(world: World, { id, status, challenge }: ExternalAccount): void {
  if (status === 'PENDING') decidedByHand(world, 'external-account.activate', { accountId: id });
  if (challenge) decidedByHand(world, 'external-account.liveness', { accountId: id });
}

/** Cancels the scheduled work for the accounts of a deleted customer. */
export function endWorkOf(world: World, customerId: string): void {
  for (const account of world.rows(EXTERNAL_ACCOUNTS).all('owner', customerId)) endWork(world, account);
}

/**
 * Marks an account as deleted: the API no longer shows it, but payments that name it keep it. 409 BENEFICIARY_TRUSTED
 * (reference 10).
 */
export function deleteExternalAccount(world: World, account: ExternalAccount): ExternalAccount {
  checkUntrusted(world, account.id);
  endTrustChallenge(world, account.id);
  endWork(world, account);
  return world.rows(EXTERNAL_ACCOUNTS).put({
    ...account,
    isDeleted: true,
    ...(account.defaultUmaDepositAccount ? { defaultUmaDepositAccount: false } : {}),
    challenge: undefined,
    updatedAt: world.clock.iso(),
  });
}

/** The most that a wallet with an unproven owner may be paid, in euro cents. */
const UNPROVEN_LIMIT_EUR = 1_000_00;

/**
 * Returns an account that can be paid now. 404 REFERENCE_NOT_FOUND, or USER_NOT_FOUND if its customer is deleted. 400
 * EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED for a wallet whose owner is unproven, unless `amount` (minor units of its
 * currency) is worth less than 1000 EUR. 400 INVALID_INPUT for any other status but `ACTIVE`.
 */
export function payableAccount(world: World, id: string, amount?: number): ExternalAccount {
  const account = externalAccountOf(world, id);
  if (account.customerId !== undefined) activeCustomer(world, account.customerId);
  if (account.status === 'ACTIVE') return account;
  if (account.status === 'PENDING_OWNERSHIP_VERIFICATION') {
    if (amount !== undefined && inEuroCents(amount, account.currency) < UNPROVEN_LIMIT_EUR) return account;
    fail('EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED', `who owns ${id} has to be verified before it is paid this much`, {
      why: {
        rule: 'unproven self-custody wallets: less than 1000 EUR',
        seen: amount === undefined ? undefined : moneyText(amount, account.currency),
      },
    });
  }
  return fail('INVALID_INPUT', `external account ${id} is ${account.status}: only an ACTIVE one can be paid`, {
    why: { rule: 'external account status', expected: 'ACTIVE', seen: account.status },
  });
}

/** Converts an amount for comparison with a threshold, by the fixed table: a scenario's rates do not affect it. */
function inEuroCents(amount: number, code: string): number {
  const currency = CURRENCIES.get(code);
  const euro = CURRENCIES.get('EUR');
  if (!currency || !euro) return Number.POSITIVE_INFINITY;
  return (amount / powerOfTen(currency.decimals) / currency.perUsd) * euro.perUsd * 100;
}

/** Returns the member that identifies the account, as it was sent. */
export function identifierOf({ accountInfo }: Pick<ExternalAccount, 'accountInfo'>): string {
  const { identifier } = typeOf(accountInfo.accountType);
  const name = identifier.find((member) => accountInfo[member] !== undefined);
  return name === undefined ? '' : String(accountInfo[name]);
}

/** Returns the three characters that choose a sandbox outcome: the end of the primary identifier, before any `@`. */
export const suffixOf = (account: Pick<ExternalAccount, 'accountInfo'>): string =>
  (identifierOf(account).split('@')[0] as string).slice(-3);

/** Returns whether the account is a wallet on a blockchain, not a bank account. */
export const isWallet = (account: Pick<ExternalAccount, 'accountInfo'>): boolean =>
  typeOf(account.accountInfo.accountType).network !== undefined;

/** Returns the blockchain of a wallet (`SOLANA`, `LIGHTNING`, ...); undefined for a bank account. */
export const cryptoNetworkOf = (account: Pick<ExternalAccount, 'accountInfo'>): string | undefined =>
  typeOf(account.accountInfo.accountType).network;

/** Returns the rails that reach an account; none for a wallet. */
export const railsOf = (account: Pick<ExternalAccount, 'accountInfo'>): readonly string[] =>
  account.accountInfo.paymentRails ?? [];

/** Returns the account that receives a customer's incoming UMA payments, if they chose one. */
export const umaDepositAccountOf = (world: World, customerId: string): ExternalAccount | undefined =>
  world
    .rows(EXTERNAL_ACCOUNTS)
    .all('owner', customerId)
    .find((account) => account.defaultUmaDepositAccount);

/** Returns an account as the API shows it. */
export const showExternalAccount = (a: ExternalAccount) => ({
  id: a.id,
  customerId: a.customerId,
  status: a.status,
  platformAccountId: a.platformAccountId,
  ownershipType: a.ownershipType,
  currency: a.currency,
  defaultUmaDepositAccount: a.defaultUmaDepositAccount,
  beneficiaryVerificationStatus: a.beneficiaryVerificationStatus,
  beneficiaryVerifiedData: a.beneficiaryVerifiedData,
  accountInfo: a.accountInfo,
});

/** Status changes of an account. */
export const ACCOUNT = lifecycle(EXTERNAL_ACCOUNTS, {
  state: 'status',
  machine: EXTERNAL_ACCOUNT,
  event: (_, end) => `EXTERNAL_ACCOUNT.${end}`,
  view: showExternalAccount,
});
