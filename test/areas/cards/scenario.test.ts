import { describe, expect, test } from 'vitest';
import { cardPayments } from '../../kit/card-payments.ts';
import { MERCHANT } from '../../kit/cards.ts';
import { kit, refusal } from '../../kit/sandbox.ts';

const PAYMENT = 'CardTransaction:00000000-0000-4000-8000-000000000009';

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a reply, line by line
type Body = any;

describe('scenario cards', () => {
  test.each(['spec', 'grid'] as const)(
    'the scenario cards has a card in every state and a card payment in every status, profile %s',
    async (profile) => {
      const it = await kit({ scenario: 'cards', profile });
      const { data: cards } = (await it.get('/cards', { sortOrder: 'asc' })).body;
      expect(cards.map((card: Body) => [card.platformCardId, card.state, card.last4])).toEqual([
        ['emp-77-4821', 'ACTIVE', '4821'],
        ['emp-77-1044', 'ACTIVE', '1044'],
        ['emp-77-9012', 'ACTIVE', '9012'],
        ['emp-77-3310', 'FROZEN', '3310'],
        ['studio-2207', 'CLOSED', '2207'],
        ['studio-2208', 'ACTIVE', '2208'],
        ['studio-2209', 'PROCESSING', undefined],
      ]);
      const payments = await cardPayments(it.get, { sortOrder: 'asc' });
      expect(
        payments.map((t: Body) => [t.merchant.descriptor, t.status, t.pullSummary, t.refundSummary.totalAmount]),
      ).toEqual([
        ['HARBOUR HOTEL', 'AUTHORIZED', { count: 1, totalAmount: 42_000, pendingCount: 0 }, 0],
        ['PAPER MILL', 'PARTIALLY_SETTLED', { count: 1, totalAmount: 9000, pendingCount: 0 }, 0],
        ['NORTH PIER CAFE', 'SETTLED', { count: 2, totalAmount: 5900, pendingCount: 0 }, 0],
        ['LAST AND SOLE', 'REFUNDED', { count: 1, totalAmount: 12_000, pendingCount: 0 }, 12_000],
        ['GLASSWORKS', 'SETTLED', { count: 1, totalAmount: 80_000, pendingCount: 0 }, 30_000],
        ['CITY CABS', 'EXCEPTION', { count: 2, totalAmount: 2000, pendingCount: 0 }, 0],
      ]);
      expect(it.events()).toEqual([]);
      const { body: decided } = await it.control('POST', `/cards/${cards[6].id}/decision`, { decision: 'ACTIVATE' });
      expect(decided.state).toBe('ACTIVE');
    },
  );

  test('an account whose pinned id ends in 002 or 003 cannot fund a card (reference 3.3)', async () => {
    const ids = ['002', '003', '004'].map((end) => `InternalAccount:00000000-0000-4000-8000-000000000${end}`);
    const it = await kit({
      scenario: {
        customers: ids.map((USD, i) => ({
          customerType: 'INDIVIDUAL',
          fullName: 'Ana Souza',
          platformCustomerId: `ana-${i}`,
          accountIds: { USD },
        })),
      },
    });
    const issue = async (id: string, account: string) =>
      it.post('/cards', { cardholderId: id, form: 'VIRTUAL', fundingSources: [account] });
    const { data } = (await it.get('/customers')).body;
    const [four, three, two] = data as [Body, Body, Body];
    for (const [who, account] of [
      [two, ids[0]],
      [three, ids[1]],
    ] as const)
      expect(refusal(await issue(who.id, account as string))).toEqual({
        status: 400,
        code: 'FUNDING_SOURCE_INELIGIBLE',
        fields: ['fundingSources.0'],
      });
    expect((await issue(four.id, ids[2] as string)).status).toBe(201);
  });

  test.each([
    ['002', 'EXCEPTION', { count: 2, totalAmount: 1000, pendingCount: 0 }],
    ['006', 'EXCEPTION', { count: 2, totalAmount: 1000, pendingCount: 0 }],
    ['005', 'SETTLED', { count: 2, totalAmount: 1500, pendingCount: 1 }],
    ['007', 'SETTLED', { count: 2, totalAmount: 1500, pendingCount: 0 }],
  ])(
    'a card payment whose pinned id ends in %s, cleared for more than was authorized, is %s (reference 4.4)',
    async (end, status, pullSummary) => {
      const id = `CardTransaction:00000000-0000-4000-8000-000000000${end}`;
      const it = await kit({
        scenario: {
          customers: [{ label: 'ana', customerType: 'INDIVIDUAL', fullName: 'Ana Souza', accounts: { USD: 5000 } }],
          cards: [{ customer: 'ana', payments: [{ id, amount: 1000 }] }],
        },
      });
      const { data } = (await it.get('/cards')).body;
      await it.post(`/sandbox/cards/${data[0].id}/simulate/clearing`, { cardTransactionId: id, amount: 1500 });
      await it.settle();
      expect((await it.get(`/transactions/${id}`)).body).toMatchObject({ status, pullSummary });
      await it.advance('PT30S');
      expect((await it.get(`/transactions/${id}`)).body.pullSummary.pendingCount).toBe(0);
    },
  );

  test.each([
    [
      'a card in a currency of which its cardholder has no account',
      { cards: [{ customer: 'ana', currencies: ['EUR'] }] },
      'cards.0.currencies',
    ],
    [
      'a payment that the account does not cover',
      { cards: [{ customer: 'ana', payments: [{ amount: 9000 }] }] },
      'cards.0',
    ],
    [
      'a return of more than was cleared',
      { cards: [{ customer: 'ana', payments: [{ amount: 100, cleared: 100, returned: 101 }] }] },
      'cards.0',
    ],
    [
      'a payment by a card that is still PROCESSING',
      { cards: [{ customer: 'ana', state: 'PROCESSING', payments: [{ amount: 1 }] }] },
      'cards.0.payments',
    ],
    [
      'two payments with one id',
      { cards: [{ customer: 'ana', payments: [0, 1].map(() => ({ id: PAYMENT, amount: 1 })) }] },
      'cards.0.payments.1.id',
    ],
    [
      'two accounts with one id',
      {
        customers: [0, 1].map((i) => ({
          customerType: 'INDIVIDUAL',
          fullName: 'Bo Lind',
          platformCustomerId: `${i}`,
          accountIds: { USD: 'InternalAccount:00000000-0000-4000-8000-000000000009' },
        })),
      },
      'customers.1.accountIds',
    ],
  ])('a scenario with %s is refused', async (_what, more, where) => {
    const customers = [{ label: 'ana', customerType: 'INDIVIDUAL', fullName: 'Ana Souza', accounts: { USD: 5000 } }];
    await expect(kit({ scenario: { customers, ...more } as never })).rejects.toThrow(where);
  });

  test('a card payment that a scenario puts in the past settles at the end of its hold, and its card still pays', async () => {
    const it = await kit({ scenario: 'cards' });
    const hotel = (await cardPayments(it.get)).find(({ status }) => status === 'AUTHORIZED');
    await it.advance('P7D');
    expect((await it.get(`/transactions/${hotel.id}`)).body.status).toBe('SETTLED');
    const asked = { amount: 100, currency: { code: 'USD' }, merchant: MERCHANT };
    expect((await it.post(`/sandbox/cards/${hotel.cardId}/simulate/authorization`, asked)).status).toBe(202);
    await it.settle();
    expect(it.events('CARD_TRANSACTION.AUTHORIZED')).toHaveLength(1);
  });
});
