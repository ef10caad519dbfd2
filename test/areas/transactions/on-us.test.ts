import { describe, expect, test } from 'vitest';
import { type MoneyKit, moneyKit } from '../../kit/money.ts';

const from = (accountId: string) => ({ sourceType: 'ACCOUNT', accountId });
const to = (accountId: string) => ({ destinationType: 'ACCOUNT', accountId });

/** Pay by quote: executed, or where funds are pushed, sent to. The payment, when nothing is left to happen. */
async function pay(it: MoneyKit, source: object, destination: object, more: object = {}) {
  const { body: quote } = await it.quote(source, destination, more);
  const executed = await it.post(`/quotes/${quote.id}/execute`, {});
  if (executed.status !== 200)
    await it.post('/sandbox/send', { quoteId: quote.id, currencyCode: quote.sendingCurrency.code });
  await it.settle();
  return it.transaction(quote.transactionId);
}

const bo = async (it: MoneyKit): Promise<string> => {
  const sent = { customerType: 'INDIVIDUAL', fullName: 'Bo Lind', birthDate: '1991-02-03' };
  const { body } = await it.post('/customers', sent);
  await it.settle();
  it.story();
  return body.id;
};

const rowsOf = async (it: MoneyKit, query: Record<string, string>) => (await it.get('/transactions', query)).body;

/** The rows that credit and debit an account, summed up. */
async function sumOf(it: MoneyKit, accountId: string): Promise<number> {
  const { data } = await rowsOf(it, { accountIdentifier: accountId, status: 'COMPLETED', limit: '100' });
  let sum = 0;
  for (const t of data) {
    if (t.direction === 'CREDIT' && t.destination.accountId === accountId) sum += t.receivedAmount.amount;
    if (t.direction === 'DEBIT' && t.source.accountId === accountId) sum -= t.sentAmount.amount;
  }
  return sum;
}

describe('payments into an internal account (C3, spec 2.7, 3.4)', () => {
  test('a payment from the platform is a credit among the transactions of the customer (C3)', async () => {
    const it = await moneyKit();
    const own = await it.funded('USD', 50_000, 'platform');
    const target = await it.account('USD');
    const out = await pay(it, from(own.id), to(target.id), { description: 'Bonus' });
    expect(out).toMatchObject({ type: 'OUTGOING', direction: 'DEBIT', status: 'COMPLETED' });
    const { data, totalCount } = await rowsOf(it, { customerId: it.customer.id });
    expect(totalCount).toBe(1);
    expect(data[0]).toMatchObject({
      type: 'INCOMING',
      direction: 'CREDIT',
      status: 'COMPLETED',
      customerId: it.customer.id,
      platformCustomerId: 'ana',
      source: { sourceType: 'ACCOUNT', accountId: own.id },
      destination: { destinationType: 'ACCOUNT', accountId: target.id },
      sentAmount: { amount: 20_000 },
      receivedAmount: { amount: 20_000 },
      quoteId: out.quoteId,
      description: 'Bonus',
    });
    expect([out.source, out.destination]).toEqual([data[0].source, data[0].destination]);
    expect(await it.balance(target.id)).toBe(20_000);
    expect(it.story()).toEqual([
      'OUT.PENDING',
      'OUT',
      'BALANCE 30000',
      'OUT.PROCESSING',
      'OUT.COMPLETED',
      'BALANCE 20000',
      'IN.COMPLETED',
    ]);
  });

  test('the filters of the list find a payment by either side (C3)', async () => {
    const it = await moneyKit();
    const own = await it.funded('USD', 50_000, 'platform');
    const target = await it.account('USD');
    const out = await pay(it, from(own.id), to(target.id));
    const owner = out.customerId;
    for (const [query, types] of [
      [{ customerId: owner }, ['OUTGOING']],
      [{ customerId: it.customer.id }, ['INCOMING']],
      [{ type: 'INCOMING', receiverAccountIdentifier: target.id }, ['INCOMING']],
      [{ type: 'OUTGOING', senderAccountIdentifier: own.id }, ['OUTGOING']],
      [{ accountIdentifier: target.id }, ['INCOMING', 'OUTGOING']],
      [{ status: 'COMPLETED' }, ['INCOMING', 'OUTGOING']],
    ] as const) {
      const { data, totalCount } = await rowsOf(it, query);
      expect([query, data.map((t: { type: string }) => t.type)]).toEqual([query, types]);
      expect(totalCount).toBe(types.length);
    }
  });

  test.each(['spec', 'grid'] as const)(
    "a payment from a customer's bank into the same customer's wallet is a credit (profile %s, C3)",
    async (profile) => {
      const it = await moneyKit({ profile });
      const bank = it.bank('USD');
      const wallet = await it.account('USDB');
      const out = await pay(it, from(bank.id), to(wallet.id));
      const { data } = await rowsOf(it, { customerId: it.customer.id, type: 'INCOMING' });
      expect(data).toMatchObject([
        {
          direction: 'CREDIT',
          status: 'COMPLETED',
          source: { accountId: bank.id },
          destination: { accountId: wallet.id },
        },
      ]);
      expect(data[0].receivedAmount).toEqual(out.receivedAmount);
      expect(await it.balance(wallet.id)).toBe(out.receivedAmount.amount);
    },
  );

  test("each of two customers has their own transaction of a payment, and the receiver's says who paid (C3, S26)", async () => {
    const it = await moneyKit();
    const receiver = await bo(it);
    const source = await it.funded('USD', 50_000);
    const target = await it.account('EUR', receiver);
    const out = await pay(it, from(source.id), to(target.id));
    expect(out.customerId).toBe(it.customer.id);
    const { data } = await rowsOf(it, { customerId: receiver });
    expect(data).toMatchObject([
      {
        type: 'INCOMING',
        direction: 'CREDIT',
        source: { accountId: source.id },
        counterpartyInformation: { FULL_NAME: 'Ana Souza' },
        sentAmount: { amount: 20_000 - out.fees },
        receivedAmount: out.receivedAmount,
        exchangeRate: out.exchangeRate,
      },
    ]);
    expect((await rowsOf(it, { customerId: it.customer.id })).totalCount).toBe(1);
  });

  test('the transactions of an account add up to its balance, however the money arrived and left (C3)', async () => {
    const it = await moneyKit({ profile: 'grid' });
    const receiver = await bo(it);
    const usd = await it.funded('USD', 90_000);
    const own = await it.funded('USD', 40_000, 'platform');
    const [eur, wallet] = [await it.account('EUR'), await it.account('USDB')];
    const boUsd = await it.account('USD', receiver);
    await pay(it, from(usd.id), to(eur.id));
    await pay(it, from(usd.id), to(boUsd.id), { lockedCurrencyAmount: 7000 });
    await pay(it, from(boUsd.id), to(own.id), { lockedCurrencyAmount: 1000 });
    await pay(it, from(own.id), to(usd.id), { lockedCurrencyAmount: 300 });
    await pay(it, from(it.bank('USD').id), to(wallet.id));
    await pay(it, { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: it.customer.id }, to(eur.id));
    await pay(it, from(eur.id), to(it.bank('USD').id), { lockedCurrencyAmount: 500 });
    await it.post('/transfer-in', {
      source: { accountId: it.bank('USD', '888').id },
      destination: { accountId: usd.id },
      amount: 555,
    });
    await it.settle();
    for (const { id } of [usd, own, eur, wallet, boUsd]) {
      const balance = await it.balance(id);
      expect(balance).toBeGreaterThan(0);
      expect([id, await sumOf(it, id)]).toEqual([id, balance]);
    }
  });

  test('the receiving transaction is PENDING while the payment is under way (C3)', async () => {
    const it = await moneyKit({ scenario: ['default', { policies: { 'transaction.settle': 'after PT1H' } }] });
    const own = await it.funded('USD', 50_000, 'platform');
    const target = await it.account('USD');
    await pay(it, from(own.id), to(target.id));
    const pending = await rowsOf(it, { customerId: it.customer.id });
    expect(pending.data).toMatchObject([{ type: 'INCOMING', status: 'PENDING' }]);
    expect(await it.balance(target.id)).toBe(0);
    await it.advance('PT1H');
    expect(await it.transaction(pending.data[0].id)).toMatchObject({ status: 'COMPLETED' });
    expect(await it.balance(target.id)).toBe(20_000);
  });

  test('a payment whose funds never arrive, or in another amount, credits nothing and opens no receiving transaction (C3)', async () => {
    const it = await moneyKit();
    await pay(it, from(it.bank('USD', '002').id), to((await it.account('EUR')).id));
    const realtime = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: it.customer.id };
    const { body: quote } = await it.quote(realtime, to((await it.account('EUR')).id));
    await it.post('/sandbox/send', { quoteId: quote.id, currencyCode: 'USD', currencyAmount: 3 });
    await it.settle();
    const { data } = await rowsOf(it, { customerId: it.customer.id });
    expect(data).toMatchObject([
      { type: 'OUTGOING', status: 'FAILED' },
      { type: 'OUTGOING', status: 'FAILED' },
    ]);
    expect(await it.balance((await it.account('EUR')).id)).toBe(0);
  });

  test.each([
    ['OUTGOING', 'FAILED', 'QUOTE_EXECUTION_FAILED'],
    ['OUTGOING', 'COMPLETED', undefined],
    ['INCOMING', 'FAILED', 'COLLECTION_FAILED'],
    ['INCOMING', 'COMPLETED', undefined],
  ])('an outcome set by hand on the %s side to %s ends both sides alike (C3)', async (type, outcome, failureReason) => {
    const it = await moneyKit({ scenario: ['default', { policies: { 'transaction.settle': 'after PT1H' } }] });
    const own = await it.funded('USD', 50_000, 'platform');
    const target = await it.account('USD');
    const out = await pay(it, from(own.id), to(target.id));
    const [incoming] = (await rowsOf(it, { type: 'INCOMING', customerId: it.customer.id })).data;
    const decided = type === 'OUTGOING' ? out.id : incoming.id;
    expect((await it.control('POST', `/transactions/${decided}/outcome`, { outcome })).status).toBe(200);
    await it.advance('PT3H');
    expect(await it.transaction(incoming.id)).toMatchObject({ status: outcome });
    expect((await it.transaction(incoming.id)).failureReason).toBe(failureReason);
    expect(await it.transaction(out.id)).toMatchObject({ status: outcome });
    expect(await it.balance(own.id)).toBe(outcome === 'COMPLETED' ? 30_000 : 50_000);
    expect(await it.balance(target.id)).toBe(outcome === 'COMPLETED' ? 20_000 : 0);
  });

  test('a payment within the platform cannot be set to RETURNED by hand: 409 (C3)', async () => {
    const it = await moneyKit();
    const own = await it.funded('USD', 50_000, 'platform');
    const out = await pay(it, from(own.id), to((await it.account('USD')).id));
    const answer = await it.control('POST', `/transactions/${out.id}/outcome`, { outcome: 'RETURNED' });
    expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT']);
  });

  test('an on-chain transfer has one hash on both transactions (C3, spec 2.7)', async () => {
    const it = await moneyKit();
    await pay(
      it,
      { sourceType: 'REALTIME_FUNDING', currency: 'USDC', customerId: it.customer.id, cryptoNetwork: 'BASE' },
      to((await it.account('USD')).id),
    );
    await it.advance('PT5S');
    const { data } = await rowsOf(it, { customerId: it.customer.id });
    const hashes = data.map((t: { source: { onChainTransaction: object } }) => t.source.onChainTransaction);
    expect(hashes[0]).toMatchObject({ network: 'BASE' });
    expect(hashes[1]).toEqual(hashes[0]);
  });
});
