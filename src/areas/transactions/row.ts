import { type ErrorCode, fail } from '../../contract/errors.ts';
import { moneyText } from '../../contract/money.ts';
import { resource, rowOr404 } from '../../engine/resource.ts';
import type { TableToken } from '../../engine/table.ts';
import type { World } from '../../engine/world.ts';
import type { AnyTransaction, CardPayment, Side, Transaction } from './row-shape.ts';
import { TransactionRow } from './row-shape.ts';
import { referenceOf, showTransaction } from './show.ts';
import { transactionPicture, transactionStory } from './story.ts';

/** Returns the name of a side in the API: an account's id or a UMA address. */
export const identifierOf = (side: Side): string | undefined =>
  side.kind === 'ACCOUNT' ? side.accountId : side.kind === 'UMA_ADDRESS' ? side.umaAddress : undefined;

/** Returns the payer's name in the API; a merchant has none. `receiverIn` does the same for the receiver. */
const senderIn = (t: AnyTransaction): string | undefined =>
  t.type === 'CARD' ? (t.direction === 'DEBIT' ? t.accountId : undefined) : identifierOf(t.source);
const receiverIn = (t: AnyTransaction): string | undefined =>
  t.type === 'CARD' ? (t.direction === 'CREDIT' ? t.accountId : undefined) : identifierOf(t.destination);

/** Returns a function that reads a payment and returns undefined for a card payment. */
const ofPayment =
  <T>(say: (t: Transaction) => T) =>
  (t: AnyTransaction): T | undefined =>
    t.type === 'CARD' ? undefined : say(t);
const ofCard =
  <T>(say: (t: CardPayment) => T) =>
  (t: AnyTransaction): T | undefined =>
    t.type === 'CARD' ? say(t) : undefined;

const accountIn = (side: Side): string | undefined => (side.kind === 'ACCOUNT' ? side.accountId : undefined);

/** Both ends of the payment looked at last: it is written several times, but its ends do not change. */
let ends: {
  readonly sender: string | undefined;
  readonly receiver: string | undefined;
  readonly keys: readonly string[];
} = { sender: undefined, receiver: undefined, keys: [] };

function partiesOf(t: AnyTransaction): readonly string[] {
  const sender = senderIn(t);
  const receiver = receiverIn(t);
  if (ends.sender !== sender || ends.receiver !== receiver)
    ends = { sender, receiver, keys: [sender, receiver].filter((key) => key !== undefined) };
  return ends.keys;
}

/** Combined names of types and states, each built once. */
const TYPES_AND_STATES = new Map<string, Map<string, string>>();

function typeAndStatus({ type, status }: AnyTransaction): string {
  let names = TYPES_AND_STATES.get(type);
  if (!names) TYPES_AND_STATES.set(type, (names = new Map()));
  let name = names.get(status);
  if (name === undefined) names.set(status, (name = `${type} ${status}`));
  return name;
}

/** The direction of the money, from the customer's point of view. */
const WAYS = { INCOMING: 'in', OUTGOING: 'out', CARD: 'by card' } as const;

/**
 * Returns the other end of a payment: the id of a customer or of an external account, an address, or a merchant.
 * Undefined for money from a bank transfer.
 */
function counterpartyOf(t: AnyTransaction): string | undefined {
  if (t.type === 'CARD') return t.merchant.descriptor;
  return t.towards ?? identifierOf(t.type === 'INCOMING' ? t.source : t.destination);
}

/** Returns what the other side received; for a card payment, what was cleared, in the merchant's currency. */
function receivedIn(t: AnyTransaction): string | undefined {
  if (t.type === 'CARD') return t.settled > 0 ? `${t.settled} ${t.currency}` : undefined;
  return t.received && `${t.received.amount} ${t.received.currency}`;
}

/** Returns a ledger account if it belongs to this sandbox; undefined for an outside one. */
const inside = (account: string): string | undefined => (account.startsWith('outside:') ? undefined : account);

/** Returns the accounts that a payment moves, or may move later, each with its currency. */
function movesOf(t: AnyTransaction): readonly (readonly [string, string])[] {
  if (t.type === 'CARD') return [[t.accountId, t.accountCurrency]];
  const { sent, received, payer, payee, refundTo } = t;
  const [from, to] = [accountIn(t.source) ?? payer, accountIn(t.destination) ?? payee];
  return [
    ...[from, payer, refundTo].map((account) => [account, sent.currency] as const),
    ...[to, payee].map((account) => [account, received.currency] as const),
  ];
}

/** Returns whether the fees of a payment cover the parts that they are made of. */
const hasFees = (t: AnyTransaction): boolean =>
  t.type === 'CARD' || t.fees >= t.platformFees + (t.rateDetails?.serviceApiFixedFee ?? 0);

export const TRANSACTIONS = resource('transactions', {
  row: TransactionRow,
  indexes: {
    customer: (t) => t.customerId,
    platformCustomer: (t) => t.platformCustomerId,
    sender: senderIn,
    receiver: receiverIn,
    party: partiesOf,
    status: (t) => t.status,
    type: (t) => t.type,
    typeAndStatus,
    cardId: ofCard((t) => t.cardId),
    reference: ofPayment((t) => referenceOf(t.id)),
  },
  refers: {
    customerId: { of: (t) => t.customerId, in: ['customers', 'platform'], by: 'customer' },
    source: { of: ofPayment((t) => accountIn(t.source)), in: ['accounts', 'external-accounts'], by: 'party' },
    destination: { of: ofPayment((t) => accountIn(t.destination)), in: ['accounts', 'external-accounts'], by: 'party' },
    accountId: { of: ofCard((t) => t.accountId), in: ['accounts'], by: 'party' },
    cardId: { of: ofCard((t) => t.cardId), in: ['cards'] },
    payer: { of: ofPayment((t) => inside(t.payer)), in: ['accounts'] },
    payee: { of: ofPayment((t) => inside(t.payee)), in: ['accounts'] },
    refundTo: { of: ofPayment((t) => inside(t.refundTo)), in: ['accounts'] },
    towards: { of: ofPayment((t) => t.towards), in: ['customers', 'platform'] },
    twin: 'transactions',
    quoteId: 'quotes',
    agentId: 'agents',
  },
  moves: movesOf,
  conflict: (t) => (hasFees(t) ? undefined : 'fees are less than the platform fees and the fixed fee within them'),
  titles: ['Payments', 'Payment', 'Money in, out and by card; in the API, transactions'],
  prefix: ['Transaction', 'CardTransaction'],
  main: true,
  wide: true,
  label: (t) => {
    const amount = t.type === 'CARD' ? { amount: t.authorized, currency: t.currency } : t.sent;
    return amount && moneyText(amount.amount, amount.currency);
  },
  view: (row) => showTransaction(row),
  picture: transactionPicture,
  story: transactionStory,
  follows: (t) => (t.type === 'CARD' ? [] : [t.quoteId]),
  chapterOf: ['cardId'],
  columns: {
    Status: ['status', 'status'],
    Direction: ({ type }) => WAYS[type],
    Customer: ['customerId', 'id'],
    Counterparty: [counterpartyOf, 'id'],
    Received: [receivedIn, 'money'],
    Created: ['createdAt', 'time'],
  },
  sought: ['type'],
  filters: {
    Currency: (t) => (t.type === 'CARD' ? t.currency : [...new Set([t.sent.currency, t.received.currency])]),
  },
  tones: {
    COMPLETED: 'good',
    FAILED: 'bad',
    REJECTED: 'bad',
    EXPIRED: 'bad',
    PENDING: 'warn',
    PROCESSING: 'warn',
    SETTLED: 'good',
    EXCEPTION: 'bad',
    AUTHORIZED: 'warn',
    PARTIALLY_SETTLED: 'warn',
    PENDING_AUTHORIZATION: 'warn',
    REFUNDED: 'good',
  },
});

/** Returns one transaction of any type. 404 TRANSACTION_NOT_FOUND. */
export const transactionOf = rowOr404(TRANSACTIONS, 'TRANSACTION_NOT_FOUND', 'transaction');

type IndexOf<T> = T extends TableToken<infer _, infer I> ? I : never;

/** The table of transactions, for code that writes one type of them. */
export const PAYMENTS = TRANSACTIONS as unknown as TableToken<Transaction, IndexOf<typeof TRANSACTIONS>>;
export const CARD_PAYMENTS = TRANSACTIONS as unknown as TableToken<CardPayment, IndexOf<typeof TRANSACTIONS>>;

/** Returns the payment with an id, if there is one; undefined for a card payment. */
export function paymentIn(world: World, id: string | undefined): Transaction | undefined {
  const t = id === undefined ? undefined : world.rows(TRANSACTIONS).get(id);
  return t?.type === 'CARD' ? undefined : t;
}

/** Returns one payment. 404 TRANSACTION_NOT_FOUND; refuses a card payment with the code `otherwise`. */
export function paymentOf(world: World, id: string, otherwise: ErrorCode = 'TRANSACTION_NOT_FOUND'): Transaction {
  const t = transactionOf(world, id);
  if (t.type !== 'CARD') return t;
  return fail(otherwise, `transaction ${id} is a payment by card: the card network alone moves it on`, {
    why: { rule: 'reference 4.5', expected: 'an incoming or outgoing payment', seen: t.type },
  });
}
