import { Failure, type FieldError, fail, failFields } from '../../contract/errors.ts';
import { CURRENCIES } from '../../contract/money.ts';
import type { Infer } from '../../declare/operation.ts';
import type { World } from '../../engine/world.ts';
import { outsideAccount } from '../../ledger/ledger.ts';
import { ACCOUNTS, accountsOf, fundingRoutes, type InternalAccount } from '../accounts/index.ts';
import {
  EXTERNAL_ACCOUNTS,
  type ExternalAccount,
  externalAccountOf,
  isWallet,
  payableAccount,
  suffixOf,
} from '../external-accounts/index.ts';
import { checkLookup, lookupUma, umaMagic } from '../lookups/index.ts';
import { platformOf } from '../platform/index.ts';
import {
  externalSide,
  ON_CHAIN_NETWORKS,
  type PlanName,
  payoutPlan,
  type Rail,
  railFor,
  type Side,
  umaHome,
  usableAccount,
} from '../transactions/index.ts';
import { BANKS, UMA, UNCOLLECTABLE } from './magic.ts';
import type { QuoteRequest } from './schema.ts';

type Request = Infer<typeof QuoteRequest>;

/** The source of a quote's money. */
export interface QuoteSource {
  readonly side: Side;
  readonly currency: string;
  readonly customerId: string | undefined;
  /** The ledger accounts to debit and to refund. */
  readonly payer: string;
  readonly refundTo: string;
  /** Set for an embedded wallet, whose owner must sign. */
  readonly wallet?: InternalAccount;
  /** True if the funds arrive from outside, without an execute call. */
  readonly pushed: boolean;
  /** Set for a bank account that no money can be collected from. */
  readonly uncollectable?: true;
}

/** The destination of a quote's money. */
export interface QuoteDestination {
  readonly side: Side;
  readonly currency: string;
  readonly customerId?: string | undefined;
  readonly payee: string;
  readonly plan: PlanName;
  readonly cancellable: boolean;
  readonly rail: { paymentRail?: Rail | undefined; railSelectionMode?: 'AUTO' | 'MANUAL' | undefined };
  readonly external?: ExternalAccount;
  /** The customer of this platform, or the platform itself, that receives the money, with a payment of their own. */
  readonly towards?: string | undefined;
}

const isExternal = (id: string): boolean => id.startsWith('ExternalAccount:');

function isThere(world: World, id: string): boolean {
  if (!isExternal(id)) return world.rows(ACCOUNTS).get(id) !== undefined;
  const account = world.rows(EXTERNAL_ACCOUNTS).get(id);
  return account !== undefined && !account.isDeleted;
}

/**
 * Returns errors for accounts of a quote that do not exist, at both ends: in its body they are input, and not 404
 * (reference 9.9).
 */
export const unknownAccounts = (world: World, { source, destination }: Partial<Request>): FieldError[] =>
  Object.entries({ source, destination }).flatMap(([end, sent]) =>
    sent && 'accountId' in sent && typeof sent.accountId === 'string' && !isThere(world, sent.accountId)
      ? [{ field: `${end}.accountId`, message: 'no such account' }]
      : [],
  );

/**
 * Returns the owner of the payment: the account's owner, or for an account of the platform, the customer that the
 * request names.
 */
function ownerOf(owner: string | undefined, named: string | undefined): string | undefined {
  if (owner !== undefined && named !== undefined && owner !== named)
    failFields([{ field: 'source.customerId', message: 'is not the owner of this account' }]);
  return owner ?? named;
}

export function sourceOf(world: World, sent: Request['source']): QuoteSource {
  if (sent.sourceType === 'REALTIME_FUNDING') return realtime(world, sent);
  const field = 'source.accountId';
  const id = sent.accountId;
  if (isExternal(id)) {
    const bank = externalAccountOf(world, id);
    const outside = outsideAccount('collected', bank.currency);
    return {
      side: externalSide(bank),
      currency: bank.currency,
      customerId: ownerOf(bank.customerId, sent.customerId),
      payer: outside,
      refundTo: outside,
      pushed: isWallet(bank) || world.profile.rules.bankSourcePushed,
      ...(!isWallet(bank) && UNCOLLECTABLE.has(suffixOf(bank)) ? { uncollectable: true as const } : {}),
    };
  }
  const account = usableAccount(world, id, field);
  return {
    side: { kind: 'ACCOUNT', accountId: account.id, currency: account.currency },
    currency: account.currency,
    customerId: ownerOf(account.customerId, sent.customerId),
    payer: account.id,
    refundTo: account.id,
    pushed: false,
    ...(account.type === 'EMBEDDED_WALLET' ? { wallet: account } : {}),
  };
}

function realtime(world: World, sent: Extract<Request['source'], { sourceType: 'REALTIME_FUNDING' }>): QuoteSource {
  const { currency, customerId, cryptoNetwork } = sent;
  const known = CURRENCIES.get(currency);
  if (!known) fail('INVALID_CURRENCY', `source.currency: ${currency} cannot be funded in real time`);
  if (fundingRoutes(currency, cryptoNetwork).length === 0) {
    const message = cryptoNetwork === undefined ? `required for ${currency}` : `does not carry ${currency}`;
    failFields([{ field: 'source.cryptoNetwork', message }]);
  }
  const outside = outsideAccount('funding', currency);
  const home = accountsOf(world, customerId).find((account) => account.currency === currency)?.id;
  return {
    side: {
      kind: 'REALTIME_FUNDING',
      currency,
      customerId,
      network: ON_CHAIN_NETWORKS.find((name) => name === cryptoNetwork),
    },
    currency,
    customerId,
    payer: outside,
    // Crypto is never returned to the wallet that sent it; money of a bank is.
    refundTo: known.kind === 'fiat' ? outside : (home ?? outside),
    pushed: true,
  };
}

export function destinationOf(world: World, sent: Request, from: QuoteSource): QuoteDestination {
  const { destination } = sent;
  if (destination.destinationType === 'UMA_ADDRESS') return umaEnd(world, sent, from);
  const field = 'destination.accountId';
  const id = destination.accountId;
  if (from.side.kind === 'ACCOUNT' && from.side.accountId === id)
    fail('SELF_PAYMENT', 'source and destination are the same account');
  if (isExternal(id)) {
    const external = externalAccountOf(world, id);
    if (external.customerId && from.customerId && external.customerId !== from.customerId)
      failFields([{ field, message: 'belongs to another customer' }]);
    return {
      side: externalSide(external),
      currency: external.currency,
      customerId: external.customerId,
      payee: outsideAccount('payout', external.currency),
      plan: payoutPlan(world, external, BANKS),
      cancellable: !isWallet(external),
      rail: railFor(external, destination.paymentRail),
      external,
    };
  }
  const account = usableAccount(world, id, field);
  return {
    side: { kind: 'ACCOUNT', accountId: account.id, currency: account.currency },
    currency: account.currency,
    customerId: account.customerId,
    payee: outsideAccount('on-us', account.currency),
    plan: 'out success',
    cancellable: false,
    rail: {},
    towards: account.customerId ?? platformOf(world).id,
  };
}

/** Returns the receiver at a UMA address. 400 INVALID_RECEIVER if there is none. */
function receiverAt(world: World, address: string) {
  try {
    return lookupUma(world, address);
  } catch (error) {
    if (error instanceof Failure && error.code === 'UMA_NOT_FOUND') return fail('INVALID_RECEIVER', error.message);
    throw error;
  }
}

function umaEnd(world: World, sent: Request, from: QuoteSource): QuoteDestination {
  const { destination, lookupId } = sent;
  if (destination.destinationType !== 'UMA_ADDRESS') throw new Error('not a UMA address');
  const receiver = receiverAt(world, destination.umaAddress);
  if (lookupId === undefined)
    return failFields([{ field: 'lookupId', message: 'required: look the receiver up first' }]);
  checkLookup(lookupId, receiver.address);
  if (receiver.customerId !== undefined && receiver.customerId === from.customerId)
    fail('SELF_PAYMENT', `${receiver.address} is the sender's own address`);
  const currency = destination.currency ?? (receiver.currencies[0] as string);
  if (!receiver.currencies.includes(currency))
    fail('INVALID_CURRENCY', `${receiver.address} takes ${receiver.currencies.join(', ')}, not ${currency}`);
  if (receiver.customerId && !umaHome(world, receiver.customerId, currency))
    fail('INVALID_RECEIVER', `${receiver.address} has no ${currency} account`);
  if (receiver.outcome !== 'success')
    world.magic(
      `${receiver.address}: the outcome of the payment will be "${UMA[receiver.outcome].slice(4)}"`,
      umaMagic(receiver.address),
    );
  return {
    side: { kind: 'UMA_ADDRESS', umaAddress: receiver.address, currency },
    currency,
    customerId: receiver.customerId,
    payee: outsideAccount(receiver.customerId ? 'uma' : 'payout', currency),
    plan: receiver.customerId ? 'out to a customer' : UMA[receiver.outcome],
    cancellable: false,
    rail: {},
    towards: receiver.customerId,
  };
}

/** Refuses an external destination that cannot be paid: as `payableAccount`, but with 400 in every case. */
export const checkPayable = (world: World, to: QuoteDestination, amount: number): void => {
  if (to.external) payableAccount(world, to.external.id, amount);
};

/**
 * Refuses a quote whose external destination can no longer be paid: 400 INVALID_INPUT, or
 * EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED. An account that has since been deleted is still paid.
 */
export function checkStillPayable(world: World, to: Request['destination'], amount: number): void {
  if (to.destinationType !== 'ACCOUNT') return;
  const account = world.rows(EXTERNAL_ACCOUNTS).get(to.accountId);
  if (account && !account.isDeleted) payableAccount(world, account.id, amount);
}
