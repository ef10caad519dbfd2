import type { Builder, Recipe, Recipes, Thing } from '../builder.ts';
import { ref, unique } from '../plan.ts';
import { funded, internal } from './accounts.ts';
import { SIGNED } from './payments.ts';
import { customer, list } from './people.ts';

const ENDINGS = ['-main', '-main', '-main', '-001', '-002', '-005'];
const MERCHANTS = ['NORTH PIER CAFE', 'NORTH PIER CAFE', 'PIER 002', 'PIER 003', 'PIER 005', 'PIER 006'];

function newCard(b: Builder, currency = b.of(['USD', 'USD', 'USDB'])): Thing {
  const who = customer(b);
  const account = funded(b, currency, who, currency === 'USD' ? 50_000 : 50_000_000);
  const body = {
    cardholderId: who.id,
    form: 'VIRTUAL',
    fundingSources: [account.id],
    platformCardId: unique(`card-${b.number()}-`).concat(b.of(ENDINGS)),
    ...b.of<{ [name: string]: number }>([{}, {}, { maxSpendPerTransaction: 1000 }]),
  };
  const call = b.call('createCard', { body });
  if (!b.once(4)) b.pause('5s');
  return b.keep('card', call, { account: account.id, currency });
}
const card = (b: Builder): Thing => b.some('card', () => newCard(b));

/** Something that the network says of a card, and the payment that comes of it. */
function authorize(b: Builder, operation: string, which = card(b)): void {
  const merchant = { descriptor: b.of(MERCHANTS), mcc: '5812', country: 'US' };
  const body = { amount: b.of([2500, 100, 1]), currency: { code: b.once(8) ? 'EUR' : 'USD' }, merchant };
  b.call(operation, { params: { id: which.id }, body });
}

/** A payment by card, with the card that it was made by. */
const payment = (b: Builder): Thing =>
  b.some('cardPayment', () => {
    const which = card(b);
    authorize(b, 'sandboxSimulateCardAuthorization', which);
    const listed = b.call('listTransactions', { query: { senderAccountIdentifier: which['account'] as string } });
    return b.keep('cardPayment', listed, { card: which.id }, 'data.0.id');
  });

const authorization =
  (operation: string): Recipe =>
  (b) =>
    authorize(b, operation);
const later =
  (operation: string): Recipe =>
  (b) => {
    const { id, card } = payment(b);
    const body = { cardTransactionId: id, amount: b.of([2500, 100, 50, 5000]) };
    b.call(operation, { params: { id: card ?? '' }, body });
    if (b.once(2)) b.call('getTransactionById', { params: { transactionId: id } });
  };

/** A key by which the service may spend from a wallet: two signatures. */
function newKey(b: Builder): Thing {
  const { id, account } = newCard(b, 'USDB');
  const body = { cardId: id, internalAccountId: account ?? '', nickname: 'spending' };
  let call = b.call('createDelegatedKey', { body });
  for (let n = 2 - (b.once(4) ? 1 : 0); n > 0; n -= 1)
    call = b.call('createDelegatedKey', { body, headers: { ...SIGNED, 'Request-Id': ref(call, 'requestId') } });
  return b.keep('key', call, { account: account ?? '' });
}
const key = (b: Builder): Thing => b.some('key', () => newKey(b));

export const CARDS: Recipes = {
  createCard: (b) => void newCard(b),
  listCards: (b) => {
    const { account } = card(b);
    const filters = [{}, { state: 'ACTIVE' }, { accountId: account ?? '' }, { sortOrder: 'asc' }];
    list(b, 'listCards', { query: b.of(filters) as Record<string, string> });
  },
  getCardById: (b) => void b.call('getCardById', { params: { id: card(b).id } }),
  updateCardById: (b) => {
    const changes = [
      { state: 'FROZEN' },
      { state: 'ACTIVE' },
      { maxSpendPerTransaction: 500 },
      { state: 'CLOSED' },
      {},
    ];
    b.call('updateCardById', {
      params: { id: card(b).id },
      body: b.of<{ [name: string]: string | number }>(changes as []),
    });
  },
  revealCard: (b) => void b.call('revealCard', { params: { id: card(b).id } }),
  sandboxSimulateCardAuthorization: authorization('sandboxSimulateCardAuthorization'),
  sandboxSimulateCardCreditAuthorization: authorization('sandboxSimulateCardCreditAuthorization'),
  sandboxSimulateCardFinancialAuthorization: authorization('sandboxSimulateCardFinancialAuthorization'),
  sandboxSimulateCardFinancialCreditAuthorization: authorization('sandboxSimulateCardFinancialCreditAuthorization'),
  sandboxSimulateCardCreditAuthorizationAdvice: authorization('sandboxSimulateCardCreditAuthorizationAdvice'),
  sandboxSimulateCardBalanceInquiry: (b) => {
    const merchant = { descriptor: b.of(MERCHANTS), mcc: '6011', country: 'US' };
    b.call('sandboxSimulateCardBalanceInquiry', { params: { id: card(b).id }, body: { merchant } });
  },
  sandboxSimulateCardAuthorizationAdvice: later('sandboxSimulateCardAuthorizationAdvice'),
  sandboxSimulateCardClearing: later('sandboxSimulateCardClearing'),
  sandboxSimulateCardReturn: later('sandboxSimulateCardReturn'),
  sandboxSimulateCardReturnReversal: (b) => {
    const { id, card } = payment(b);
    b.call('sandboxSimulateCardReturnReversal', { params: { id: card ?? '' }, body: { cardTransactionId: id } });
  },
  createDelegatedKey: (b) => void newKey(b),
  listDelegatedKeys: (b) => {
    const { account } = b.once(2) ? key(b) : { account: internal(b, 'USDB', customer(b)).id };
    b.call('listDelegatedKeys', { query: { accountId: account ?? '' } });
  },
  getDelegatedKeyById: (b) => void b.call('getDelegatedKeyById', { params: { id: key(b).id } }),
  revokeDelegatedKey: (b) => void b.call('revokeDelegatedKey', { params: { id: key(b).id } }),
};
