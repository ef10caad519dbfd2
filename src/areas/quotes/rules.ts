import { createHash } from 'node:crypto';
import { fail, failFields } from '../../contract/errors.ts';
import { limit } from '../../contract/limit.ts';
import { money, moneyText } from '../../contract/money.ts';
import { resource, rowOr404 } from '../../engine/resource.ts';
import type { World } from '../../engine/world.ts';
import { outsideAccount } from '../../ledger/ledger.ts';
import { ACCOUNTS, fundingInstructions, fundingRoutes, sparkInvoice } from '../accounts/index.ts';
import { cryptoNetworkOf, EXTERNAL_ACCOUNTS } from '../external-accounts/index.ts';
import type { Factor } from '../sca/index.ts';
import { transactionActivity } from '../signing/index.ts';
import {
  apply,
  checkAmount,
  checkFunds,
  checkReceives,
  checkSize,
  countVolume,
  customerAllowedToMoveMoney,
  executeTransaction,
  openTransaction,
  overDailyVolume,
  type PlanName,
  paymentOf,
  pricedAt,
  showRateDetails,
  type Transaction,
  usableAccount,
} from '../transactions/index.ts';
import { challengedPayer, challengeQuote, checkFactor, showChallengeOf } from './challenge.ts';
import { checkCounterparty, checkPayerInfo, payerInfoOf } from './counterparty.ts';
import {
  checkPayable,
  checkStillPayable,
  destinationOf,
  type QuoteDestination,
  type QuoteSource,
  sourceOf,
  unknownAccounts,
} from './endpoints.ts';
import { feeOfPlatform, offer } from './offer.ts';
import type { Quote, Request } from './row.ts';
import { QuoteRow } from './row.ts';
import { quotePicture, quoteStory } from './story.ts';

export const QUOTES = resource('quotes', {
  row: QuoteRow,
  refers: {
    transactionId: 'transactions',
    customers: { of: (q) => q.customers, in: ['customers'] },
    walletId: 'accounts',
    agentId: 'agents',
  },
  titles: ['Quotes', 'Quote', 'Offers to pay at a fixed price'],
  prefix: 'Quote',
  main: true,
  view: (row, world) => showQuote(world, row),
  picture: quotePicture,
  story: quoteStory,
  follows: (q) => [q.transactionId],
  made: 'createQuote',
  columns: { Transaction: ['transactionId', 'id'], Created: ['createdAt', 'time'], Expires: ['expiresAt', 'time'] },
});

/** Returns one quote. 404 QUOTE_NOT_FOUND. */
export const quoteOf = rowOr404(QUOTES, 'QUOTE_NOT_FOUND', 'quote');

/** The virtual seconds for which a quote can be executed. */
export const QUOTE_SECONDS = limit('quoteSeconds', 300, 'Virtual seconds a quote can be executed; 300');

/** Refuses immediate execution of a quote that needs a signature or its funds first: 400. */
function checkImmediate(sent: Request, from: QuoteSource): void {
  if (!sent.immediatelyExecute) return;
  if (from.wallet || from.pushed)
    failFields([
      {
        field: 'immediatelyExecute',
        message: from.wallet ? "an embedded wallet's owner has to sign first" : 'the funds have to come first',
      },
    ]);
}

/**
 * Creates a quote and its transaction (spec 3.4), for an agent if one requests it. 400 for anything wrong with an
 * account in it.
 */
export function createQuote(world: World, sent: Request, agentId?: string): Quote {
  const unknown = unknownAccounts(world, sent);
  if (unknown.length > 0) failFields(unknown);
  const from = sourceOf(world, sent.source);
  const to = destinationOf(world, sent, from);
  checkImmediate(sent, from);
  const customer = customerAllowedToMoveMoney(world, from.customerId, from.currency);
  customerAllowedToMoveMoney(world, to.customerId, to.currency);
  checkCounterparty(world, from, to);
  checkPayerInfo(world, sent, from, to);
  const locked = { side: sent.lockedCurrencySide, amount: sent.lockedCurrencyAmount };
  const platform = feeOfPlatform(world, sent, from.currency, to.currency);
  const offered = offer(world, locked, from.currency, to.currency, platform);
  checkAmount(world, { amount: offered.sent, currency: from.currency }, 'OUTGOING');
  checkSize(world, { amount: offered.sent, currency: from.currency }, to.currency);
  checkPayable(world, to, offered.received);
  // A receiver here has an INCOMING payment of their own. Between two accounts here, the sender's bounds apply.
  if (to.towards !== undefined && to.side.kind === 'UMA_ADDRESS')
    checkAmount(world, { amount: offered.received, currency: to.currency }, 'INCOMING');
  else if (to.towards !== undefined) checkReceives(world, to.currency);
  const payer = challengedPayer(world, from.customerId, to.side);
  if (payer) checkFactor(sent.scaFactor);
  const id = world.newId('Quote');
  const expiresAt = world.clock.now() + world.lasting(QUOTE_SECONDS);
  const transaction = openTransaction(
    world,
    customer,
    {
      type: 'OUTGOING',
      source: from.side,
      destination: to.side,
      sent: { amount: offered.sent, currency: from.currency },
      received: { amount: offered.received, currency: to.currency },
      fees: offered.fees,
      platformFees: offered.platformFees,
      payer: from.payer,
      payee: to.payee,
      ...(to.towards === undefined ? {} : { towards: to.towards, ...payerInfoOf(sent) }),
      refundTo: from.refundTo,
      cancellable: to.cancellable,
      quoteId: id,
      exchangeRate: offered.exchangeRate,
      rateDetails: offered.rateDetails,
      paymentInstructions: payer ? undefined : instructionsOf(world, id, sent.source, from.pushed),
      description: sent.description,
      ...(agentId === undefined ? {} : { agentId }),
      ...to.rail,
    },
    'quote',
  );
  const quote = world.rows(QUOTES).insert({
    id,
    transactionId: transaction.id,
    source: sent.source,
    destination: sent.destination,
    description: sent.description,
    ...(agentId === undefined ? {} : { agentId }),
    customers: customersOf(from, to),
    plan: planOf(world, from, to),
    pushed: from.pushed,
    payload: from.wallet && payloadOf(world, id, from.wallet.id),
    walletId: from.wallet?.id,
    ...(payer && sent.scaFactor ? { scaFactor: sent.scaFactor } : {}),
    expiry: world.schedule('quote.expire', { quoteId: id }, expiresAt - world.clock.now()),
    expiresAt: new Date(expiresAt).toISOString(),
    createdAt: world.clock.iso(),
  });
  if (payer && quote.pushed) challengeQuote(world, quote, payer, sent.scaFactor);
  if (!sent.immediatelyExecute) return quote;
  checkExecutable(world, quote);
  return executeQuote(world, quote);
}

/** Returns the customers who pay and receive the money, each once. */
function customersOf({ customerId: payer }: QuoteSource, { customerId: payee }: QuoteDestination): string[] {
  const customers = payer === undefined ? [] : [payer];
  if (payee !== undefined && payee !== payer) customers.push(payee);
  return customers;
}

function planOf(world: World, from: QuoteSource, to: QuoteDestination): PlanName {
  if (!from.uncollectable) return to.plan;
  world.magic('the source account ends in a suffix of which nothing can be collected: the funding is to fail');
  return 'out funding failed';
}

/** Returns the text that the owner of a wallet signs, for this quote alone. */
const payloadOf = (world: World, quoteId: string, walletId: string): string =>
  transactionActivity(world, walletId, createHash('sha256').update(`transfer ${quoteId}`).digest('hex'));

/**
 * Returns how to pay a quote whose funds are pushed from outside: in real time, or from an external account by its
 * network. The accounts that it names may have been deleted.
 */
export function instructionsOf(
  world: World,
  id: string,
  source: Request['source'],
  isPushed: boolean,
): Transaction['paymentInstructions'] {
  if (!isPushed) return undefined;
  if (source.sourceType === 'REALTIME_FUNDING') {
    const { currency, customerId, cryptoNetwork } = source;
    return fundingInstructions({ id, currency, customerId }, fundingRoutes(currency, cryptoNetwork));
  }
  const outside = world.rows(EXTERNAL_ACCOUNTS).get(source.accountId);
  if (!outside) return undefined;
  const { currency, customerId = source.customerId } = outside;
  return fundingInstructions({ id, currency, customerId }, fundingRoutes(currency, cryptoNetworkOf(outside)));
}

/** Refuses a quote that can no longer be executed: 409; `details.reason` says why. */
function executable(world: World, quote: Quote): void {
  const t = paymentOf(world, quote.transactionId);
  const late = t.status === 'EXPIRED' || (t.status === 'PENDING' && world.clock.iso() >= quote.expiresAt);
  if (late)
    fail('CONFLICT', `quote ${quote.id} expired at ${quote.expiresAt}`, {
      details: { reason: 'QUOTE_EXPIRED' },
      why: { rule: 'reference 9.6', expected: `before ${quote.expiresAt}` },
    });
  if (t.status === 'PENDING_AUTHORIZATION')
    fail('CONFLICT', `quote ${quote.id} waits for its challenge: authorize it`, {
      details: { reason: 'AUTHORIZATION_PENDING' },
      passes: true,
      why: { rule: 'reference 9', seen: t.status },
    });
  if (t.status !== 'PENDING' || t.debited)
    fail('CONFLICT', `quote ${quote.id} was executed before: its payment is ${t.status}`, {
      details: { reason: 'QUOTE_ALREADY_EXECUTED' },
      why: { rule: 'a quote is executed once', seen: t.status },
    });
}

/**
 * Refuses if a customer of the payment may no longer move money, or an account is no longer usable. 400 INVALID_INPUT
 * for an internal account that is not `ACTIVE`; for an external one as `checkStillPayable`.
 */
export function movers(world: World, quote: Quote): void {
  for (const customerId of quote.customers) customerAllowedToMoveMoney(world, customerId);
  for (const side of ['source', 'destination'] as const) {
    const end = quote[side];
    if ('accountId' in end && world.rows(ACCOUNTS).get(end.accountId))
      usableAccount(world, end.accountId, `${side}.accountId`);
  }
  const { received } = paymentOf(world, quote.transactionId);
  checkStillPayable(world, quote.destination, received.amount);
}

/**
 * Refuses a quote that cannot be executed, before anyone signs: 409, 400 for one that waits for its funds, and as
 * `movers` refuses.
 */
export function checkExecutable(world: World, quote: Quote): void {
  executable(world, quote);
  movers(world, quote);
  if (quote.pushed)
    fail('INVALID_INPUT', `funds must be pushed: quote ${quote.id} is executed when they come, not by a call`, {
      why: { rule: 'reference 9.9', seen: quote.source.sourceType },
    });
}

/**
 * Executes a quote: the money leaves now, or the call is refused and nothing moves. `checkExecutable` runs before. 400
 * INSUFFICIENT_BALANCE, or AMOUNT_OUT_OF_RANGE if a balance would not be a safe integer, 429
 * DAILY_VOLUME_LIMIT_EXCEEDED. A payer who must authenticate strongly gets a challenge first, and nothing moves yet;
 * 400 INVALID_INPUT for a factor that cannot give the proof (reference 9).
 */
export function executeQuote(world: World, quote: Quote, factor?: Factor): Quote {
  const t = paymentOf(world, quote.transactionId);
  const payer = challengedPayer(world, t.customerId, t.destination);
  if (!payer) return payQuote(world, quote);
  checkFunds(world, t);
  if (overDailyVolume(world, t.sent, t.received.currency)) countVolume(world, t.sent, t.received.currency);
  world.scheduler.cancel(quote.expiry);
  apply(world, t, { on: 'execute' });
  challengeQuote(world, quote, payer, factor ?? quote.scaFactor);
  return quote;
}

/** Moves the money of a quote; see `executeQuote`. */
export function payQuote(world: World, quote: Quote): Quote {
  const { sent, received } = paymentOf(world, quote.transactionId);
  countVolume(world, sent, received.currency);
  executeTransaction(world, quote.transactionId, quote.plan);
  world.scheduler.cancel(quote.expiry);
  return quote;
}

/**
 * Receives funds from outside for a quote (reference 16.6). 400 INVALID_CURRENCY unless they are in its sending
 * currency. 400 AMOUNT_OUT_OF_RANGE if a balance would not be a safe integer. 409 CONFLICT if it has expired or was
 * already funded. If the amount differs from the quote's, the payment fails.
 */
export function fundQuote(world: World, id: string, currency: string, amount: number | undefined): Transaction {
  const quote = quoteOf(world, id);
  executable(world, quote);
  const t = paymentOf(world, quote.transactionId);
  const invoiced = quote.payload !== undefined && hasInvoice(world, t);
  if (quote.source.sourceType === 'ACCOUNT' && t.payer.startsWith('InternalAccount:') && !invoiced)
    fail('INVALID_INPUT', `quote ${id} is paid from an internal account: execute it`);
  if (currency !== t.sent.currency)
    fail('INVALID_CURRENCY', `quote ${id} is to be funded in ${t.sent.currency}, not in ${currency}`);
  movers(world, quote);
  world.scheduler.cancel(quote.expiry);
  const change = invoiced ? byInvoice(t) : {};
  if (amount === undefined || amount === t.sent.amount)
    return executeTransaction(world, t.id, planOfDay(world, quote), change);
  world.magic(
    `${moneyText(amount, currency)} arrived where ${moneyText(t.sent.amount, currency)} were expected: the payment fails`,
  );
  return executeTransaction(world, t.id, 'out wrong amount', { ...change, sent: { amount, currency }, quoted: t.sent });
}

/** Money that pays an invoice comes from outside: the wallet keeps its own. */
const byInvoice = ({ sent: { currency }, customerId }: Transaction): Partial<Transaction> => ({
  source: { kind: 'REALTIME_FUNDING', currency, customerId, network: 'SPARK' },
  payer: outsideAccount('funding', currency),
});

/**
 * Returns the plan of a quote whose funds have arrived. They cannot be refused: above the day's volume, the payment
 * fails and they go back.
 */
function planOfDay(world: World, quote: Quote): PlanName {
  const { sent, received } = paymentOf(world, quote.transactionId);
  if (overDailyVolume(world, sent, received.currency)) return 'out limit exceeded';
  countVolume(world, sent, received.currency);
  return quote.plan;
}

/** Expires a quote that was not executed in time, and its payment, and emits the payment's event. */
export function expireQuote(world: World, id: string): void {
  const quote = world.rows(QUOTES).get(id);
  const t = quote && paymentOf(world, quote.transactionId);
  if (t && t.status === 'PENDING' && !t.debited) apply(world, t, { on: 'expire' });
}

const STATUS = {
  CREATED: 'PENDING',
  PENDING: 'PENDING',
  PENDING_AUTHORIZATION: 'PENDING_AUTHORIZATION',
  PROCESSING: 'PROCESSING',
  COMPLETED: 'COMPLETED',
  REJECTED: 'FAILED',
  FAILED: 'FAILED',
  REFUNDED: 'FAILED',
  EXPIRED: 'EXPIRED',
} as const;

/** Returns whether a wallet's quote can also be paid by an invoice: not if it needs a challenge. */
const hasInvoice = (world: World, t: Transaction): boolean =>
  world.profile.rules.walletInvoice && !challengedPayer(world, t.customerId, t.destination);

/** Returns how to pay a quote from a wallet: by its owner's signature, and in some profiles by an invoice. */
function waysToPay(world: World, { id, payload = '' }: Quote, t: Transaction) {
  const accountOrWalletInfo = { accountType: 'EMBEDDED_WALLET' as const, payloadToSign: payload };
  const signature = { accountOrWalletInfo, isPlatformAccount: false };
  if (!hasInvoice(world, t)) return [signature];
  return [signature, ...sparkInvoice({ id, currency: t.sent.currency, customerId: t.customerId })];
}

/**
 * Returns a quote as replies show it, at its fixed price, whatever amount arrived; its status is its transaction's.
 * After its expiry, an unexecuted one shows as `EXPIRED`.
 */
export function showQuote(world: World, quote: Quote) {
  const t = paymentOf(world, quote.transactionId);
  const late = t.status === 'PENDING' && !t.debited && world.clock.iso() >= quote.expiresAt;
  return {
    id: quote.id,
    status: late ? 'EXPIRED' : STATUS[t.status],
    createdAt: quote.createdAt,
    expiresAt: quote.expiresAt,
    source: quote.source,
    destination: quote.destination,
    sendingCurrency: money(0, t.sent.currency).currency,
    receivingCurrency: money(0, t.received.currency).currency,
    totalSendingAmount: pricedAt(t).amount,
    totalReceivingAmount: t.received.amount,
    exchangeRate: t.exchangeRate,
    feesIncluded: t.fees,
    platformFeesIncluded: t.platformFees,
    transactionId: t.id,
    paymentInstructions: quote.payload === undefined ? t.paymentInstructions : waysToPay(world, quote, t),
    rateDetails: showRateDetails(t),
    scaChallenge: t.status === 'PENDING_AUTHORIZATION' ? showChallengeOf(world, quote) : undefined,
    description: quote.description,
  };
}
