import { fail } from '../../contract/errors.ts';
import { CURRENCIES, money } from '../../contract/money.ts';
import type { Infer } from '../../declare/operation.ts';
import { begin, lifecycle, machine } from '../../engine/machine.ts';
import { mapPage } from '../../engine/page.ts';
import { resource, rowOr404 } from '../../engine/resource.ts';
import type { World } from '../../engine/world.ts';
import { balanceOf, outsideAccount, post } from '../../ledger/ledger.ts';
import { platformOf } from '../platform/index.ts';
import { fundingInstructions } from './instructions.ts';
import type { InternalAccount, WalletContact } from './row.ts';
import { AccountRow } from './row.ts';
import type { CustomerAccountQuery } from './schema.ts';

/** The key for accounts of the platform itself. */
export const PLATFORM_KEY = 'platform';

export const ACCOUNTS = resource('accounts', {
  row: AccountRow,
  indexes: {
    owner: (a) => a.customerId ?? PLATFORM_KEY,
    currency: (a) => a.currency,
    type: (a) => a.type,
    side: (a) => (a.customerId === undefined ? PLATFORM_KEY : 'customers'),
  },
  refers: { customerId: { of: (a) => a.customerId, in: ['customers'], by: 'owner' } },
  titles: ['Internal accounts', 'Internal account', 'Balances that the platform and its customers hold'],
  prefix: 'InternalAccount',
  main: true,
  label: (a) => `${a.currency} ${a.type === 'EMBEDDED_WALLET' ? 'wallet' : 'account'}`,
  view: (row, world) => showAccount(world, row),
  columns: {
    Balance: [(a, world) => `${balanceOf(world, a.id).available} ${a.currency}`, 'money'],
    Status: ['status', 'status'],
    Owner: [(a) => a.customerId ?? 'the platform', 'id'],
    Type: 'type',
  },
  filters: { Currency: (a) => a.currency },
  tones: { ACTIVE: 'good', CLOSED: 'bad', FROZEN: 'bad' },
});

/** The specification shows no transition to any other status, nor out of this one. */
/** The states of an internal account. */
export const INTERNAL_ACCOUNT = machine('internal account', 'internal account transitions', [
  { from: 'none', on: 'open', to: 'ACTIVE' },
]);
const OPENED = lifecycle(ACCOUNTS, { state: 'status', machine: INTERNAL_ACCOUNT });

const KIND = { fiat: 'INTERNAL_FIAT', crypto: 'INTERNAL_CRYPTO', wallet: 'EMBEDDED_WALLET' } as const;

/**
 * Opens the accounts that an owner still lacks: one per configured currency (spec 2.1 rule 2). Without a customer they
 * are the platform's, which has no embedded wallet. A scenario may pin ids, by currency. Returns the new accounts.
 */
export function openAccounts(
  world: World,
  customerId?: string,
  contact?: WalletContact,
  ids: Readonly<Record<string, string | undefined>> = {},
): InternalAccount[] {
  const opened: InternalAccount[] = [];
  const accounts = world.rows(ACCOUNTS);
  const has = accounts.count('owner', customerId ?? PLATFORM_KEY) > 0 ? accountsOf(world, customerId) : [];
  for (const { currencyCode } of platformOf(world).currencies) {
    if (has.length > 0 && has.some((a) => a.currency === currencyCode)) continue;
    opened.push(openAccount(world, currencyCode, customerId, contact, ids[currencyCode]));
  }
  return opened;
}

/** Opens one account; a scenario may pin its id. */
export function openAccount(
  world: World,
  currency: string,
  customerId?: string,
  contact?: WalletContact,
  pinned?: string,
): InternalAccount {
  const now = world.clock.iso();
  const kind = CURRENCIES.get(currency)?.kind ?? 'fiat';
  const wallet = kind === 'wallet' && customerId !== undefined;
  // Each literal is complete, so that rows are allocated without room for more members.
  return begin(world, OPENED, 'open', (status): InternalAccount => {
    const id = pinned ?? world.newId('InternalAccount');
    if (!wallet) {
      const type = kind === 'wallet' ? 'INTERNAL_CRYPTO' : KIND[kind];
      return { id, customerId, currency, type, status, createdAt: now, updatedAt: now };
    }
    return {
      id,
      customerId,
      currency,
      type: KIND.wallet,
      status,
      createdAt: now,
      updatedAt: now,
      contact: contact ?? {},
      privateEnabled: false,
    };
  });
}

/** Returns the embedded wallets of a customer. */
export const walletsOf = (world: World, customerId: string): InternalAccount[] =>
  accountsOf(world, customerId).filter((account) => account.type === 'EMBEDDED_WALLET');

/** Changes the stored details of a wallet account, and its `updatedAt`. */
export const changeWallet = (
  world: World,
  account: InternalAccount,
  change: Pick<InternalAccount, 'contact' | 'privateEnabled' | 'ownerDeleted'>,
): InternalAccount => world.rows(ACCOUNTS).put({ ...account, ...change, updatedAt: world.clock.iso() });

/** Returns the accounts of a customer, or of the platform, in the order of the configured currencies. */
export const accountsOf = (world: World, customerId?: string): InternalAccount[] =>
  world.rows(ACCOUNTS).all('owner', customerId ?? PLATFORM_KEY);

/**
 * Returns an account whose owner may still log in, sign and export. 404 REFERENCE_NOT_FOUND if the customer was
 * deleted.
 */
export function ownedAccountOf(world: World, id: string): InternalAccount {
  const account = accountOf(world, id);
  if (account.ownerDeleted)
    fail('REFERENCE_NOT_FOUND', `the customer of ${id} was deleted`, {
      why: { rule: 'spec 4.1: deletion is permanent', seen: account.customerId },
    });
  return account;
}

/** Returns one account. 404 REFERENCE_NOT_FOUND (the specification has no code of its own for accounts). */
export const accountOf = rowOr404(ACCOUNTS, 'REFERENCE_NOT_FOUND', 'internal account');

/** Returns an account as the API shows it. Balances are sums of postings. */
export function showAccount(world: World, account: InternalAccount) {
  const { available, held } = balanceOf(world, account.id);
  return {
    id: account.id,
    customerId: account.customerId,
    type: account.type,
    status: account.status,
    balance: money(available, account.currency),
    totalBalance: money(available + held, account.currency),
    fundingPaymentInstructions: fundingInstructions(account),
    privateEnabled: account.privateEnabled,
    createdAt: account.createdAt,
    updatedAt: account.updatedAt,
  };
}

/** Returns a page of customers' accounts as replies show them, of one customer if the query names one. */
export function customerAccountPage(world: World, query: Infer<typeof CustomerAccountQuery>) {
  const { customerId: owner, currency, type, limit, cursor } = query;
  const where = { owner, currency, type, side: 'customers' };
  return mapPage(world.rows(ACCOUNTS).page({ where, limit, cursor }), (a) => showAccount(world, a));
}

/** Emits the event of a changed balance (spec 6). Called once per posting, for each account in it. */
export function tellBalance(world: World, id: string): InternalAccount {
  const account = world.rows(ACCOUNTS).put({ ...accountOf(world, id), updatedAt: world.clock.iso() });
  world.emit('INTERNAL_ACCOUNT.BALANCE_UPDATED', id, showAccount(world, account));
  return account;
}

/** Credits money from outside at once (spec 5.1 rule 7). 409 CONFLICT unless the account is `ACTIVE`. */
export function fund(world: World, id: string, amount: number): InternalAccount {
  const account = accountOf(world, id);
  if (account.status !== 'ACTIVE')
    fail('CONFLICT', `${id} is ${account.status}: only an ACTIVE account can receive`, { passes: true });
  post(world, {
    reason: 'sandbox funding',
    cause: id,
    lines: [
      { account: outsideAccount('funding', account.currency), currency: account.currency, amount: -amount },
      { account: id, currency: account.currency, amount },
    ],
  });
  return tellBalance(world, id);
}
