import type { After } from '../../declare/after.ts';
import {
  AMOUNT,
  a,
  among,
  type Deciding,
  type Example,
  type Fits,
  oneOf,
  type Row,
  type Scene,
  sample,
} from '../../declare/example.ts';

export const ACTIVE = { cardState: 'ACTIVE' };

/** Returns the dollar account that pays first for a card. Wallets are left out: they also need a key. */
function payerOf({ fundingSources = [] }: Row, the: Scene): Row | undefined {
  const [id = ''] = fundingSources as string[];
  return the.newest('accounts', { id, currency: 'USD' }, ({ type }) => type !== 'EMBEDDED_WALLET');
}

/** Returns whether the account that pays for a card covers the amounts of examples. */
const isCovered: Fits = (card, the) => {
  const { maxSpendPerTransaction: most = AMOUNT } = card as { maxSpendPerTransaction?: number };
  const account = payerOf(card, the);
  return account !== undefined && most >= AMOUNT && the.balance(account.id) >= AMOUNT;
};

/** Returns whether a card payment lacks nothing but money. */
const isPoor: Fits = (card, the) => {
  const account = payerOf(card, the);
  return (
    account !== undefined && the.balance(account.id) < AMOUNT && the.who({ id: card['cardholderId'] }) !== undefined
  );
};

/** An example of a merchant's message that names no payment. */
export const asking: Deciding = (the) => {
  const lacking = () => the.lacks(the.newest('cards', ACTIVE, isPoor) ? 'sandboxFundInternalAccount' : 'createCard');
  return {
    params: { id: the.newest('cards', ACTIVE, isCovered)?.id ?? lacking() },
    body: { amount: oneOf(AMOUNT, 100, 1), currency: { code: 'USD' }, merchant: sample('merchant') },
    vary: [
      ...['PIER 002', 'PIER 003', 'PIER 005', 'PIER 006'].map((descriptor) => ({
        body: { merchant: { descriptor, mcc: '5812', country: 'US' } },
      })),
      { body: { currency: { code: 'EUR' } } },
    ],
  };
};

/** An example of a merchant who only checks whether the card works. */
export const inquiring: Example<'id'> = {
  params: { id: a('cards', ACTIVE, 'createCard') },
  body: { merchant: sample('merchant') },
};

/** Returns an example of a message about a card payment in one of some states. */
export const about =
  (maker: string, states: readonly string[], body: (payment: Row) => object = () => ({})): Deciding =>
  (the) => {
    const match = { type: 'CARD', direction: 'DEBIT', status: among(...states) };
    const payment = the.row('transactions', match, maker);
    return {
      params: { id: payment['cardId'] ?? the.lacks(maker) },
      body: { cardTransactionId: payment.id, ...body(payment) },
      vary: [{ body: { amount: oneOf(100, 50, 5000) } }],
    };
  };

const sum = (row: Row, name: string): number => (row[name] as number | undefined) ?? 0;
export const authorizedIn = (row: Row): number => sum(row, 'authorized') || AMOUNT;
/** Returns how much of a payment may still be settled, and how much refunded; at least 1. */
export const unsettledIn = (row: Row): number => Math.max(1, sum(row, 'authorized') - sum(row, 'settled'));
export const returnableIn = (row: Row): number => Math.max(1, sum(row, 'settled') - sum(row, 'refunded'));

export const AFTER_OTHER_SOURCES: After = [
  { ready: 'updateCardById' },
  { call: 'getCardById', as: 'card' },
  {
    call: 'updateCardById',
    params: { id: '$card.id' },
    body: { fundingSources: '$card.fundingSources' },
    whole: true,
  },
];

const READY = { ready: 'sandboxSimulateCardAuthorization' };
const REFUSED_LATER = { descriptor: 'PIER 006', mcc: '5812', country: 'US' };

/** The calls that lead to each event of a card payment. */
export const AFTER_PAYMENTS: Readonly<Record<string, After>> = {
  'CARD_TRANSACTION.AUTHORIZED': [READY, 'sandboxSimulateCardAuthorization'],
  'CARD_TRANSACTION.PARTIALLY_SETTLED': [
    READY,
    { call: 'sandboxSimulateCardAuthorization', main: true },
    { call: 'sandboxSimulateCardClearing', body: { amount: 1 } },
  ],
  'CARD_TRANSACTION.SETTLED': [READY, 'sandboxSimulateCardFinancialAuthorization'],
  'CARD_TRANSACTION.REFUNDED': [
    READY,
    { call: 'sandboxSimulateCardFinancialAuthorization', main: true },
    'sandboxSimulateCardReturn',
  ],
  'CARD_TRANSACTION.EXCEPTION': [
    READY,
    { call: 'sandboxSimulateCardAuthorization', body: { merchant: REFUSED_LATER } },
  ],
};
