import { describe, expect, test } from 'vitest';
import { openTransaction } from '../../../src/areas/transactions/index.ts';
import { type MoneyKit, moneyKit } from '../../kit/money.ts';
import { kit, refusal } from '../../kit/sandbox.ts';

/** Three payments of different kinds, a second apart. */
async function three() {
  const it = await moneyKit();
  const usd = await it.funded('USD', 50_000);
  const bank = it.bank('USD');
  const failing = it.bank('USD', '004');
  const transfer = (from: string, to: string, path = '/transfer-out') =>
    it.post(path, { source: { accountId: from }, destination: { accountId: to }, amount: 1000 });
  const out = (await transfer(usd.id, bank.id)).body;
  await it.advance('PT1S');
  const failed = (await transfer(usd.id, failing.id)).body;
  await it.advance('PT1S');
  const inward = (await transfer(bank.id, usd.id, '/transfer-in')).body;
  await it.settle();
  return { it, usd, bank, out, failed, inward };
}
const ids = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id);

describe('GET /transactions, 200', () => {
  test('the list of transactions is newest first, or oldest first when the query says so', async () => {
    const { it, out, failed, inward } = await three();
    expect(ids(await it.get('/transactions'))).toEqual([inward.id, failed.id, out.id]);
    expect(ids(await it.get('/transactions', { sortOrder: 'asc' }))).toEqual([out.id, failed.id, inward.id]);
  });

  test('each filter of the list of transactions narrows it, and filters combine freely (reference 11.5)', async () => {
    const { it, usd, bank, out, failed, inward } = await three();
    const of = async (query: Record<string, string>) => ids(await it.get('/transactions', query));
    expect(await of({ customerId: it.customer.id })).toHaveLength(3);
    expect(await of({ customerId: 'Customer:x' })).toEqual([]);
    expect(await of({ platformCustomerId: 'ana' })).toHaveLength(3);
    expect(await of({ accountIdentifier: bank.id })).toEqual([inward.id, out.id]);
    expect(await of({ senderAccountIdentifier: bank.id })).toEqual([inward.id]);
    expect(await of({ receiverAccountIdentifier: bank.id })).toEqual([out.id]);
    expect(await of({ status: 'FAILED' })).toEqual([failed.id]);
    expect(await of({ type: 'OUTGOING' })).toEqual([failed.id, out.id]);
    expect(await of({ type: 'OUTGOING', status: 'COMPLETED', senderAccountIdentifier: usd.id })).toEqual([out.id]);
    expect(await of({ reference: out.reconciliationInstructions.reference })).toEqual([out.id]);
  });

  test("the list of transactions finds a UMA address in either case of its letters, and an account's id as it is (spec 2.8)", async () => {
    const it = await moneyKit();
    await fill(it, 2);
    const usd = await it.account('USD');
    const count = async (query: Record<string, string>) => (await it.get('/transactions', query)).body.data.length;
    for (const address of ['$success.usd@sandbox.uma.money', '$SUCCESS.usd@Sandbox.UMA.money']) {
      expect(await count({ receiverAccountIdentifier: address })).toBe(2);
      expect(await count({ accountIdentifier: address })).toBe(2);
      expect(await count({ senderAccountIdentifier: address })).toBe(0);
    }
    expect(await count({ senderAccountIdentifier: usd.id })).toBe(2);
    expect(await count({ senderAccountIdentifier: usd.id.toUpperCase() })).toBe(0);
    expect(await count({ receiverAccountIdentifier: '$success.usd@sandbo\u212A.uma.money' })).toBe(0);
  });

  test('the dates of the list include both ends, so a day from 00:00:00.000 to 23:59:59.999 is whole (spec 8)', async () => {
    const { it, out, failed, inward } = await three();
    const of = async (startDate: string, endDate: string) => ids(await it.get('/transactions', { startDate, endDate }));
    expect(await of('2026-01-05T00:00:00.000Z', '2026-01-05T23:59:59.999Z')).toHaveLength(3);
    expect(await of('2026-01-05T09:00:01Z', '2026-01-05T09:00:01Z')).toEqual([failed.id]);
    expect(await of('2026-01-05T10:00:01+01:00', '2026-01-06T00:00:00Z')).toEqual([inward.id, failed.id]);
    expect(await of('2026-01-05T00:00:00Z', '2026-01-05T09:00:00Z')).toEqual([out.id]);
  });

  test("the platform's own payments have the platform's id as their customer", async () => {
    const it = await moneyKit();
    const own = await it.funded('USD', 5000, 'platform');
    const bank = it.bank('USD', '999', { customerId: undefined });
    const { body } = await it.post('/transfer-out', {
      source: { accountId: own.id },
      destination: { accountId: bank.id },
    });
    const { id } = (await it.get('/config')).body;
    expect([body.customerId, body.platformCustomerId]).toEqual([id, id]);
    expect(ids(await it.get('/transactions', { customerId: id }))).toEqual([body.id]);
  });

  test('pages of transactions neither lose nor repeat a row while rows are added', async () => {
    const it = await moneyKit();
    await fill(it, 10);
    const before = ids(await it.get('/transactions', { limit: 100 }));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await it.get('/transactions', { limit: 3, ...(cursor ? { cursor } : {}) });
      seen.push(...body.data.map((t: { id: string }) => t.id));
      expect('nextCursor' in body).toBe(body.hasMore);
      cursor = body.nextCursor;
      await fill(it, 2);
    } while (cursor);
    expect(seen).toEqual(before);
  });
});

const fill = async (it: MoneyKit, count: number) => {
  const { world } = it.sandbox;
  const account = await it.account('USD');
  world.transact(() => {
    for (let i = 0; i < count; i += 1)
      openTransaction(
        world,
        it.customer,
        {
          type: 'OUTGOING',
          source: { kind: 'ACCOUNT', accountId: account.id, currency: 'USD' },
          destination: { kind: 'UMA_ADDRESS', umaAddress: '$success.usd@sandbox.uma.money', currency: 'USD' },
          sent: { amount: 1, currency: 'USD' },
          received: { amount: 1, currency: 'USD' },
          fees: 0,
          platformFees: 0,
          payer: account.id,
          payee: 'outside:payout:USD',
          refundTo: account.id,
          cancellable: false,
        },
        'quote',
      );
  });
};

describe('GET /transactions, refused', () => {
  test.each([
    ['status', 'DONE'],
    ['type', 'CARDS'],
    ['startDate', 'yesterday'],
    ['endDate', '2026-13-01'],
    ['limit', '101'],
    ['cursor', 'x'],
    ['sortOrder', 'up'],
  ])('the list of transactions is refused with 400 for %s=%s', async (name, value) => {
    const it = await kit();
    expect(refusal(await it.get('/transactions', { [name]: value }))).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
      fields: [name],
    });
  });

  test('the list of transactions, and one transaction, are refused with 401 without credentials', async () => {
    const it = await kit();
    expect((await it.call('GET', '/transactions', undefined, { as: null })).status).toBe(401);
    expect((await it.call('GET', '/transactions/x', undefined, { as: null })).status).toBe(401);
  });
});

describe('GET /transactions/{transactionId}', () => {
  test('GET of an unknown transaction is refused with 404 TRANSACTION_NOT_FOUND', async () => {
    const it = await kit();
    expect(refusal(await it.get('/transactions/Transaction:x'))).toMatchObject({
      status: 404,
      code: 'TRANSACTION_NOT_FOUND',
    });
  });
});
