import { describe, expect, test } from 'vitest';
import { cardPayments } from '../../kit/card-payments.ts';
import { moneyKit } from '../../kit/money.ts';
import { refusal } from '../../kit/sandbox.ts';

/** A payment, then one by card a second later, then another payment. */
async function mixed() {
  const it = await moneyKit();
  const usd = await it.funded('USD', 50_000);
  const bank = it.bank('USD');
  const out = async () =>
    (
      await it.post('/transfer-out', {
        source: { accountId: usd.id },
        destination: { accountId: bank.id },
        amount: 1000,
      })
    ).body;
  const first = await out();
  await it.advance('PT1S');
  const merchant = { descriptor: 'NORTH PIER CAFE', mcc: '5812', country: 'US' };
  const { body: made } = await it.post('/cards', {
    cardholderId: it.customer.id,
    form: 'VIRTUAL',
    fundingSources: [usd.id],
  });
  await it.settle();
  await it.post(`/sandbox/cards/${made.id}/simulate/authorization`, {
    amount: 1250,
    currency: { code: 'USD' },
    merchant,
  });
  await it.settle();
  const [card] = await cardPayments(it.get);
  await it.advance('PT1S');
  const last = await out();
  return { it, usd, bank, first, card, last };
}
const ids = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id);

describe('payments by card among the transactions', () => {
  test('GET /transactions shows payments by card and all others in one list, newest first, and its pages and counts cover both', async () => {
    const { it, first, card, last } = await mixed();
    expect(ids(await it.get('/transactions'))).toEqual([last.id, card.id, first.id]);
    const page = await it.get('/transactions', { limit: '2' });
    expect(page.body).toMatchObject({ hasMore: true, totalCount: 3 });
    expect(ids(await it.get('/transactions', { limit: '2', cursor: page.body.nextCursor }))).toEqual([first.id]);
  });

  test('a payment by card is listed by customer, account and time, and not among those of a type', async () => {
    const { it, usd, bank, card, first, last } = await mixed();
    const of = async (query: Record<string, string>) => ids(await it.get('/transactions', query));
    expect(await of({ type: 'OUTGOING' })).toEqual([last.id, first.id]);
    expect(await of({ customerId: it.customer.id })).toEqual([last.id, card.id, first.id]);
    expect(await of({ accountIdentifier: usd.id })).toEqual([last.id, card.id, first.id]);
    expect(await of({ senderAccountIdentifier: usd.id })).toHaveLength(3);
    expect(await of({ receiverAccountIdentifier: bank.id })).toEqual([last.id, first.id]);
    expect(await of({ startDate: card.createdAt, endDate: card.createdAt })).toEqual([card.id]);
  });

  test.each([{ type: 'CARD' }, { status: 'AUTHORIZED' }, { status: 'EXCEPTION' }])(
    'the filter %o is refused with 400 in both profiles, as the contract has no such words (K3)',
    async (query) => {
      for (const profile of ['spec', 'grid'] as const) {
        const answer = await (await moneyKit({ profile })).get('/transactions', query);
        expect(refusal(answer)).toEqual({ status: 400, code: 'INVALID_INPUT', fields: Object.keys(query) });
      }
    },
  );

  test('GET /transactions/{transactionId} shows a payment by card with its own members (reference 4.2)', async () => {
    const { it, card, usd } = await mixed();
    const amount = { amount: 1250, currency: { code: 'USD', name: 'United States Dollar', symbol: '$', decimals: 2 } };
    expect((await it.get(`/transactions/${card.id}`)).body).toEqual({
      id: card.id,
      type: 'CARD',
      status: 'AUTHORIZED',
      direction: 'DEBIT',
      cardId: card.cardId,
      customerId: it.customer.id,
      platformCustomerId: 'ana',
      issuerTransactionToken: card.issuerTransactionToken,
      merchant: { descriptor: 'NORTH PIER CAFE', mcc: '5812', country: 'US' },
      authorizedAmount: amount,
      accountId: usd.id,
      pullSummary: { count: 1, totalAmount: 1250, pendingCount: 0 },
      refundSummary: { count: 0, totalAmount: 0 },
      settlementSummary: { count: 0, totalAmount: 0 },
      authorizedAt: card.createdAt,
      lastEventAt: card.createdAt,
      createdAt: card.createdAt,
      updatedAt: card.createdAt,
    });
  });

  test('approve, reject, cancel, confirm and an outcome set by hand are refused for a payment by card', async () => {
    const { it, card } = await mixed();
    const post = (what: string) => it.post(`/transactions/${card.id}/${what}`, {});
    for (const what of ['approve', 'reject'])
      expect(refusal(await post(what))).toMatchObject({
        status: 409,
        code: 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL',
      });
    expect(refusal(await post('cancel'))).toMatchObject({ status: 409, code: 'TRANSACTION_NOT_CANCELLABLE' });
    expect(refusal(await post('confirm'))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    const decided = await it.control('POST', `/transactions/${card.id}/outcome`, { outcome: 'COMPLETED' });
    expect(refusal(decided)).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect((await it.get(`/transactions/${card.id}`)).body.status).toBe('AUTHORIZED');
  });

  test('the control API shows a payment by card with its postings, and no plan', async () => {
    const { it, card } = await mixed();
    const { body } = await it.control('GET', `/transactions/${card.id}`);
    expect(body).toMatchObject({ transaction: { id: card.id, type: 'CARD' }, done: [], next: [] });
    expect(body.plan).toBe(undefined);
    expect(body.postings.map(({ reason }: { reason: string }) => reason)).toEqual(['card hold', 'card pull']);
  });
});
