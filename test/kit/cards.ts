import type { HostOptions } from '../../src/public.ts';
import { cardPayments } from './card-payments.ts';
import { type Answer, type Kit, kit } from './sandbox.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a reply, line by line
type Body = any;

/** Ana, approved, with 300.00 USD, and what a card network says of a card of hers. */
export interface CardKit extends Kit {
  customer: Body;
  /** Her accounts by currency. */
  accounts: Readonly<Record<string, Body>>;
  /** A card of hers that works, unless told otherwise. */
  card(more?: object): Promise<Body>;
  /** Tells something of a card; the answer. */
  tell(card: { id: string }, what: string, body: object): Promise<Answer>;
  /** An authorization of so much, and the payment that came of it. */
  pay(card: { id: string }, amount: number, more?: object): Promise<Body>;
  read(payment: { id: string }): Promise<Body>;
  /** Available and total balance of an account. */
  balances(account: { id: string }): Promise<readonly [available: number, total: number]>;
  /** Events about cards and balances since the last look: types, with the available and total amounts of balances. */
  story(): string[];
  /** What the request log says of the last call of the API. */
  said(): readonly string[];
}

export const MERCHANT = { descriptor: 'NORTH PIER CAFE', mcc: '5812', country: 'US' };

export async function cardKit(options: HostOptions = {}, person: object = {}): Promise<CardKit> {
  const base = await kit({
    scenario: { platform: { currencies: ['USD', 'EUR', 'USDB'].map((code) => ({ code })) } },
    ...options,
  });
  const sent = { customerType: 'INDIVIDUAL', fullName: 'Ana Souza', birthDate: '1990-01-02', email: 'ana@example.com' };
  const { body: customer } = await base.post('/customers', { ...sent, platformCustomerId: 'ana', ...person });
  await base.settle();
  const listed = (await base.get('/customers/internal-accounts', { customerId: customer.id })).body.data;
  const accounts = Object.fromEntries(listed.map((one: Body) => [one.balance.currency.code, one]));
  await base.post(`/sandbox/internal-accounts/${accounts['USD'].id}/fund`, { amount: 30_000 });
  await base.settle();
  let told = base.events().length;
  const it: CardKit = {
    ...base,
    customer,
    accounts,
    card: async (more = {}) => {
      const body = { cardholderId: customer.id, form: 'VIRTUAL', fundingSources: [accounts['USD'].id], ...more };
      const { body: card } = await base.post('/cards', body);
      await base.settle();
      return (await base.get(`/cards/${card.id}`)).body;
    },
    tell: (card, what, body) => base.post(`/sandbox/cards/${card.id}/simulate/${what}`, body),
    pay: async (card, amount, more = {}) => {
      const body = { amount, currency: { code: 'USD' }, merchant: MERCHANT, ...more };
      const { body: answer } = await it.tell(card, 'authorization', body);
      await base.settle();
      const data = await cardPayments(base.get);
      return data.find((t: Body) => t.issuerTransactionToken === answer.issuerTransactionToken);
    },
    read: async (payment) => (await base.get(`/transactions/${payment.id}`)).body,
    balances: async (account) => {
      const { body } = await base.get('/customers/internal-accounts', { customerId: customer.id });
      const found = body.data.find((one: Body) => one.id === account.id);
      return [found.balance.amount, found.totalBalance.amount];
    },
    story: () => {
      const fresh = base.events().slice(told);
      told += fresh.length;
      return fresh.map(({ type, data }) =>
        type === 'INTERNAL_ACCOUNT.BALANCE_UPDATED' ? `${data.balance.amount}/${data.totalBalance.amount}` : type,
      );
    },
    said: () => {
      const [last] = base.sandbox.requestLog.newest();
      return last?.caused?.magic ?? [];
    },
  };
  return it;
}
