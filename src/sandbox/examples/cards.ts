import { accountsOf } from '../../areas/accounts/index.ts';
import type { Customer } from '../../areas/customers/index.ts';
import type { Facts, Match, Row } from './facts.ts';
import { AMOUNT } from './money.ts';
import { at, type Recipe, type Recipes } from './recipe.ts';
import { MERCHANT } from './samples.ts';

const card = (the: Facts, match: Match = {}): string => the.id('cards', 'createCard', match);
const active = { cardState: 'ACTIVE' };

/** A message of a merchant that names no payment. */
const asking: Recipe = at(
  'id',
  (the) => the.newest('cards', active, spendable(the))?.id ?? the.lacks(payerOf(the)),
  () => ({ body: { amount: AMOUNT, currency: { code: 'USD' }, merchant: MERCHANT } }),
);

/** Whether the account that pays for a card first covers what examples spend; wallets ask for a key besides. */
const spendable =
  (the: Facts) =>
  (row: Row): boolean => {
    const most = row['maxSpendPerTransaction'] as number | undefined;
    const [id = ''] = row['fundingSources'] as string[];
    const account = the.newest('accounts', { id, currency: 'USD' }, ({ type }) => type !== 'EMBEDDED_WALLET');
    return account !== undefined && (most === undefined || most >= AMOUNT) && the.balance(id) >= AMOUNT;
  };

/** What is missing for a payment by card: money, where there is a card that it could be spent with. */
const payerOf = (the: Facts): string => {
  const poor = the.newest('cards', active, (row) => {
    const [id = ''] = row['fundingSources'] as string[];
    const account = the.newest('accounts', { id, currency: 'USD' }, ({ type }) => type !== 'EMBEDDED_WALLET');
    return (
      account !== undefined &&
      the.balance(id) < AMOUNT &&
      the.who((one) => one.id === row['cardholderId']) !== undefined
    );
  });
  return poor ? 'sandboxFundInternalAccount' : 'createCard';
};

/** A message about a payment by card in some states. */
const about =
  (maker: string, states: readonly string[], body: (row: Row) => object): Recipe =>
  (the) => {
    const row = the.row('transactions', maker, { type: 'CARD', direction: 'DEBIT' }, ({ status }) =>
      states.includes(String(status)),
    );
    return {
      params: { id: String(row['cardId'] ?? the.lacks(maker)) },
      body: { cardTransactionId: row.id, ...body(row) },
    };
  };

const number = (row: Row, name: string): number => (row[name] as number | undefined) ?? 0;
const rest = (row: Row): number => Math.max(1, number(row, 'authorized') - number(row, 'settled'));

/** Cards and what the card network tells of them. */
export const CARDS: Recipes = {
  createCard: (the) => {
    const ofCards = (one: Customer) =>
      accountsOf(the.world, one.id).find(
        ({ currency, status, type }) => currency === 'USD' && status === 'ACTIVE' && type !== 'EMBEDDED_WALLET',
      );
    const holds = (one: Customer) => the.balance(ofCards(one)?.id ?? '') > 0;
    const found =
      the.who((one) => ofCards(one) !== undefined && holds(one)) ?? the.who((one) => ofCards(one) !== undefined);
    return {
      body: {
        cardholderId: found?.id ?? the.lacks('createCustomer'),
        form: 'VIRTUAL',
        fundingSources: [(found && ofCards(found)?.id) ?? '<accountId>'],
      },
    };
  },
  getCardById: at('id', (the) => card(the)),
  updateCardById: at(
    'id',
    (the) => card(the, active),
    () => ({ body: { state: 'FROZEN' } }),
  ),
  revealCard: at('id', (the) => card(the, active)),
  sandboxSimulateCardAuthorization: asking,
  sandboxSimulateCardCreditAuthorization: asking,
  sandboxSimulateCardFinancialAuthorization: asking,
  sandboxSimulateCardFinancialCreditAuthorization: asking,
  sandboxSimulateCardCreditAuthorizationAdvice: asking,
  sandboxSimulateCardBalanceInquiry: at(
    'id',
    (the) => card(the, active),
    () => ({ body: { merchant: MERCHANT } }),
  ),
  sandboxSimulateCardAuthorizationAdvice: about(
    'sandboxSimulateCardAuthorization',
    ['AUTHORIZED', 'PARTIALLY_SETTLED'],
    (row) => ({ amount: number(row, 'authorized') || AMOUNT }),
  ),
  sandboxSimulateCardClearing: about(
    'sandboxSimulateCardAuthorization',
    ['AUTHORIZED', 'PARTIALLY_SETTLED'],
    (row) => ({ amount: rest(row) }),
  ),
  sandboxSimulateCardReturn: about(
    'sandboxSimulateCardFinancialAuthorization',
    ['SETTLED', 'PARTIALLY_SETTLED'],
    (row) => ({
      amount: Math.max(1, number(row, 'settled') - number(row, 'refunded')),
    }),
  ),
  sandboxSimulateCardReturnReversal: about('sandboxSimulateCardReturn', ['REFUNDED'], () => ({})),
};
