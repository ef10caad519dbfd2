import { Failure, fail, failFields } from '../../contract/errors.ts';
import { limit } from '../../contract/limit.ts';
import { magicName } from '../../contract/suffix.ts';
import type { Infer } from '../../declare/operation.ts';
import { decidedByHand, decideLater } from '../../engine/decide-later.ts';
import { begin, lifecycle, move } from '../../engine/machine.ts';
import { resource, rowOr404 } from '../../engine/resource.ts';
import type { World } from '../../engine/world.ts';
import { post } from '../../ledger/ledger.ts';
import { accountOf, tellBalance } from '../accounts/index.ts';
import { EXTERNAL_ACCOUNTS, suffixOf } from '../external-accounts/index.ts';
import { bankAccount, checkMintDestination, isInternal } from './accounts.ts';
import { stablecoinOf } from './coins.ts';
import { OPERATION } from './machine.ts';
import { bankMagic, coinMagic, walletMagic } from './magic.ts';
import { PROVIDER_ACCOUNTS, usable } from './provider-accounts.ts';
import { type IssuerOperation, OperationRow, type Stablecoin } from './row.ts';
import type { BurnRequest, MintRequest } from './schema.ts';
import { showOperation } from './show.ts';
import { issuerStory } from './story.ts';

export const OPERATIONS = resource('stablecoin-operations', {
  row: OperationRow,
  indexes: {
    stablecoinId: (o) => o.stablecoinId,
    operationType: (o) => o.operationType,
    account: (o) => [o.destination.accountId, ...(o.source.externalAccountId ? [o.source.externalAccountId] : [])],
  },
  refers: {
    stablecoinId: 'stablecoins',
    stablecoinProviderAccountId: 'stablecoin-provider-accounts',
    'destination.accountId': {
      of: (o) => o.destination.accountId,
      in: ['external-accounts', 'accounts'],
      by: 'account',
    },
    'source.externalAccountId': { of: (o) => o.source.externalAccountId, in: ['external-accounts'], by: 'account' },
  },
  titles: ['Stablecoin operations', 'Stablecoin operation', 'Mints and burns of coins'],
  prefix: 'StablecoinOperation',
  label: (o) => `${o.operationType.toLowerCase()} of ${o.amount}`,
  story: issuerStory,
  follows: (o) => [o.stablecoinId],
  view: (row, world) => showOperation(stablecoinOf(world, row.stablecoinId), row),
  made: 'createStablecoinMint',
  columns: {
    Status: ['status', 'status'],
    Type: 'operationType',
    Amount: ['amount', 'number'],
    Created: ['createdAt', 'time'],
  },
  tones: {
    COMPLETED: 'good',
    FAILED: 'bad',
    EXPIRED: 'bad',
    CREATED: 'warn',
    PENDING_FUNDING: 'warn',
    PENDING_PROVIDER: 'warn',
    PROCESSING: 'warn',
  },
});

const WORK = lifecycle(OPERATIONS, { state: 'status', machine: OPERATION });

/** Returns one mint or burn. 404 REFERENCE_NOT_FOUND. */
export const issuerOperationOf = rowOr404(OPERATIONS, 'REFERENCE_NOT_FOUND', 'stablecoin operation');

export const FUNDING_SECONDS = limit(
  'stablecoinFundingSeconds',
  7 * 86_400,
  'Virtual seconds that a wire mint, or a burn from outside, waits for its funds; 604800',
);

/**
 * The provider of the funds of a mint or the tokens of a burn: the outside world, or the stablecoin provider; other
 * sources are reserved.
 */
const BROUGHT_BY: Readonly<Record<IssuerOperation['operationType'], Readonly<Record<string, 'outside' | 'provider'>>>> =
  {
    MINT: { WIRE: 'outside', ACH_DEBIT: 'provider', SAME_DAY_ACH_DEBIT: 'provider' },
    BURN: { EXTERNAL_ACCOUNT: 'outside', PROVIDER_INTERNAL_BALANCE: 'provider' },
  };

type OperationRequest = Pick<IssuerOperation, 'operationType' | 'amount' | 'source' | 'destination' | 'description'>;

/** Refuses an amount of zero, or one that is not in whole cents: 400 INVALID_INPUT. */
function checkCents({ decimals }: Stablecoin, amount: string): void {
  const cent = 10n ** BigInt(decimals - 2);
  if (BigInt(amount) === 0n || BigInt(amount) % cent !== 0n)
    failFields(
      [{ field: 'amount', message: `must be a multiple of ${cent}, which is a cent, and more than 0` }],
      'INVALID_INPUT',
      'reference: stablecoins, whole cents',
    );
}

function checkSource({ operationType, source }: OperationRequest, field: string): void {
  const types = Object.keys(BROUGHT_BY[operationType]);
  if (!types.includes(source.type))
    failFields(
      [{ field: `${field}.type`, message: 'is reserved', constraint: { enum: types } }],
      'INVALID_INPUT',
      'reference: stablecoins, reserved sources',
    );
}

/** Refuses work on a coin whose provider account is not active or which is not `PROVISIONED`. */
function checkIssued(world: World, coin: Stablecoin): void {
  const account = world.rows(PROVIDER_ACCOUNTS).get(coin.stablecoinProviderAccountId);
  if (account) usable(account);
  if (coin.issuanceStatus !== 'PROVISIONED')
    fail('CONFLICT', `stablecoin ${coin.id} is ${coin.issuanceStatus}: only a PROVISIONED one is minted and burned`, {
      passes: true,
      why: { rule: 'reference: stablecoins, mints and burns', expected: 'PROVISIONED', seen: coin.issuanceStatus },
    });
}

/** Refuses work on a coin whose provider is unavailable: 503 SERVICE_UNAVAILABLE. */
function checkProvider({ providerTokenIdentifier }: Stablecoin): void {
  if (coinMagic(providerTokenIdentifier)?.unavailable)
    fail('SERVICE_UNAVAILABLE', 'the stablecoin provider is unavailable at present', {
      retryAfter: 30,
      why: { rule: 'reference: stablecoins, mints and burns', seen: providerTokenIdentifier },
    });
}

/**
 * Mints a coin. 400 STABLECOIN_PROVIDER_ACCOUNT_INVALID or STABLECOIN_PROVIDER_ACCOUNT_REVOKED, 409 CONFLICT before the
 * coin is `PROVISIONED`, 400 INVALID_INPUT for amount and source, then the refusals of its accounts, and last 503.
 */
export function mint(world: World, coin: Stablecoin, sent: Infer<typeof MintRequest>): IssuerOperation {
  const { amount, fundingSource: source, destination, description } = sent;
  const request: OperationRequest = { operationType: 'MINT', amount: plain(amount), source, destination, description };
  checkIssued(world, coin);
  checkCents(coin, amount);
  checkSource(request, 'fundingSource');
  if ('externalAccountId' in source)
    bankAccount(world, coin, source.externalAccountId, 'fundingSource.externalAccountId');
  checkMintDestination(world, coin, destination.accountId, amount);
  checkProvider(coin);
  return create(world, coin, request);
}

/** Burns a coin, paid out in its base currency. Refuses as `mint` does. */
export function burn(world: World, coin: Stablecoin, sent: Infer<typeof BurnRequest>): IssuerOperation {
  const { amount, source, description } = sent;
  const { externalAccountId: accountId, rail } = sent.destination;
  const destination = { accountId, rail };
  const request: OperationRequest = { operationType: 'BURN', amount: plain(amount), source, destination, description };
  checkIssued(world, coin);
  checkCents(coin, amount);
  checkSource(request, 'source');
  bankAccount(world, coin, accountId, 'destination.externalAccountId');
  checkProvider(coin);
  return create(world, coin, request);
}

/** Returns digits without leading zeros. */
const plain = (amount: string): string => String(BigInt(amount));

function create(world: World, coin: Stablecoin, request: OperationRequest): IssuerOperation {
  const now = world.clock.iso();
  const created = begin(world, WORK, 'create', (status) => ({
    id: world.newId('StablecoinOperation'),
    stablecoinId: coin.id,
    stablecoinProviderAccountId: coin.stablecoinProviderAccountId,
    status,
    ...request,
    createdAt: now,
    updatedAt: now,
  }));
  const about = { operationId: created.id };
  return decideLater(world, 'stablecoin-operation.submit', about, { now: () => submit(world, created) }) ?? created;
}

/** Submits a mint or burn to the provider: it waits for its funds, or for the provider. */
export function submit(world: World, operation: IssuerOperation): IssuerOperation {
  const about = { operationId: operation.id };
  if (BROUGHT_BY[operation.operationType][operation.source.type] === 'provider') {
    const waiting = move(world, WORK, operation, 'submit');
    decideLater(world, 'stablecoin-operation.process', about);
    return waiting;
  }
  const waitMs = world.lasting(FUNDING_SECONDS);
  const expiresAt = new Date(world.clock.now() + waitMs).toISOString();
  const waiting = move(world, WORK, operation, 'await funding', { expiresAt });
  world.schedule('stablecoin-operation.expire', about, waitMs);
  return waiting;
}

/** Returns the magic effect of an external account's suffix on a transfer to or from it. */
function magicOf(world: World, id: string | undefined, magic: typeof bankMagic) {
  const account = id === undefined ? undefined : world.rows(EXTERNAL_ACCOUNTS).get(id);
  const suffix = account && suffixOf(account);
  const found = suffix === undefined ? undefined : magic(suffix);
  if (found)
    world.magic(
      `the account's identifier ends in ${suffix}: ${found.says}`,
      magicName('account identifier', String(suffix)),
    );
  return found;
}

const destinationMagic = (world: World, { operationType, destination }: IssuerOperation) =>
  magicOf(world, destination.accountId, operationType === 'MINT' ? walletMagic : bankMagic);

/** Starts the provider's work on a mint or burn, or fails it if the bank account refuses the debit. */
export function process(world: World, operation: IssuerOperation): IssuerOperation {
  const source = magicOf(world, operation.source.externalAccountId, bankMagic);
  if (source && source.afterMs === undefined) return giveUp(world, operation, 'PROVIDER_FUNDING_FAILED');
  const processing = move(world, WORK, operation, 'process', { expiresAt: undefined });
  const afterMs = source?.afterMs ?? destinationMagic(world, processing)?.afterMs;
  decideLater(world, 'stablecoin-operation.settle', { operationId: operation.id }, { afterMs });
  return processing;
}

/** Ends the provider's work, as the magic values of the accounts say. */
export function settle(world: World, operation: IssuerOperation): IssuerOperation {
  if (magicOf(world, operation.source.externalAccountId, bankMagic))
    return giveUp(world, operation, 'PROVIDER_FUNDING_FAILED');
  if (destinationMagic(world, operation)) return giveUp(world, operation, 'PROVIDER_TRANSFER_FAILED');
  return complete(world, operation);
}

/** Completes an operation. A mint into an internal account is posted; it fails if the account can no longer take it. */
function complete(world: World, operation: IssuerOperation): IssuerOperation {
  const { operationType, destination } = operation;
  const isCredit = operationType === 'MINT' && isInternal(destination.accountId);
  if (isCredit && !credit(world, operation)) return giveUp(world, operation, 'PROVIDER_TRANSFER_FAILED');
  const completed = move(world, WORK, operation, 'complete');
  if (isCredit) tellBalance(world, destination.accountId);
  return completed;
}

/** Credits the tokens to the internal account; returns whether that was possible. */
function credit(world: World, { id, amount, destination }: IssuerOperation): boolean {
  const { currency, status } = accountOf(world, destination.accountId);
  if (status !== 'ACTIVE') return false;
  const minted = Number(amount);
  const lines = [
    { account: `outside:minted:${currency}`, currency, amount: -minted },
    { account: destination.accountId, currency, amount: minted },
  ];
  try {
    world.transact(() => post(world, { reason: 'stablecoin mint', cause: id, lines }));
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

const giveUp = (world: World, operation: IssuerOperation, failureReason: string): IssuerOperation =>
  move(world, WORK, operation, 'fail', { failureReason, expiresAt: undefined });

/** Expires an operation whose funds did not arrive in time. */
export const expire = (world: World, operation: IssuerOperation): IssuerOperation =>
  move(world, WORK, operation, 'expire');

/** Receives funds from outside. 409 CONFLICT for an operation that does not wait for any. */
export function receiveFunds(world: World, id: string): IssuerOperation {
  const operation = issuerOperationOf(world, id);
  if (operation.status !== 'PENDING_FUNDING')
    fail('CONFLICT', `stablecoin operation ${id} is ${operation.status}: it does not wait for funds`, {
      why: { rule: 'reference: stablecoins, mints and burns', expected: 'PENDING_FUNDING', seen: operation.status },
    });
  decidedByHand(world, 'stablecoin-operation.expire', { operationId: id });
  return process(world, operation);
}

/**
 * Decides the outcome of a mint or burn now, with every step on the way, whatever its magic values say. 409 CONFLICT
 * for one that has ended.
 */
export function decideEnd(
  world: World,
  id: string,
  outcome: 'COMPLETED' | 'FAILED',
  reason = 'PROVIDER_TRANSFER_FAILED',
): IssuerOperation {
  const decided = outcome === 'FAILED' ? giveUp(world, issuerOperationOf(world, id), reason) : hurry(world, id);
  for (const step of ['submit', 'process', 'settle', 'expire'])
    decidedByHand(world, `stablecoin-operation.${step}`, { operationId: id });
  return decided;
}

/** Takes every step of a mint or burn up to its end. */
function hurry(world: World, id: string): IssuerOperation {
  let operation = issuerOperationOf(world, id);
  if (operation.status === 'CREATED') operation = submit(world, operation);
  if (operation.status !== 'PROCESSING') operation = move(world, WORK, operation, 'process', { expiresAt: undefined });
  return complete(world, operation);
}
